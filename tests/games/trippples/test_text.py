"""Actions and positions as text, both ways; errors in texts; drawings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import get_args
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripot import testing
from tripot.game import CHANCE, Fact, OptionError, Outcome, ParseError
from tripot.games.trippples import GAME, actions
from tripot.games.trippples.board import NEUTRAL_TILES, SQUARE_INDEX
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State

GOLDEN = Path(__file__).parent / "golden"
POSITIONS = re.findall("^trippples .*$", (GOLDEN / "perft.txt").read_text("utf-8"), re.MULTILINE)
SEEDS = st.integers(0, 2**32)

# --- Actions -----------------------------------------------------------------------------------

ACTIONS: dict[str, actions.Action] = {
    "c3": actions.Move(18),
    "h8!": actions.Move(63, freeze=True),
    "neutral d4": actions.LayNeutralTile(27),
    "lay a1": actions.LayTile(0),
    "draw 268": actions.DrawTile(0b10101),
    "zone b2,f3,c5,g7": actions.LayNeutralTiles((9, 21, 34, 54)),
    "fill 268,N,789": actions.FillBoard(bytes([0b10101, 1, 0b10000011])),
}


def test_every_type_of_action_is_tested() -> None:
    assert {type(action) for action in ACTIONS.values()} == {*get_args(actions.Action)}


@pytest.mark.parametrize("text", ACTIONS)
def test_an_action_has_one_text(text: str) -> None:
    assert GAME.parse_action(text) == ACTIONS[text]
    assert str(ACTIONS[text]) == text
    assert eval(repr(ACTIONS[text]), vars(actions)) == ACTIONS[text], "a repr can be pasted back"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a move is a square"),
        ("pass", "'pass' is not a square"),
        ("i9", "'i9' is not a square"),
        ("C3", "'C3' is not a square"),
        ("c3!!", "not a square"),
        ("!", "not a square"),
        ("c3 !", "a move is a square"),
        ("c3 d4", "a move is a square"),
        ("lay", "'lay' is not a square"),
        ("lay 268", "'268' is not a square"),
        ("lay c3!", "not a square"),
        ("neutral", "not a square"),
        ("draw 862", "'862' is not a tile"),
        ("draw 12", "not a tile"),
        ("draw 258", "not a tile"),
        ("draw ?", "not a tile"),
        ("fill ?", "'\\?' is not a tile"),
        ("fill 268,,147", "'' is not a tile"),
        ("zone b2;c5", "not a square"),
        ("zone b2, c5", "a move is a square"),
    ],
)
def test_an_unreadable_action_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as refused:
        GAME.parse_action(text)
    assert refused.value.text == text


def test_spaces_around_an_action_do_not_matter() -> None:
    assert GAME.parse_action("  draw   268 ") == actions.DrawTile(0b10101)


# --- Positions ---------------------------------------------------------------------------------

PLAIN, DOWN = POSITIONS[1], POSITIONS[11]
BOARD = PLAIN.split()[1]
STARTS = f"trippples {BOARD}"
DRAFT = "trippples " + GAME.initial_state(Options(layout="drafted")).to_text().split()[1] + " layout=drafted"
FACE_DOWN = GAME.initial_state(Options(tiles="face-down")).to_text()
SWAPPED = {"478": "147", "147": "478", "238": "369", "369": "238"}  # 147 comes to h5, 369 to a5
FROZEN = re.sub("|".join(SWAPPED), lambda name: SWAPPED[name[0]], STARTS) + " pawns=h5,a5"
CHOSEN = GAME.initial_state(Options(zone="chosen")).to_text()


def test_a_position_without_words_is_an_opening() -> None:
    state = GAME.parse_state(STARTS)
    assert state.pawns == bytes([SQUARE_INDEX["h1"], SQUARE_INDEX["a1"]])
    assert (state.to_act, state.history) == (0, b"")


def test_words_may_come_in_any_order() -> None:
    words = POSITIONS[9].split()
    assert len(words) > 4
    assert GAME.parse_state(" ".join([*words[:2], *reversed(words[2:])])) == GAME.parse_state(POSITIONS[9])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "trippples BOARD"),
        ("trippples", "trippples BOARD"),
        (PLAIN.replace("trippples", "tripples"), "trippples BOARD"),
        (STARTS.replace("/", ",", 1), "8 rows"),
        (STARTS + "/", "8 rows"),
        (STARTS.replace(",", ",,", 1), "8 rows"),
        (STARTS.replace("268", "138"), "the tile 138 is on the board twice"),
        (STARTS.replace("268", "N"), "only four neutral tiles"),
        (STARTS.replace("268", "682"), "'682' is not a tile"),
        (STARTS.replace("268", "n"), "'n' is not a tile"),
        (STARTS.replace("268", ""), "'' is not a tile"),
        (STARTS.replace("268", "?"), "h4 lies face down, which needs tiles=face-down"),
        (STARTS.replace("268", "~268"), "h4 lies face down"),
        (STARTS.replace("q", "x"), "a8 must be q with these options, not 'x'"),
        (STARTS.replace("q", "Q"), "a8 must be q"),
        (STARTS.replace("268", "Q"), "h4 must be no home"),
        (STARTS + " corners=inset", "b7 must be q|a8 must be no home"),
        (STARTS + " finish=centre", "d5 must be q|a8 must be no home"),
        (STARTS.replace(",N,", ",.,"), "in the middle"),
        (STARTS + " pawns=c3", "2 pawns are needed, not 1"),
        (STARTS + " pawns=c3,d3,e3,f3", "2 pawns are needed, not 4"),
        (STARTS + " players=4 pawns=c3,f3", "4 pawns are needed, not 2"),
        (STARTS + " pawns=c3,c9", "'c9' is not a square"),
        (STARTS + " pawns=c3,c3", "two pawns stand on c3"),
        (STARTS + " players=4 pawns=c3,d3,c3,e3", "two pawns stand on c3"),
        (STARTS + " pawns=a1,c3", "the pawn of seat 1 cannot stand on a1"),
        (STARTS + " pawns=c3,a8", "the pawn of seat 2 cannot stand on a8"),
        (STARTS + " pawns=d4,c3", "the pawn of seat 1 cannot stand on d4"),
        (STARTS + " turn=0", "'0' is not a seat; seats are 1 to 2"),
        (STARTS + " turn=3", "'3' is not a seat"),
        (STARTS + " turn=two", "'two' is not a seat"),
        (STARTS + " turn=1 turn=1", "turn is given twice"),
        (STARTS + " wild", "'wild' is not of the form name=value"),
        (STARTS + " hand=147", "the tile 147 cannot be in hand"),
        (STARTS + " hand=5", "'5' is not a tile"),
        (DRAFT + " turn=1", "pawns do not move before every square has a tile"),
        (DRAFT + " pawns=h1,a1", "pawns do not move before"),
        (DRAFT + " past=h1a11", "pawns do not move before"),
        (DRAFT.replace(".", "268", 1) + " hand=268", "268 cannot be in hand"),
        (DRAFT.replace("drafted", "random") + " hand=268", "268 cannot be in hand"),
        (CHOSEN + " hand=268", "268 cannot be in hand"),
        (PLAIN + " past=c3", "not a past position"),
        (PLAIN + " past=c3c31", "two pawns stand on c3"),
        (PLAIN + " past=c3f63", "'3' is not a seat"),
        (PLAIN + " past=c3i91", "'i9' is not a square"),
        (PLAIN + " past=d4f61", "cannot stand on d4"),
        (PLAIN + " past=nonsense", "not a past position"),
        (PLAIN + " past=c3f6", "not a past position"),
        (PLAIN + " past=1", "not a past position"),
        (PLAIN + " past=a8f61", "a pawn on its finish ends the game"),
        (re.sub("turn=1|turn=2", "turn=1 past=b8c81", DOWN), "the tiles under the pawns of past positions"),
        (STARTS.replace("268", ".") + f" layout=given board={BOARD}", "a full board has 56 arrow tiles"),
        (CHOSEN + " layout=drafted hand=268", "268 cannot be in hand"),
        (CHOSEN + " layout=drafted hand=N", "N cannot be in hand"),
        (FACE_DOWN.replace(".", "?", 1), "nothing is hidden before"),
        (re.sub("N,N", "268,N", STARTS.replace("268", "N"), count=1) + " tiles=face-down", "in the middle"),
        (FROZEN + " turn=1 called=2", "only the last seat to move"),
        (FROZEN + " turn=1 called=1 freeze=off", "only the last seat to move"),
        (PLAIN + " called=1", "a freeze was called, but a pawn can move"),
        (PLAIN + " called=x", "'x' is not a seat"),
        (DOWN.replace("pawns=", "pawns=a7,"), "2 pawns are needed"),
        (re.sub("pawns=[^ ]*", "pawns=h1,b8", DOWN), "the tile under a pawn must lie face up"),
    ],
)
def test_a_damaged_position_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        GAME.parse_state(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PLAIN + " players=3", "players"),
        (PLAIN + " colour=red", "colour"),
        (PLAIN + " layout=given", "board"),
        (PLAIN + " layout=given board=q", "board"),
        (PLAIN + " tiles=face-down zone=chosen", "zone"),
    ],
)
def test_an_invalid_option_in_a_position_is_an_option_error(text: str, name: str) -> None:
    with pytest.raises(OptionError) as refused:
        GAME.parse_state(text)
    assert refused.value.name == name


def moments(seed: int, steps: int, every: int) -> Iterator[State]:
    """Some states of a random game in a random variant, from the empty board to the last one."""
    rng = Random(seed)
    state = GAME.initial_state(Options.parse(str(testing.random_options(GAME, rng))))
    for step in range(steps):
        if step % every == 0 or state.outcome:
            yield state
        if state.outcome:
            return
        state = state.apply(testing.random_action(state, rng))


@pytest.mark.long
@settings(max_examples=25)
@given(SEEDS)
def test_states_and_views_of_random_games_are_parsed_back(seed: int) -> None:
    for state in moments(seed, steps=160, every=9):
        for view in {state, *(state.view(seat) for seat in testing.viewers(state))}:
            text = view.to_text()
            assert GAME.parse_state(text) == view
            assert GAME.parse_state(text).to_text() == text


SCRAPS = [*"N?~.QOqo=/, 1268x", "268", "a1", "d5", "turn=2", "past=c3f61", "called=1", "hand=268"]
SCRAPS += ["layout=drafted", "zone=random", "players=4", "neutral=wild", "tiles=face-down", "corners=inset"]
SCRAPS += ["", "é", "٣", "\n"]


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """A position text with some characters or words replaced by others."""
    text: str = draw(st.sampled_from(POSITIONS))
    for _ in range(draw(st.integers(1, 3))):
        scrap = draw(st.sampled_from(SCRAPS))
        if draw(st.booleans()):
            index, length = draw(st.integers(0, len(text))), draw(st.integers(0, 4))
            text = text[:index] + scrap + text[index + length :]
        else:
            words = text.split(" ")
            words.insert(draw(st.integers(0, len(words))), scrap)
            text = " ".join(words)
    return text


@pytest.mark.long
@settings(max_examples=400)
@given(mangled())
def test_a_mangled_position_is_parsed_or_refused(text: str) -> None:
    try:
        state = GAME.parse_state(text)
    except (ParseError, OptionError):
        return
    assert GAME.parse_state(state.to_text()) == state


@given(st.text(max_size=20) | st.sampled_from(SCRAPS))
def test_any_text_is_an_action_or_unreadable(text: str) -> None:
    try:
        action = GAME.parse_action(text)
    except ParseError:
        return
    assert GAME.parse_action(str(action)) == action


# --- Pictures ----------------------------------------------------------------------------------

NAMES = {kind.__name__: kind for kind in (State, Options, Outcome, Fact)}


@pytest.mark.long
@settings(max_examples=12)
@given(SEEDS)
def test_every_drawing_of_a_random_game_is_well_formed(seed: int) -> None:
    for state in moments(seed, steps=160, every=11):
        assert eval(repr(state), dict(NAMES)) == state, "a repr can be pasted back"
        assert max(len(line) for line in str(state).splitlines()) <= 80
        picture = ElementTree.fromstring(state._repr_svg_())
        titles = picture.findall(".//{http://www.w3.org/2000/svg}title")
        assert [title.text for title in titles] == list(SQUARE_INDEX)


def test_a_drawing_shows_pawns_arrows_and_target_squares() -> None:
    state = GAME.parse_state(PLAIN)
    rows = state.draw_terminal()
    assert len(rows) == 25
    text = str(state)
    assert text.count("■") == text.count("●") == 1
    assert sum(text.count(arrow) for arrow in "↑↗→↘↓↙←↖") == 56 * 3
    green = sum("green" in style for row in rows for _, style in row)
    assert green == 3 * len(state.legal_actions()), "three lines a square"


def test_a_drawing_of_a_view_shows_no_hidden_tile() -> None:
    full = GAME.parse_state(POSITIONS[10])
    assert full.options.face_down
    assert full.to_act is not CHANCE
    assert str(full) == str(full.view(0)), "a face-down tile looks the same to those who know it"
    assert full._repr_svg_() == full.view(None)._repr_svg_()
    assert full.to_json() == full.view(0).to_json()


def test_json_has_what_the_page_needs() -> None:
    state = GAME.parse_state(PLAIN)
    page = state.to_json()
    assert page["legal"] == [str(action) for action in state.legal_actions()]
    assert page["pawns"] == ["d1", "e2"]
    assert page["allowed_directions"] == list(PLAIN.split()[1].split("/")[7].split(",")[3])
    assert page["binding_seats"] == [0]
    laying = GAME.parse_state(DRAFT + " hand=268").to_json()
    assert (laying["drawn_tile"], laying["pawns"], len(laying["legal"])) == ("268", [], 56)
    assert laying["binding_seats"] == []


@pytest.mark.parametrize(
    ("options", "phases"),
    [
        (Options(layout="drafted", zone="chosen"), ["zone"] * NEUTRAL_TILES + ["chance", "lay"]),
        (Options(layout="drafted", zone="random"), ["chance", "chance", "lay", "chance", "lay"]),
        (Options(), ["chance", "move", "move"]),
    ],
)
def test_json_has_the_phase(options: Options, phases: list[str]) -> None:
    state, rng = GAME.initial_state(options), Random(1)
    for phase in phases:
        assert state.to_json()["phase"] == phase
        assert state.view(None).to_json()["phase"] == phase
        state = state.apply(
            state.sample_chance(rng) if state.to_act is CHANCE else rng.choice(state.legal_actions())
        )
