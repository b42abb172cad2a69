"""TG-12 and TG-13: a player alone, with the sheet, and problems."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.triggery.positions import (
    DEAR,
    FULL,
    GRID,
    LADDER,
    PROBLEMS,
    SMALL,
    SQUARE,
    legal_texts,
    play,
    rejection_key,
    solo_state,
    started_game,
    two_sides,
)

from tripot import i18n
from tripot.game import CHANCE, HiddenInformationError, fact
from tripot.games.triggery import GAME
from tripot.games.triggery.actions import Throw
from tripot.games.triggery.board import (
    CELLS,
    HIDDEN_TILE,
    chain,
    cheapest_clear,
)
from tripot.games.triggery.rules import State

# --- TG-12 Alone -------------------------------------------------------------------------------


def test_TG_12_the_throws_are_written_on_a_sheet() -> None:
    state = started_game("players=1")
    assert state.prompt == fact("TG-12", "throw", number=1)
    for dice in ("5-6", "3-3"):
        state = play(state, f"throw {dice}")
        while state.to_act == 0:
            state = state.apply(state.legal_actions()[0])
    assert (state.sheet, state.throw_sum) == (((5, 6), (3, 3)), 23)
    assert state.prompt == fact("TG-12", "throw", number=3)


def test_TG_12_a_throw_that_turned_nothing_counts_as_well() -> None:
    state = play(solo_state("", DEAR), "throw 1-2")
    assert state.sheet == ((1, 2),)


def test_TG_12_of_the_last_throw_only_what_was_needed_counts() -> None:
    state = play(GAME.parse_state(f"{GRID} throw=4-4 sheet=5-6,6-6"), "turn a6", "turn a2")
    assert state.outcome
    assert (state.last_throw_points, state.outcome.scores) == (3, (-3,))
    assert state.outcome.reason == fact("TG-12", "cleared", throws=3, points=11 + 24 + 3)


def test_TG_12_what_was_needed_is_counted_from_the_start_of_the_last_turn() -> None:
    """A bonus that lay there counts for nothing, nor does a dear tile that was paid for without need."""
    state = solo_state("throw=4-4 bonus=by-hand", SQUARE + " f5:9")
    state = play(state, "turn c2", "turn d2", "turn c1", "turn d1")
    assert (state.budget_left, state.outcome) == (11, None)
    state = play(state, "turn f5")
    assert (state.last_throw_points, state.throw_sum) == (3, 3)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 9), min_size=CELLS, max_size=CELLS), st.randoms(use_true_random=False))
def test_TG_12_the_minimum_is_exact(tiles: list[int], rng: Random) -> None:
    """Against trying every set of tiles, the smallest totals first."""
    open_cells = rng.sample(range(CELLS), 10)
    values = bytes(max(1, tile) for tile in tiles)
    mask = sum(1 << cell for cell in open_cells)
    sets = [paid for count in range(len(open_cells) + 1) for paid in combinations(open_cells, count)]
    totals = sorted(sets, key=lambda paid: sum(values[cell] for cell in paid))
    rests = ((paid, mask & ~sum(1 << cell for cell in paid)) for paid in totals)
    best = next(paid for paid, rest in rests if len(chain(rest)) == rest.bit_count())
    assert cheapest_clear(values, mask) == sum(values[cell] for cell in best)


def test_TG_12_on_a_view_the_sum_is_not_known_where_it_needs_a_hidden_number() -> None:
    state = play(GAME.parse_state(f"{GRID} throw=4-4"), "turn a2")
    with pytest.raises(HiddenInformationError):
        state.view(0).apply(GAME.parse_action("turn c2"))
    assert state.view(0).preview(GAME.parse_action("turn c2")) == state.preview(GAME.parse_action("turn c2"))


ROW = f"players=1 dice=5-6,3-3 board={FULL}"


def test_TG_12_the_same_board_again_with_the_same_dice() -> None:
    state = started_game(ROW)
    assert state.prompt == fact("TG-12", "known", number=1)
    assert state.chance_outcomes() == ((Throw((5, 6)), Fraction(1)),)
    assert state.sample_chance(Random(3)) == Throw((5, 6))
    assert rejection_key(state, "throw 1-2") == "TG-12 same"
    for number in (2, 3):
        state = state.apply(state.sample_chance(Random(3)))
        while state.to_act == 0:
            state = state.apply(next(action for action in state.legal_actions() if str(action) != "reject"))
        assert state.prompt.values == (("number", number),)
    assert state.prompt.key == "throw", "the row has run out"
    assert len(state.chance_outcomes()) == 36


def test_TG_12_a_known_throw_can_be_rejected_once() -> None:
    state = play(started_game(ROW), "throw 5-6")
    assert legal_texts(state).endswith("reject")
    rejected = play(state, "reject")
    assert (rejected.to_act, len(rejected.chance_outcomes()), rejected.sheet) == (CHANCE, 36, ())
    rejected = play(rejected, "throw 6-6")
    assert rejection_key(rejected, "reject") == "TG-12 stands"
    assert rejection_key(play(state, "turn a1"), "reject") == "TG-12 late"
    assert rejection_key(play(started_game("players=1"), "throw 5-6"), "reject") == "TG-12 stands"


def test_TG_12_a_rejected_throw_is_not_on_the_sheet_and_the_next_one_is_known_again() -> None:
    state = play(started_game(ROW), "throw 5-6", "reject", "throw 6-6")
    while state.to_act == 0:
        state = state.apply(state.legal_actions()[0])
    assert state.sheet == ((6, 6),)
    assert state.known_throw == (3, 3)


def test_TG_12_the_prompt_of_a_known_throw_says_that_it_can_be_rejected() -> None:
    """Nothing told of `reject` while a tile could be turned."""
    state = play(started_game(ROW), "throw 5-6")
    assert "reject the throw" in i18n.render(GAME, state.prompt)
    rejected = play(state, "reject", "throw 6-6")
    assert "reject" not in i18n.render(GAME, rejected.prompt), "only once"
    turned = play(state, str(next(action for action in state.legal_actions() if str(action) != "reject")))
    assert "reject" not in i18n.render(GAME, turned.prompt)


def test_TG_12_a_known_throw_that_turns_nothing_can_be_rejected_or_passed() -> None:
    state = play(solo_state("dice=1-2", DEAR), "throw 1-2")
    assert (legal_texts(state), state.prompt.key) == ("done | reject", "nothing_known")
    assert play(state, "done").sheet == ((1, 2),)


# --- TG-13 Problems ----------------------------------------------------------------------------


def problems(word: str) -> list[tuple[str, list[str]]]:
    """The positions of the goldens, each with the lines of a kind."""
    blocks = "\n".join(PROBLEMS).split("\n\n")[1:]
    return [
        (lines[1], line.split()[1:])
        for lines in (block.splitlines() for block in blocks)
        for line in lines
        if line.startswith(word)
    ]


def most_tiles(state: State) -> int:
    """By trying every turn."""
    known, todo, maximum = set[State](), [state], 0
    while todo:
        position = todo.pop()
        maximum = max(maximum, state.face_up[0].bit_count() - position.face_up[0].bit_count())
        if position.sheet == state.sheet and position.to_act == 0 and position not in known:
            known.add(position)
            todo += [position.apply(action) for action in position.legal_actions() if str(action) != "done"]
    return maximum


@pytest.mark.parametrize(("position", "known"), problems("budget"))
def test_TG_13_how_many_can_you_turn_with_that(position: str, known: list[str]) -> None:
    assert most_tiles(GAME.parse_state(f"{position} budget={known[0]}")) == int(known[2])


@pytest.mark.parametrize(("position", "known"), problems("clears"))
def test_TG_13_the_fewest_points_that_clear_a_board(position: str, known: list[str]) -> None:
    state = GAME.parse_state(position)
    assert cheapest_clear(state.tiles[0], state.open_numbers(0)) == int(known[0])


def test_TG_13_any_board_and_any_budget_can_be_set_up() -> None:
    state = solo_state("budget=100", "c1:99 d1:98 c2:97 d2:96")
    assert (state.throw, state.budget_left, state.options.players) == ((100,), 100, 1)
    assert play(state, "turn c1").last_throw_points == 96
    assert two_sides("budget=7", LADDER, SMALL).to_act == 0
    assert two_sides("budget=7 side=yellow", LADDER, SMALL).to_act == 1


def test_TG_13_flipped_tiles_may_be_unknown() -> None:
    state = GAME.parse_state(f"{GRID} budget=3")
    assert state.view(0) == state
    determinization = state.determinize(Random(1))
    assert HIDDEN_TILE not in determinization.tiles[0]
    assert determinization.view(0) == state
