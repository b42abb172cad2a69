"""The search: what it looks at and plays out is legal, what it weighs is what it says, budgets are kept."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import tripot
from tripot.game import Choice, Limit
from tripot.games.trigon import kernel, kernel_features, kernel_playout, kernel_search, kernel_value
from tripot.games.trigon.actions import Options
from tripot.games.trigon.engine import learned, searched
from tripot.games.trigon.rules import State, start

GAME = tripot.find("trigon")
VARIANTS = ["", "contact=corners", "players=3", "players=2", "players=2 contact=corners", "teams=on"]
PAIRS, ALONE = np.array([0, 1, 0, 1]), np.array([0, 1, 2, 3])


def begun(text: str, rng: Random, moves: int = 0) -> State:
    """A state some random moves into a game; large pieces, as people play."""
    state = start(Options.read(text))
    if not isinstance(state.to_act, int):
        state = state.apply(state.deal(rng))
    for _ in range(moves):
        if state.to_act is None:
            break
        legal = state.legal()
        largest = max(len(move.cells) for move in legal)
        state = state.apply(rng.choice([move for move in legal if len(move.cells) == largest]))
    return state


def legal_moves(position: kernel.Position, colour: int) -> set[int]:
    """From scratch, so that nothing that is remembered can be wrong."""
    fresh = kernel.copied(position)
    kernel_search.forget(fresh)
    return {int(move) for move in kernel.legal(fresh, colour)}


@pytest.mark.parametrize("text", VARIANTS)
def test_every_move_of_a_playout_is_legal_and_nobody_passes_who_could_move(text: str) -> None:
    rng = Random(text)
    for seed in range(3):
        state = begun(text, rng, moves=rng.randrange(30))
        position, heat, random = kernel.pack(state), kernel_playout.heat(), kernel.seeded(seed)
        heat.most[:] = kernel_playout.LARGEST
        out, turn = position.rules[kernel.OUT] | 0xF & ~position.rules[kernel.IN_PLAY], state.turn
        while out != 0xF:
            if not out >> turn & 1:
                foes = 0xF & ~(0b101 << turn % 2 if state.options.pairs else 1 << turn)
                legal = legal_moves(position, turn)
                move = kernel_playout.pick(position, turn, foes, kernel_search.PLAN, heat, random)
                if move < 0:
                    assert not legal
                    out |= 1 << turn
                else:
                    assert move in legal
                    before = position.tally[kernel.NUMBER, turn]
                    kernel.put(position, turn, move)
                    kernel_playout.note(heat, position, turn, before)
            turn = (turn + 1) % 4


@pytest.mark.parametrize("text", VARIANTS)
def test_the_sum_of_the_features_is_what_the_search_goes_by(text: str) -> None:
    rng = Random(text)
    weights, x = learned(pairs=True)[0], np.zeros(kernel_features.FEATURES)
    for moves in (0, 9, 30):
        state = begun(text, rng, moves)
        if state.to_act is None:
            continue
        position, colour = kernel.pack(state), state.turn
        for sides in (PAIRS, ALONE):
            friends = kernel_features.friends_of(colour, sides)
            own = weights[kernel_features.stage(position, colour)]
            for move in rng.sample(sorted(legal_moves(position, colour)), 5):
                kernel_features.features(position, colour, friends, move, x)
                said = kernel_features.logit(position, colour, friends, move, own)
                assert said == pytest.approx(float(own @ x))


@pytest.mark.parametrize("text", VARIANTS)
def test_the_tree_begins_with_all_legal_moves_and_counts_its_simulations(text: str) -> None:
    state = begun(text, Random(text), moves=8)
    tree = searched(state, Limit(simulations=300), None, Random(1))
    first, number = tree.first[0], tree.number[0]
    assert {kernel.decode(int(move)) for move in tree.move[first : first + number]} == {
        move.cells for move in state.legal()
    }
    assert tree.visits[0] == 300 == tree.visits[first : first + number].sum()
    assert np.isclose(tree.prior[first : first + number].sum(), 1)
    values = tree.worth[first : first + number][tree.visits[first : first + number] > 0]
    assert (values >= 0).all()


def test_rewards_of_a_finished_game_go_to_the_winners() -> None:
    got = np.zeros(4)
    kernel_search.rewards(np.array([-3.0, -20, -9, 15]), 0xF, PAIRS, 0.0, kernel_search.SETTINGS, got)
    assert got[1] == got[3] > 0.5 > got[0] == got[2]
    kernel_search.rewards(np.array([-3.0, -20, -9, 15]), 0xF, ALONE, 0.0, kernel_search.SETTINGS, got)
    assert got.argmax() == 3
    kernel_search.rewards(np.array([5.0, 0, 5, 0]), 0b0101, ALONE, 0.0, kernel_search.SETTINGS, got)
    assert got[0] == got[2] == 0.5


def test_who_is_out_may_expect_just_what_is_left() -> None:
    """A colour that cannot move has no ground: nothing but its leftovers counts."""
    state = begun("players=2", Random(5), moves=200)
    position, room = kernel.pack(state), kernel_value.glance()
    kernel_value.look(position, 0, room)
    assert (room.signs[:, kernel_value.GROUND] == 0).all()
    for colour in range(4):
        left = room.signs[colour, kernel_value.LEFTOVER]
        assert left == -min(0, state.score(colour))


def test_a_search_hears_a_stop_and_returns_what_it_has() -> None:
    state, parts = begun("players=2", Random(3), moves=6), list[float]()
    limit = Limit(seconds=1000, progress=parts.append, stopped=lambda: len(parts) >= 3)
    choice = GAME.engine(9).choose(state, limit, Random(1))
    assert isinstance(choice, Choice)
    assert choice.action in state.legal()
    assert len(parts) == 3


def test_a_line_can_be_played() -> None:
    state = begun("", Random(9), moves=12)
    best = GAME.engine(9).choose(state, Limit(simulations=600), Random(2))
    for action in best.line:
        assert action in state.legal()
        state = state.apply(action)
