"""TG-7 and TG-11: bonuses taken automatically or by hand, and missed bonuses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Final

import pytest
from tests.games.triggery.positions import (
    DEAR,
    LADDER,
    PAIRS,
    effects,
    legal_texts,
    play,
    rejection_key,
    solo_state,
    two_sides,
)

from tripot.game import CHANCE, HiddenInformationError, fact
from tripot.games.triggery import GAME
from tripot.games.triggery.actions import Malus, Throw
from tripot.games.triggery.board import (
    CELL_INDEX,
    HIDDEN_TILE,
    cells_of,
)
from tripot.games.triggery.rules import State
from tripot.record import Record, RecordError, RulesVersionError

# --- TG-7 Malus --------------------------------------------------------------------------------

BY_HAND = "first=yellow side=blue bonus=by-hand"
CORNERED = "b1:3 e1:24 a2:5 c2:6 a5:7 c5:8"  # without the 3 the 24 is alone in row 1 and in column e


def missed_bonus(blue: str = PAIRS, yellow: str = LADDER) -> State:
    """Blue has turned over the 3 and missed the bonus on e1; the dice are thrown for yellow."""
    return play(two_sides(BY_HAND, blue, yellow), "throw 1-2", "turn b1", "done", "throw 1-2")


def claims(state: State) -> str:
    return " ".join(
        str(action)[6:].replace(" ", ":") for action in state.legal_actions() if isinstance(action, Malus)
    )


def test_TG_7_a_bonus_not_taken_is_forgotten_and_can_be_pointed_at() -> None:
    state = missed_bonus()
    assert (state.to_act, state.prompt) == (1, fact("TG-7", "turn", left=3))
    assert claims(state) == "1:a1 1:b1 1:c1 1:d1 1:f1"
    assert effects(state, "malus 1 b1") == [fact("TG-7", "back", cell="b1")]
    after = play(state, "malus 1 b1")
    assert after.open_numbers(0) >> CELL_INDEX["b1"] & 1
    assert (after.to_act, claims(after)) == (1, ""), "and then plays"


def test_TG_7_one_tile_for_each_forgotten_line() -> None:
    state = play(missed_bonus(), "malus 1 c1")
    assert rejection_key(state, "malus 1 a1") == "TG-7 not_forgotten"
    state = missed_bonus(CORNERED)
    assert claims(state).split() == [f"1:{c}1" for c in "abcdf"] + [f"e:e{row}" for row in range(2, 7)]
    state = play(state, "malus 1 a1")
    assert claims(state).split() == [f"e:e{row}" for row in range(2, 7)]
    assert claims(play(state, "malus e e3")) == ""


def test_TG_7_a_line_is_pointed_at_only_where_a_bonus_was_forgotten() -> None:
    state = missed_bonus()
    assert rejection_key(state, "malus 2 b2") == "TG-7 not_forgotten"
    assert rejection_key(state, "malus 1 b2") == "TG-7 elsewhere"
    assert rejection_key(state, "malus 1 e1") == "TG-7 face_up"
    assert (
        rejection_key(play(two_sides(BY_HAND, PAIRS, LADDER), "throw 1-2"), "malus 1 a1")
        == "TG-7 not_forgotten"
    )


def test_TG_7_it_is_done_after_the_dice_and_before_playing() -> None:
    before = play(two_sides(BY_HAND, PAIRS, LADDER), "throw 1-2", "turn b1", "done")
    assert rejection_key(before, "malus 1 a1") == "TG-2 not_now"
    assert rejection_key(play(missed_bonus(), "turn d1"), "malus 1 a1") == "TG-7 late"


def test_TG_7_an_unclaimed_bonus_can_be_taken_later() -> None:
    state = play(missed_bonus(), "turn d1", "done", "throw 1-2", "turn e1")
    assert (state.side, state.budget_left) == (0, 3)


def test_TG_7_who_can_only_point_may_also_let_it_be() -> None:
    state = missed_bonus(yellow=DEAR)
    assert legal_texts(state) == "malus 1 a1 | malus 1 b1 | malus 1 c1 | malus 1 d1 | malus 1 f1 | done"
    assert play(state, "done").side == 0
    after = play(state, "malus 1 a1")
    assert (after.to_act, legal_texts(after)) == (1, "done"), "the player ends the turn"
    assert play(after, "done").side == 0


def test_TG_7_the_tile_is_picked_unseen() -> None:
    state, malus = missed_bonus(), GAME.parse_action("malus 1 a1")
    view = state.view(1)
    assert view.legal_actions() == state.legal_actions()
    assert view.tiles[0][CELL_INDEX["a1"]] == HIDDEN_TILE
    with pytest.raises(HiddenInformationError):
        view.apply(malus)
    assert view.preview(malus) == state.preview(malus)


def test_TG_7_a_star_can_come_back_too() -> None:
    state = two_sides(BY_HAND, "a1:3 b2:4 c3:-*", LADDER)
    state = play(state, "throw 1-2", "turn a1", "done", "throw 1-2", "malus \\ c3")
    assert state.open_stars(0) == 1 << CELL_INDEX["c3"]


def test_TG_7_alone_the_game_notices_and_chance_picks() -> None:
    state = solo_state("throw=1-2 bonus=by-hand", PAIRS)
    assert rejection_key(state, "malus 1 b1") == "TG-2 not_now", "one does not pick for oneself"
    state = play(state, "turn b1", "done")
    assert (state.to_act, state.prompt) == (CHANCE, fact("TG-7", "chance", lines="1"))
    odds = dict(state.chance_outcomes())
    assert {str(action) for action in odds} == {f"malus 1 {column}1" for column in "abcdf"}
    assert {*odds.values()} == {Fraction(1, 5)}
    assert state.sample_chance(Random(1)) in odds
    assert rejection_key(state, "malus 1 e1") == "TG-7 face_up"
    assert rejection_key(state, "throw 1-2") == "TG-2 not_now"
    assert play(state, "malus 1 c1").pending_chance is Throw


def test_TG_7_two_lines_forgotten_by_one_tile_are_two() -> None:
    state = play(solo_state("throw=1-2 bonus=by-hand", CORNERED), "turn b1", "done")
    assert state.prompt == fact("TG-7", "chance", lines="1,e")
    assert sum((odds for _, odds in state.chance_outcomes()), Fraction(0)) == 1
    state = play(state, "malus e e5")
    assert rejection_key(state, "malus e e6") == "TG-7 not_forgotten"
    assert play(state, "malus 1 a1").pending_chance is Throw


def test_TG_7_a_line_whose_only_turned_tile_is_back_already_is_settled() -> None:
    """Row 1 and column a both have a1 as their only turned tile."""
    stars = "b1:* c1:* d1:* f1:* a2:* a3:* a5:* a6:*"
    state = solo_state("throw=1-2 bonus=by-hand", f"a1:3 e1:24 a4:9 e4:8 {stars}")
    state = play(state, "turn a1", "done")
    assert state.prompt == fact("TG-7", "chance", lines="1,a")
    assert play(state, "malus 1 a1").pending_chance is Throw


def test_TG_7_not_having_to_turn_a_tile_tells_nothing_of_a_bonus() -> None:
    """By hand `done` was legal exactly if no tile was free, which told a player of a bonus."""
    for words in ("throw=1-2 dice=1-2 bonus=by-hand", "budget=3 bonus=by-hand"):
        with_bonus = solo_state(words, "e1:24 b3:5 f3:6 b4:7 f4:8")
        without = solo_state(words, "e1:24 b1:9 b3:5 e3:6 b4:7 e4:8")
        assert (with_bonus.prompt, with_bonus.offered_actions()) == (
            without.prompt,
            without.offered_actions(),
        )
        assert with_bonus.prompt == fact("TG-3", "look", left=3)
        assert "done" in legal_texts(with_bonus)
        assert rejection_key(solo_state(words, "e1:24 b3:3 f3:6 b4:7 f4:8"), "done") == "TG-3 must"
    star = solo_state("throw=1-2 bonus=by-hand", "e1:* b3:5 f3:6 b4:7 f4:8")
    assert legal_texts(star) == "turn e1 | done"
    passed = play(with_bonus, "done")
    assert (passed.missed_lines > 0, passed.to_act) == (True, CHANCE), "the bonus is forgotten"


# Pairs of boards with the same tiles within the budgets: the first has a bonus or a free star.
TELLING: Final = (
    ("e1:24 b3:15 f3:16 b4:17 f4:18", "e1:24 b1:19 b3:15 e3:16 b4:17 e4:18"),
    ("e1:* b3:15 f3:16 b4:17 f4:18", "e1:* a1:19 c1:20 a3:21 c3:22 b3:15 f3:16 b4:17 f4:18"),
    ("e1:24 b3:5 f3:6 b4:7 f4:8", "e1:24 b1:19 b3:5 f3:6 b4:7 f4:8 b6:22 e6:23"),
)


def shown(before: State, throw: str) -> tuple[object, ...]:
    """What all people at the table are shown after a throw."""
    state = play(before, throw)
    return (
        state.to_act,
        state.prompt,
        state.offered_actions(),
        state.announcements,
        before.skipped_by(GAME.parse_action(throw)),
        state.to_json()["legal"],
    )


@pytest.mark.parametrize(("with_bonus", "without"), TELLING)
@pytest.mark.parametrize("throw", ["throw 1-2", "throw 1-3", "throw 2-5", "throw 3-3"])
def test_TG_7_what_is_shown_after_a_throw_does_not_depend_on_a_bonus(
    with_bonus: str, without: str, throw: str
) -> None:
    """A throw with which nothing could be paid for passed the turn by itself, unless something was free."""
    for words in ("bonus=by-hand", "bonus=by-hand dice=" + throw[6:]):
        one, other = solo_state(words, with_bonus), solo_state(words, without)
        assert (one.chain_after() != (), other.chain_after()) == (True, ())
        assert shown(one, throw) == shown(other, throw)
    one, other = (two_sides(BY_HAND, blue, LADDER) for blue in (with_bonus, without))
    assert shown(one, throw) == shown(other, throw)


@pytest.mark.parametrize("throw", ["throw 1-2", "throw 2-5"])
def test_TG_7_what_is_shown_after_a_throw_does_not_depend_on_a_forgotten_line(throw: str) -> None:
    before = "first=yellow side=yellow bonus=by-hand"
    one = two_sides(f"{before} forgotten=1", "e1:24 b3:5 f3:6 b4:7 f4:8", DEAR)
    other = two_sides(before, "e1:24 b3:5 f3:6 b4:7 f4:8", DEAR)
    assert (one.claims(), other.claims()) != ([], [])
    assert shown(one, throw) == shown(other, throw)


# --- TG-11 By the game or by hand --------------------------------------------------------------


@pytest.mark.parametrize("blue", [board for boards in TELLING[:2] for board in boards])
def test_TG_11_by_hand_only_done_ends_a_turn(blue: str) -> None:
    state = play(two_sides(BY_HAND, blue, LADDER), "throw 1-2")
    assert (state.to_act, state.prompt) == (0, fact("TG-7", "look", left=3))
    assert [str(action) for action in state.offered_actions()] == ["done"]
    after = play(state, "done")
    assert (after.to_act, after.side, after.throw) == (CHANCE, 1, ())
    state = play(solo_state("bonus=by-hand", blue), "throw 1-2")
    assert (state.to_act, state.prompt) == (0, fact("TG-3", "look", left=3))
    assert len(play(state, "done").sheet) == 1


def test_TG_11_automatic_a_turn_in_which_nothing_can_be_turned_passes_by_itself() -> None:
    before = two_sides("first=yellow side=blue", DEAR, LADDER)
    assert play(before, "throw 1-2").side == 1
    assert before.skipped_by(GAME.parse_action("throw 1-2")) == (0,)
    assert len(play(solo_state("", DEAR), "throw 1-2").sheet) == 1


OLD_RECORD: Final = """\
tripot record 1
game: triggery
version: 1
options: players=1{options}
seats: Ann
date: 2026-01-31
result: *

"""


def test_TG_11_records_of_version_1_are_read_unless_bonuses_are_taken_by_hand() -> None:
    """In version 1 a turn by hand passed by itself, so such games went on differently."""
    text = OLD_RECORD.format(options="")
    record = Record.parse(text)
    assert (record.older_version, record.to_text()) == (1, text)
    with pytest.raises(RecordError, match=r"line 3: .*version 1 .* by hand no longer ends by itself"):
        Record.parse(OLD_RECORD.format(options=" bonus=by-hand"))
    with pytest.raises(RulesVersionError, match="by hand"):
        replace(record, options=GAME.Options(players=1, bonus="by-hand"))


def test_TG_11_automatic_takes_every_bonus_and_star_at_once() -> None:
    state = solo_state("throw=1-2", PAIRS + " a1:* f1:*")
    assert rejection_key(state, "malus 1 c1") == "TG-7 automatic"
    assert play(state, "turn b1").face_up[0].bit_count() == 4, "the 3, the 24 and both stars are gone"


LONELY = "e1:24 b3:5 f3:6 b4:7 f4:8"


def test_TG_11_a_bonus_that_lies_there_from_the_start_is_taken_with_the_dice() -> None:
    state = play(solo_state("", LONELY), "throw 6-6")
    assert (cells_of(state.flipped), state.budget_left) == ([CELL_INDEX["e1"]], 24)


def test_TG_11_by_hand_no_bonus_is_taken_or_announced() -> None:
    state = solo_state("throw=6-6 bonus=by-hand", LONELY)
    assert state.flipped == 0
    assert effects(state, "turn e1") == []
    assert state.to_json()["costs"] == {}
    state = play(state, "turn e1", "turn b3", "turn f3", "turn b4")
    assert legal_texts(state) == "turn f4 | done", "the turn is ended by the player"
    assert play(state, "turn f4").outcome, "but a clear board ends the round"
