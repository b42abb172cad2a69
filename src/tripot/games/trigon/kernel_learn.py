"""How the weights of Trigon's search are learned: from games of these weights against themselves.

python -m tripot.games.trigon.kernel_learn      learns them anew into kernel_weights.npz: some minutes

First the weights of moves (`kernel_features`): colours draw their moves as the weights say, and what a
side did in a game that went well is made likelier, what it did in others less so. Then the weights of
positions (`kernel_value`): in games played with the weights of moves, how do the signs of a colour
foretell its score? Once for two sides with two colours each, once for everybody alone. The same every time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tripot.games.trigon.board import BOARD
from tripot.games.trigon.kernel import (
    FOR_ALL,
    FREE_STARTS,
    IN_PLAY,
    OUT,
    SIZE,
    Numbers,
    Position,
    copied,
    copy,
    empty,
    legal,
    put,
    random_number,
    score,
    seeded,
)
from tripot.games.trigon.kernel_features import (
    CENTRAL,
    DENIED,
    FEATURES,
    STAGES,
    features,
    friends_of,
    logit,
    stage,
)
from tripot.games.trigon.kernel_search import rewards
from tripot.games.trigon.kernel_value import PHASES, SIGNS, UNSURE, Glance, glance, look
from tripot.search.compiled import compiled

Floats = NDArray[np.float64]
Random = NDArray[np.uint64]

WEIGHTS: Final = Path(__file__).with_name("kernel_weights.npz")
SIDES: Final = {"pairs": np.array([0, 1, 0, 1]), "alone": np.array([0, 1, 2, 3])}
ROUNDS, GAMES = 240, 64  # of learning moves, and games in each
STEP, SLOW, SLOWER = 0.05, 0.9, 0.99  # how far a round goes, and how slowly its averages change
REWARDED: Final = np.array(
    [0.0, 0.0, 0.0, 0.0, 0.3, 25.0, 0.0, 0.0]
)  # see `kernel_search`: mostly the margin
SAMPLED = 2500  # games from which the value of positions is learned
KEENLY = 1.5  # how much more strictly than the weights say moves are drawn then
ONE_IN = 6  # so many positions are looked at
MOST: Final = 1 << 12  # moves that are drawn from
MINIMUM = 50  # examples of a phase; with fewer it is as the one before
FIRM = 1.0  # how strongly weights that explain nothing are drawn to zero


@compiled
def draw(chances: Floats, number: int, random: Random) -> int:
    """One of some moves, by logarithms of their chances; these become the chances."""
    best, total = -1e9, 0.0
    for index in range(number):
        best = max(best, chances[index])
    for index in range(number):
        chances[index] = np.exp(chances[index] - best)
        total += chances[index]
    for index in range(number):
        chances[index] /= total
    left = random_number(random, 1 << 30) / (1 << 30)
    for index in range(number):
        left -= chances[index]
        if left <= 0:
            return index
    return number - 1


@compiled
def learn_from_games(
    start: Position,
    sides: Numbers,
    weights: Floats,
    settings: Floats,
    games: int,
    random: Random,
    slope: Floats,
) -> float:
    """Which way to change the weights, into `slope`, from some games; the mean score in them."""
    position, chances, numbers = copied(start), np.zeros(MOST), np.zeros((MOST, FEATURES))
    x, slopes, got, scores = np.zeros(FEATURES), np.zeros((4, STAGES, FEATURES)), np.zeros(4), np.zeros(4)
    total = 0.0
    for _ in range(games):
        copy(start, position)
        slopes[:] = 0
        out, turn = FOR_ALL & ~position.rules[IN_PLAY], 0
        while out != FOR_ALL:
            if not out >> turn & 1:
                moves = legal(position, turn)
                if not len(moves):
                    out |= 1 << turn
                else:
                    own, friends, number = (
                        stage(position, turn),
                        friends_of(turn, sides),
                        min(len(moves), MOST),
                    )
                    for index in range(number):
                        features(position, turn, friends, moves[index], numbers[index])
                        chances[index] = 0.0
                        for feature in range(FEATURES):
                            chances[index] += weights[own, feature] * numbers[index, feature]
                    chosen = draw(chances, number, random)
                    x[:] = 0
                    for index in range(number):
                        if chances[index] > 1e-4:
                            x += chances[index] * numbers[index]
                    slopes[turn, own] += numbers[chosen] - x
                    put(position, turn, moves[chosen])
            turn = (turn + 1) & 3
        for colour in range(4):
            scores[colour] = score(position, colour)
        rewards(scores, position.rules[IN_PLAY], sides, 0.0, settings, got)
        usual = 0.0
        for colour in range(4):
            usual += got[colour] / 4
        for colour in range(4):
            slope += (got[colour] - usual) * slopes[colour] / games
            total += scores[colour] / 4 / games
    return total


def first_guess() -> Floats:
    """Weights to begin with: large pieces, towards the middle, where they block."""
    weights = np.zeros((STAGES, FEATURES))
    weights[:, : len(SIZE)] = 1.3 * SIZE
    weights[:, DENIED] = 0.6
    weights[:3, CENTRAL] = 0.8, 0.6, 0.2
    return weights


def learn_moves(sides: Numbers, seed: int) -> Floats:
    """The weights of moves, by small steps with the slope's own averages as a measure (Adam)."""
    start, random, weights = empty(BOARD, FREE_STARTS, False, FOR_ALL), seeded(seed), first_guess()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for index in range(1, ROUNDS + 1):
        slope = np.zeros_like(weights)
        scored = learn_from_games(start, sides, weights, REWARDED, GAMES, random, slope)
        mean = SLOW * mean + (1 - SLOW) * slope
        square = SLOWER * square + (1 - SLOWER) * slope**2
        step = mean / (1 - SLOW**index) / (np.sqrt(square / (1 - SLOWER**index)) + 1e-3)
        weights = weights + STEP * max(0.1, 1 - index / ROUNDS) * step
        if index % 20 == 0:
            print(f"moves: round {index} of {ROUNDS}, mean score {scored:.1f}", flush=True)
    return weights


@compiled
def examples(
    start: Position,
    sides: Numbers,
    weights: Floats,
    games: int,
    random: Random,
    room: Glance,
    signs: Floats,
    phases: Numbers,
    scores: Floats,
) -> int:
    """The signs of colours in positions of some games, with the scores that they led to; how many."""
    position, chances, count = copied(start), np.zeros(MOST), 0
    colours = np.zeros(len(scores), np.int64)
    for _ in range(games):
        copy(start, position)
        out, turn, first = FOR_ALL & ~position.rules[IN_PLAY], 0, count
        while out != FOR_ALL:
            if not out >> turn & 1:
                moves = legal(position, turn)
                if not len(moves):
                    out |= 1 << turn
                    position.rules[OUT] = out
                else:
                    if random_number(random, ONE_IN) == 0 and count + 4 <= len(scores):
                        look(position, turn, room)
                        for colour in range(4):
                            signs[count], phases[count] = room.signs[colour], room.phase[colour]
                            colours[count] = colour
                            count += 1
                    own, friends, number = (
                        weights[stage(position, turn)],
                        friends_of(turn, sides),
                        min(len(moves), MOST),
                    )
                    for index in range(number):
                        chances[index] = KEENLY * logit(position, turn, friends, moves[index], own)
                    put(position, turn, moves[draw(chances, number, random)])
            turn = (turn + 1) & 3
        for index in range(first, count):
            scores[index] = score(position, colours[index])
    return count


def learn_values(sides: Numbers, weights: Floats, seed: int) -> Floats:
    """The weights of positions: least squares, a phase at a time."""
    most = SAMPLED * 80
    signs, phases, scores = np.zeros((most, SIGNS)), np.zeros(most, np.int64), np.zeros(most)
    start = empty(BOARD, FREE_STARTS, False, FOR_ALL)
    count = examples(start, sides, weights, SAMPLED, seeded(seed), glance(), signs, phases, scores)
    values = np.zeros((PHASES, SIGNS + 1))
    for phase in range(PHASES):
        there = phases[:count] == phase
        if there.sum() < MINIMUM:
            values[phase] = values[phase - 1]
            continue
        x, y = signs[:count][there], scores[:count][there]
        values[phase, :SIGNS] = np.linalg.solve(x.T @ x + FIRM * np.eye(SIGNS), x.T @ y)
        values[phase, UNSURE] = (y - x @ values[phase, :SIGNS]).std()
        print(f"values: phase {phase}, scores vary by {y.std():.1f}, foretold to {values[phase, UNSURE]:.1f}")
    return values


def main() -> None:
    """Learn all weights and keep them."""
    arrays = {}
    for seed, (name, sides) in enumerate(SIDES.items(), 1):
        print(f"{name}:")
        arrays[f"moves_{name}"] = learn_moves(sides, seed)
        arrays[f"values_{name}"] = learn_values(sides, arrays[f"moves_{name}"], seed + 100)
    np.savez(WEIGHTS, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
