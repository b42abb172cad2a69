"""Verifiable chance: the seed determines all chance outcomes, and its hash commits the server to it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import tripot
from tripot import fairness
from tripot.game import CHANCE, AnyGame
from tripot.record import Record, RecordError
from tripot.table import Player, Table

SEED = "5e" * 32


def dealt(game: AnyGame, seed: str = SEED) -> Record:
    """Some actions of a game whose chance comes from a seed."""
    options = game.Options()
    table = Table(game, options, [Player("Ann")] * options.players)
    rng = Random(1)
    for _ in range(12):
        if table.to_act is CHANCE:
            table.sample_chance(fairness.chance_rng(seed, table.action_count))
        elif table.to_act is not None:
            table.act(table.to_act, rng.choice(table.state.legal_actions()))
    return replace(table.record(), seed=seed)


@pytest.mark.parametrize("game", tripot.list_games(), ids=lambda game: game.key)
def test_all_chance_outcomes_follow_from_the_seed(game: AnyGame) -> None:
    record = dealt(game)
    draws = fairness.verify_chance(record)
    assert draws == sum(state.to_act is CHANCE for state in [*record.states()][:-1])
    assert Record.parse(record.to_text()) == record
    if draws:
        with pytest.raises(fairness.ChanceMismatchError, match="does not follow from the seed"):
            fairness.verify_chance(replace(record, seed="00" * 32))


def test_the_commitment_reveals_nothing_and_is_verified() -> None:
    assert fairness.commitment(SEED) != fairness.commitment("5e" * 31 + "5f")
    assert SEED not in fairness.commitment(SEED)
    assert len({fairness.new_seed() for _ in range(20)}) == 20


@pytest.mark.parametrize("seed", ["", "xyz", "5E" * 32, "5e" * 31])
def test_a_seed_in_a_record_is_64_hexadecimal_digits(seed: str) -> None:
    text = dealt(tripot.list_games()[0]).to_text().replace(SEED, seed)
    with pytest.raises(RecordError):
        Record.parse(text)
