"""Valid and invalid options, and random games over all of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripot import i18n, testing
from tripot.games.triggery import GAME
from tripot.games.triggery.board import STAR
from tripot.games.triggery.options import Options, parse_bag

ROWS = [
    "1,2,3,4,5,*",
    "7,8,9,10,11,12",
    "*,13,14,15,16,17",
    "18,19,20,21,*,22",
    "23,24,1,2,3,4",
    "5,6,*,7,8,9",
]
BOARD = "/".join(ROWS)
OTHER = "/".join(reversed(ROWS))


# --- The bag -----------------------------------------------------------------------------------


def test_a_bag_is_written_as_numbers_ranges_stars_and_repeats() -> None:
    assert parse_bag("3x5,7-9,2x*,40") == bytes([5, 5, 5, 7, 8, 9, STAR, STAR, 40])
    assert Counter(parse_bag("2x1-18")) == Counter([*range(1, 19)] * 2)


@pytest.mark.parametrize(
    ("bag", "reason"),
    [
        ("1-24,11x*", "36 tiles are needed to fill a board, not 35"),
        ("*", "36 tiles are needed"),
        ("1-36,100", "'100' is no tile"),
        ("0-40", "numbers go from 1 to 99"),
        ("36x5-4", "numbers go from 1 to 99, the smaller one first"),
        ("", "'' is no tile"),
        ("1-40,", "'' is no tile"),
        ("40x**", "is no tile"),
        ("0x1,40x2", "is no tile"),
        ("-1,40x2", "is no tile"),
        ("999x1,999x2", "999 tiles at most"),
        ("999x1-99", "999 tiles at most"),
        ("40x²", "is no tile"),
    ],
)
def test_a_bag_that_fills_no_board_is_refused_by_name(bag: str, reason: str) -> None:
    error = testing.option_error(Options, f"bag={bag}")
    assert error.name == "bag"
    assert reason in error.reason


def test_boards_are_filled_from_the_bag_that_was_chosen() -> None:
    state = GAME.initial_state(Options(players=1, bag="30x2,6x*"))
    state = state.apply(state.sample_chance(Random(1)))
    assert Counter(state.tiles[0]) == Counter({2: 30, STAR: 6})


def test_a_bag_of_stars_is_cleared_by_any_throw() -> None:
    state = GAME.initial_state(Options(players=1, bag="36x*"))
    for text in ("fill blue " + ",".join("*" * 36), "throw 1-2"):
        state = state.apply(GAME.parse_action(text))
    assert state.outcome
    assert (state.outcome.scores, state.last_throw_points) == ((-1,), 0)


# --- Boards and dice ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (f"board={BOARD}", "board"),
        (f"players=1 board={BOARD}|{OTHER}", "board"),
        ("players=1 board=1,2,3", "board"),
        (f"players=1 board={BOARD.replace('13', '100')}", "board"),
        (f"players=1 board={BOARD.replace('13', '?')}", "board"),
        (f"players=1 board={BOARD.replace('13', '-13')}", "board"),
        ("dice=5-6", "dice"),
        ("players=1 dice=5-7", "dice"),
        ("players=1 dice=5-6,", "dice"),
        ("players=1 dice=11", "dice"),
        ("players=1 score=rounds", "score"),
        ("players=5", "players"),
        ("bonus=never", "bonus"),
        ("stars=8", "stars"),
    ],
)
def test_invalid_options_are_refused_by_name(options: str, name: str) -> None:
    assert testing.option_error(Options, options).name == name


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            "players=1 score=rounds",
            "Ce qui décide d'une partie en deux manches : un joueur seul n'a pas de manches à gagner.",
        ),
        (
            "bag=1-35",
            "Les plaquettes de chaque sachet, séparées par des virgules : "
            "il faut 36 plaquettes pour remplir un plateau, pas 35.",
        ),
    ],
)
def test_option_errors_are_rendered_in_french(options: str, sentence: str) -> None:
    assert i18n.option_error_text(testing.option_error(Options, options), "fr") == sentence


def test_rounds_and_known_dice_are_offered_where_they_apply() -> None:
    where = {entry["name"]: entry["relevant_if"] for entry in Options.schema()}
    assert where["score"] == [{"players": ["2", "3", "4"]}]
    assert where["dice"] == [{"players": ["1"]}]


def test_two_sides_are_given_two_boards() -> None:
    state = GAME.initial_state(Options.parse(f"board={BOARD}|{OTHER}"))
    assert [list(tiles[:5]) for tiles in state.tiles] == [[1, 2, 3, 4, 5], [5, 6, STAR, 7, 8]]


def test_given_tiles_are_known_even_if_flipped() -> None:
    state = GAME.initial_state(Options.parse(f"players=1 board={BOARD} dice=6-6"))
    for text in ("throw 6-6", "turn a2", "turn b1"):
        state = state.apply(GAME.parse_action(text))
    assert state.view(0) != state
    assert state.view(0).determinize(Random(1)) == state


# --- Random games ------------------------------------------------------------------------------


@st.composite
def any_options(draw: st.DrawFn) -> Options:
    """Every combination, with bags, boards and dice as well."""
    players = draw(st.sampled_from([1, 1, 2, 3, 4]))
    boards = BOARD if players == 1 else f"{BOARD}|{OTHER}"
    dice = st.lists(st.sampled_from(["1-2", "5-6", "3-3", "6-6"]), min_size=1, max_size=20).map(",".join)
    return Options(
        players=players,
        bonus=draw(st.sampled_from(["automatic", "by-hand"])),
        score=draw(st.sampled_from(["points", "rounds"])) if players > 1 else "points",
        bag=draw(st.sampled_from([Options().bag, "1-30,10x*", "20x1,10x2,10x*", "6x1-6", "4x1-3,30x*"])),
        board=draw(st.sampled_from(["", boards])),
        dice=draw(st.just("") | dice) if players == 1 else "",
    )


@pytest.mark.long
@settings(max_examples=6)
@given(options=any_options(), seed=st.integers(0, 2**32))
def test_random_games_over_all_options_conform(options: Options, seed: int) -> None:
    testing.check_random_game(GAME, Random(seed), steps=45, options=options)


@pytest.mark.soak
@settings(max_examples=300)
@given(options=any_options(), seed=st.integers(0, 2**32))
def test_many_more_games_over_all_options_conform(options: Options, seed: int) -> None:
    testing.check_random_game(GAME, Random(seed), steps=45, options=options)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("bonus", ["automatic", "by-hand"])
def test_every_random_game_ends_with_a_result(players: int, bonus: str) -> None:
    """Random play stumbles into a clear board within some hundred actions; these seeds do."""
    state, rng = GAME.initial_state(Options(players=players, bonus=bonus)), Random(players)
    for _ in range(3000):
        if state.to_act is None:
            break
        state = state.apply(testing.random_action(state, rng))
    assert state.outcome
    assert len(state.outcome.scores) == players
