"""Triggery in the terminal: what a player has to notice, skipped turns, rejected throws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.games.triggery.positions import DEAR, solo_state, two_sides
from tests.random_games import random_states
from typer.testing import Result

from tripot.games.triggery import GAME
from tripot.games.triggery.rules import State
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


def test_by_hand_the_choices_do_not_depend_on_a_bonus(run_cli: Run) -> None:
    """With no number within the budget, there was no choice at all if a tile was free, and `done` if not."""
    words = "side=yellow first=blue forgotten=1 throw=1-2 bonus=by-hand"
    blue = "a1:-1 b3:9 c3:9 b4:9 c4:9"
    shown = [
        run_cli(
            "play", "triggery", "--seats", "a,b", "--from", start.to_text(), lines="list\nhelp\nquit\n"
        ).output
        for start in (two_sides(words, blue, "e1:24 b3:5 f3:6 b4:7 f4:8"), two_sides(words, blue, DEAR))
    ]
    dialogues = [output[output.index("Yellow (b): ") :].split("tripot play")[0] for output in shown]
    assert dialogues[0] == dialogues[1]
    assert "1 done" in dialogues[0]


def test_by_hand_a_cell_is_an_attempt_to_turn_its_tile(run_cli: Run, tmp_path: Path) -> None:
    """`b3` was taken as `turn b3`, and a free tile above the budget was said to be unreadable."""
    file = by_hand_position(tmp_path)
    shown = run_cli("play", "--resume", file, lines="a1\na6\nE1\nb3\nquit\n").output
    assert "Cannot read" not in shown
    assert "The tile on a1 is turned already" in shown
    assert [str(action) for action in Record.load(file).actions] == ["turn e1", "turn b3"]
    words = "side=blue first=blue throw=1-2 bonus=by-hand"
    start = two_sides(words, "b1:9 e1:24 b3:5 e3:6 b4:7 e4:8", DEAR)
    arguments = ("play", "triggery", "--seats", "a,b", "--from", start.to_text())
    assert "e1 shows 24, and only 3 is left" in run_cli(*arguments, lines="e1\nquit\n").output


def test_by_hand_a_list_of_claims_says_how_to_claim(run_cli: Run, tmp_path: Path) -> None:
    """ "No legal action begins with 'malus'." was said although claims were legal."""
    shown = run_cli("play", "--resume", by_hand_position(tmp_path), lines="list malus\nquit\n").output
    said = " ".join(shown.split("Nothing in the list begins with 'malus'.")[1].split())
    assert "To point at a forgotten bonus, type its line" in said


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


@pytest.mark.parametrize(
    ("words", "dice"),
    [
        ("", "2-3,"),
        ("sheet=5-6,1-2", "5-6,1-2,2-3,"),
        ("throw=6-5 sheet=5-6", "5-6,6-5,2-3,"),
        ("budget=11", ""),
    ],
)
def test_a_repeated_game_begins_with_the_same_position(
    run_cli: Run, tmp_path: Path, words: str, dice: str
) -> None:
    """Knowing the dice of a record changed the options, and then its position was dropped: another board."""
    file, again = tmp_path / "first.txt", tmp_path / "again.txt"
    start = solo_state(words, "b1:4 c1:7 d1:2 e1:8 c2:20 d2:21 b6:5 c6:9 d6:12 e6:8")
    first_turn = "turn b1\nturn c1\n" if start.throw else ""
    lines = f"{first_turn}throw 2-3\nturn d1\nthrow 1-1\nquit\n"
    arguments = ("--seats", "me", "--save", file, "--real-dice", "--from", start.to_text())
    run_cli("play", "triggery", *arguments, lines=lines)
    run_cli("play", "--same-chance-as", file, "--save", again, lines=f"{first_turn}turn d1\nquit\n")
    first, repeated = Record.load(file), Record.load(again)
    same = repeated.initial_state()
    assert isinstance(same, State)
    assert replace(same, options=start.options) == start
    assert same.options.dice == (f"{dice}1-1" if dice else "")
    assert repeated.actions[: len(first.actions)] == first.actions
