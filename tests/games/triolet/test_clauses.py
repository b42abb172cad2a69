"""The clauses TO-1 to TO-10, one by one, on positions set up for them.

TO-11 and TO-12 have a file of their own, `test_endings.py`.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from tests.games.triolet.positions import effects, legal_texts, play, refused, rejection_key, started_game

from tripot.game import CHANCE, Fact, IllegalActionError
from tripot.games.triolet import GAME
from tripot.games.triolet.actions import Place
from tripot.games.triolet.board import DOUBLES, FACTORS, PATTERNS, TOKENS, TRIPLES
from tripot.games.triolet.options import Options
from tripot.games.triolet.rules import State


def line_refused(state: State, text: str) -> tuple[str, str, int]:
    """The key of a rejection_key of TO-3, the line that breaks it, and its total."""
    fact = refused(state, text)
    values = dict(fact.values)
    assert fact.clause == "TO-3"
    return fact.key, str(values["squares"]), int(values.get("total", 0))


def scored(state: State, text: str) -> int:
    """What a move adds to the score of its player, who also reads it."""
    seat = state.to_act
    assert isinstance(seat, int)
    points = play(state, text).scores[seat] - state.scores[seat]
    assert f"Total {points}." in effects(state, text)
    return points


# --- TO-1 The start ----------------------------------------------------------------------------


def test_TO_1_lots_decide_who_begins_and_everyone_gets_three_tokens() -> None:
    state = GAME.initial_state(Options(players=3))
    assert (state.to_act, state.bag) == (CHANCE, 80)
    assert [(str(lot), odds) for lot, odds in state.chance_outcomes()] == [
        (f"lots {seat}", Fraction(1, 3)) for seat in (1, 2, 3)
    ]
    state = play(state, "lots 2")
    for seat in range(3):
        assert state.prompt == Fact("TO-1", "draw", (("seat", seat), ("count", 3)))
        state = state.apply(state.sample_chance(Random(seat)))
    assert [len(rack) for rack in state.racks] == [3, 3, 3]
    assert (state.to_act, state.bag) == (1, 71)


def test_TO_1_there_are_83_tokens_and_three_are_never_drawn() -> None:
    assert TOKENS == 83
    state, rng = GAME.initial_state(Options()), Random(11)
    while state.outcome is None and (state.bag or state.seat_to_draw is not None):
        state = state.apply(state.sample_chance(rng) if state.to_act is CHANCE else state.legal_actions()[0])
    laid = sum(1 for cell in state.cells if cell)
    assert laid + sum(map(len, state.racks)) == TOKENS - 3
    assert state.unseen_tokens.total() == 3


def test_TO_1_lots_come_first_and_once() -> None:
    state = GAME.initial_state(Options())
    for action in ("draw 1 1,2,3", "H8=3", "exchange 3"):
        assert rejection_key(state, action) == "TO-1 lots_first"
    assert rejection_key(state, "lots 3") == "TO-1 no_seat"
    assert rejection_key(play(state, "lots 1"), "lots 1") == "TO-1 begun"


def test_TO_1_racks_are_hidden_from_all_others_and_from_spectators() -> None:
    state = started_game("0,3,5/1,2,4/7,7,J")
    assert "racks=?,?,?/1,2,4/?,?,?" in state.view(1).to_text()
    assert "racks=?,?,?/?,?,?/?,?,?" in state.view(None).to_text()
    assert state.view(0).legal_actions() == state.legal_actions()
    assert state.view(1).legal_actions() == ()


# --- TO-2 A move -------------------------------------------------------------------------------


def test_TO_2_the_first_move_covers_the_centre() -> None:
    state = started_game("0,3,5/1,2,4")
    assert all("H8=" in move for move in legal_texts(state) if not move.startswith("exchange"))
    assert rejection_key(state, "H9=3") == "TO-2 centre"
    assert rejection_key(state, "H6=3 H7=5") == "TO-2 centre"
    assert {"H8=5", "H7=3 H8=5", "G8=5 H8=3"} <= {*legal_texts(state)}
    assert play(state, "G8=5 H8=3").cells.count(0) == 223


def test_TO_2_one_token_two_side_by_side_two_around_one_or_three_side_by_side() -> None:
    state = GAME.parse_state("triolet H8=4,H9=5,H10=6 racks=3,4,8/?,?,?")
    moves = legal_texts(state)
    assert "I8=3" in moves
    assert "I8=3 I9=4" in moves, "side by side, along others"
    assert "G8=3 I8=8" in moves, "around one"
    assert "G7=8 G8=4 G9=3" in moves, "three side by side"


def test_TO_2_two_tokens_go_around_a_single_token_only() -> None:
    state = GAME.parse_state("triolet H8=4,H9=2 racks=3,8,9/?,?,?")
    assert "G8=3 I8=8" in legal_texts(state)
    assert rejection_key(state, "H7=3 H10=8") == "TO-2 gap", "there are two tokens between them"


def test_TO_2_no_gaps() -> None:
    state = GAME.parse_state("triolet H8=4,H9=2 racks=3,8,9/?,?,?")
    assert rejection_key(state, "G8=3 E8=8") == "TO-2 gap"
    assert rejection_key(state, "G7=3 G9=8") == "TO-2 gap", "there is nothing between them"
    three = GAME.parse_state("triolet H8=1,G8=2 racks=3,4,8/?,?,?")
    assert rejection_key(three, "H7=3 H9=4 H10=8") == "TO-2 gap", "three lie side by side, not around a token"


def test_TO_2_a_move_touches_a_token_at_a_side() -> None:
    state = GAME.parse_state("triolet H8=4,H9=2 racks=3,4,8/?,?,?")
    assert rejection_key(state, "A1=3") == "TO-2 apart"
    assert rejection_key(state, "G7=3") == "TO-2 apart", "a corner is not enough"
    assert "F8=8 G8=3" in legal_texts(state), "one of the two touches"


def test_TO_2_squares_are_free_on_the_board_and_in_one_line() -> None:
    state = GAME.parse_state("triolet H8=4,H9=2 racks=3,4,8/?,?,?")
    assert rejection_key(state, "H9=3") == "TO-2 taken"
    assert rejection_key(state, "G8=3 G8=4") == "TO-2 twice"
    assert rejection_key(state, "G8=3 I9=4") == "TO-2 line"
    assert rejection_key(state, "P8=3") == rejection_key(state, "H16=3") == "TO-2 off"
    assert rejection_key(state, "G8=3 F8=4 E8=8 D8=1") == "TO-2 count"
    with pytest.raises(IllegalActionError) as raised:
        state.apply(Place(()))
    assert (raised.value.fact.clause, raised.value.fact.key) == ("TO-2", "count")


def test_TO_2_tokens_come_from_the_rack() -> None:
    state = GAME.parse_state("triolet H8=4,H9=5,H10=6 racks=3,4,8/?,?,?")
    assert rejection_key(state, "G8=7") == "TO-2 not_held"
    assert rejection_key(state, "G8=4 G9=4") == "TO-2 not_held", "there is only one 4"
    assert rejection_key(state, "G8=J7") == "TO-2 not_held"


# --- TO-3 Lines --------------------------------------------------------------------------------


def test_TO_3_two_in_a_line_total_at_most_15() -> None:
    state = GAME.parse_state("triolet H8=9 racks=6,7,8/?,?,?")
    assert "H9=6" in legal_texts(state)
    assert line_refused(state, "H9=7") == ("pair", "H8 H9", 16)


def test_TO_3_three_in_a_line_total_exactly_15() -> None:
    state = GAME.parse_state("triolet H8=9,H9=2 racks=3,4,5/?,?,?")
    assert {"H10=4", "H7=4"} <= {*legal_texts(state)}
    assert line_refused(state, "H10=3") == ("trio", "H8 H9 H10", 14)
    assert line_refused(state, "H7=5") == ("trio", "H7 H8 H9", 16)


def test_TO_3_never_more_than_three_in_a_line() -> None:
    state = GAME.parse_state("triolet H8=5,H9=5,H10=5 racks=0,0,5/?,?,?")
    assert line_refused(state, "H11=0")[:2] == ("long", "H8 H9 H10 H11")
    bridge = GAME.parse_state("triolet H8=5,H9=4,I9=3,I10=2,I11=10,H11=4 racks=0,5,6/?,?,?")
    assert line_refused(bridge, "H10=0")[:2] == ("long", "H8 H9 H10 H11")


def test_TO_3_holds_for_every_line_a_token_joins() -> None:
    state = GAME.parse_state("triolet H8=9,I8=1,I9=8,G8=5 racks=1,5,6/?,?,?")
    assert "H9=6" in legal_texts(state), "9 + 6 = 15 along the row, 6 + 8 = 14 along the column"
    assert line_refused(state, "H9=6 H10=1") == ("trio", "H8 H9 H10", 16)
    other = GAME.parse_state("triolet H8=9,I8=1,I9=10,G8=5 racks=1,5,6/?,?,?")
    assert line_refused(other, "H9=6") == ("pair", "H9 I9", 16)


# --- TO-4 Pairs and trios ----------------------------------------------------------------------


def test_TO_4_a_pair_scores_its_sum_and_a_trio_30() -> None:
    state = GAME.parse_state("triolet H8=4,H9=5 racks=1,3,6/?,?,?")
    assert effects(state, "G9=3") == ["3+5 = 8 (G9 H9).", "Total 8."]
    assert effects(state, "H10=6") == ["Trio 4-5-6 = 30 (H8 H9 H10).", "Total 30."]
    assert scored(state, "H10=6") == 30


def test_TO_4_every_line_with_a_new_token_scores_once() -> None:
    state = GAME.parse_state("triolet H8=4,H9=5,H10=6 racks=1,3,6/?,?,?")
    assert effects(state, "G8=3 G9=6") == [
        "3+6 = 9 (G8 G9).",
        "3+4 = 7 (G8 H8).",
        "6+5 = 11 (G9 H9).",
        "Total 27.",
    ]
    assert scored(state, "G8=3 G9=6") == 27, "the trio, to which nothing was added, is not scored again"


def test_TO_4_a_pair_that_became_a_trio_counts_as_the_trio() -> None:
    state = GAME.parse_state("triolet H8=4,H9=5 racks=1,6,9/?,?,?")
    assert scored(state, "H10=6 I10=9") == 30 + 15


# --- TO-5 The triolet --------------------------------------------------------------------------


def test_TO_5_three_tokens_at_once_bring_50_more() -> None:
    state = GAME.parse_state("triolet H8=4,H9=5 racks=3,4,8/?,?,?")
    assert effects(state, "G9=3 G10=4 G11=8")[-2:] == ["Triolet + 50.", "Total 88."]
    assert scored(state, "G9=3 G10=4 G11=8") == 30 + 50 + 3 + 5


def test_TO_5_completing_a_trio_with_two_tokens_is_none() -> None:
    state = GAME.parse_state("triolet H8=4,H9=5 racks=3,4,8/?,?,?")
    assert scored(state, "G8=3 I8=8") == 30


# --- TO-6 Double and triple squares ------------------------------------------------------------


def test_TO_6_a_lone_first_token_counts_double() -> None:
    assert effects(started_game("0,3,5/1,2,4"), "H8=5") == ["5×2 = 10 (H8).", "Total 10."]


def test_TO_6_the_bonus_of_a_triolet_is_never_multiplied() -> None:
    assert scored(started_game("3,4,8/1,2,4"), "H7=3 H8=4 H9=8") == 60 + 50


def test_TO_6_a_square_works_for_the_token_that_covers_it_only() -> None:
    state = play(started_game("3,4,8/1,2,4"), "H8=8", "draw 1 1")
    assert scored(state, "H9=4") == 12


def test_TO_6_a_joker_counts_nothing_even_twice() -> None:
    assert scored(started_game("3,4,J/1,2,4"), "H8=J9 H9=4") == 4
    assert scored(started_game("3,4,J/1,2,4"), "H8=J9") == 0


def test_TO_6_a_move_never_covers_two_special_squares() -> None:
    special = DOUBLES | TRIPLES
    for squares, _, _ in PATTERNS:
        assert len(special.intersection(squares)) <= 1
    assert sorted(Counter(FACTORS).items()) == [(1, 208), (2, 9), (3, 8)]


# --- TO-7 Bis squares --------------------------------------------------------------------------

TO_BIS = "triolet H8=4,G8=1,G7=3,F7=6,F6=2,E6=8,E5=0,D5=5,D4=9,C4=1,C3=10,B3=4"


def test_TO_7_a_bis_square_gives_another_move_after_scoring_and_refilling() -> None:
    state = GAME.parse_state(f"{TO_BIS} racks=0,3,5/?,?,?")
    assert effects(state, "B2=5")[-1].startswith("Bis")
    after = play(state, "B2=5")
    assert (after.to_act, after.scores[0]) == (CHANCE, 9)
    after = play(after, "draw 1 7")
    assert (after.to_act, after.racks[0]) == (0, bytes([0, 3, 7]))
    assert play(after, "A2=7", "draw 1 9").to_act == 1, "the square has done its work"


def test_TO_7_other_squares_give_none() -> None:
    state = GAME.parse_state(f"{TO_BIS} racks=0,3,5/?,?,?")
    assert play(state, "H9=3", "draw 1 9").to_act == 1


# --- TO-8 Jokers -------------------------------------------------------------------------------


def test_TO_8_a_joker_stands_for_any_value_that_fits() -> None:
    state = GAME.parse_state("triolet H8=9 racks=1,2,J/?,?,?")
    named = [move for move in legal_texts(state) if move.startswith("H9=J") and " " not in move]
    assert named == [f"H9=J{value}" for value in range(7)]
    assert line_refused(state, "H9=J7") == ("pair", "H8 H9", 16)


def test_TO_8_a_joker_keeps_its_value_for_the_rest_of_the_game() -> None:
    state = play(GAME.parse_state("triolet H8=9 racks=1,2,J/?,3,4"), "H9=J4", "draw 1 5")
    assert line_refused(state, "H10=3") == ("trio", "H8 H9 H10", 16)
    assert scored(GAME.parse_state("triolet H8=9,H9=J4 racks=?,?,?/2,3,4 turn=2"), "H10=2") == 30


def test_TO_8_a_joker_counts_nothing_in_a_pair_and_a_trio_counts_in_full() -> None:
    state = GAME.parse_state("triolet H8=9 racks=1,2,J/?,?,?")
    assert effects(state, "H9=J6") == ["9+J = 9 (H8 H9).", "Total 9."]
    assert scored(state, "H9=J4 H10=2") == 30
    assert scored(GAME.parse_state("triolet H8=9,H9=J4 racks=?,?,?/2,3,4 turn=2"), "G9=3") == 3


def test_TO_8_a_triolet_with_a_joker_has_no_bonus() -> None:
    assert scored(started_game("3,4,J/1,2,5"), "H7=3 H8=4 H9=J8") == 60


def test_TO_8_never_two_jokers_in_one_move() -> None:
    state = GAME.parse_state("triolet H8=9 racks=1,J,J/?,?,?")
    assert rejection_key(state, "H9=J2 H10=J4") == "TO-8 two"
    assert all(move.count("=J") < 2 for move in legal_texts(state) if not move.startswith("exchange"))
    assert "exchange J,J" in legal_texts(state)


def test_TO_8_a_joker_needs_a_value_from_0_to_15() -> None:
    state = GAME.parse_state("triolet H8=0 racks=1,2,J/?,?,?")
    assert rejection_key(state, "H9=J") == rejection_key(state, "H9=J16") == "TO-8 value"
    assert "H9=J15" in legal_texts(state)


# --- TO-9 Squares ------------------------------------------------------------------------------


def test_TO_9_the_first_four_tokens_may_not_form_a_square() -> None:
    state = play(started_game("5,9,0/6,7,7"), "H8=9 H9=5", "draw 1 1,1")
    assert refused(state, "I8=6 I9=7") == Fact("TO-9", "four", (("squares", "H8–I9"),))
    assert "I9=7 I10=6" in legal_texts(state), "moved over by one it is allowed"
    one_by_one = GAME.parse_state("triolet H8=4,H9=5,I8=3 racks=1,2,6/?,?,?")
    assert rejection_key(one_by_one, "I9=1") == "TO-9 four"


def test_TO_9_from_the_fifth_token_on_a_small_square_is_allowed() -> None:
    state = GAME.parse_state("triolet H8=4,H9=5,I8=3,G8=8 racks=1,2,6/?,?,?")
    assert "I9=1" in legal_texts(state)
    five = GAME.parse_state("triolet H8=4,H9=5,I8=3 racks=1,2,11/?,?,?")
    assert "I9=1 I10=11" in legal_texts(five), (
        "the tokens of a move have no order: these are not the first four"
    )


def test_TO_9_no_move_completes_a_square_of_nine() -> None:
    eight = "triolet H8=2,H9=7,H10=6,I8=9,I9=5,I10=1,J8=4,J9=3"
    state = GAME.parse_state(f"{eight} racks=0,8,8/?,?,?")
    assert refused(state, "J10=8") == Fact("TO-9", "nine", (("squares", "H8–J10"),))
    six = "triolet H8=2,H9=7,H10=6,I8=9,I9=5,I10=1"
    assert rejection_key(GAME.parse_state(f"{six} racks=4,3,8/?,?,?"), "J8=4 J9=3 J10=8") == "TO-9 nine"


# --- TO-10 Refilling ---------------------------------------------------------------------------


def test_TO_10_racks_are_refilled_to_three() -> None:
    state = play(started_game("3,4,8/1,2,4"), "H7=3 H8=8")
    assert state.prompt == Fact("TO-10", "draw", (("seat", 0), ("count", 2)))
    assert rejection_key(state, "H9=1") == rejection_key(state, "exchange 1") == "TO-10 draw"
    assert rejection_key(state, "draw 2 1,1") == rejection_key(state, "draw 1 1") == "TO-10 draw"
    after = play(state, "draw 1 15,0")
    assert (after.racks[0], after.to_act) == (bytes([0, 4, 15]), 1)
    assert rejection_key(after, "draw 1 1") == "TO-10 none_due"


def test_TO_10_only_tokens_that_are_left_can_be_drawn() -> None:
    state = play(started_game("3,14,8/1,15,4"), "H7=3 H8=8")
    assert rejection_key(state, "draw 1 1,15") == "TO-10 not_there", "the only 15 is on a rack"
    assert rejection_key(state, "draw 1 14,1") == "TO-10 not_there"


def test_TO_10_probabilities_of_a_draw_follow_from_the_unseen_tokens() -> None:
    state = play(started_game("3,4,8/1,2,4"), "H8=8")
    odds = {str(draw): chance for draw, chance in state.chance_outcomes()}
    assert odds["draw 1 0"] == Fraction(9, 77)
    assert odds["draw 1 8"] == Fraction(3, 77)
    assert sum(odds.values()) == 1
    assert state.view(0).chance_outcomes() == ()
