"""TP-9: when a bot accepts a draw, also while tiles are laid and where an engine can only estimate."""

from __future__ import annotations

from random import Random

import pytest
from tests.cli.fixed_engines import FixedValueEngine

from tripot.game import CHANCE, Limit
from tripot.games.trippples import GAME
from tripot.games.trippples.options import Options
from tripot.table import CLEARLY_WORSE, Player, Table
from tripot.testing import random_action


def new_table(options: str) -> Table:
    return Table(GAME, Options.parse(options), [Player("Ann"), Player("level 1", level=1)])


def play(table: Table, rng: Random) -> None:
    if isinstance(table.to_act, int):
        table.act(table.to_act, random_action(table.state, rng))
    else:
        table.sample_chance(rng)


def accepts(table: Table) -> bool:
    """Whether the bot accepts a draw that Ann offers now."""
    table.offer_draw(0)
    answer = table.bot_accepts(1, Limit(simulations=1), Random(1))
    table.answer_offer(1, accept=False)
    return answer


@pytest.mark.parametrize("options", ["", "layout=drafted", "layout=drafted zone=chosen"])
def test_TP_9_a_bot_declines_while_tiles_are_laid(options: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann seemed to stand better on every unfinished board, and always while a tile was to be drawn."""
    monkeypatch.setattr(type(GAME), "engine", lambda *_: FixedValueEngine(1.0))
    table, rng = new_table(options), Random(1)
    while table.to_act is CHANCE or not table.state.has_begun:
        assert not accepts(table)
        play(table, rng)
    assert table.to_act == 0
    assert accepts(table), "now Ann does stand better"


def test_TP_9_moves_are_counted_from_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiles that were laid counted, so a bot accepted a draw on the first move."""
    monkeypatch.setattr(type(GAME), "engine", lambda *_: FixedValueEngine(0.0))
    table, rng = new_table("layout=drafted"), Random(1)
    while not table.state.has_begun:
        play(table, rng)
    assert table.action_count > 100
    assert not accepts(table)


def test_TP_9_an_estimate_has_to_be_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best of several noisy estimates made the player to move look better."""
    table, rng = new_table("tiles=face-down"), Random(1)
    while table.to_act != 0:
        play(table, rng)
    for value, answer in ((-CLEARLY_WORSE * 0.9, False), (-CLEARLY_WORSE, True), (1.0, True)):
        monkeypatch.setattr(type(GAME), "engine", lambda *_, value=value: FixedValueEngine(value))
        assert accepts(table) == answer


@pytest.mark.kernel
@pytest.mark.parametrize(("options", "actions"), [("layout=drafted", 70), ("tiles=face-down", 10)])
def test_TP_9_no_level_accepts_an_early_draw_of_a_random_board(options: str, actions: int) -> None:
    for level in GAME.levels:
        table, rng = new_table(options), Random(level)
        table.set_player(1, Player("bot", level=level))
        for _ in range(actions):
            play(table, rng)
        while table.to_act != 0:
            play(table, rng)
        assert not accepts(table)
