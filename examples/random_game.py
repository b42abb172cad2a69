"""Play one random game of each game found, and print how it ended."""

from random import Random

import tripot
from tripot.testing import random_playthrough

rng = Random(7)
for game in tripot.list_games():
    state = game.initial_state()
    actions = 0
    for before, action in random_playthrough(state, rng, steps=10_000):
        state = before.apply(action)
        actions += 1
    print(f"{game.title}: {actions} actions, {state.outcome}")
