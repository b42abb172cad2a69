"""What moves of Triolet are worth: at first sight, and by playing on in many worlds."""

from __future__ import annotations

from math import erf, sqrt
from typing import Final

import numpy as np

from tripot.engine.jit import njit_cached
from tripot.engine.rng import lcg64_below
from tripot.games.triolet.actions import TRIO_POINTS
from tripot.games.triolet.board import HIDDEN_TOKEN, JOKER, MIN_BAG_TO_EXCHANGE, RACK_SIZE
from tripot.games.triolet.kernel.moves import (
    ADJOINING_COUNT,
    ADJOINING_POINTS,
    CROSS_SET,
    DIRECTION_SHIFT,
    EMPTY_SLOT,
    GRID_INDEX,
    IS_BIS,
    KIND_SHIFT,
    KIND_STRIDE,
    KIND_TOKENS,
    MAX_MOVES,
    MULTIPLIER,
    NUMBER,
    POINTS,
    WIDTH,
    Anchors,
    Bytes,
    Floats,
    Ints,
    Moves,
    compute_anchors,
    generate_moves,
    new_anchors,
    new_moves,
)
from tripot.games.triolet.kernel.position import (
    BAG_HEAD,
    PASS_COUNT,
    TURN,
    GamePosition,
    bag_left,
    copy_into,
    draw,
    is_dead,
    play_move,
    score_end,
    used_slots,
)

# --- What is known from self-play: see `fit_leaves` ---------------------------------------------------

TOKEN_KINDS: Final = HIDDEN_TOKEN + 1
UNKNOWN_LEAVE: Final = TOKEN_KINDS * TOKEN_KINDS
LEAVE_ROWS: Final = (
    (-16,),
    (-13, -13),
    (-10, -12, -11),
    (-9, -9, -10, -12),
    (-9, -10, -10, -12, -13),
    (-9, -8, -9, -8, -10, -13),
    (-6, -6, -6, -8, -10, -8, -3),
    (-5, -5, -4, -6, -10, -8, -3, -3),
    (-5, -4, -4, -5, -7, -8, -1, -1, -6),
    (-5, -3, -4, -8, -8, -5, -1, -8, -7, -8),
    (-2, -3, -3, -5, -6, -4, -6, -6, -8, -8, -9),
    (-5, -3, -5, -7, -8, -9, -8, -6, -7, -8, -10, -12),
    (-5, -7, -4, -6, -10, -9, -6, -7, -6, -7, -8, -10, -12),
    (-4, -6, -7, -9, -10, -8, -7, -7, -6, -8, -8, -12, -12, -16),
    (-6, -7, -11, -11, -11, -11, -8, -8, -7, -8, -10, -12, -12, -16, -13),
    (-7, -12, -12, -11, -12, -10, -9, -8, -8, -9, -9, -13, -13, -17, -20, -18),
    (15, 14, 15, 12, 9, 11, 15, 14, 17, 16, 16, 14, 16, 13, 12, 9, 28),
    (0, 1, 1, 0, -4, -2, 5, 5, 6, 5, 4, 1, 2, 1, -1, -4, 23, 3),
)
"""What two tokens kept are worth, a row for the higher one; the last row has one token kept, or none."""

LEAVE_VALUES: Final = np.zeros(UNKNOWN_LEAVE + 1)
"""The same by lower * KINDS + higher, UNSEEN for a token less; the last is when nothing is known."""
for _higher, _row in enumerate(LEAVE_ROWS):
    LEAVE_VALUES[np.arange(len(_row)) * TOKEN_KINDS + _higher] = _row

REPLY_WEIGHT: Final = 1.1  # what a point that the next player may expect to find costs the one who opens it
EXTRA_TURN_VALUE: Final = 30.0  # points that another move at once brings
TEMPO: Final = 22.7  # what it is worth to be the one to move
LEAD_STD: Final = 20.8  # by how many points a lead still varies, for each token left: as its square root


@njit_cached
def leave_index(rack: Bytes, gone: int) -> int:
    """Where LEAVES has the tokens of a rack that stay when some places are emptied."""
    one = two = HIDDEN_TOKEN
    for index in range(RACK_SIZE):
        if not gone >> index & 1 and rack[index] != EMPTY_SLOT:
            if one == HIDDEN_TOKEN:
                one = int(rack[index])
            else:
                two = int(rack[index])
    return one * TOKEN_KINDS + two


@njit_cached
def evaluate_moves(
    table: GamePosition, leaves: Floats, edge: Anchors, moves: Moves, values: Floats
) -> tuple[int, int]:
    """Every move of the seat to play with its value, placements first, then exchanges.

    Returns how many there are, and how many of them are placements.
    """
    rack, bag = table.racks[table.cursors[TURN]], bag_left(table)
    placed = count = generate_moves(table.grid, rack, edge, moves)
    for index in range(placed):
        move = moves[NUMBER, index]
        values[index] = moves[POINTS, index]
        if bag:
            values[index] += leaves[leave_index(rack, used_slots(rack, move))]
            kind = move >> KIND_SHIFT & 3
            step = (WIDTH if move >> DIRECTION_SHIFT & 1 else 1) * KIND_STRIDE[kind]
            for each in range(KIND_TOKENS[kind]):
                values[index] += EXTRA_TURN_VALUE * IS_BIS[(move & (1 << DIRECTION_SHIFT) - 1) + each * step]
    if bag >= MIN_BAG_TO_EXCHANGE:
        for gone in range(1, 1 << RACK_SIZE):
            moves[NUMBER, count], moves[POINTS, count] = -gone, 0
            values[count] = leaves[leave_index(rack, gone)]
            count += 1
    return count, placed


@njit_cached
def expected_reply(grid: Bytes, unseen: Floats, edge: Anchors) -> float:
    """What the next player may expect of a board with one token: the best of three that nobody has seen.

    `unseen` says how many there are of each token. Moves of two and three tokens are left out: they
    depend less on what this move opens, and would cost as much as a whole generation.
    """
    best = np.zeros(JOKER + 1)
    compute_anchors(grid, edge)
    for place in GRID_INDEX:
        across, down = edge[ADJOINING_COUNT, 0, place], edge[ADJOINING_COUNT, 1, place]
        fits = edge[CROSS_SET, 0, place] & edge[CROSS_SET, 1, place]
        if grid[place] or not (across or down) or not fits:
            continue
        points, times = EXTRA_TURN_VALUE if IS_BIS[place] else 0.0, 0
        for way in range(2):
            if edge[ADJOINING_COUNT, way, place] == 2:
                points += TRIO_POINTS
            elif edge[ADJOINING_COUNT, way, place] == 1:
                points += edge[ADJOINING_POINTS, way, place]
                times += 1
        if across == 2 or down == 2:
            points += TRIO_POINTS * (MULTIPLIER[place] - 1)
        else:
            times += MULTIPLIER[place] - 1
        for value in range(JOKER):
            if fits >> value & 1:
                best[value] = max(best[value], points + times * value)
    best[JOKER] = best[:JOKER].max()
    total, better, none_better, expected = unseen.sum(), 0.0, 1.0, 0.0
    for token in np.argsort(-best):
        better += unseen[token]
        none = 1.0  # the chance that three tokens are all worse
        for drawn in range(RACK_SIZE):
            none *= max(0.0, total - better - drawn) / max(1.0, total - drawn)
        expected += best[token] * (none_better - none)
        none_better = none
    return float(expected)


# --- Playing on --------------------------------------------------------------------------------


@njit_cached
def run_playout(
    table: GamePosition, turns: int, leaves: Floats, edge: Anchors, moves: Moves, values: Floats, kept: Ints
) -> bool:
    """Play some turns by `evaluate_moves`. Return whether the game is over; `kept` is each seat's leave."""
    seats, turn = len(table.racks), 0
    while turn < turns:
        seat = table.cursors[TURN]
        count, placed = evaluate_moves(table, leaves, edge, moves, values)
        if not placed:
            table.cursors[PASS_COUNT] += 1
            if table.cursors[PASS_COUNT] >= seats and (not count or is_dead(table, edge)):
                score_end(table, -1)
                return True
            if not count:
                table.cursors[TURN] = (seat + 1) % seats
                turn += 1
                continue
        best = values[:count].argmax()
        kept[seat] = leave_index(table.racks[seat], used_slots(table.racks[seat], moves[NUMBER, best]))
        turn += not play_move(table, moves[NUMBER, best], moves[POINTS, best])
        if table.racks[seat, 0] == EMPTY_SLOT:
            score_end(table, seat)
            return True
    return False


@njit_cached
def determinize(start: GamePosition, pool: Bytes, world: GamePosition) -> None:
    """A world that a view could be: hidden tokens and the bag from the pool, which is shuffled."""
    copy_into(start, world)
    for last in range(len(pool) - 1, 0, -1):
        other = lcg64_below(world.rng, last + 1)
        pool[last], pool[other] = pool[other], pool[last]
    given = 0
    for seat in range(len(world.racks)):
        for index in range(RACK_SIZE):
            if world.racks[seat, index] == HIDDEN_TOKEN:
                world.racks[seat, index] = pool[given]
                given += 1
        draw(world, world.racks[seat])  # only puts it in order: either it is full or the bag is empty
    for index in range(bag_left(start)):
        world.bag[start.cursors[BAG_HEAD] + index] = pool[given + index]


@njit_cached
def simulate_moves(
    start: GamePosition,
    world: GamePosition,
    table: GamePosition,
    pool: Bytes,
    picks: Moves,
    determinizations: int,
    turns: int,
    leaves: Floats,
    sums: Floats,
) -> None:
    """Add up, for each of some moves, the win probabilities and the leads over many determinizations.

    All moves are tried in the same determinizations. `turns` are played after each, then the lead is judged.
    `world` and `table` are changed; their random numbers continue from one call to the next, so the result
    does not depend on how many determinizations one call simulates.
    """
    seats, me = len(start.racks), start.cursors[TURN]
    edge, moves, values, kept = new_anchors(), new_moves(), np.empty(MAX_MOVES), np.zeros(seats, np.int32)
    for _ in range(determinizations):
        determinize(start, pool, world)
        for pick in range(picks.shape[1]):
            copy_into(world, table)
            kept[:] = UNKNOWN_LEAVE
            kept[me] = leave_index(table.racks[me], used_slots(table.racks[me], picks[NUMBER, pick]))
            again = play_move(table, picks[NUMBER, pick], picks[POINTS, pick])
            over = table.racks[me, 0] == EMPTY_SLOT
            if over:
                score_end(table, me)
            else:
                over = run_playout(table, turns + again, leaves, edge, moves, values, kept)
            if over or not bag_left(table):
                kept[:] = UNKNOWN_LEAVE
            best, tokens = -1e9, bag_left(table)
            for seat in range(seats):
                for index in range(RACK_SIZE):
                    tokens += table.racks[seat, index] != EMPTY_SLOT
                if seat != me:
                    best = max(best, table.scores[seat] + leaves[kept[seat]])
            lead = table.scores[me] + leaves[kept[me]] - best
            if not over:
                lead += TEMPO if table.cursors[TURN] == me else -TEMPO
            sums[0, pick] += win_probability(lead, 0 if over else tokens)
            sums[1, pick] += lead


@njit_cached
def win_probability(lead: float, tokens: int) -> float:
    """The chance to win with a lead and so many tokens still to be placed, as far as self-play tells."""
    if not tokens:
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return 0.5 + 0.5 * erf(lead / (LEAD_STD * sqrt(2.0 * tokens)))
