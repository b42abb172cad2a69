"""`tripot solve`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.cli.fixed_engines import FixedEngine
from typer.testing import Result

from tripot import i18n
from tripot.game import (
    CHANCE,
    AnyGame,
)
from tripot.record import Record

Run = Callable[..., Result]


@pytest.mark.kernel
@pytest.mark.parametrize("with_key", [True, False])
def test_solve_ranks_every_move_and_prints_the_principal_variation(
    run_cli: Run, game: AnyGame, played_record: Record, with_key: bool
) -> None:
    state = list(played_record.states())[-4]
    text = state.to_text() if with_key else state.to_text().removeprefix(f"{game.key} ")
    shown = run_cli("solve", game.key, text, "--seconds", "0.1").output
    ranking = [line.split() for line in shown.splitlines()]
    ranked = {row[1] for row in ranking if len(row) > 2 and row[0].isdecimal() and row[2][:1] in "+-"}
    assert ranked == {str(action) for action in state.legal_actions()}
    assert "Principal variation: " in shown


@pytest.mark.kernel
def test_solve_prints_facts_as_sentences(run_cli: Run, game: AnyGame, played_record: Record) -> None:
    state = list(played_record.states())[-2]
    shown = " ".join(run_cli("solve", game.key, state.to_text(), "--seconds", "0.1").output.split())
    assert i18n.render(game, state.prompt) in shown


@pytest.mark.kernel
def test_solve_lists_as_many_moves_as_asked_for(run_cli: Run, game: AnyGame, played_record: Record) -> None:
    state = next(state for state in played_record.states() if len(state.legal_actions()) > 2)
    shown = run_cli("solve", game.key, state.to_text(), "--seconds", "0.1", "--top", 1).output
    assert f"... and {len(state.legal_actions()) - 1} more" in shown


def test_a_position_without_a_seat_to_act_is_refused(
    run_cli: Run, game: AnyGame, played_record: Record
) -> None:
    start = played_record.initial_state()
    assert start.to_act is CHANCE
    assert "chance acts first" in run_cli("solve", game.key, start.to_text(), code=2).stderr
    assert (
        "the game is over" in run_cli("solve", game.key, played_record.final_state.to_text(), code=2).stderr
    )


def test_solve_does_not_use_hidden_information(run_cli: Run, toy_game: AnyGame) -> None:
    shown = run_cli("solve", toy_game.key, "5 1,3 0,0 1 heap=5").output
    assert "(1, 0)" in shown
    assert "(1, 3)" not in shown


def test_solve_prints_win_rate_and_score_lead(
    run_cli: Run, toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(toy_game), "engine", lambda *_: FixedEngine())
    monkeypatch.setattr(
        type(toy_game.initial_state(toy_game.Options())), "draw_terminal_map", lambda *_: ((("a map", ""),),)
    )
    position = "5 1,3 0,0 1 heap=5"
    shown = run_cli("solve", toy_game.key, position, "--map").output
    assert shown.startswith("a map\n")
    ranked = [" ".join(line.split()) for line in shown.splitlines()]
    assert "1 take 1 +0.25 62% +5 points" in ranked
    assert "2 take 2 +0.10 40% -1 point" in ranked
    assert "3 take 3 +0.00 -" in ranked
    assert "Expected scores: First 3, Second -2" in ranked
    assert "Principal variation: take 1 take 1" in ranked


def test_solve_says_if_there_is_no_distance_map(run_cli: Run, toy_game: AnyGame) -> None:
    assert (
        "This position has no distance map."
        in run_cli("solve", toy_game.key, "5 1,3 0,0 1 heap=5", "--map").output
    )
