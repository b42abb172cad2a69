"""Triggery in the terminal: what a player has to notice, skipped turns, rejected throws."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.random_games import random_states
from typer.testing import Result

from tripot.games.triggery import GAME
from tripot.record import Record
from tripot.table import Player, Table

Run = Callable[..., Result]


def test_affordable_tiles_are_visible_without_colours() -> None:
    states = random_states(GAME.initial_state(players=2), seed=1)
    state = next(state for state in states if isinstance(state.to_act, int))
    assert str(state).count("[") == len(state.legal_actions())


def by_hand_position(tmp_path: Path) -> Path:
    """A record of a position by hand with a free bonus above the budget, a free star and a missed line."""
    rows = ["-1,-2,-3,-4,24,-6", "-7,-8,-9,-1,-1,-1", "-1,5,-1,-1,6,-1", "-1,7,-2,-2,8,-2"]
    own = "/".join([*rows, "-2,-2,-2,-2,-2,-2", "-2,-3,*,-3,-3,-3"])
    options = "bonus=by-hand bag=9x1-24,9x*"
    state = f"triggery {own} {own} side=blue throw=5-4 forgotten=1 {options}"
    table = Table(GAME, GAME.Options.parse(options), [Player("Ann"), Player("Bob")], state)
    table.record().save(tmp_path / "by-hand.txt")
    return tmp_path / "by-hand.txt"


def test_by_hand_neither_bonuses_nor_claims_are_listed_but_both_can_be_typed(
    run_cli: Run, tmp_path: Path
) -> None:
    """The numbered choices once showed the bonuses, and the list named every claim (TG-7, TG-11)."""
    file = by_hand_position(tmp_path)
    shown = run_cli("play", "--resume", file, lines="list\nmalus 1 a1\nturn e1\nquit\n").output
    before = shown.split("Blue> malus")[0]
    assert "malus 1" not in before
    assert "turn e1" not in before
    assert "turn c6" not in before
    assert "1 turn b3" in before
    assert "To point at a forgotten bonus" in " ".join(before.split())
    assert [str(action) for action in Record.load(file).actions] == ["malus 1 a1", "turn e1"]


def test_a_skipped_turn_is_reported_as_a_sentence(run_cli: Run, tmp_path: Path) -> None:
    """A throw with which nothing can be turned was followed by the next throw without a word (TG-3)."""
    tiles = "?,?,?,?,?,?/?,20,?,22,?,?/?,?,?,?,?,?/?,23,?,24,?,?/?,?,?,?,?,?/?,?,?,?,?,?"
    own = "?,?,?,?,?,?/?,1,?,2,?,?/?,?,?,?,?,?/?,3,?,4,?,?/?,?,?,?,?,?/?,?,?,?,?,?"
    lines = "throw 1-2\nthrow 1-2\nquit\n"
    shown = run_cli(
        "play",
        "triggery",
        "--from",
        f"{own} {tiles} side=yellow",
        "--seats",
        "a,b",
        "--real-dice",
        lines=lines,
    ).output
    assert "Yellow cannot play and is skipped." in shown


def test_a_throw_of_a_repeated_game_can_be_rejected(run_cli: Run, tmp_path: Path) -> None:
    """TG-12: with the dice of a record, `reject` was refused because the dice were not known."""
    file, again = tmp_path / "first.txt", tmp_path / "again.txt"
    run_cli("play", "triggery", "--seats", "me", "--seed", 3, "--save", file, lines="1\nquit\n")
    shown = run_cli(
        "play", "--same-chance-as", file, "--seed", 9, "--save", again, lines="reject\nquit\n"
    ).output
    assert "Cannot" not in shown
    first, repeated = Record.load(file), Record.load(again)
    assert repeated.actions[:2] == first.actions[:2], "the same board and the same throw"
    assert [str(action).split()[0] for action in repeated.actions[2:4]] == ["reject", "throw"]
