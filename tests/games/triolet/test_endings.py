"""TO-11 and TO-12: exchanging, passing, and both ends of the game."""

from __future__ import annotations

import pytest
from tests.games.triolet.positions import effects, legal_texts, play, refused, rejection_key, started_game

from tripot.game import Fact, HiddenInformationError
from tripot.games.triolet import GAME
from tripot.games.triolet.options import Options
from tripot.games.triolet.rules import State
from tripot.table import Player, Table, reveals_information

# --- TO-11 Exchanging and passing --------------------------------------------------------------


def test_TO_11_an_exchange_costs_the_turn_and_brings_as_many_new_tokens() -> None:
    state = started_game("3,4,8/1,2,4")
    assert legal_texts(state)[-7:] == [
        f"exchange {tokens}" for tokens in ("3", "4", "8", "3,4", "3,8", "4,8", "3,4,8")
    ]
    assert effects(state, "exchange 3,8") == ["Exchanges tokens, without points: 2."]
    after = play(state, "exchange 3,8")
    assert after.prompt == Fact("TO-11", "draw", (("seat", 0), ("count", 2)))
    after = play(after, "draw 1 0,15")
    assert (after.racks[0], after.to_act, after.scores) == (bytes([0, 4, 15]), 1, (0, 0))
    assert after.bag == state.bag


def test_TO_11_the_new_tokens_are_drawn_before_the_old_ones_go_back() -> None:
    state = play(started_game("3,14,8/1,2,4"), "exchange 14")
    assert rejection_key(state, "draw 1 14") == "TO-10 not_there", "the only 14 is not yet in the bag"
    after = play(state, "draw 1 3", "H8=4")
    assert play(after, "draw 2 14").racks[1] == bytes([1, 2, 14]), "now it is"


def test_TO_11_others_learn_only_how_many_tokens_were_exchanged() -> None:
    state = started_game("3,14,8/1,2,4")
    table = Table(GAME, Options(), [Player("Ann", person_id="a"), Player("Bob", person_id="b")])
    for text in ("lots 1", "draw 1 3,8,14", "draw 2 1,2,4"):
        table.apply_chance(text)
    table.act(0, "exchange 3,14")
    table.apply_chance("draw 1 0,0")
    assert [text for _, text in table.view_for(0).log[-2:]] == ["exchange 3,14", "draw 1 0,0"]
    for seat in (1, None):
        assert [text for _, text in table.view_for(seat).log[-2:]] == ["exchange ?,?", "draw 1 ?,?"]
    assert "given=?,?" in play(state, "exchange 3,14").view(1).to_text()
    assert "given=3,14" in play(state, "exchange 3,14").view(0).to_text()


def test_TO_11_exchanged_tokens_must_be_on_the_rack() -> None:
    state = started_game("3,4,8/1,2,4")
    assert rejection_key(state, "exchange 5") == rejection_key(state, "exchange 3,3") == "TO-11 not_held"
    assert rejection_key(state, "exchange 3,4,8,8") == "TO-11 count"


# A board on which hardly anything fits; of the tokens that are not on it, nothing at all. Without K2
# the 10 fits, without L14 the 0, without N15 the 8 and the 11.
NARROW = (
    "A1=6,A5=5,B1=4,B2=5,B4=8,B5=6,B6=1,C2=0,C3=13,C4=2,C6=0,C7=7,D4=5,D5=3,D7=1,D8=10,E5=8,E6=2,E8=4,E9=4,"
    "F6=5,F7=5,F9=9,F10=0,G7=1,G8=2,G10=5,G11=2,H6=4,H7=9,H8=2,H11=5,H12=0,I5=7,I6=7,I8=11,I9=2,I12=3,I13=0,"
    "J4=12,J5=0,J9=1,J10=6,J13=10,J14=3,K2=10,K3=2,K4=3,K10=5,K11=4,K14=J12,K15=1,L2=1,L3=13,L11=J9,L12=3,"
    "L14=0,L15=3,M1=7,M2=4,M12=0,M13=1,N1=8,N13=4,N14=3,N15=8,O1=0,O2=7,O14=1,O15=6"
)


def narrow(racks: str, *free: str, turn: int = 1) -> State:
    """That board without the tokens of some squares."""
    board = ",".join(token for token in NARROW.split(",") if token.partition("=")[0] not in free)
    return GAME.parse_state(f"triolet {board} racks={racks} turn={turn} players={racks.count('/') + 1}")


def test_TO_11_an_exchange_needs_five_tokens_in_the_bag() -> None:
    five = narrow("3,9,11/6,9,12", "L14")
    assert five.bag == 5
    assert legal_texts(five) == [
        f"exchange {tokens}" for tokens in ("3", "9", "11", "3,9", "3,11", "9,11", "3,9,11")
    ]
    four = narrow("3,9,10/6,9,12/1,2,6", "K2", "O1", "O2")
    assert four.bag == 4
    assert refused(four, "exchange 3") == Fact("TO-11", "bag", (("count", 4),))
    assert legal_texts(four) == ["D2=10", "H10=10", "K2=10", "D1=3 D2=10"]


def test_TO_11_who_can_neither_place_nor_exchange_passes() -> None:
    state = narrow("3,8,9/1,2,6/7,10,12", "K2", "N15")
    assert state.bag == 3
    after = play(state, "N15=8", "draw 1 9")
    assert after.to_act == 2, "seat 2 was passed over"
    assert legal_texts(after)[0] == "D2=10"


def test_TO_11_a_forced_pass_is_reported_with_the_draw_before_it() -> None:
    state = play(narrow("3,8,9/1,2,6/7,10,12", "K2", "N15"), "N15=8")
    draw = GAME.parse_action("draw 1 9")
    assert state.redact(draw, 0) == "draw 1 9"
    assert state.redact(draw, 1) == state.redact(draw, None) == "draw 1 ? next 3"


def test_TO_11_whether_others_must_pass_is_hidden_until_it_shows() -> None:
    state = GAME.parse_state(f"triolet {OPEN} racks=0,3/14 turn=1")
    move = GAME.parse_action("A14=0")
    assert reveals_information(state, move)
    with pytest.raises(HiddenInformationError):
        state.view(0).apply(move)
    assert state.view(0).preview(move) == state.preview(move)


# --- TO-12 The end -----------------------------------------------------------------------------

OPEN = (
    "A2=2,A3=3,A6=2,A7=12,A13=1,B1=0,B2=3,B4=3,B5=5,B6=7,B13=7,B14=8,C1=15,C3=1,C4=8,C5=6,C12=0,C13=7,D1=0,"
    "D2=5,D3=10,D5=4,D6=10,D12=13,E2=8,E3=4,E4=3,E6=2,E7=5,E12=2,E13=5,F1=0,F2=J2,F4=6,F7=1,F8=3,F13=2,F14=2,"
    "G1=11,G4=6,G5=4,G7=9,G8=1,G9=5,G14=11,H8=11,H9=0,H10=4,H13=12,H14=2,H15=1,I10=3,I11=6,I12=6,I15=13,J11=7,"
    "J12=0,J14=8,J15=1,K12=9,K13=J5,K14=1,L13=5,L14=6,L15=4,M12=1,M13=5,M15=9,N9=9,N11=5,N12=0,N14=3,N15=2,"
    "O9=4,O10=7,O11=4,O14=10"
)


def test_TO_12_the_last_token_ends_the_game_and_adds_what_the_others_hold() -> None:
    state = GAME.parse_state(f"triolet {OPEN} racks=7/0,14 scores=730,761 turn=2")
    assert state.bag == 0
    assert effects(state, "A14=0 A15=14")[-1].startswith("Your last token")
    over = play(state, "A14=0 A15=14")
    assert (over.to_act, over.legal_actions()) == (None, ())
    assert str(over.outcome) == "730 806 TO-12 out", "38 for the move, then the 7"
    assert over.scores == (730, 799)
    assert rejection_key(over, "exchange 3") == "X-2 over"


def test_TO_12_a_joker_on_a_rack_counts_nothing() -> None:
    board = OPEN.replace("K13=J5", "K13=5").replace("G9=5,", "")
    state = GAME.parse_state(f"triolet {board} racks=7,J/0,14 scores=730,761 turn=2")
    assert str(play(state, "A14=0 A15=14").outcome) == "730 806 TO-12 out"


def test_TO_12_when_no_seat_can_place_every_seat_subtracts_its_rack() -> None:
    state = narrow("3,9,10/6,9,12/1,2,6/7,11,14", "K2", "L14")
    assert state.bag == 0
    over = play(state, "K2=10")
    assert str(over.outcome) == f"{over.scores[0] - 12} -27 -9 -32 TO-12 stuck"
    assert over.view(None) == over, "all racks are turned up"


def test_TO_12_tokens_left_in_the_bag_do_not_matter_if_no_seat_can_exchange() -> None:
    state = play(narrow("3,9,10/6,9,12/1,2,6", "K2"), "K2=10")
    over = play(state, "draw 1 7")
    assert (over.bag, str(over.outcome).split(maxsplit=3)[-1]) == (1, "TO-12 stuck")
    assert state.redact(GAME.parse_action("draw 1 7"), 2) == "draw 1 7", "what is turned up is no secret"


STAIRS = (
    "A1=3,A2=2,A3=10,B1=2,B2=9,C2=4,C3=11,D3=2,D4=6,E4=7,E5=4,F5=3,F6=5,F7=7,G6=8,G7=7,H7=1,H8=1,I8=4,I9=2,"
    "J9=4,J10=3,K10=7,K11=4,L11=10,L12=3,M12=3,M13=1,N13=5,N14=9,N15=1,O13=9,O14=6,O15=0"
)


def test_TO_12_exchanges_cannot_go_on_for_ever_once_nothing_fits_any_more() -> None:
    """Found by random play: a stair from corner to corner on which no token fits, and a full bag."""
    state = GAME.parse_state(f"triolet {STAIRS} racks=14,8,13/0,1,5 scores=50,60")
    assert {str(move).partition("=")[0] for move in state.legal_actions() if "=" in str(move)} == {"M15"}
    over = play(state, "M15=14", "draw 1 J")
    assert over.bag > 5
    assert str(over.outcome) == "59 54 TO-12 stuck", "30 for the move, then 21 off"


def test_TO_12_the_highest_total_wins_and_equal_ones_draw() -> None:
    won = play(GAME.parse_state(f"triolet {OPEN} racks=7/0,14 scores=730,761 turn=2"), "A14=0 A15=14")
    assert won.outcome is not None
    assert won.outcome.winners == (1,)
    drawn = play(GAME.parse_state(f"triolet {OPEN} racks=7/0,14 scores=806,761 turn=2"), "A14=0 A15=14")
    assert drawn.outcome is not None
    assert drawn.outcome.winners == ()
