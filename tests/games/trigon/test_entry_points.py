"""The list of entry points: the engine calls exactly these kernels, with exactly these types."""

from __future__ import annotations

import subprocess
import sys

import pytest
from bench._server_process import HANG

PROGRAM = """
from random import Random

import tripot
from tripot.game import Limit
from tripot.games.trigon.kernel.entry_points import ENTRY_POINTS

game, rng = tripot.get_game("trigon"), Random(1)
engines = {level: game.engine(level) for level in game.levels}
for text in ("players=2", "teams=on", "players=3"):
    state = game.initial_state(game.Options.parse(text))
    state = state if isinstance(state.to_act, int) else state.apply(state.sample_chance(rng))
    while state.to_act is not None:
        action, level = rng.choice(state.legal_actions()), rng.choice(game.levels)
        if rng.random() < 0.1:
            engines[level].analyse(state, Limit(simulations=3), rng)
        if rng.random() < 0.4:
            action = engines[level].choose(state, Limit(simulations=3), rng).action
        state = state.apply(action)
figure = game.initial_state(game.Options.parse("players=1 figure=little-house"))
engines[3].choose(figure, Limit(simulations=3), rng)

for entry in ENTRY_POINTS:
    name = entry.function.__name__
    assert entry.function.signatures == [entry.arguments], (name, entry.function.signatures)
    assert entry.function.overloads[entry.arguments].signature == entry.signature, name
"""


@pytest.mark.kernel
def test_the_engine_calls_the_listed_kernels_with_the_listed_types() -> None:
    """In a process of its own: other tests call kernels as they like."""
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, timeout=HANG)
