"""TP-1: laying the tiles, in every layout."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tests.games.trippples.texts import play, rejection_key

from tripot.game import CHANCE, Fact, IllegalActionError
from tripot.games.trippples import GAME
from tripot.games.trippples.actions import LayTile
from tripot.games.trippples.board import (
    ARROW_TILES,
    NEUTRAL,
    NO_TILE,
    SQUARE_INDEX,
    SQUARE_NAMES,
    SQUARES,
    TILES_BY_NAME,
    is_arrow,
)
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State


def laid_out(options: str, seed: int = 7) -> State:
    """A game whose tiles are all laid, by chance and by the first choice of the players."""
    state, rng = GAME.initial_state(Options.parse(options)), Random(seed)
    while NO_TILE in state.tiles:
        state = state.apply(state.sample_chance(rng) if state.to_act is CHANCE else state.legal_actions()[0])
    return state


def tiles_at(state: State, *squares: str) -> set[int]:
    return {state.tiles[SQUARE_INDEX[square]] for square in squares}


LAYOUTS = ["", "zone=random", "zone=chosen"]
LAYOUTS += [f"layout=drafted {zone}" for zone in LAYOUTS]


@pytest.mark.parametrize("options", LAYOUTS)
def test_TP_1_every_layout_uses_each_tile_once(options: str) -> None:
    state = laid_out(options)
    assert sorted(filter(is_arrow, state.tiles)) == list(ARROW_TILES)
    assert state.tiles.count(NEUTRAL) == 4
    assert tiles_at(state, "h1", "a1", "a8", "h8") == {2}
    assert [SQUARE_NAMES[pawn] for pawn in state.pawns] == ["h1", "a1"]
    assert state.to_act == 0


def test_TP_1_neutral_tiles_lie_in_the_centre_before_anything_is_laid() -> None:
    state = GAME.initial_state(Options())
    assert tiles_at(state, "d4", "e4", "d5", "e5") == {NEUTRAL}
    assert len(state.free_squares) == 56
    assert state.to_act is CHANCE


def test_TP_1_square_lays_first_and_the_players_take_turns() -> None:
    state, layers = GAME.initial_state(Options(layout="drafted")), []
    for tile, square in [("268", "c3"), ("147", "g8"), ("369", "b1")]:
        assert state.prompt == Fact("TP-1", "draw")
        assert (state.to_act, state.legal_actions()) == (CHANCE, ())
        state = play(state, f"draw {tile}")
        assert state.prompt == Fact("TP-1", "lay", (("tile", tile),))
        layers.append(state.to_act)
        assert len(state.legal_actions()) == len(state.free_squares)
        state = play(state, f"lay {square}")
        assert tiles_at(state, square) == {TILES_BY_NAME[tile]}
    assert layers == [0, 1, 0]


def test_TP_1_a_draw_is_any_unlaid_tile_with_equal_odds() -> None:
    state = play(GAME.initial_state(Options(layout="drafted")), "draw 268", "lay c3")
    chances = state.chance_outcomes()
    assert {odds for _, odds in chances} == {Fraction(1, 55)}
    assert GAME.parse_action("draw 268") not in [draw for draw, _ in chances]


def test_TP_1_four_players_lay_in_their_order() -> None:
    state, rng, layers = GAME.initial_state(Options(layout="drafted", players=4)), Random(1), []
    for _ in range(5):
        state = state.apply(state.sample_chance(rng))
        layers.append(state.to_act)
        state = state.apply(state.legal_actions()[0])
    assert layers == [0, 1, 2, 3, 0]


@pytest.mark.parametrize("layout", ["random", "drafted"])
def test_TP_1_chosen_neutral_tiles_are_laid_in_turn_before_all_others(layout: str) -> None:
    state, layers = GAME.initial_state(Options(zone="chosen", layout=layout)), []
    for left, square in [(4, "b2"), (3, "c5"), (2, "f3"), (1, "g7")]:
        assert state.prompt == Fact("TP-1", "zone", (("left", left),))
        layers.append(state.to_act)
        state = play(state, f"neutral {square}")
    assert layers == [0, 1, 0, 1]
    assert tiles_at(state, "b2", "c5", "f3", "g7") == {NEUTRAL}
    assert state.prompt == Fact("TP-1", "draw")


def test_TP_1_chance_lays_neutral_tiles_apart_only_when_players_lay_the_rest() -> None:
    drafted = GAME.initial_state(Options(zone="random", layout="drafted"))
    assert drafted.to_act is CHANCE
    assert str(drafted.sample_chance(Random(1))).startswith("zone ")
    assert play(drafted, "zone b2,f3,c5,g7").neutral_tiles_to_lay == 0
    assert str(GAME.initial_state(Options(zone="random")).sample_chance(Random(1))).count("N") == 4


def test_TP_1_a_given_board_is_ready_to_play() -> None:
    board = laid_out("corners=inset").to_text().split()[1]
    state = GAME.initial_state(Options(layout="given", corners="inset", board=board))
    assert state.to_act == 0
    assert state.to_text().split()[1] == board


@pytest.mark.parametrize(
    ("options", "before", "action", "why"),
    [
        ("", "", "c3", "not_now"),
        ("", "", "neutral c3", "not_now"),
        ("", "", "zone b2,c5,f3,g7", "not_now"),
        ("", "", "draw 268", "not_now"),
        ("", "", "lay c3", "not_now"),
        ("", "", "fill 268,147", "bad_fill"),
        ("layout=drafted", "", "fill 268", "not_now"),
        ("layout=drafted", "", "lay c3", "not_now"),
        ("layout=drafted", "", "draw N", "bad_draw"),
        ("layout=drafted", "draw 268", "draw 147", "not_now"),
        ("layout=drafted", "draw 268", "lay d4", "taken"),
        ("layout=drafted", "draw 268", "lay h1", "taken"),
        ("layout=drafted", "draw 268;lay c3", "draw 268", "bad_draw"),
        ("layout=drafted", "draw 268;lay c3;draw 147", "lay c3", "taken"),
        ("zone=chosen", "", "draw 268", "not_now"),
        ("zone=chosen", "", "fill 268", "not_now"),
        ("zone=chosen", "", "neutral a8", "taken"),
        ("zone=chosen", "neutral c3", "neutral c3", "taken"),
        ("zone=random layout=drafted", "", "neutral c3", "not_now"),
        ("zone=random layout=drafted", "", "zone c3", "bad_zone"),
        ("zone=random layout=drafted", "", "zone a1,b2,c3,d4", "bad_zone"),
        ("zone=random layout=drafted", "", "zone b2,b2,c3,d4", "bad_zone"),
        ("zone=random layout=drafted", "", "zone d4,c3,b3,b2", "bad_zone"),
    ],
)
def test_TP_1_what_may_not_be_laid(options: str, before: str, action: str, why: str) -> None:
    state = play(GAME.initial_state(Options.parse(options)), *filter(None, before.split(";")))
    assert rejection_key(state, action) == f"TP-1 {why}"


def test_TP_1_a_square_off_the_board_is_refused() -> None:
    """-63 was a square from the end of the list: the drawn tile vanished, and the game went on."""
    state = GAME.initial_state(Options(layout="drafted"))
    state = state.apply(state.sample_chance(Random(1)))
    for action in (LayTile(1 - SQUARES), LayTile(SQUARES)):
        with pytest.raises(IllegalActionError, match="is not an action of this game"):
            state.apply(action)
