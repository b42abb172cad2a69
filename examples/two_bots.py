"""Let two levels of Trigon play, and print each move with the share of wins that the bot expects."""

from random import Random

import tripot
from tripot.bot import Bot
from tripot.game import Limit

game, rng = tripot.trigon, Random(5)
state = game.initial_state(players=2, start="free")
with Bot(game, level=10, seat=0) as strong, Bot(game, level=6, seat=1) as weak:
    bots = [strong, weak]
    while isinstance(state.to_act, int):
        for bot in bots:  # every bot sees every position, so that its search goes on where it was
            bot.observe(state)
        candidate = bots[state.to_act].choose(Limit(simulations=50), rng)
        if candidate.expected:
            print(f"seat {state.to_act + 1}: {candidate.action}, {candidate.expected.win_rate:.0%}")
        state = state.apply(candidate.action)
print(state.outcome)
