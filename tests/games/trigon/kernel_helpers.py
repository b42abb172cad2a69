"""Positions and move lists that the tests of the kernels share."""

from __future__ import annotations

from random import Random

import numpy as np
from tests.games.trigon.moves import placements

from tripot.engine.budget import Budget
from tripot.game import Limit
from tripot.games.trigon.kernel import moves as move_lists
from tripot.games.trigon.kernel.available_moves import (
    AvailableMoves,
    init_available_moves,
    new_available_moves,
)
from tripot.games.trigon.kernel.placement_bits import init_placement_bits
from tripot.games.trigon.kernel.position import LISTED, Position, clone
from tripot.games.trigon.kernel.tree_search import TreeSearch
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

VARIANTS = ["", "contact=corners", "players=3", "players=2", "players=2 contact=corners", "teams=on"]
PAIRED_TEAMS, INDIVIDUAL_TEAMS = np.array([0, 1, 0, 1], np.int64), np.array([0, 1, 2, 3], np.int64)


def started_game(text: str, rng: Random) -> State:
    """The state before the first move, with the colours drawn."""
    state = initial_state(Options.parse(text))
    return state if isinstance(state.to_act, int) else state.apply(state.sample_chance(rng))


def game_after(text: str, rng: Random, moves: int = 0) -> State:
    """A state some random moves into a game; the moves use large pieces, as people do."""
    state = started_game(text, rng)
    for _ in range(moves):
        if state.to_act is None:
            break
        legal = placements(state)
        largest = max(len(move.cells) for move in legal)
        state = state.apply(rng.choice([move for move in legal if len(move.cells) == largest]))
    return state


def legal_moves(position: Position, colour: int) -> set[int]:
    """The legal moves, listed from scratch, so that no list kept in the position can be wrong."""
    fresh = clone(position)
    for other in range(4):
        fresh.move_count[other] = fresh.attach_scanned[other] = 0
        fresh.cell_flags[:] &= 0xFFFF ^ (LISTED << other)
    return {int(move) for move in move_lists.legal_moves(fresh, colour)}


def available_in(position: Position, compact: bool = False) -> AvailableMoves:
    """The available moves of a position, with compact bits where they apply if `compact` is set."""
    available = new_available_moves()
    if compact:
        init_available_moves(position, available)
    else:
        init_placement_bits(position, available.bits)
    return available


def search_for(search: TreeSearch, simulations: int, rng: Random | None = None) -> int:
    """Run a number of simulations."""
    return search.run(Budget(Limit(simulations=simulations)), rng or Random(1))


def searched(state: State, simulations: int) -> TreeSearch:
    """A new search of a position."""
    search = TreeSearch()
    search.set_position(state)
    assert search_for(search, simulations) == simulations
    return search
