"""Play one random game of each game found, and print how it ended."""

from random import Random

import tripot
from tripot.testing import random_play

rng = Random(7)
for game in tripot.found():
    start = game.start(game.Options())
    actions = [action for _, action in random_play(start, rng, steps=10_000)]
    state = start
    for action in actions:
        state = state.apply(action)
    print(f"{game.title}: {len(actions)} actions, {state.outcome}")
