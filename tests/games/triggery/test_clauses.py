"""The clauses of a game for two sides, TG-1 to TG-6 and TG-8 to TG-10, on boards set up for them.

TG-7 and TG-11 are in `test_malus.py`, TG-12 and TG-13 in `test_solo.py`.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.triggery.positions import (
    DEAR,
    FULL,
    GRID,
    LADDER,
    PAIRS,
    SMALL,
    SQUARE,
    effects,
    legal_texts,
    play,
    rejection_key,
    solo_state,
    started_game,
    two_sides,
)

from tripot.game import CHANCE, HiddenInformationError, IllegalActionError, fact
from tripot.games.triggery import GAME
from tripot.games.triggery.actions import Throw, budget
from tripot.games.triggery.board import (
    ALL,
    CELL_INDEX,
    CELLS,
    LINES,
    STAR,
    bonus_mask,
    cells_of,
    chain,
    free_star_mask,
)
from tripot.games.triggery.options import Options
from tripot.games.triggery.rules import State

CHAIN = "f2 f6 a1 d1 d6 a6 a4 c4 d3 f4"  # the booklet's: 24, 18, 20, 16, 10, 12, 15, 9, and the stars


# --- TG-1 Filling ------------------------------------------------------------------------------


def test_TG_1_each_side_fills_its_board_from_its_own_bag_left_to_right_from_the_top() -> None:
    state = GAME.initial_state(Options())
    assert (state.to_act, state.prompt, state.legal_actions()) == (CHANCE, fact("TG-1", "fill", seat=0), ())
    tiles = ",".join(map(str, [*range(1, 25), *range(1, 11), "*", "*"]))
    state = play(state, f"fill blue {tiles}")
    assert [state.tiles[0][CELL_INDEX[cell]] for cell in ("a1", "f1", "a2", "d6", "f6")] == [
        1,
        6,
        7,
        10,
        STAR,
    ]
    assert state.prompt == fact("TG-1", "fill", seat=1)
    state = play(state, f"fill yellow {tiles}")
    assert state.face_up == (ALL, ALL), "all tiles start face up"


def test_TG_1_the_bag_holds_44_tiles_and_eight_stay_in_it() -> None:
    bag = Counter(Options().bag_tiles)
    assert bag.total() == 44
    assert bag == Counter([*range(1, 25), *range(1, 13), *[STAR] * 8])
    state = started_game(seed=5)
    for tiles in state.tiles:
        assert len(tiles) == CELLS
        assert (bag - Counter(tiles)).total() == 8


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("fill yellow 1", "TG-1 order"),
        ("fill blue 1,2,3", "TG-1 bag"),
        ("fill blue " + ",".join(["24"] * 36), "TG-1 bag"),
        ("fill blue " + ",".join(map(str, range(2, 38))), "TG-1 bag"),
        ("contest 3-5", "TG-2 not_now"),
        ("throw 3-5", "TG-2 not_now"),
        ("turn a1", "TG-2 not_now"),
    ],
)
def test_TG_1_nothing_else_is_drawn_or_done_first(text: str, why: str) -> None:
    assert rejection_key(GAME.initial_state(Options()), text) == why


def test_TG_1_a_given_board_needs_no_filling() -> None:
    state = GAME.initial_state(Options(players=1, board=FULL.replace("24", "*")))
    assert state.pending_chance is Throw
    assert (state.face_up, state.tiles[0][23]) == ((ALL,), STAR)


# --- TG-2 Who throws ---------------------------------------------------------------------------


@pytest.mark.parametrize(("contest", "thrower"), [("contest 2-6", 0), ("contest 6-5", 1)])
def test_TG_2_the_lower_die_throws_first_and_the_opponent_plays(contest: str, thrower: int) -> None:
    state = started_game(contest=contest)
    assert (state.to_act, state.prompt) == (CHANCE, fact("TG-2", "throw", seat=thrower))
    assert play(state, "throw 5-6").to_act == 1 - thrower


def test_TG_2_equal_dice_are_thrown_again() -> None:
    state = started_game(contest="contest 4-4")
    assert state.prompt == fact("TG-2", "contest")
    assert sum((odds for _, odds in state.chance_outcomes()), Fraction(0)) == 1
    assert play(state, "contest 4-4", "contest 1-2").first == 0


def test_TG_2_sides_throw_for_each_other_in_turn() -> None:
    state = two_sides("first=yellow side=blue", LADDER, LADDER)
    state = play(state, "throw 1-4", "turn b1")
    assert state.prompt == fact("TG-2", "throw", seat=0), "blue has played and throws for yellow"
    assert play(state, "throw 1-2").to_act == 1


def test_TG_2_invalid_throws_and_throws_out_of_turn_are_refused() -> None:
    state = started_game()
    with pytest.raises(IllegalActionError) as raised:
        state.apply(Throw((0, 7)))
    assert (raised.value.fact.clause, raised.value.fact.key) == ("TG-2", "dice")
    assert rejection_key(play(state, "throw 1-2"), "throw 1-2") == "TG-2 not_now"
    assert rejection_key(state, "done") == "TG-2 not_now"


# --- TG-3 The budget ---------------------------------------------------------------------------


def full(words: str) -> State:
    return GAME.parse_state(f"triggery {FULL} {words}")


def test_TG_3_any_tiles_within_the_budget_one_at_a_time_in_any_order() -> None:
    state = full("throw=1-2")
    assert legal_texts(state) == "turn a1 | turn b1 | turn c1 | turn a5 | turn b5 | turn c5"
    state = play(state, "turn b1")
    assert (state.budget_left, state.prompt) == (1, fact("TG-3", "more", left=1))
    assert legal_texts(state) == "turn a1 | turn a5 | done"
    one, other = (
        play(full("throw=5-6"), *order) for order in (("turn b1", "turn e1"), ("turn e1", "turn b1"))
    )
    assert one == other


def test_TG_3_a_tile_over_the_budget_is_refused() -> None:
    state = full("throw=1-4")
    assert rejection_key(state, "turn f1") == "TG-3 budget"
    assert rejection_key(play(state, "turn d1"), "turn b1") == "TG-3 budget", "2 with 1 left"


def test_TG_3_a_tile_that_is_not_open_is_refused() -> None:
    assert rejection_key(solo_state("throw=1-4", LADDER), "turn a1") == "TG-3 closed"
    assert rejection_key(play(full("throw=5-6"), "turn f1"), "turn f1") == "TG-3 closed"


def test_TG_3_who_can_turn_a_tile_must_and_may_stop_after_one() -> None:
    state = full("throw=5-6")
    assert rejection_key(state, "done") == "TG-3 must"
    assert play(state, "turn a1", "done").pending_chance is Throw


def test_TG_3_who_cannot_turn_anything_passes_without_being_asked() -> None:
    state = play(two_sides("first=yellow side=blue", DEAR, LADDER), "throw 1-2")
    assert (state.to_act, state.side, state.pending_chance) == (CHANCE, 1, Throw)
    assert state.face_up[0].bit_count() == 4


def test_TG_3_the_turn_ends_by_itself_when_nothing_more_can_be_turned() -> None:
    state = full("throw=1-3")
    assert effects(state, "turn d1") == [fact("TG-3", "costs", cost=4, left=0), fact("TG-3", "ends")]
    state = play(state, "turn d1")
    assert (state.to_act, state.sheet) == (CHANCE, ((1, 3),))


# --- TG-4 Stars --------------------------------------------------------------------------------


def test_TG_4_a_star_waits_for_every_number_of_its_row_and_column() -> None:
    state = solo_state("throw=6-6 bonus=by-hand", "a1:* c1:9 e1:8 a3:7 a4:6 c4:5 e4:4")
    for tile in ("turn c1", "turn e1", "turn a3"):
        assert rejection_key(state, "turn a1") == "TG-4 early"
        state = play(state, tile)
    assert rejection_key(state, "turn a1") == "TG-4 early", "6 on a4 is open, in the column"
    state = play(state, "turn a4")
    assert state.costs()[CELL_INDEX["a1"]] == 0
    left = state.budget_left
    assert play(state, "turn a1").budget_left == left


def test_TG_4_other_stars_do_not_hold_a_star_back() -> None:
    stars = sum(1 << CELL_INDEX[cell] for cell in ("a1", "f1", "a6"))
    assert free_star_mask(stars, 0) == stars
    assert free_star_mask(stars, 1 << CELL_INDEX["f3"]) == stars & ~(1 << CELL_INDEX["f1"])
    assert free_star_mask(stars, 1 << CELL_INDEX["c4"]) == stars, "a diagonal does not count"


# --- TG-5 Twins --------------------------------------------------------------------------------


def test_TG_5_a_double_counts_double() -> None:
    assert (budget((5, 5)), budget((6, 6)), budget((5, 6))) == (20, 24, 11)
    dice = [(one, other) for one in range(1, 7) for other in range(1, 7)]
    assert {budget(throw) for throw in dice} == {*range(3, 13), 16, 20, 24}
    assert full("throw=5-5").budget_left == 20


# --- TG-6 Bonus --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "first", "second"),
    [
        ("1", "b1", "e1"),
        ("6", "a6", "c6"),
        ("b", "b1", "b4"),
        ("f", "f2", "f3"),
        ("\\", "b2", "e5"),
        ("/", "f1", "c4"),
    ],
)
def test_TG_6_the_last_number_of_a_line_is_free(line: str, first: str, second: str) -> None:
    """Two numbers in the line; turning one makes the other free, whatever it shows."""
    one, other = 1 << CELL_INDEX[first], 1 << CELL_INDEX[second]
    mask = LINES["123456abcdef\\/".index(line)]
    assert one & mask
    assert other & mask
    crowd = ALL & ~mask  # nothing else is alone in a line
    assert not bonus_mask(one | other | crowd)
    assert bonus_mask(other | crowd) == other


def test_TG_6_stars_in_the_line_do_not_count() -> None:
    state = solo_state("throw=1-2", PAIRS + " a1:* c1:* d1:* f1:*")
    assert effects(state, "turn b1")[1] == fact("TG-6", "chain", cells="e1 a1 c1 d1 f1")
    assert play(state, "turn b1").open_numbers(0).bit_count() == 4


def test_TG_6_the_rest_of_the_budget_can_be_spent_after_a_chain() -> None:
    state = play(solo_state("throw=4-4", PAIRS), "turn b1")
    assert not state.face_up[0] >> CELL_INDEX["e1"] & 1, "the bonus is taken"
    assert (state.budget_left, legal_texts(state)) == (13, "turn b3 | turn e3 | turn b4 | turn e4 | done")


def test_TG_6_the_booklet_grid_chains_to_the_end_in_the_booklet_order() -> None:
    state = GAME.parse_state(f"{GRID} budget=3 bonus=by-hand")
    state = play(state, "turn a2", "turn c2")
    assert state.budget_left == 0
    for cell in CHAIN.split():
        assert state.costs()[CELL_INDEX[cell]] == 0
        state = play(state, f"turn {cell}")
    assert state.outcome


def test_TG_6_the_booklet_grid_has_no_bonus_left_over_before_the_turn() -> None:
    state = GAME.parse_state(f"{GRID} budget=3")
    assert state.face_up[0].bit_count() == 12
    assert state.chain_after() == ()
    assert state.chain_after(CELL_INDEX["c2"]) == tuple(CELL_INDEX[cell] for cell in ("c4", "a4", "a6"))


@given(st.integers(0, ALL), st.integers(0, ALL), st.randoms(use_true_random=False))
def test_TG_6_the_end_of_a_chain_does_not_depend_on_its_order(up: int, numbers: int, rng: Random) -> None:
    open_numbers, open_stars = up & numbers, up & ~numbers
    while free := cells_of(bonus_mask(open_numbers) | free_star_mask(open_stars, open_numbers)):
        tile = 1 << rng.choice(free)
        open_numbers &= ~tile
        open_stars &= ~tile
    order = chain(up & numbers, up & ~numbers)
    assert sum(1 << cell for cell in order) == up & ~(open_numbers | open_stars)


@given(st.integers(0, ALL), st.integers(0, ALL))
def test_TG_6_a_chain_is_listed_in_an_order_in_which_it_can_be_taken(up: int, numbers: int) -> None:
    open_numbers, open_stars = up & numbers, up & ~numbers
    for cell in chain(open_numbers, open_stars):
        assert (bonus_mask(open_numbers) | free_star_mask(open_stars, open_numbers)) >> cell & 1
        open_numbers &= ~(1 << cell)
        open_stars &= ~(1 << cell)


# --- TG-8 The end of a round -------------------------------------------------------------------

LAST = "first=yellow side=blue throw=1-2"


def test_TG_8_the_first_clear_board_wins_and_the_loser_pays_numbers_and_stars() -> None:
    state = two_sides(LAST, SQUARE, SMALL + " a3:* f6:*")
    assert effects(state, "turn c1")[-1] == fact("TG-8", "clears")
    state = play(state, "turn c1")
    assert (state.won, state.lost) == ((1, 0), (0, 40 + 25 + 25))


def test_TG_8_stars_have_to_be_turned_as_well() -> None:
    state = play(two_sides(f"{LAST} bonus=by-hand", "a1:3 b1:*", SMALL), "turn a1")
    assert (state.won, legal_texts(state)) == ((0, 0), "turn b1 | done")
    assert play(state, "turn b1").won == (1, 0)


# --- TG-9 Two rounds ---------------------------------------------------------------------------


def test_TG_9_the_return_round_is_played_on_exchanged_boards_all_face_up() -> None:
    before = two_sides(LAST, SQUARE, SMALL)
    state = play(before, "turn c1")
    assert (before.round, state.round, state.face_up) == (1, 2, (ALL, ALL))
    assert state.tiles == before.tiles, "where they lie"
    assert [state.board_of(side) for side in (0, 1)] == [1, 0]
    assert state.prompt == fact("TG-2", "throw", seat=0), "yellow threw first in round one"
    state = play(state, "throw 4-5", "turn c1")
    assert (state.to_act, state.budget_left) == (1, 6), "yellow has turned the 3 of blue's board"
    assert [mask.bit_count() for mask in state.face_up] == [35, 36]


def test_TG_9_the_end_of_round_one_reveals_hidden_tiles() -> None:
    with pytest.raises(HiddenInformationError):
        two_sides(LAST, SQUARE, SMALL).view(0).apply(GAME.parse_action("turn c1"))


def return_round(words: str) -> State:
    """Blue, who has won round one, is about to clear yellow's board."""
    return two_sides(f"{LAST} won=1,0 lost=0,40 {words}", SMALL, SQUARE)


def test_TG_9_the_fewest_points_lost_win() -> None:
    state = play(return_round(""), "turn c1")
    assert state.outcome
    assert (state.won, state.lost) == ((2, 0), (0, 80))
    assert (state.outcome.scores, state.outcome.winners) == ((0, -80), (0,))
    assert state.outcome.reason == fact("TG-9", "points", seat=0, lost=0, other=80)
    assert (state.to_act, state.legal_actions(), state.prompt) == (None, (), state.outcome.reason)
    assert rejection_key(state, "throw 1-2") == "X-2 over"


@pytest.mark.parametrize(
    ("lost", "score", "scores", "winners", "why"),
    [
        (40, "points", (-40, -40), (), "equal_points"),
        (39, "points", (-40, -39), (1,), "points"),
        (41, "points", (-40, -41), (0,), "points"),
        (39, "rounds", (1, 1), (), "equal_rounds"),
    ],
)
def test_TG_9_a_round_each_is_decided_by_points_or_is_a_draw(
    lost: int, score: str, scores: tuple[int, ...], winners: tuple[int, ...], why: str
) -> None:
    words = f"first=blue side=yellow won=1,0 lost=0,{lost} throw=1-2 score={score}"
    outcome = play(two_sides(words, SQUARE, SMALL), "turn c1").outcome
    assert outcome
    assert (outcome.scores, outcome.winners, outcome.reason.key) == (scores, winners, why)


def test_TG_9_both_rounds_win_where_rounds_are_counted() -> None:
    outcome = play(return_round("score=rounds"), "turn c1").outcome
    assert outcome
    assert (outcome.scores, outcome.winners, outcome.reason.key) == ((2, 0), (0,), "rounds")


# --- TG-10 Teams -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "teams", "order"),
    [(2, (0, 1), "1 0 1 0 1 0 1 0"), (3, (0, 1, 0), "1 0 1 2 1 0 1 2"), (4, (0, 1, 0, 1), "1 0 3 2 1 0 3 2")],
)
def test_TG_10_members_play_the_turns_of_their_side_in_rotation(
    players: int, teams: tuple[int, ...], order: str
) -> None:
    state = started_game(f"players={players}")
    assert state.teams == teams
    played = []
    for _ in order.split():
        state = play(state, "throw 3-4")
        played.append(str(state.to_act))
        state = state.apply(state.legal_actions()[0])
        while state.to_act != CHANCE:
            state = play(state, "done")
    assert " ".join(played) == order


def test_TG_10_a_turn_that_was_passed_was_a_turn() -> None:
    state = play(two_sides("first=yellow side=blue players=4", DEAR, LADDER), "throw 1-2")
    assert play(state, "throw 1-4", "turn b1", "throw 6-6").to_act == 2


def test_TG_10_a_team_shares_one_result() -> None:
    state = play(return_round("players=3"), "turn c1")
    assert state.outcome
    assert state.outcome.scores == (0, -80, 0)
    assert (state.outcome.team_scores, state.outcome.winners) == ((0, -80), (0, 2))
