"""How the weights of Trigon's search are learned, by games of the weights against themselves.

python -m tripot.games.trigon.kernel_learn      learns them anew: some minutes, the same every time
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tripot.games.trigon.kernel import (
    FOR_ALL,
    IN_PLAY,
    Numbers,
    Position,
    legal,
    put,
    random_number,
    score,
)
from tripot.games.trigon.kernel_features import FEATURES, features, friends_of, stage
from tripot.games.trigon.kernel_search import rewards
from tripot.search.compiled import compiled

Floats = NDArray[np.float64]


@compiled
def policy_game(
    position: Position,
    sides: Numbers,
    weights: Floats,
    settings: Floats,
    random: NDArray[np.uint64],
    slopes: Floats,
    got: Floats,
) -> None:
    """A game in which every colour draws its moves as the weights say; how likely that was made more so.

    `slopes`, by colour, is the gradient of the logarithm of the chance of its moves; `got` its reward.
    """
    slopes[:] = 0
    x, moves_x, chances = np.zeros(FEATURES), np.zeros((1 << 12, FEATURES)), np.zeros(1 << 12)
    out, turn = FOR_ALL & ~position.rules[IN_PLAY], 0
    while out != FOR_ALL:
        if not out >> turn & 1:
            moves = legal(position, turn)
            if not len(moves):
                out |= 1 << turn
            else:
                own, friends = stage(position, turn), friends_of(turn, sides)
                number, best = min(len(moves), 1 << 12), -1e9
                for index in range(number):
                    features(position, turn, friends, moves[index], moves_x[index])
                    logit = 0.0
                    for feature in range(FEATURES):
                        logit += weights[own, feature] * moves_x[index, feature]
                    chances[index] = logit
                    best = max(best, logit)
                total = 0.0
                for index in range(number):
                    chances[index] = np.exp(chances[index] - best)
                    total += chances[index]
                x[:] = 0
                goal, chosen = random_number(random, 1 << 30) / (1 << 30) * total, -1
                for index in range(number):
                    goal -= chances[index]
                    if goal <= 0 and chosen < 0:
                        chosen = index
                    if chances[index] > 1e-4:
                        x += chances[index] / total * moves_x[index]
                chosen = max(chosen, 0)
                slopes[turn, own] += moves_x[chosen] - x
                put(position, turn, moves[chosen])
        turn = (turn + 1) & 3
    scores = np.zeros(4)
    for colour in range(4):
        scores[colour] = score(position, colour)
    rewards(scores, position.rules[IN_PLAY], sides, 0.0, settings, got)
