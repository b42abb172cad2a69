"""One test per clause, on positions made by hand; refused actions name their clause and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TypedDict, Unpack

import pytest
from tests.games.trigon.moves import placements
from tests.random_games import random_states

from tripot.game import CHANCE, IllegalActionError, OptionError
from tripot.games.trigon import GAME
from tripot.games.trigon.actions import DrawColours, Place
from tripot.games.trigon.board import (
    COLOURS,
    GRID,
    NO_COLOUR,
    PIECE_INDEX,
    SINGLE_TRIANGLE,
    STARTS,
    Cells,
    parse_cells,
    piece_code,
)
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

GOLDEN = Path(__file__).parent / "golden"
IN_ORDER = {4: (0, 1, 2, 3), 3: (0, 1, 2)}


class Chosen(TypedDict, total=False):
    """Some options of the game."""

    players: int
    teams: bool
    contact: str
    start: str
    figure: str
    shape: str
    pieces: str


def state_with_colours_drawn(**options: Unpack[Chosen]) -> State:
    """The first move of a game, where seats have their colours in playing order."""
    state = initial_state(Options(**options))
    return state.apply(DrawColours(IN_ORDER[state.options.players])) if state.needs_colour_draw else state


def after(state: State, *moves: str) -> State:
    for move in moves:
        state = state.apply(GAME.parse_action(move))
    return state


def refused(state: State, move: str) -> str:
    """The clause and key of a refusal."""
    kept = state.to_text()
    with pytest.raises(IllegalActionError) as refusal:
        state.apply(GAME.parse_action(move))
    assert state.to_text() == kept
    assert state.preview(GAME.parse_action(move)).error is not None
    return f"{refusal.value.fact.clause} {refusal.value.fact.key}"


def legal(state: State) -> set[str]:
    return {str(action) for action in state.legal_actions()}


FIRST_FOUR = ("1@r15", "1@z12", "1@z7", "1@r4")


# --- TR-1 to TR-4 ------------------------------------------------------------------------------


def test_tr_1_colours_are_drawn_by_lot_and_play_blue_yellow_red_green() -> None:
    state = initial_state(Options())
    assert state.to_act is CHANCE
    assert state.chance_outcomes()[0][1] == Fraction(1, 24)
    assert state.sample_chance(Random(1)) in [action for action, _ in state.chance_outcomes()]
    state = after(state, "lot green,blue,yellow,red")
    assert [state.to_act] == [1]
    order = []
    for move in FIRST_FOUR:
        order.append(COLOURS[state.turn])
        state = after(state, move)
    assert order == [*COLOURS]
    assert state.to_act == 1


def test_tr_1_lots_come_first_once_and_are_whole() -> None:
    state = initial_state(Options())
    assert refused(state, "1@r15") == "TR-1 lot_first"
    assert refused(state, "lot blue,blue,red,green") == "TR-1 bad_lot"
    assert refused(state, "lot blue,red,green") == "TR-1 bad_lot"
    assert refused(state_with_colours_drawn(), "lot blue,yellow,red,green") == "TR-1 no_lot"
    assert refused(state_with_colours_drawn(), "2@h18-i18") == "TR-1 off"


def test_tr_2_the_first_piece_covers_a_free_start() -> None:
    state = state_with_colours_drawn()
    assert len(state.legal_actions()) == 2478
    assert refused(state, "1@r14") == "TR-2 start"
    state = after(state, "V@q15-r15,n16-q16")
    assert len(state.legal_actions()) == 2065
    assert refused(state, "1@r15") == "TR-2 taken"
    assert "1@z12" in legal(state)


def test_tr_3_a_piece_touches_its_own_colour_at_a_point_and_shares_no_side() -> None:
    state = after(state_with_colours_drawn(), "I6@p15-u15", "1@z7", "1@r4", "1@j7")
    for allowed in ("1@w16", "1@n14", "1@r16", "1@t16", "1@q14"):  # at corners, and inside straight sides
        assert allowed in legal(state), allowed
    for side in ("1@q16", "1@o15", "1@v15", "1@p14"):
        assert refused(state, side) == "TR-3 side"
    assert refused(state, "1@r18") == "TR-3 apart"
    assert refused(state, "2@r16-s16") == "TR-3 side"  # one good contact does not mend a bad one


def test_tr_4_other_colours_are_touched_freely_along_sides_too() -> None:
    state = after(state_with_colours_drawn(), "I6@t12,s13-t13,r14-s14,r15")
    assert "I6@u12-z12" in legal(state)  # t12 and u12 share a side
    assert refused(replace(state, turn=0), "I5@u12-y12") == "TR-3 side"


# --- TR-5 and TR-6 -----------------------------------------------------------------------------


def test_tr_5_pieces_stay_and_who_can_play_must() -> None:
    state = after(state_with_colours_drawn(), *FIRST_FOUR)
    assert refused(state, "pass") == "TR-5 must"
    assert refused(state, "lift 1@r15") == "TR-5 stays"
    assert refused(state, "1@r16") == "TR-5 used"
    assert refused(state, "2@r15-s15") == "TR-5 taken"
    assert refused(state, "2@q15-r15") == "TR-5 taken"


def test_tr_5_a_colour_that_cannot_play_is_skipped_and_stays_so() -> None:
    states = random_states(initial_state(Options()), seed=5)
    skipped = [state for state in states if state.blocked and state.turn != NO_COLOUR]
    assert skipped
    for state in skipped:
        assert not state.blocked >> state.turn & 1
        for colour in range(4):
            assert bool(state.blocked >> colour & 1) <= (not [*state.legal_placements(colour)])
    assert states[-1].blocked == 0b1111
    assert not states[-1].legal_actions()
    with pytest.raises(IllegalActionError) as raised:
        states[-1].apply(GAME.parse_action("1@r15"))
    assert raised.value.fact.clause == "X-2"


def left_with(state: State, colour: int, names: str) -> State:
    """The state in which a colour has placed everything but some pieces, never mind where."""
    kept = {PIECE_INDEX[name] for name in names.split(",")} if names != "-" else set()
    cells = bytearray(state.cells)
    for piece in range(22):
        cells[colour * 22 + piece] = 0 if piece in kept else piece_code(colour, piece)
    return replace(state, cells=bytes(cells))


def test_tr_6_scores_are_those_of_the_booklet() -> None:
    state = replace(state_with_colours_drawn(), turn=NO_COLOUR)
    lines = (GOLDEN / "scores.txt").read_text("utf-8").splitlines()
    expected = []
    for line in lines:
        if not line.startswith("#"):
            name, names, last, score = line.split()
            colour = COLOURS.index(name)
            state = left_with(state, colour, names)
            state = replace(state, single_last=state.single_last | (last == "last") << colour)
            expected.append(int(score))
    assert state.outcome is not None
    assert list(state.outcome.scores) == expected
    assert state.outcome.winners == (0,)
    assert replace(state, single_last=0).score(0) == 15


def test_tr_6_the_bonus_of_20_is_for_the_single_triangle_as_the_last_of_all() -> None:
    nearly = state_with_colours_drawn()
    taken = parse_cells("p15-u15")
    cells = bytearray(GRID)
    for cell in taken:
        cells[cell] = piece_code(0, PIECE_INDEX["I6"])
    for piece in range(1, 22):  # all others lie somewhere far away
        if piece != PIECE_INDEX["I6"]:
            cells[STARTS[3] + 2 * piece - 60] = piece_code(0, piece)
    nearly = replace(nearly, cells=bytes(cells))
    assert nearly.pieces_left(0) == [SINGLE_TRIANGLE]
    ended = after(nearly, "1@w16")
    assert (ended.score(0), nearly.score(0)) == (20, -1)
    single_first = replace(ended, single_last=0)
    assert single_first.score(0) == 15
    assert nearly.preview(GAME.parse_action("1@w16")).effects[0].key == "all"


def test_tr_6_the_game_ends_when_no_colour_can_play() -> None:
    last = random_states(initial_state(Options()), seed=6)[-1]
    assert last.outcome is not None
    assert str(last.outcome).endswith("TR-6 end")
    assert not any([*last.legal_placements(colour)] for colour in range(4))
    assert last.outcome.scores[last.seat_of(2)] == last.score(2)


# --- TR-7 to TR-9 ------------------------------------------------------------------------------


def test_tr_7_three_players_use_the_inner_board_and_three_colours() -> None:
    state = after(initial_state(Options(players=3)), "lot green,blue,red")
    assert (state.turn, state.to_act, state.in_play) == (0, 1, (0, 2, 3))
    assert len(state.legal_actions()) == 2478
    assert refused(state, "1@a10") == "TR-7 outside"
    assert refused(state, "1@i18") == "TR-7 outside"
    order = [state.turn]
    for move in ("1@r15", "1@j7", "1@z7"):
        state = after(state, move)
        order.append(state.turn)
    assert order == [0, 2, 3, 0]
    assert len(initial_state(Options(players=3)).chance_outcomes()) == 24


def test_tr_7_first_pieces_leave_a_start_free_between_each_two() -> None:
    state = after(state_with_colours_drawn(players=3), "1@r15")
    for kept in ("1@z12", "1@j12", "1@r4"):
        assert refused(state, kept) == "TR-7 kept"
    assert len(state.legal_actions()) == 2 * 413
    state = after(state, "1@z7")
    assert refused(state, "1@z12") == "TR-7 kept"
    assert {move for move in legal(state) if move.startswith("1@")} == {"1@j7"}


def test_tr_8_two_players_start_on_opposite_triangles() -> None:
    state = after(state_with_colours_drawn(players=2), "1@r15")
    assert (state.to_act, state.turn) == (1, 1)
    assert refused(state, "1@r4") == "TR-8 kept"
    assert len(state.legal_actions()) == 4 * 413
    state = after(state, "1@z12")
    assert state.to_act == 0
    assert refused(state, "1@z7") == "TR-8 kept"
    assert refused(state, "1@z12") == "TR-2 taken"
    assert len(state.legal_actions()) == 413
    state = after(state, "1@r4")
    assert {move for move in legal(state) if move.startswith("1@")} == {"1@j7"}


def test_tr_8_the_scores_of_both_colours_are_added() -> None:
    last = random_states(initial_state(Options(players=2)), seed=8)[-1]
    assert last.outcome is not None
    assert last.outcome.scores == (last.score(0) + last.score(2), last.score(1) + last.score(3))
    assert last.outcome.teams == (0, 1)


def test_tr_9_two_teams_have_a_colour_a_player() -> None:
    state = initial_state(Options(teams=True))
    assert len(state.chance_outcomes()) == 8
    assert state.teams == (0, 1, 0, 1)
    assert refused(state, "lot blue,red,yellow,green") == "TR-9 bad_lot"
    state = after(state, "lot yellow,red,green,blue")
    order = []
    for move in ("1@r15", "1@z12", "1@r4", "1@j7"):
        order.append(state.to_act)
        state = after(state, move)
    assert order == [3, 0, 1, 2]
    last = random_states(initial_state(Options(teams=True)), seed=9)[-1]
    assert last.outcome is not None
    assert sum(last.outcome.team_scores) == sum(last.score(colour) for colour in range(4))


# --- TR-10 to TR-12 ----------------------------------------------------------------------------


def test_tr_10_corners_may_only_touch_corners() -> None:
    base, corners = (
        after(state_with_colours_drawn(contact=contact), "I6@p15-u15", "1@z7", "1@r4", "1@j7")
        for contact in ("base", "corners")
    )
    for good in ("1@w16", "1@n14", "1@v16", "1@o14"):
        assert good in legal(base) & legal(corners)
    for flat in ("1@r16", "1@t16", "1@q14", "1@s14"):
        assert flat in legal(base)
        assert refused(corners, flat) == "TR-10 flat"
    assert "C5@t16,v16,t17-v17" in legal(base)  # touches well at v16, and badly at t16
    assert refused(corners, "C5@t16,v16,t17-v17") == "TR-10 flat"
    assert legal(corners) < legal(base)


def test_tr_10_the_straight_side_may_be_that_of_the_new_piece() -> None:
    base, corners = (
        after(state_with_colours_drawn(contact=contact), *FIRST_FOUR) for contact in ("base", "corners")
    )
    assert "I3@q16-s16" in legal(base)
    assert refused(corners, "I3@q16-s16") == "TR-10 flat"
    assert "2@r16-s16" in legal(corners)  # only two of its triangles meet at the point: a corner


def test_tr_11_free_starts_need_no_symmetry() -> None:
    state = after(state_with_colours_drawn(players=2, start="free"), "1@r15")
    assert len(state.legal_actions()) == 2065
    assert after(state, "1@r4", "1@z12", "1@j12").to_act == 0
    for players in (3, 4, 1):
        with pytest.raises(OptionError, match="start"):
            Options(start="free", players=players)
    assert Options(teams=True, start="free")


def test_tr_12_a_figure_is_tiled_by_hand() -> None:
    state = state_with_colours_drawn(players=1, figure="little-triangle")
    tiling = [Place(cells) for cells in state.options.figure_spec.tiling]
    assert refused(state, "1@r8") == "TR-12 used"
    assert refused(state, "I5@i18-m18") == "TR-12 outside"
    assert refused(state, "lift I5@o8-s8") == "TR-12 nothing"
    state = state.apply(tiling[0])
    assert refused(state, str(tiling[0])) == "TR-12 used"
    assert state.apply(GAME.parse_action(f"lift {tiling[0]}")) == initial_state(state.options)
    assert [str(action) for action in state.legal_actions()][-1] == f"lift {tiling[0]}"
    for place in tiling[1:]:
        assert refused(state, "pass") == "TR-5 must"
        state = state.apply(place)
    assert state.outcome is not None
    assert str(state.outcome) == "16 TR-12 solved"


def test_tr_12_pieces_overlap_nothing_and_touch_in_any_way() -> None:
    state = after(state_with_colours_drawn(players=1, figure="little-rhombus"), "I4@s9,r10-s10,r11")
    assert refused(state, "A4@r8,q9-s9") == "TR-5 taken"
    assert "A4@p9-r9,q10" in legal(state)  # side by side


def test_tr_12_a_figure_of_ones_own() -> None:
    state = state_with_colours_drawn(players=1, figure="own", shape="p9-u9,q10-s10", pieces="I6,I3")
    assert {str(action) for action in state.legal_actions()} >= {"I6@p9-u9", "I3@q10-s10"}
    assert after(state, "I6@p9-u9", "I3@q10-s10").outcome is not None
    hopeless = state_with_colours_drawn(players=1, figure="own", shape="p9,p11,p13", pieces="I3")
    assert str(hopeless.outcome) == "0 TR-12 hopeless"
    for drawn in (
        "shape=p9-u9",
        "shape=p9-u9 pieces=I6,1",
        "shape=p9-u9 pieces=Q",
        "shape=p9-u9,a1 pieces=I6,1",
        "shape=p9-u9,p9 pieces=I6",
        "shape=p9-t9 pieces=1,1,1,1,1",
        "pieces=I6",
        "",
    ):
        with pytest.raises(OptionError):
            Options.parse(f"players=1 figure=own {drawn}")
    others: tuple[Chosen, ...] = (
        {"players": 1, "shape": "p9"},
        {"shape": "p9"},
        {"figure": "heart"},
        {"players": 1, "pieces": "1"},
    )
    for bad in others:
        with pytest.raises(OptionError):
            Options(**bad)


def test_tr_12_with_all_88_pieces_each_piece_is_there_four_times() -> None:
    state = state_with_colours_drawn(players=1, figure="great-ring")
    singles = [action for action in state.legal_actions() if str(action).startswith("1@")][:4]
    for action in singles:
        state = state.apply(action)
    assert sorted({(lies - 1) // 22 for lies in state.cells if lies}) == [0, 1, 2, 3]
    assert not any(str(action).startswith("1@") for action in state.legal_actions())


# --- Bad combinations, and counts ----------------------------------------------------------------


def test_options_that_make_no_sense_are_refused() -> None:
    senseless: tuple[Chosen, ...] = (
        {"teams": True, "players": 2},
        {"contact": "corners", "players": 1},
        {"players": 5},
    )
    for bad in senseless:
        with pytest.raises(OptionError):
            Options(**bad)


@pytest.mark.long
@pytest.mark.parametrize("contact", ["base", "corners"])
def test_positions_after_two_plies_are_counted(contact: str) -> None:
    """All first moves through one start leave the same number of replies, so a few stand for all."""
    for line in (GOLDEN / "counts.txt").read_text("utf-8").splitlines():
        if not line.startswith("two-plies"):
            continue
        *words, count = line.split()[1:]
        state = initial_state(Options.parse(" ".join([*words, f"contact={contact}"])))
        if state.needs_colour_draw:
            state = state.apply(state.sample_chance(Random(1)))
        total = 0
        for corner in STARTS:
            moves = [move for move in placements(state) if corner in move.cells]
            replies = {len(state.apply(move).legal_actions()) for move in moves[::137]}
            assert len(replies) == 1
            total += len(moves) * replies.pop()
        assert total == int(count), line


@pytest.mark.parametrize("change", [lambda cells: cells[::-1], lambda cells: cells[:-1] + cells[-2:]])
def test_cells_out_of_order_are_refused(change: Callable[[Cells], Cells]) -> None:
    """They were accepted, although only one order is among the legal actions."""
    state = state_with_colours_drawn(players=4)
    action = state.legal_actions()[-1]
    assert isinstance(action, Place)
    with pytest.raises(IllegalActionError, match="is not an action of this game"):
        state.apply(Place(change(action.cells)))
