"""How the weights of Trigon's search are learned: from games of the engine's own playouts.

python -m tripot.games.trigon.kernel.train      learns them anew into weights.npz: ten minutes

Some moves are drawn as the weights of moves say, then the game is played to its end by playouts, several
times. How the signs of a position (`kernel_value`) foretell the scores is learned from that, game by
game. Then moves are compared by the value of what they lead to, and the weights of moves
(`kernel_features`) are those that foretell it best. Twice, and all of it for two sides with two colours
each, and for everybody alone, in two processes. The same every time.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import compiled
from tripot.games.trigon.board import BOARD, GRID
from tripot.games.trigon.kernel.compact_bits import Left, go_back, no_few
from tripot.games.trigon.kernel.features import (
    COVER,
    FEATURES,
    GRADES,
    MIDDLE,
    STAGES,
    Ground,
    features,
    friends_of,
    ground,
    logit,
    sift,
    stage,
    survey,
    weigh,
)
from tripot.games.trigon.kernel.placement_bits import no_places, read
from tripot.games.trigon.kernel.playout import (
    LENGTH,
    LYING,
    OVER,
    REPLIES,
    Heat,
    heat,
    note,
    play_on,
)
from tripot.games.trigon.kernel.position import (
    FOR_ALL,
    FREE_STARTS,
    MOST_MOVES,
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
from tripot.games.trigon.kernel.search import (
    PLAN,
    SETTINGS,
    WINNING,
    rewards,
)
from tripot.games.trigon.kernel.value import (
    PHASES,
    STOCK,
    TABLE,
    UNSURE,
    WEIGHTS,
    Table,
    describe,
    foretold,
    phase,
)

Floats = NDArray[np.float64]
Random = NDArray[np.uint64]

FILE: Final = Path(__file__).with_name("weights.npz")
SIDES: Final = {"pairs": np.array([0, 1, 0, 1]), "alone": np.array([0, 1, 2, 3])}
ROUNDS: Final = [0.3, 0.15]  # how much a new example counts at first
PROCESSES = 2
KEENLY = 40.0  # how strictly moves are drawn by their weights

# Learning values.
GAMES, PARTS = 100, 120  # so many games a part, so many parts
DRAWN = 44  # fewer moves than that are drawn before the playouts
PLAYOUTS, LOOKS = 6, 6  # from each game, and positions looked at in each
APART = 16  # at most so many moves lie between two of them

# Learning moves.
COMPARED, TRIES, ONE_IN = 2000, 32, 8  # games, moves compared in a position, every so many positions
FIRM = 3.0  # how strongly weights that explain nothing are drawn to zero


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
    return drawn(chances, number, random)


@compiled
def drawn(chances: Floats, number: int, random: Random) -> int:
    """One of some moves, by their chances."""
    left = random_number(random, 1 << 30) / (1 << 30)
    for index in range(number):
        left -= chances[index]
        if left <= 0:
            return index
    return number - 1


@compiled
def consider(
    position: Position,
    colour: int,
    sides: Numbers,
    weights: Floats,
    room: Ground,
    moves: NDArray[np.int32],
    chances: Floats,
) -> int:
    """The moves of a colour that are worth a thought, with what the weights make of them; how many."""
    number = sift(position, colour, legal(position, colour), moves)
    own, friends = weights[stage(position, colour)], friends_of(colour, sides)
    survey(position, colour, friends, room)
    weigh(position, colour, friends, own, room)
    for index in range(number):
        chances[index] = KEENLY * logit(position, friends, moves[index], own, room)
    return number


@compiled
def open_game(
    position: Position,
    sides: Numbers,
    weights: Floats,
    plies: int,
    room: Ground,
    heat: Heat,
    moves: NDArray[np.int32],
    chances: Floats,
    random: Random,
) -> int:
    """Play some moves, drawn as the weights say; who is to move then, or OVER."""
    out, turn = 0, 0
    heat.length[LENGTH] = heat.length[LYING] = 0
    while out != FOR_ALL:
        if not out >> turn & 1:
            if plies == 0:
                return turn
            if not len(legal(position, turn)):
                out |= 1 << turn
                position.rules[OUT] = out
            else:
                number = consider(position, turn, sides, weights, room, moves, chances)
                move = moves[draw(chances, number, random)]
                put(position, turn, move)
                note(heat, turn, move)
                plies -= 1
        turn = (turn + 1) & 3
    return OVER


@compiled
def correct(
    own: Floats, times: Floats, rows: NDArray[np.int16], stock: Floats, result: float, rate: float
) -> float:
    """Draw what the weights foretell of a colour's score a little to what it was; what they foretold before.

    A weight's steps become smaller the more it has been changed (Adagrad).
    """
    told = 0.0
    for row in rows:
        told += own[row]
    for index in range(STOCK):
        told += own[TABLE + index] * stock[index]
    wrong = result - told
    for row in rows:
        times[row] += wrong * wrong
        own[row] += rate * wrong / (np.sqrt(times[row]) + 1)
    for index in range(STOCK):
        slope = wrong * stock[index]
        times[TABLE + index] += slope * slope
        own[TABLE + index] += rate * slope / (np.sqrt(times[TABLE + index]) + 1)
    return told


@compiled
def learn_from_games(
    start: Position,
    sides: Numbers,
    weights: Floats,
    plan: Numbers,
    games: int,
    rate: float,
    random: Random,
    values: Floats,
    squares: Floats,
    off: Floats,
) -> None:
    """Change the values a little after each of some games; `off` sums, by phase, how wrong they were."""
    position, work, hot, room = copied(start), copied(start), heat(), ground()
    few = no_few()
    known, left = Left(no_places(), few), Left(no_places(), few)
    moves, chances = np.zeros(MOST_MOVES, np.int32), np.zeros(MOST_MOVES)
    rows, stock = np.zeros((LOOKS, 4, GRID), np.int16), np.zeros((LOOKS, 4, STOCK))
    number, phases = np.zeros(LOOKS, np.int64), np.zeros(LOOKS, np.int64)
    for _ in range(games):
        copy(start, position)
        plies = random_number(random, DRAWN)
        turn = open_game(position, sides, weights, plies, room, hot, moves, chances, random)
        if turn == OVER:
            continue
        read(position, known.places)
        length = hot.length[LENGTH]
        for playout in range(PLAYOUTS):
            copy(position, work)
            go_back(position, known, left)
            hot.length[LENGTH] = length
            looks, colour = 0, turn
            while colour != OVER:
                if looks < LOOKS:
                    number[looks] = describe(work, colour, room, rows[looks], stock[looks])
                    phases[looks] = phase(work)
                    looks += 1
                ahead = 1 + random_number(random, APART) if looks < LOOKS else 400
                colour = play_on(work, left, colour, sides, plan, hot, ahead, random)
            for look in range(playout > 0, looks):  # the first position is the same for all playouts
                for each in range(4):
                    own, times, result = values[phases[look]], squares[phases[look]], score(work, each)
                    cells = rows[look, each, : number[look]]
                    told = correct(own, times, cells, stock[look, each], result, rate)
                    off[phases[look], 0] += (result - told) ** 2
                    off[phases[look], 1] += 1


@compiled
def compare_moves(
    start: Position,
    sides: Numbers,
    weights: Floats,
    values: Table,
    settings: Floats,
    games: int,
    random: Random,
    products: Floats,
    sums: Floats,
) -> None:
    """Sum up, by stage, how the numbers of moves go with the values of what they lead to."""
    position, work, room, other = copied(start), copied(start), ground(), ground()
    moves, chances = np.zeros(MOST_MOVES, np.int32), np.zeros(MOST_MOVES)
    numbers, results = np.zeros((TRIES, FEATURES)), np.zeros(TRIES)
    got, won, scores = np.zeros(4), np.zeros(4), np.zeros(4)
    for _ in range(games):
        copy(start, position)
        out, turn = 0, 0
        while out != FOR_ALL:
            if out >> turn & 1:
                turn = (turn + 1) & 3
                continue
            if not len(legal(position, turn)):
                out |= 1 << turn
                position.rules[OUT] = out
                continue
            number = consider(position, turn, sides, weights, room, moves, chances)
            chosen, friends, at = (
                draw(chances, number, random),
                friends_of(turn, sides),
                stage(position, turn),
            )
            if number > 3 and random_number(random, ONE_IN) == 0:
                for each in range(TRIES):
                    index = random_number(random, number) if each & 1 else drawn(chances, number, random)
                    move = moves[np.int64(index)]
                    features(position, turn, friends, move, room, numbers[each])
                    copy(position, work)
                    put(work, turn, move)
                    unsure = foretold(work, (turn + 1) & 3, values, other, scores)
                    rewards(scores, FOR_ALL, sides, unsure, settings, got, won)
                    results[each] = got[turn]
                for feature in range(FEATURES):
                    numbers[:, feature] -= numbers[:, feature].mean()
                results -= results.mean()
                for each in range(TRIES):
                    for feature in range(FEATURES):
                        if numbers[each, feature] != 0:
                            sums[at, feature] += numbers[each, feature] * results[each]
                            products[at, feature] += numbers[each, feature] * numbers[each]
            put(position, turn, moves[chosen])
            turn = (turn + 1) & 3


def first_guess() -> Floats:
    """Weights of moves to begin with: large pieces, towards the middle, where they block."""
    weights = np.zeros((STAGES, FEATURES))
    weights[:, : len(SIZE)] = 0.03 * SIZE
    weights[:, COVER : COVER + 2] = 0.015
    weights[:4, COVER + MIDDLE * GRADES : COVER + (MIDDLE + 1) * GRADES] = -0.007 * np.arange(GRADES)
    return weights


def values_of(name: str, weights: Floats, values: Floats, rate: float, seed: int) -> tuple[Floats, Floats]:
    """Values learned by one process, and how far off they were at the end."""
    start, random = empty(BOARD, FREE_STARTS, False, FOR_ALL), seeded(seed)
    values, squares, off = values.copy(), np.zeros((PHASES, WEIGHTS)), np.zeros((PHASES, 2))
    plan = PLAN.copy()
    plan[REPLIES] = 0
    for part in range(PARTS):
        now, off = rate * (1 - part / PARTS), 0.95 * off
        learn_from_games(start, SIDES[name], weights, plan, GAMES, now, random, values, squares, off)
        if seed % PROCESSES == 0 and part % 20 == 19:
            tell(f"values, part {part + 1} of {PARTS}", off)
    return values, off


def tell(what: str, off: Floats) -> None:
    """How far off the values are, by phase."""
    wrong = np.sqrt(off[:, 0] / np.maximum(off[:, 1], 1))
    print(f"  {what}: off by", *(f"{each:.1f}" for each in wrong), flush=True)


def moves_of(name: str, weights: Floats, values: Table, seed: int) -> tuple[Floats, Floats]:
    """What one process sums up of moves."""
    start, settings = empty(BOARD, FREE_STARTS, False, FOR_ALL), SETTINGS.copy()
    settings[WINNING] = 0.5
    products, sums = np.zeros((STAGES, FEATURES, FEATURES)), np.zeros((STAGES, FEATURES))
    compare_moves(start, SIDES[name], weights, values, settings, COMPARED, seeded(seed), products, sums)
    return products, sums


def learned(name: str, pool: ProcessPoolExecutor, seed: int) -> tuple[Floats, Table]:
    """The weights of moves and of values, for two sides or for everybody alone."""
    weights, values = first_guess(), np.zeros((PHASES, WEIGHTS))
    for rate in ROUNDS:
        print(name, flush=True)
        seeds = range(seed, seed + PROCESSES)
        parts = [pool.submit(values_of, name, weights, values, rate, each) for each in seeds]
        values = np.mean([part.result()[0] for part in parts], axis=0)
        off = np.sum([part.result()[1] for part in parts], axis=0)
        values[:, UNSURE] = np.sqrt(off[:, 0] / np.maximum(off[:, 1], 1))
        tables = values.astype(np.float32)
        sums = [pool.submit(moves_of, name, weights, tables, each + 50) for each in seeds]
        products = np.sum([part.result()[0] for part in sums], axis=0) + FIRM * np.eye(FEATURES)
        results = np.sum([part.result()[1] for part in sums], axis=0)
        weights = np.linalg.solve(products, results[:, :, None])[:, :, 0]
        seed += 100
    return weights, tables


def main() -> None:
    """Learn all weights and keep them."""
    arrays = {}
    with ProcessPoolExecutor(PROCESSES) as pool:
        for seed, name in enumerate(SIDES, 1):
            weights, values = learned(name, pool, 1000 * seed)
            arrays[f"moves_{name}"], arrays[f"values_{name}"] = weights.astype(np.float32), values
    np.savez_compressed(FILE, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
