"""Two, three and four players: whole games at random, and what always holds in them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripot import testing
from tripot.game import OptionError
from tripot.games.triolet import GAME
from tripot.games.triolet.actions import Place
from tripot.games.triolet.board import BLOCKS, SQUARES, TOKEN_COUNTS, lines, occupied_mask, token_of, value_of
from tripot.games.triolet.options import Options
from tripot.games.triolet.rules import State


@pytest.mark.parametrize("players", [1, 5])
def test_one_player_and_five_players_are_refused(players: int) -> None:
    with pytest.raises(OptionError):
        Options(players=players)


def check_board(state: State) -> None:
    """TO-3 and TO-9, checked independently: no line and no block is ever illegal."""
    taken = occupied_mask(state.cells)
    for squares in lines(state.cells, tuple(square for square in range(SQUARES) if state.cells[square])):
        total = sum(value_of(state.cells[square]) for square in squares)
        assert len(squares) <= 3
        assert total == 15 if len(squares) == 3 else total <= 15
    assert not any(block & taken == block for block in BLOCKS[3])
    assert taken not in BLOCKS[2]


def check_tokens(state: State) -> None:
    """TO-1: 83 tokens, each accounted for; three are never seen."""
    held = Counter(token_of(cell) for cell in state.cells if cell)
    for tokens in (*state.racks, state.exchanged):
        held.update(tokens)
    assert all(held[token] + state.unseen_tokens[token] == count for token, count in enumerate(TOKEN_COUNTS))
    assert state.unseen_tokens.total() == state.bag + 3
    assert state.bag >= 0


@pytest.mark.long
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32), players=st.sampled_from((2, 3, 4)))
def test_whole_games_keep_the_invariants_of_tokens_lines_and_points(seed: int, players: int) -> None:
    check_order(seed, players)


@pytest.mark.soak
@settings(max_examples=200)
@given(seed=st.integers(0, 2**32), players=st.sampled_from((2, 3, 4)))
def test_many_more_games_keep_the_invariants_of_tokens_lines_and_points(seed: int, players: int) -> None:
    check_order(seed, players)


def check_order(seed: int, players: int) -> None:
    """Play one random game to its end, and check everything after every action."""
    rng, state = Random(seed), GAME.initial_state(Options(players=players))
    booked = [0] * players
    steps = 0
    while state.to_act is not None and steps < 600:
        action = testing.random_action(state, rng)
        if isinstance(action, Place):
            seat, effects = state.turn, state.preview(action).effects
            points = [int(dict(fact.values)["points"]) for fact in effects if "points" in dict(fact.values)]
            assert sum(points[:-1]) == points[-1], "the parts of a breakdown make its total"
            booked[seat] += points[-1]
        state = state.apply(action)
        steps += 1
        check_tokens(state)
        assert list(state.scores) == booked, "scores are the sums of the breakdowns"
    check_board(state)
    if state.outcome:
        at_end = [state.rack_value(seat) for seat in range(players)]
        added = {"out": sum(at_end), "stuck": -sum(at_end)}[state.outcome.reason.key]
        assert sum(state.outcome.scores) - sum(state.scores) == added


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("interval", [5, pytest.param(1, marks=pytest.mark.soak)])
def test_random_games_conform_to_the_end(players: int, interval: int) -> None:
    """Every fifth step, which meets every seat and chance; `make soak` checks all of them."""
    testing.check_random_game(GAME, Random(players), 300, Options(players=players), interval)


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(3))
def test_ends_of_games_with_passes_and_hidden_racks_conform(seed: int) -> None:
    """The bag is nearly empty: who must pass depends on hidden racks, and shows only when it happens."""
    rng, state = Random(seed), GAME.initial_state(Options(players=3))
    while state.bag > 4 and state.to_act is not None:
        state = state.apply(testing.random_action(state, rng))
    testing.check_steps(GAME, state, rng, steps=600)


@pytest.mark.long
@pytest.mark.parametrize("games", [8, pytest.param(40, marks=pytest.mark.soak)])
def test_determinizations_give_the_seat_to_act_a_legal_action(games: int) -> None:
    rng, looked = Random(5), 0
    for seed in range(games):
        play, state = Random(seed), GAME.initial_state(Options())
        while state.to_act is not None:
            if isinstance(state.to_act, int) and not state.can_exchange:
                for viewer in (1 - state.to_act, None):
                    assert state.view(viewer).determinize(rng).legal_actions()
                    looked += 1
            state = state.apply(testing.random_action(state, play))
    assert looked > 50


def test_legal_moves_are_sorted_by_tokens_squares_and_values() -> None:
    state = GAME.parse_state("triolet H8=3,H9=5,G9=6 racks=4,7,J/?,?,?")
    moves = [move for move in state.legal_actions() if isinstance(move, Place)]
    keys = [
        (len(move.tokens), [token.square for token in move.tokens], [token[2:] for token in move.tokens])
        for move in moves
    ]
    assert keys == sorted(keys)
