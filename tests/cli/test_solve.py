"""`tripot solve`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import Result

from tripot import words
from tripot.game import CHANCE, AnyGame
from tripot.record import Record

Run = Callable[..., Result]


@pytest.mark.parametrize("with_key", [True, False])
def test_solve_ranks_every_move_and_gives_the_main_line(
    run: Run, game: AnyGame, played: Record, with_key: bool
) -> None:
    state = list(played.states())[-4]
    text = state.dump() if with_key else state.dump().removeprefix(f"{game.key} ")
    shown = run("solve", game.key, text, "--seconds", "0.1").output
    ranking = [line.split() for line in shown.splitlines()]
    ranked = {row[1] for row in ranking if len(row) > 2 and row[0].isdecimal() and row[2][:1] in "+-"}
    assert ranked == {str(action) for action in state.legal()}
    assert "Main line: " in shown


def test_solve_says_in_words_what_is_known(run: Run, game: AnyGame, played: Record) -> None:
    state = list(played.states())[-2]
    shown = " ".join(run("solve", game.key, state.dump(), "--seconds", "0.1").output.split())
    assert words.say(game, state.asks) in shown


def test_solve_lists_as_many_moves_as_asked_for(run: Run, game: AnyGame, played: Record) -> None:
    state = next(state for state in played.states() if len(state.legal()) > 2)
    shown = run("solve", game.key, state.dump(), "--seconds", "0.1", "--top", 1).output
    assert f"... and {len(state.legal()) - 1} more" in shown


def test_a_position_where_nobody_is_to_move_is_one_line(run: Run, game: AnyGame, played: Record) -> None:
    start = played.start()
    assert start.to_act is CHANCE
    assert "chance acts first" in run("solve", game.key, start.dump(), code=2).stderr
    assert "the game is over" in run("solve", game.key, played.last.dump(), code=2).stderr


def test_a_secret_is_not_used_to_solve(run: Run, toy: AnyGame) -> None:
    shown = run("solve", toy.key, "5 1,3 0,0 1 heap=5").output
    assert "(1, 0)" in shown
    assert "(1, 3)" not in shown
