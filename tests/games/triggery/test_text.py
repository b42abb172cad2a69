"""Actions, positions and drawings: texts are read back, and impossible ones are refused with a reason."""

from __future__ import annotations

import json
import string
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripot import testing
from tripot.game import CHANCE, HIDDEN, OptionError, ParseError
from tripot.games.triggery import GAME
from tripot.games.triggery.actions import Done, Fill, Flip, Malus, Reject, StartRoll, Throw
from tripot.games.triggery.board import CELL_INDEX, CELL_NAMES, LINE_NAMES, STAR
from tripot.games.triggery.options import Options
from tripot.games.triggery.rules import State
from tripot.record import Record

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(path for path in GOLDEN.glob("*.txt") if path.stem != "problems")
BLANK = "/".join([",".join("_" * 6)] * 6)
CLOSED = "/".join([",".join(["-7"] * 6)] * 6)
OPEN = "/".join([",".join(["7"] * 6)] * 6)
CHEAP = OPEN.replace("7", "1")
TURNED = "-7" + CHEAP[1:]  # a1 is turned
SQUARE = OPEN.replace("7", "-7").replace("-7", "7", 2)  # a1 and b1 are open


# --- Actions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("fill yellow 20,*,3", Fill(1, bytes([20, STAR, 3]))),
        ("contest 3-5", StartRoll((3, 5))),
        ("throw 6-6", Throw((6, 6))),
        ("turn c4", Flip(CELL_INDEX["c4"])),
        ("done", Done()),
        ("malus 4 c4", Malus(3, CELL_INDEX["c4"])),
        ("malus c c4", Malus(8, CELL_INDEX["c4"])),
        ("malus \\ a1", Malus(12, 0)),
        ("malus / f1", Malus(13, 5)),
        ("reject", Reject()),
    ],
)
def test_an_action_is_parsed_back(text: str, action: object) -> None:
    assert GAME.parse_action(text) == action
    assert str(GAME.parse_action(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "c4", "turn", "turn g1", "turn a7", "turn A1", "turn a1 a2", "throw 7-1", "throw 5", "throw 5-6-1",
     "contest 0-1", "fill red 1", "fill blue 0", "fill blue 100", "fill blue ?", "fill blue 1,,2",
     "malus 7 a1", "malus a1", "malus 1 a9", "done now", "pass", "throw ５-6", "turn a１"],
)  # fmt: skip
def test_a_text_that_is_not_an_action_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        GAME.parse_action(text)


def test_the_names_of_cells_and_lines() -> None:
    assert (CELL_NAMES[0], CELL_NAMES[5], CELL_NAMES[6], CELL_NAMES[35]) == ("a1", "f1", "a2", "f6")
    assert " ".join(LINE_NAMES) == "1 2 3 4 5 6 a b c d e f \\ /"


# --- Positions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"triggery {BLANK} {BLANK}",
        f"triggery {OPEN} {BLANK} players=3",
        f"triggery {OPEN} {OPEN} bonus=by-hand",
        f"triggery {SQUARE.replace('-7', HIDDEN)} sheet=5-6,3 players=1",
        f"triggery {TURNED} {CHEAP} side=blue first=yellow rota=2,1 throw=5-6 left=4 turned=a1 players=4",
        f"triggery {CHEAP} {TURNED} side=blue first=yellow won=0,1 lost=25,0",
        f"triggery {CLOSED} {OPEN} side=yellow first=yellow won=0,2 lost=250,0",
        f"triggery {SQUARE} {TURNED} side=yellow first=yellow throw=1-2 forgotten=1,a bonus=by-hand",
        f"triggery {OPEN} throw=6-6 sheet=1-2 players=1 dice=1-2,6-6",
        f"triggery {OPEN} anew=yes players=1 dice=1-2,6-6",
        f"triggery {CLOSED} throw=5-6 sheet=1-2 needed=4 players=1",
    ],
)
def test_a_position_is_written_as_it_was_read(text: str) -> None:
    assert GAME.parse_state(text).to_text() == text


def test_one_board_means_solitaire_and_two_boards_two_sides() -> None:
    assert GAME.parse_state(f"triggery {OPEN}").options.players == 1
    assert GAME.parse_state(f"triggery {OPEN} players=1").options.players == 1
    assert GAME.parse_state(f"triggery {OPEN} {OPEN}").options.players == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("triggery", "a position of this game"),
        (f"trigger {OPEN}", "a position of this game"),
        (f"triggery {OPEN} {OPEN} {OPEN}", "not of the form name=value"),
        (f"triggery {OPEN} {OPEN} players=1", "boards: 1 with players=1, not 2"),
        (f"triggery {OPEN} players=2", "boards: 2 with players=2, not 1"),
        (f"triggery {OPEN} left=1 left=2", "left is given twice"),
        (f"triggery {OPEN} left=", "not of the form name=value"),
        ("triggery 1,2,3", "6 rows"),
        (f"triggery {OPEN.replace('7', '0', 1)}", "not a tile"),
        (f"triggery {OPEN.replace('7', '--7', 1)}", "not a tile"),
        (f"triggery {OPEN.replace('7', '_', 1)}", "must be full or empty"),
        (f"triggery {CLOSED}", "a board must be clear exactly if"),
        (f"triggery {CLOSED} {OPEN} side=blue", "a board must be clear exactly if"),
        (f"triggery {CLOSED} {CLOSED} side=blue won=1,1", "a board must be clear exactly if"),
        (f"triggery {OPEN} {CLOSED} side=yellow won=1,1", "a board must be clear exactly if"),
        (f"triggery {OPEN} needed=3 throw=1-2", "a board must be clear exactly if"),
        (f"triggery {OPEN} {OPEN} won=2,1 side=blue", "two rounds"),
        (f"triggery {OPEN} {OPEN} won=1", "one number for blue"),
        (f"triggery {OPEN} {OPEN} rota=0,1 side=blue", "one number for blue"),
        (f"triggery {OPEN} {OPEN} rota=2,1 side=blue", "blue does not have that many members"),
        (f"triggery {OPEN} {OPEN} won=1,0", "nothing else can have happened"),
        (f"triggery {BLANK} throw=1-2", "nothing else can have happened"),
        (f"triggery {OPEN} side=yellow", "a player alone has no other side"),
        (f"triggery {OPEN} first=blue", "a player alone has no other side"),
        (f"triggery {OPEN} {OPEN} sheet=1-2 side=blue", "only a player alone has a sheet"),
        (f"triggery {OPEN} throw=1-2 budget=3", "either throw or budget"),
        (f"triggery {OPEN} throw=1-2 left=4", "more is left"),
        (f"triggery {OPEN} throw=1-2 left=2", "no tile was turned over"),
        (f"triggery {OPEN} throw=1-2 turned=a1", "lies face up"),
        (f"triggery {SQUARE} turned=f6", "only after a throw"),
        (f"triggery {OPEN} budget=1000", "not a number from 0 to 999"),
        (f"triggery {OPEN} throw=1-2 dice=1-3", "the known dice have another throw"),
        (f"triggery {OPEN} anew=yes", "no known throw was rejected"),
        (f"triggery {OPEN} anew=no dice=1-2", "anew must be yes"),
        (f"triggery {SQUARE} forgotten=2", "no bonus can have been missed"),
        (f"triggery {OPEN} forgotten=2 bonus=by-hand", "has no tile that is turned over"),
        (f"triggery {OPEN} forgotten=7 bonus=by-hand", "not a line"),
        (f"triggery {OPEN} board={OPEN.replace('7', '8', 1)}", "other tiles"),
        (f"triggery {CLOSED} {OPEN} throw=1-2 side=blue won=1,1", "a board must be clear exactly if"),
    ],
)
def test_a_position_that_contradicts_itself_is_unreadable(text: str, reason: str) -> None:
    with pytest.raises(ParseError) as refused:
        GAME.parse_state(text)
    assert reason in refused.value.reason


def test_a_position_whose_round_is_over_unseen_is_unreadable() -> None:
    lone = "/".join(["9,?,?,?,?,?", *["?,?,?,?,?,?"] * 5])
    with pytest.raises(ParseError, match="the round would be over"):
        GAME.parse_state(f"triggery {lone} {OPEN} throw=1-2")


def test_invalid_options_of_a_position_are_refused() -> None:
    with pytest.raises(OptionError, match="bag"):
        GAME.parse_state(f"triggery {OPEN} bag=1-9")
    with pytest.raises(OptionError, match="no such option"):
        GAME.parse_state(f"triggery {OPEN} turn=1")


@pytest.mark.long
@settings(max_examples=150)
@given(st.integers(0, 2**32), st.data())
def test_a_damaged_position_is_refused_or_is_another_position(seed: int, data: st.DataObject) -> None:
    """It raises only errors for people; a position that is read can be written, drawn and played."""
    rng = Random(seed)
    start = GAME.initial_state(testing.random_options(GAME, rng))
    states = [state for state, _ in testing.random_playthrough(start, rng, steps=rng.randrange(3, 60))]
    text = states[-1].to_text()
    index = data.draw(st.integers(0, len(text) - 1))
    stuff = data.draw(st.text(string.digits + "-*?_,/ =abf", max_size=3))
    damaged = text[:index] + stuff + text[index + data.draw(st.integers(0, 3)) :]
    try:
        state = GAME.parse_state(damaged)
    except (ParseError, OptionError):
        return
    assert GAME.parse_state(state.to_text()) == state
    whole = state.determinize(rng)
    for state_before, _ in testing.random_playthrough(whole, rng, steps=5):
        assert str(state_before)
        assert state_before._repr_svg_()
        json.dumps(state_before.to_json())


# --- Records -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_games_replay_to_the_same_end(path: Path) -> None:
    text = path.read_text("utf-8")
    record = Record.parse(text)
    assert record.to_text() == text
    assert record.outcome is not None


# --- Drawings ----------------------------------------------------------------------------------


def some_states() -> list[State]:
    """One of every kind: filling, contest, throw, turn, malus, the return round, the end."""
    states = [state for path in RECORDS for state in Record.parse(path.read_text("utf-8")).states()]
    return [state for state in states if isinstance(state, State)]


def test_drawings_fit_and_are_well_formed() -> None:
    for state in some_states()[::7]:
        assert max(map(len, str(state).splitlines())) <= 80
        ElementTree.fromstring(state._repr_svg_())


def test_no_drawing_shows_a_tile_that_is_turned_over() -> None:
    for state in some_states()[::7]:
        view = state.view(None)
        assert (str(view), view._repr_svg_(), view.to_json()) == (
            str(state),
            state._repr_svg_(),
            state.to_json(),
        )
        assert state.determinize(Random(1)) == state


def large_drawing(state: State) -> list[str]:
    """The lines of the drawing for a window with colours."""
    return ["".join(text for text, _ in row).rstrip() for row in state.draw_terminal()]


def test_the_board_in_a_terminal_shows_dice_budget_and_the_tiles_of_this_turn() -> None:
    state = GAME.parse_state(f"triggery {CHEAP} {CHEAP} throw=5-6").apply(GAME.parse_action("turn b1"))
    lines = large_drawing(state)
    assert lines[0].split() == ["▶", "blue", "won", "0", "lost", "0", "yellow", "won", "0", "lost", "0"]
    assert lines[2].split() == ["1", "1", "▓▓▓▓", *"1111", "1", *"111111"]
    assert lines[-1].split() == ["round", "1", "throw", "5-6", "budget", "11", "left", "10"]


def test_the_board_in_a_terminal_shows_the_sheet_of_a_player_alone() -> None:
    state = GAME.parse_state(f"triggery {OPEN} sheet={','.join(['5-6'] * 14)} throw=3-3")
    lines = large_drawing(state)
    assert lines[0].split() == ["▶", "throws", "15", "sum", "166"]
    assert lines[2].split()[-6:] == ["1", "5-6", "11", "12", "5-6", "11"]
    assert lines[5].split() == ["4", "5-6", "11", "15", "3-3", "12"]


def test_json_says_whose_throw_and_whose_bonuses_they_are() -> None:
    """The page once worked these out by itself: equal dice, the other side, the loser of a round."""
    page = GAME.parse_state(f"triggery {OPEN} {OPEN} first=blue side=yellow throw=2-2").to_json()
    assert (page["side"], page["throwing_side"], page["claim_side"]) == (1, 0, 0)
    assert (page["is_double"], page["budget"], page["points_counted"]) == (True, 8, 8)
    before = GAME.parse_state(f"triggery {OPEN} {OPEN} first=blue").to_json()
    assert (before["throwing_side"], before["is_double"]) == (None, False)
    alone = GAME.parse_state(f"triggery {OPEN} players=1 throw=2-3").to_json()
    assert (alone["throwing_side"], alone["claim_side"], alone["is_double"]) == (None, 0, False)


def test_json_has_the_result_of_the_first_round() -> None:
    state, rng = GAME.initial_state(Options()), Random(2)
    winner, points = -1, 0
    while state.round == 1:
        assert state.to_json()["first_round"] is None
        winner, points = state.side, state.points(1 - state.side)
        state = state.apply(
            state.sample_chance(rng) if state.to_act is CHANCE else rng.choice(state.legal_actions())
        )
    expected = {"winner": winner, "loser": 1 - winner, "points": points}
    assert state.to_json()["first_round"] == expected
    over = finished(state, rng)
    assert over.to_json()["first_round"] is None


def test_json_has_what_counts_of_the_throw_that_clears_a_board() -> None:
    state = GAME.initial_state(Options(players=1))
    over = finished(state, Random(1)).to_json()
    earlier = sum(points for _, points in over["sheet"])
    assert over["points_counted"] == over["throw_sum"] - earlier <= over["budget"]


def finished(state: State, rng: Random) -> State:
    """A position after the end, reached at random."""
    while state.to_act is not None:
        state = state.apply(
            state.sample_chance(rng) if state.to_act is CHANCE else rng.choice(state.legal_actions())
        )
    return state


def test_json_has_costs_and_chains() -> None:
    rows = "?,3,?,?,24,?/?,?,?,?,?,?/?,5,?,?,6,?/?,7,?,?,8,?/?,?,?,?,?,?/?,?,?,?,?,?"
    page = GAME.parse_state(f"triggery {rows} throw=1-4").to_json()
    assert (page["budget"], page["budget_left"], page["throw"]) == (5, 5, [1, 4])
    assert page["costs"] == {"b1": 3, "b3": 5}
    assert page["chains"] == {"b1": ["e1"], "b3": ["e3"]}
    assert page["closed_lines"] == [["2", "5", "6", "a", "c", "d", "f", "\\", "/"]]
    assert page["chain_lines"] == {"b1": ["1"], "b3": ["3"]}
    assert page["boards"][0][:6] == [HIDDEN, 3, HIDDEN, HIDDEN, 24, HIDDEN]
    assert page["legal"] == ["turn b1", "turn b3"]
