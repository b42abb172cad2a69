"""Solve a random layout of Trippples: what each first move is worth, and why."""

from random import Random

import tripot
from tripot.game import Limit
from tripot.i18n import render

game = tripot.get_game("trippples")
rng = Random(3)
state = game.initial_state(game.Options())
state = state.apply(state.sample_chance(rng))

analysis = game.engine(5).analyse(state, Limit(), rng)
for fact in analysis.facts:
    print(render(game, fact))
for choice in analysis.candidates:
    print(choice.action, choice.value, *(render(game, fact) for fact in choice.facts))
