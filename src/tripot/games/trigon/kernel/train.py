"""How the weights of Trigon's search are learned: from games of the engine's own playouts.

python -m tripot.games.trigon.kernel.train      learns them anew into weights.npz: ten minutes

Some moves are drawn as the weights of moves say, then the game is played to its end by playouts, several
times. How the signs of a position (`value`) foretell the scores is learned from that, game by
game. Then moves are compared by the value of what they lead to, and the weights of moves
(`features`) are those that foretell it best. Twice, and all of it for two sides with two colours
each, and for everybody alone, in two processes. The same every time.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.trigon.board import BOARD, GRID
from tripot.games.trigon.kernel.compact_bits import AvailableMoves, new_compact_bits, restore_available_moves
from tripot.games.trigon.kernel.features import (
    BUCKETS,
    CENTRE,
    COVER_COLUMN,
    FEATURE_COUNT,
    STAGE_COUNT,
    CellWorkspace,
    compute_cell_features,
    compute_cell_weights,
    move_features,
    move_logit,
    new_cell_workspace,
    prune_opening_moves,
    stage,
    team_mask,
)
from tripot.games.trigon.kernel.placement_bits import init_placement_bits, new_placement_bits
from tripot.games.trigon.kernel.playout import (
    GAME_OVER,
    HISTORY_END,
    HISTORY_ROOT,
    PlayoutState,
    append_history,
    new_playout_state,
    run_playout,
    use_replies,
)
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    BLOCKED,
    FREE_STARTS,
    MAX_MOVES,
    SIZE_OF_PIECE,
    Int64Array,
    Position,
    clone,
    copy_into,
    empty_position,
    final_score,
    legal_moves,
    new_xorshift64,
    place_piece,
    xorshift64_below,
)
from tripot.games.trigon.kernel.search import (
    PLAYOUT_PARAMS,
    SEARCH_PARAMS,
    compute_rewards,
    win_weight,
)
from tripot.games.trigon.kernel.value import (
    PHASE_COUNT,
    RMSE_COLUMN,
    STOCK_FEATURES,
    TABLE_ROWS,
    WEIGHT_COUNT,
    ValueTable,
    game_phase,
    predict_scores,
    value_features,
)

Floats = NDArray[np.float64]
Random = NDArray[np.uint64]

FILE: Final = Path(__file__).with_name("weights.npz")
SIDES: Final = {"pairs": np.array([0, 1, 0, 1]), "alone": np.array([0, 1, 2, 3])}
LEARNING_RATES: Final = [0.3, 0.15]  # how much a new example counts at first
PROCESSES = 2
TRAINING_SHARPNESS = 40.0  # how strictly moves are drawn by their weights

# Learning values.
GAMES_PER_BATCH, BATCHES = 100, 120  # so many games a part, so many parts
MAX_OPENING_PLIES = 44  # fewer moves than that are drawn before the playouts
PLAYOUTS, SAMPLES_PER_PLAYOUT = 6, 6  # from each game, and positions looked at in each
MAX_SAMPLE_GAP = 16  # at most so many moves lie between two of them

# Learning moves.
POLICY_GAMES, MOVES_PER_SAMPLE, SAMPLE_INTERVAL = (
    2000,
    32,
    8,
)  # games, moves compared in a position, every so many positions
RIDGE_PENALTY = 3.0  # how strongly weights that explain nothing are drawn to zero


@njit_cached
def sample_softmax(chances: Floats, number: int, random: Random) -> int:
    """One of some moves, by logarithms of their chances; these become the chances."""
    best, total = -1e9, 0.0
    for index in range(number):
        best = max(best, chances[index])
    for index in range(number):
        chances[index] = np.exp(chances[index] - best)
        total += chances[index]
    for index in range(number):
        chances[index] /= total
    return sample_index(chances, number, random)


@njit_cached
def sample_index(chances: Floats, number: int, random: Random) -> int:
    """One of some moves, by their chances."""
    left = xorshift64_below(random, 1 << 30) / (1 << 30)
    for index in range(number):
        left -= chances[index]
        if left <= 0:
            return index
    return number - 1


@njit_cached
def candidate_logits(
    position: Position,
    colour: int,
    sides: Int64Array,
    weights: Floats,
    room: CellWorkspace,
    moves: NDArray[np.int32],
    chances: Floats,
) -> int:
    """The moves of a colour that are worth a thought, with what the weights make of them; how many."""
    number = prune_opening_moves(position, colour, legal_moves(position, colour), moves)
    own, friends = weights[stage(position, colour)], team_mask(colour, sides)
    compute_cell_features(position, colour, friends, room)
    compute_cell_weights(position, colour, friends, own, room)
    for index in range(number):
        chances[index] = TRAINING_SHARPNESS * move_logit(position, friends, moves[index], own, room)
    return number


@njit_cached
def sample_opening(
    position: Position,
    sides: Int64Array,
    weights: Floats,
    plies: int,
    room: CellWorkspace,
    heat: PlayoutState,
    moves: NDArray[np.int32],
    chances: Floats,
    random: Random,
) -> int:
    """Play some moves, drawn as the weights say; who is to move then, or OVER."""
    out, turn = 0, 0
    heat.history_length[HISTORY_END] = heat.history_length[HISTORY_ROOT] = 0
    while out != ALL_COLOURS:
        if not out >> turn & 1:
            if plies == 0:
                return turn
            if not len(legal_moves(position, turn)):
                out |= 1 << turn
                position.status[BLOCKED] = out
            else:
                number = candidate_logits(position, turn, sides, weights, room, moves, chances)
                move = moves[sample_softmax(chances, number, random)]
                place_piece(position, turn, move)
                append_history(heat, turn, move)
                plies -= 1
        turn = (turn + 1) & 3
    return GAME_OVER


@njit_cached
def adagrad_step(
    own: Floats, times: Floats, rows: NDArray[np.int16], stock: Floats, result: float, rate: float
) -> float:
    """Draw what the weights foretell of a colour's score a little to what it was; what they foretold before.

    A weight's steps become smaller the more it has been changed (Adagrad).
    """
    told = 0.0
    for row in rows:
        told += own[row]
    for index in range(STOCK_FEATURES):
        told += own[TABLE_ROWS + index] * stock[index]
    wrong = result - told
    for row in rows:
        times[row] += wrong * wrong
        own[row] += rate * wrong / (np.sqrt(times[row]) + 1)
    for index in range(STOCK_FEATURES):
        slope = wrong * stock[index]
        times[TABLE_ROWS + index] += slope * slope
        own[TABLE_ROWS + index] += rate * slope / (np.sqrt(times[TABLE_ROWS + index]) + 1)
    return told


@njit_cached
def train_values(
    start: Position,
    sides: Int64Array,
    weights: Floats,
    plan: Int64Array,
    games: int,
    rate: float,
    random: Random,
    values: Floats,
    squares: Floats,
    off: Floats,
) -> None:
    """Change the values a little after each of some games; `off` sums, by phase, how wrong they were."""
    position, work, hot, room = clone(start), clone(start), new_playout_state(), new_cell_workspace()
    few = new_compact_bits()
    known, left = AvailableMoves(new_placement_bits(), few), AvailableMoves(new_placement_bits(), few)
    moves, chances = np.zeros(MAX_MOVES, np.int32), np.zeros(MAX_MOVES)
    rows, stock = (
        np.zeros((SAMPLES_PER_PLAYOUT, 4, GRID), np.int16),
        np.zeros((SAMPLES_PER_PLAYOUT, 4, STOCK_FEATURES)),
    )
    number, phases = np.zeros(SAMPLES_PER_PLAYOUT, np.int64), np.zeros(SAMPLES_PER_PLAYOUT, np.int64)
    for _ in range(games):
        copy_into(start, position)
        plies = xorshift64_below(random, MAX_OPENING_PLIES)
        turn = sample_opening(position, sides, weights, plies, room, hot, moves, chances, random)
        if turn == GAME_OVER:
            continue
        init_placement_bits(position, known.bits)
        length = hot.history_length[HISTORY_END]
        for playout in range(PLAYOUTS):
            copy_into(position, work)
            restore_available_moves(position, known, left)
            hot.history_length[HISTORY_END] = length
            looks, colour = 0, turn
            while colour != GAME_OVER:
                if looks < SAMPLES_PER_PLAYOUT:
                    number[looks] = value_features(work, colour, room, rows[looks], stock[looks])
                    phases[looks] = game_phase(work)
                    looks += 1
                ahead = 1 + xorshift64_below(random, MAX_SAMPLE_GAP) if looks < SAMPLES_PER_PLAYOUT else 400
                colour = run_playout(work, left, colour, sides, plan, hot, ahead, random)
            for look in range(playout > 0, looks):  # the first position is the same for all playouts
                for each in range(4):
                    own, times, result = values[phases[look]], squares[phases[look]], final_score(work, each)
                    cells = rows[look, each, : number[look]]
                    told = adagrad_step(own, times, cells, stock[look, each], result, rate)
                    off[phases[look], 0] += (result - told) ** 2
                    off[phases[look], 1] += 1


@njit_cached
def accumulate_policy_stats(
    start: Position,
    sides: Int64Array,
    weights: Floats,
    values: ValueTable,
    settings: Floats,
    games: int,
    random: Random,
    products: Floats,
    sums: Floats,
) -> None:
    """Sum up, by stage, how the numbers of moves go with the values of what they lead to."""
    position, work, room, other = clone(start), clone(start), new_cell_workspace(), new_cell_workspace()
    moves, chances = np.zeros(MAX_MOVES, np.int32), np.zeros(MAX_MOVES)
    numbers, results = np.zeros((MOVES_PER_SAMPLE, FEATURE_COUNT)), np.zeros(MOVES_PER_SAMPLE)
    got, won, scores = np.zeros(4), np.zeros(4), np.zeros(4)
    for _ in range(games):
        copy_into(start, position)
        out, turn = 0, 0
        while out != ALL_COLOURS:
            if out >> turn & 1:
                turn = (turn + 1) & 3
                continue
            if not len(legal_moves(position, turn)):
                out |= 1 << turn
                position.status[BLOCKED] = out
                continue
            number = candidate_logits(position, turn, sides, weights, room, moves, chances)
            chosen, friends, at = (
                sample_softmax(chances, number, random),
                team_mask(turn, sides),
                stage(position, turn),
            )
            if number > 3 and xorshift64_below(random, SAMPLE_INTERVAL) == 0:
                for each in range(MOVES_PER_SAMPLE):
                    index = (
                        xorshift64_below(random, number)
                        if each & 1
                        else sample_index(chances, number, random)
                    )
                    move = moves[np.int64(index)]
                    move_features(position, turn, friends, move, room, numbers[each])
                    copy_into(position, work)
                    place_piece(work, turn, move)
                    unsure = predict_scores(work, (turn + 1) & 3, values, other, scores)
                    compute_rewards(scores, ALL_COLOURS, sides, unsure, settings, got, won)
                    results[each] = got[turn]
                for feature in range(FEATURE_COUNT):
                    numbers[:, feature] -= numbers[:, feature].mean()
                results -= results.mean()
                for each in range(MOVES_PER_SAMPLE):
                    for feature in range(FEATURE_COUNT):
                        if numbers[each, feature] != 0:
                            sums[at, feature] += numbers[each, feature] * results[each]
                            products[at, feature] += numbers[each, feature] * numbers[each]
            place_piece(position, turn, moves[chosen])
            turn = (turn + 1) & 3


def initial_policy_weights() -> Floats:
    """Weights of moves to begin with: large pieces, towards the middle, where they block."""
    weights = np.zeros((STAGE_COUNT, FEATURE_COUNT))
    weights[:, : len(SIZE_OF_PIECE)] = 0.03 * SIZE_OF_PIECE
    weights[:, COVER_COLUMN : COVER_COLUMN + 2] = 0.015
    weights[:4, COVER_COLUMN + CENTRE * BUCKETS : COVER_COLUMN + (CENTRE + 1) * BUCKETS] = -0.007 * np.arange(
        BUCKETS
    )
    return weights


def train_values_worker(
    name: str, weights: Floats, values: Floats, rate: float, seed: int
) -> tuple[Floats, Floats]:
    """Values learned by one process, and how far off they were at the end."""
    start, random = empty_position(BOARD, FREE_STARTS, False, ALL_COLOURS), new_xorshift64(seed)
    values, squares, off = values.copy(), np.zeros((PHASE_COUNT, WEIGHT_COUNT)), np.zeros((PHASE_COUNT, 2))
    plan = PLAYOUT_PARAMS.copy()
    plan[use_replies] = 0
    for part in range(BATCHES):
        now, off = rate * (1 - part / BATCHES), 0.95 * off
        train_values(start, SIDES[name], weights, plan, GAMES_PER_BATCH, now, random, values, squares, off)
        if seed % PROCESSES == 0 and part % 20 == 19:
            report_error(f"values, part {part + 1} of {BATCHES}", off)
    return values, off


def report_error(what: str, off: Floats) -> None:
    """How far off the values are, by phase."""
    wrong = np.sqrt(off[:, 0] / np.maximum(off[:, 1], 1))
    print(f"  {what}: off by", *(f"{each:.1f}" for each in wrong), flush=True)


def policy_stats_worker(name: str, weights: Floats, values: ValueTable, seed: int) -> tuple[Floats, Floats]:
    """What one process sums up of moves."""
    start, settings = empty_position(BOARD, FREE_STARTS, False, ALL_COLOURS), SEARCH_PARAMS.copy()
    settings[win_weight] = 0.5
    products, sums = (
        np.zeros((STAGE_COUNT, FEATURE_COUNT, FEATURE_COUNT)),
        np.zeros((STAGE_COUNT, FEATURE_COUNT)),
    )
    accumulate_policy_stats(
        start, SIDES[name], weights, values, settings, POLICY_GAMES, new_xorshift64(seed), products, sums
    )
    return products, sums


def train(name: str, pool: ProcessPoolExecutor, seed: int) -> tuple[Floats, ValueTable]:
    """The weights of moves and of values, for two sides or for everybody alone."""
    weights, values = initial_policy_weights(), np.zeros((PHASE_COUNT, WEIGHT_COUNT))
    for rate in LEARNING_RATES:
        print(name, flush=True)
        seeds = range(seed, seed + PROCESSES)
        parts = [pool.submit(train_values_worker, name, weights, values, rate, each) for each in seeds]
        values = np.mean([part.result()[0] for part in parts], axis=0)
        off = np.sum([part.result()[1] for part in parts], axis=0)
        values[:, RMSE_COLUMN] = np.sqrt(off[:, 0] / np.maximum(off[:, 1], 1))
        tables = values.astype(np.float32)
        sums = [pool.submit(policy_stats_worker, name, weights, tables, each + 50) for each in seeds]
        products = np.sum([part.result()[0] for part in sums], axis=0) + RIDGE_PENALTY * np.eye(FEATURE_COUNT)
        results = np.sum([part.result()[1] for part in sums], axis=0)
        weights = np.linalg.solve(products, results[:, :, None])[:, :, 0]
        seed += 100
    return weights, tables


def main() -> None:
    """Learn all weights and keep them."""
    arrays = {}
    with ProcessPoolExecutor(PROCESSES) as pool:
        for seed, name in enumerate(SIDES, 1):
            weights, values = train(name, pool, 1000 * seed)
            arrays[f"moves_{name}"], arrays[f"values_{name}"] = weights.astype(np.float32), values
    np.savez_compressed(FILE, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
