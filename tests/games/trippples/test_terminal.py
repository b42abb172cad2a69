"""Trippples in the terminal: a freeze has to be noticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.games.skipped_turns import check_skips_are_said
from tests.random_games import check_skipped_turns, random_states
from typer.testing import Result

from tripot.game import CHANCE, Limit
from tripot.games.trippples import GAME
from tripot.games.trippples.rules import State

Run = Callable[..., Result]


def frozen_position() -> State:
    """A position in which a move freezes all pawns."""
    for seed in range(200):
        for state in random_states(GAME.initial_state(players=2), seed):
            if any(str(action).endswith("!") for action in state.legal_actions()):
                return state
    raise AssertionError("no game had a freeze")


def test_a_freeze_is_not_offered_but_can_be_announced(run_cli: Run, tmp_path: Path) -> None:
    """`b8!` was once among the numbered choices, and the list said which move freezes (TP-8)."""
    state = frozen_position()
    announced = next(str(action) for action in state.legal_actions() if str(action).endswith("!"))
    assert announced not in state.to_json()["legal"]
    assert not state.preview(GAME.parse_action(announced.rstrip("!"))).effects
    lines = f"list\n{announced}\n"
    arguments = ("--from", state.to_text(), "--seats", "a,b", "--save", tmp_path / "freeze.txt")
    shown = run_cli("play", "trippples", *arguments, lines=lines).output
    assert announced not in shown.split(f"> {announced}")[0]
    assert "To announce a freeze, add ! to the move" in shown
    assert "announced the freeze and wins" in " ".join(shown.split())


@pytest.mark.kernel
def test_a_hint_contains_no_freeze() -> None:
    state = frozen_position()
    analysis = GAME.engine(6).analyse(state, Limit(simulations=5), Random(1))
    assert str(analysis.candidates[0].action).endswith("!"), "the freeze wins"
    hint = state.hint(analysis)
    assert hint.candidates
    assert not any(str(action).endswith("!") for each in hint.candidates for action in each.pv)
    assert not any("freeze" in known.key for each in hint.candidates for known in each.facts)


@pytest.mark.kernel
def test_a_hint_says_that_it_leaves_freezes_aside(run_cli: Run) -> None:
    """It said "a draw with best play" where a freeze won at once. It is said whether or not there is one."""
    for state in (frozen_position(), game_without_freeze()):
        arguments = ("--from", state.to_text(), "--seats", "a,b", "--simulations", 5, "--seed", 1)
        shown = " ".join(run_cli("play", "trippples", *arguments, lines="hint\nquit\n").output.split())
        assert ". This is apart from freezes, which are yours to notice. " in shown.split("Hint: ")[1]


def game_without_freeze() -> State:
    """The position after the tiles were laid at random."""
    rng, state = Random(1), GAME.initial_state(players=2)
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    assert not any(str(action).endswith("!") for action in state.legal_actions())
    return state


def test_TP_4_only_pawns_that_cannot_move_are_skipped() -> None:
    start = GAME.initial_state(players=4)
    assert sum(check_skipped_turns(start, seed, State.target_squares) for seed in range(8))


@pytest.mark.parametrize("options", ["players=2", "players=4"])
def test_TP_4_each_skipped_turn_is_said_in_words(run_cli: Run, options: str) -> None:
    """The other player moved again without a word."""
    check_skips_are_said(run_cli, GAME, options, 4)
