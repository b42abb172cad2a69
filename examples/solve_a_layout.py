"""Solve a random layout of Trippples: the value of each first move, and why."""

from random import Random

import tripot
from tripot.game import Limit
from tripot.i18n import render

game = tripot.trippples
rng = Random(3)
state = game.initial_state()
state = state.apply(state.sample_chance(rng))

analysis = game.engine(level=6).analyse(state, Limit(), rng)
for fact in analysis.facts:
    print(render(game, fact))
for candidate in analysis.candidates:
    print(candidate.action, candidate.value, *(render(game, fact) for fact in candidate.facts))
