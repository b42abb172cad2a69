"""The clauses TP-2 to TP-13, one by one, on positions set up for them.

TP-1 has a file of its own, `test_tile_laying.py`, and TP-7 its positions in `test_golden.py`.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tests.games.trippples.texts import effects, play, rejection_key

from tripot import i18n
from tripot.game import HIDDEN, Fact, HiddenInformationError
from tripot.games.trippples import GAME
from tripot.games.trippples.actions import FillBoard
from tripot.games.trippples.board import (
    ARROW_TILES,
    HOME_TILE,
    NEUTRAL,
    SQUARE_INDEX,
    SQUARE_NAMES,
    TILES_BY_NAME,
    is_arrow,
)
from tripot.games.trippples.options import Options
from tripot.games.trippples.perfect_play import solve
from tripot.games.trippples.rules import State
from tripot.table import Player, Table


def position(options: str = "", pawns: str = "", turn: str = "1", up: str = "", **tiles: str) -> State:
    """A full board with some tiles where a test wants them, and the pawns anywhere.

    All arrow tiles lie in order from a1; then each tile named, `d2="268"`, changes places with the
    one on its square. With face-down tiles those under pawns and on `up` are turned up.
    """
    empty = GAME.initial_state(Options.parse(options))
    full = empty.apply(FillBoard(bytes(empty.unlaid)))
    laid = bytearray(full.tiles)
    wanted = {SQUARE_INDEX[square]: TILES_BY_NAME[name] for square, name in tiles.items()}
    for square, tile in wanted.items():
        places = [place for place in range(64) if laid[place] == tile and wanted.get(place) != tile]
        if laid[square] != tile:
            laid[square], laid[places[0]] = tile, laid[square]
    standing = bytes(SQUARE_INDEX[name] for name in pawns.split(",")) if pawns else full.pawns
    seen = [SQUARE_INDEX[name] for name in up.split(",") if name]
    shown = sum({1 << square for square in [*standing, *seen] if laid[square] != HOME_TILE})
    set_up = replace(full, tiles=bytes(laid), pawns=standing, turn=int(turn) - 1, revealed=shown)
    return GAME.parse_state(set_up.to_text())


def legal(state: State) -> str:
    return " ".join(str(action) for action in state.legal_actions())


# --- TP-2 Moving -------------------------------------------------------------------------------


def test_TP_2_square_moves_first_and_any_way_while_round_is_on_its_start() -> None:
    state = position(g2="268")
    assert (state.to_act, state.prompt) == (0, Fact("TP-2", "any"))
    assert legal(state) == "g1 g2 h2"
    after = play(state, "g2")
    assert (after.to_act, after.prompt) == (1, Fact("TP-2", "arrows", (("keys", "268"),)))
    assert legal(after) == "b1 a2", "south of a1 is off the board"


def test_TP_2_a_pawn_follows_the_arrows_under_the_opponent_not_its_own() -> None:
    tiles = {"c3": "123", "f6": "268"}
    assert legal(position(pawns="c3,f6", turn="1", **tiles)) == "c2 d3 c4"
    assert legal(position(pawns="c3,f6", turn="2", **tiles)) == "f5 g5", "e5 is a neutral tile"


def test_TP_2_refuses_other_directions_and_other_distances() -> None:
    state = position(pawns="c2,f6", f6="268")
    assert rejection_key(state, "d3") == "TP-2 direction"
    assert rejection_key(state, "c4") == rejection_key(state, "e2") == "TP-2 far"
    error = state.preview(GAME.parse_action("d3")).error
    assert error is not None
    assert dict(error.fact.values) == {"keys": "268", "key": "9"}


def test_TP_2_directions_are_named_in_words_starting_at_north() -> None:
    """People once read "keypad 268", which says nothing to them and less to a screen reader."""
    state = position(pawns="c2,f6", f6="268")
    assert (
        i18n.render(GAME, state.prompt)
        == "Move one square. The opposing arrows let you go north, east or south."
    )
    assert i18n.render(GAME, state.prompt, "fr").endswith("permettent : nord, est ou sud.")
    error = state.preview(GAME.parse_action("d3")).error
    assert error is not None
    assert "that is north-east," in i18n.render(GAME, error.fact)


# --- TP-3 Where a pawn may go ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pawns", "square", "why"),
    [
        ("c3,c4", "c4", "occupied"),
        ("c4,f6", "d4", "neutral"),
        ("b1,f6", "a1", "start"),
        ("g2,f6", "h1", "start"),
        ("g7,f6", "h8", "finish"),
    ],
)
def test_TP_3_squares_that_are_closed_for_all_arrows(pawns: str, square: str, why: str) -> None:
    for arrows in ("268", "349", "149"):
        round_at = pawns.split(",")[1]
        state = position(pawns=pawns, **{round_at: arrows})
        assert rejection_key(state, square) == f"TP-3 {why}"
        assert state.entry_error_key(0, SQUARE_INDEX[square]) == why


def test_TP_3_a_pawn_may_enter_free_arrow_squares_and_its_own_finish() -> None:
    assert legal(position(pawns="b7,f6", f6="479")) == "a7 a8 c8"
    assert legal(position(pawns="f6,g7", turn="2", f6="689")) == "h7 g8 h8"


# --- TP-4 Skipped ------------------------------------------------------------------------------


def test_TP_4_a_player_without_a_move_is_skipped_and_the_other_moves_again() -> None:
    state = position(pawns="g5,a5", a5="269", h5="147")
    assert effects(state, "h5") == ["TP-4 again"]
    after = play(state, "h5")
    assert after.to_act == 0
    assert after.prompt == Fact("TP-2", "arrows", (("keys", "269"),)), "the same arrows"
    assert legal(after) == "h4"
    assert play(after, "h4").to_act == 1


def test_TP_4_while_the_skipped_pawn_is_on_its_start_any_direction_is_allowed() -> None:
    after = play(position(g2="147"), "g2")
    assert (after.to_act, after.prompt) == (0, Fact("TP-2", "any"))
    assert legal(after) == "f1 g1 f2 h2 f3 g3 h3", "all but the start"


def test_TP_4_a_loaded_position_skips_too() -> None:
    assert position(pawns="h5,a5", turn="2", a5="269", h5="147").to_act == 0


def test_TP_4_nobody_may_pass() -> None:
    state = position(pawns="c3,f6", f6="268")
    assert rejection_key(state, "c3") == "TP-2 far", "staying is no move"


# --- TP-5 The finish ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pawns", "turn", "move", "scores"), [("b7,f6", "1", "a8", (1, -1)), ("c3,g7", "2", "h8", (-1, 1))]
)
def test_TP_5_the_first_pawn_on_its_finish_wins(
    pawns: str, turn: str, move: str, scores: tuple[int, int]
) -> None:
    state = position(pawns=pawns, turn=turn, f6="479", c3="369")
    assert effects(state, move) == ["TP-5 finish"]
    after = play(state, move)
    assert after.outcome is not None
    assert (after.outcome.scores, after.outcome.winners) == (scores, (int(turn) - 1,))
    assert after.prompt == after.outcome.reason == Fact("TP-5", "finish", (("seat", int(turn) - 1),))
    assert (after.to_act, after.legal_actions()) == (None, ())
    assert rejection_key(after, "c4") == "X-2 over"


# --- TP-6 Wild neutral squares -----------------------------------------------------------------


def test_TP_6_entering_a_neutral_square_gives_another_move_in_any_direction() -> None:
    state = position("neutral=wild", pawns="c4,f6", f6="268")
    assert effects(state, "d4") == ["TP-6 again"]
    after = play(state, "d4")
    assert (after.to_act, after.prompt) == (0, Fact("TP-6", "free"))
    assert after.to_json()["binding_seats"] == []
    assert legal(after) == "c3 d3 e3 c4 e4 c5 d5 e5", "neutral squares too"
    assert play(after, "e3").to_act == 1


def test_TP_6_a_chain_over_two_neutral_squares() -> None:
    state = play(position("neutral=wild", pawns="c4,f6", f6="268"), "d4", "e5")
    assert state.to_act == 0
    assert legal(state) == "d4 e4 f4 d5 f5 d6 e6", "f6 is occupied"
    assert play(state, "f5").to_act == 1


def test_TP_6_the_extra_move_keeps_to_TP_3_and_must_be_made() -> None:
    state = play(position("neutral=wild", pawns="c4,e3", e3="268"), "d4")
    assert rejection_key(state, "e3") == "TP-3 occupied"
    assert rejection_key(state, "d4") == "TP-2 far"


def resting() -> State:
    """Round 1 is about to enter a neutral corner from its start, with both ways on occupied.

    Only so can a pawn find no extra move: the square it came from must be closed behind it.
    """
    options = "players=4 corners=inset neutral=wild"
    return position(options, pawns="a2,b2,b1,b2", turn="2", a1="N", a2="136", b1="247", c2="689")


def test_TP_6_a_pawn_without_an_extra_move_rests_and_the_opponents_see_no_arrows() -> None:
    after = play(resting(), "a1")
    assert after.target_squares(1) == []
    assert (after.to_act, after.prompt) == (2, Fact("TP-2", "any"))
    assert legal(after) == "c1 c2", "every direction; a2 and a1 are occupied, b2 is a start"


def test_TP_6_the_resting_pawn_keeps_its_free_move_for_its_next_turn() -> None:
    state = play(resting(), "a1", "c1", "c2", "a3")
    assert (state.to_act, state.prompt) == (1, Fact("TP-6", "free"))
    assert legal(state) == "b1 a2"


# --- TP-8 The freeze ---------------------------------------------------------------------------


def freezable(options: str = "", **more: str) -> State:
    """Square can move to h5 and freeze both pawns: all arrows then lead off the board."""
    return position(options, pawns="g5,a5", a5="369", h5="147", **more)


def test_TP_8_both_forms_of_a_freeze_are_legal_plain_first() -> None:
    assert legal(freezable()) == "h4 h5 h5! h6"


def test_TP_8_an_announced_freeze_wins() -> None:
    assert effects(freezable(), "h5!") == ["TP-8 called"]
    assert str(play(freezable(), "h5!").outcome) == "1 -1 TP-8 called"


def test_TP_8_an_unannounced_freeze_is_a_draw() -> None:
    assert not effects(freezable(), "h5"), "a freeze has to be noticed"
    assert effects(freezable("freeze=off"), "h5") == ["TP-8 frozen"]
    assert str(play(freezable(), "h5").outcome) == "0 0 TP-8 frozen"


def test_TP_8_a_false_announcement_is_refused() -> None:
    assert rejection_key(freezable(), "h4!") == "TP-8 false"
    assert rejection_key(position(pawns="b7,f6", f6="479"), "a8!") == "TP-8 false", "a win is no freeze"
    assert rejection_key(freezable(), "f5!") == "TP-2 direction", "the move itself comes first"


def test_TP_8_without_the_option_a_freeze_cannot_be_announced_and_is_a_draw() -> None:
    state = freezable("freeze=off")
    assert legal(state) == "h4 h5 h6"
    assert rejection_key(state, "h5!") == "TP-8 off"
    assert str(play(state, "h5").outcome) == "0 0 TP-8 frozen"


def test_TP_8_a_side_that_can_freeze_is_not_lost() -> None:
    state = freezable()
    assert solve(state.tiles, state.options)[state.repetition_key] >= 0
    assert solve(state.tiles, state.options, freeze_wins=True)[state.repetition_key] == 1


# --- TP-9 Agreement ----------------------------------------------------------------------------


def test_TP_9_the_players_may_agree_on_a_draw() -> None:
    assert GAME.draw_clause == "TP-9"
    table = Table(GAME, Options(), [Player("Ann", person_id="a"), Player("Bob", person_id="b")])
    table.run_chance(Random(1))
    table.offer_draw(0)
    assert table.outcome is None
    table.answer_offer(1, accept=True)
    assert str(table.outcome) == "0 0 TP-9 agreed"


# --- TP-10 Inset corners -----------------------------------------------------------------------


def test_TP_10_starts_and_finishes_lie_one_square_inwards() -> None:
    state = position("corners=inset")
    assert [[SQUARE_NAMES[square] for square in pair] for pair in state.options.homes] == [
        ["g2", "b2"],
        ["b7", "g7"],
    ]
    assert legal(state) == "f1 g1 h1 f2 h2 f3 g3 h3", "the corners are ordinary squares"
    won = play(position("corners=inset", pawns="b8,f6", f6="268"), "b7")
    assert str(won.outcome) == "1 -1 TP-5 finish"


# --- TP-11 Face-down tiles ---------------------------------------------------------------------


def test_TP_11_only_starts_and_finishes_can_be_seen() -> None:
    state = position("tiles=face-down")
    for seat in (0, 1, None):
        view = state.view(seat)
        assert set(view.to_json()["board"]) == {HIDDEN, None}
        assert view.to_text().split()[1].count(HIDDEN) == 60
    assert effects(state, "g2") == ["TP-11 turns"]
    with pytest.raises(HiddenInformationError):
        state.view(0).apply(GAME.parse_action("g2"))


def test_TP_11_a_tile_turns_up_for_good_and_binds_the_opponent() -> None:
    state = play(position("tiles=face-down", g2="268", a2="478"), "g2")
    assert state.view(1).tiles[SQUARE_INDEX["g2"]] == TILES_BY_NAME["268"]
    assert (state.to_act, state.prompt) == (1, Fact("TP-2", "arrows", (("keys", "268"),)))
    state = play(state, "a2")
    assert legal(state) == "f2 f3 g3"
    state = play(state, "f2")
    assert state.view(None).tiles[SQUARE_INDEX["g2"]] == TILES_BY_NAME["268"], "no pawn stands there any more"


def test_TP_11_a_neutral_tile_gives_a_second_move_in_any_direction() -> None:
    state = play(position("tiles=face-down zone=random", g2="N"), "g2")
    assert (state.to_act, state.prompt) == (0, Fact("TP-6", "free"))
    assert legal(state) == "f1 g1 f2 h2 f3 g3 h3"


def test_TP_11_a_freeze_can_be_announced_only_onto_a_tile_that_lies_face_up() -> None:
    assert legal(freezable("tiles=face-down")) == "h4 h5 h6"
    assert rejection_key(freezable("tiles=face-down"), "h5!") == "TP-8 false"
    assert str(play(freezable("tiles=face-down"), "h5").outcome) == "0 0 TP-8 frozen"
    assert legal(freezable("tiles=face-down", up="h5")) == "h4 h5 h5! h6"


# --- TP-12 Finishes in the centre --------------------------------------------------------------


def test_TP_12_finishes_lie_on_d5_and_e5_and_neutral_tiles_around_the_centre() -> None:
    state = position("finish=centre")
    assert [SQUARE_NAMES[square] for square in state.options.homes[1]] == ["d5", "e5"]
    assert [SQUARE_NAMES[square] for square in state.options.homes[0]] == ["h1", "a1"]
    assert {SQUARE_NAMES[square] for square, tile in enumerate(state.tiles) if tile == NEUTRAL} == {
        "c3",
        "f3",
        "c6",
        "f6",
    }
    assert is_arrow(state.tiles[SQUARE_INDEX["a8"]])


def test_TP_12_the_centre_wins() -> None:
    state = position("finish=centre", pawns="d4,g6", g6="689")
    assert rejection_key(state, "e5") == "TP-3 finish"
    assert str(play(state, "d5").outcome) == "1 -1 TP-5 finish"


# --- TP-13 Four players ------------------------------------------------------------------------

FOUR = "players=4"


def test_TP_13_seats_move_in_order_and_teams_share_their_starts() -> None:
    state, movers = position(FOUR), []
    assert [SQUARE_NAMES[pawn] for pawn in state.pawns] == ["h1", "a1", "h1", "a1"]
    assert state.teams == (0, 1, 0, 1)
    for _ in range(5):
        movers.append(state.to_act)
        state = state.apply(state.legal_actions()[0])
    assert movers == [0, 1, 2, 3, 0]


def test_TP_13_pawns_share_a_square_only_on_their_start() -> None:
    state = position(FOUR, pawns="g2,a1,h1,b4", turn="3", b4="479")
    assert rejection_key(state, "g2") == "TP-3 occupied", "not even a partner's"
    state = position(FOUR, pawns="g2,a1,h1,b4", b4="369")
    assert rejection_key(state, "h1") == "TP-3 occupied", "nor back to the start"


def test_TP_13_the_arrows_under_either_opposing_pawn_may_be_followed() -> None:
    state = position(FOUR, pawns="c3,f6,g3,b6", f6="268", b6="179", c3="123", g3="234")
    assert state.prompt == Fact("TP-2", "arrows", (("keys", "126789"),))
    assert state.to_json()["binding_seats"] == [1, 3]
    assert legal(state) == "b2 c2 d3 b4 c4", "d4 is a neutral tile"


def test_TP_13_a_pawn_on_its_start_shows_no_arrows() -> None:
    state = position(FOUR, pawns="c3,a1,g3,b6", b6="268")
    assert state.to_json()["binding_seats"] == [3], "the page once lit the pawn on its start too"
    assert state.prompt == Fact("TP-2", "arrows", (("keys", "268"),))


def test_TP_13_while_both_opponents_are_on_their_start_any_direction_is_allowed() -> None:
    state = position(FOUR, pawns="c3,a1,g3,a1")
    assert state.to_json()["binding_seats"] == []
    assert state.prompt == Fact("TP-2", "any")
    assert legal(state) == "b2 c2 d2 b3 d3 b4 c4"


def test_TP_13_a_seat_that_cannot_move_is_skipped() -> None:
    state = position(FOUR, pawns="g5,a5,h1,d7", a5="269", h5="147")
    after = play(state, "h5")
    assert after.target_squares(1) == []
    assert after.to_act == 2


def test_TP_13_the_first_pawn_on_its_finish_wins_for_its_team() -> None:
    state = position(FOUR, pawns="c3,f6,b7,b4", turn="3", f6="479")
    outcome = play(state, "a8").outcome
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((1, -1, 1, -1), (0, 2))
    assert outcome.reason == Fact("TP-5", "finish", (("seat", 2),))


def test_TP_13_an_announced_freeze_wins_for_the_team() -> None:
    corners = {"a1": "379", "a8": "136", "h1": "139", "h8": "347"}
    state = position("players=4 corners=inset", pawns="g2,a8,h8,a1", **corners)
    assert "h1 h1!" in legal(state)
    assert str(play(state, "h1!").outcome) == "1 -1 1 -1 TP-8 called"
    assert str(play(state, "h1").outcome) == "0 0 0 0 TP-8 frozen"


# --- and the rulebook's example ---------------------------------------------------


def test_X_2_no_action_is_accepted_after_the_end() -> None:
    over = play(freezable(), "h5!")
    for text in ("h4", "draw 268", "neutral c3", "zone b2,c5,f3,g7", "fill 268", "lay c3"):
        assert rejection_key(over, text) == "X-2 over"


def test_X_3_a_view_does_not_depend_on_a_face_down_tile() -> None:
    one = position("tiles=face-down zone=random", pawns="c3,f6", up="c4,c5")
    other = position("tiles=face-down zone=random", pawns="c3,f6", up="c4,c5", g7="N", b7="N", h2="147")
    for seat in (0, 1, None):
        assert one.view(seat) == other.view(seat)
        assert one.view(seat).view(seat) == one.view(seat)
        assert legal(one.view(seat)) == legal(one) == legal(other)
    assert one != other


def test_X_3_a_shuffle_of_face_down_tiles_is_hidden_in_the_log() -> None:
    state = GAME.initial_state(Options(tiles="face-down"))
    assert state.redact(state.sample_chance(Random(1)), 0) == f"fill {HIDDEN}"
    assert GAME.initial_state(Options()).redact(GAME.parse_action("fill 268"), 0) == "fill 268"


def test_X_3_a_determinization_is_a_full_state_with_the_same_view() -> None:
    view = position("tiles=face-down zone=random", pawns="c3,f6", up="c4,d4", c3="N").view(1)
    full = view.determinize(Random(3))
    assert full.view(1) == view
    assert sorted(filter(is_arrow, full.tiles)) == list(ARROW_TILES)
    assert full.tiles.count(NEUTRAL) == 4


def test_the_example_turn_of_the_rulebook() -> None:
    state = position(pawns="e3,c6", c6="268", e2="369", f3="147")
    assert legal(state) == "e2 f3"
    assert rejection_key(state, "e4") == "TP-3 neutral"
    assert legal(play(state, "f3")) == "b5 b6 b7"
