"""Solve a random layout of Trippples: what each first move is worth, and why."""

from random import Random

import tripot
from tripot.game import Limit
from tripot.i18n import say

game = tripot.find("trippples")
rng = Random(3)
state = game.start(game.Options())
state = state.apply(state.deal(rng))

analysis = game.engine(5).analyse(state, Limit(), rng)
for fact in analysis.facts:
    print(say(game, fact))
for choice in analysis.choices:
    print(choice.action, choice.value, *(say(game, fact) for fact in choice.facts))
