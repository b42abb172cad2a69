"""The list of kernels for compilation ahead of time agrees with what the engine calls."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from tripot.game import CHANCE, Limit
from tripot.games.triolet import GAME
from tripot.games.triolet.kernel.entry_points import ENTRY_POINTS
from tripot.games.triolet.kernel.moves import generate_moves, new_moves, new_workspace
from tripot.games.triolet.kernel.tables import to_grid, to_rack
from tripot.games.triolet.options import Options


@pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="kernels have signatures only when compiled"
)
def test_every_entry_point_is_compiled_for_the_listed_signature_and_no_other() -> None:
    """One game at the top level calls all of them, the exact endgame included."""
    state, rng = GAME.initial_state(Options()), Random(3)
    was_simulated = False
    while state.to_act is not None:
        if state.to_act is CHANCE:
            state = state.apply(state.sample_chance(rng))
            continue
        top = not was_simulated or state.bag == 0
        engine = GAME.engine(4 if top else 2)
        was_simulated = was_simulated or top
        state = state.apply(engine.choose(state.view(state.to_act), Limit(simulations=4), rng).action)
    generate_moves(to_grid(state.cells), to_rack(b""), new_workspace(), new_moves())
    for entry in ENTRY_POINTS:
        dispatcher: Any = entry.function
        assert dispatcher.signatures == [entry.arguments], dispatcher
        assert dispatcher.overloads[entry.arguments].signature.return_type == entry.result, dispatcher
