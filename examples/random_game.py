"""Play one random game of each game found, and print how it ended."""

from random import Random

import tripot
from tripot.testing import random_playthrough

rng = Random(7)
for game in tripot.list_games():
    start = game.initial_state(game.Options())
    actions = [action for _, action in random_playthrough(start, rng, steps=10_000)]
    state = start
    for action in actions:
        state = state.apply(action)
    print(f"{game.title}: {len(actions)} actions, {state.outcome}")
