"""What moves of Triolet are worth: at first sight, and by playing on in many worlds."""

from __future__ import annotations

from math import erf, sqrt
from typing import Final

import numpy as np

from tripot.engine.jit import compiled
from tripot.games.triolet.actions import TRIO_POINTS
from tripot.games.triolet.board import ENOUGH, JOKER, RACK, UNSEEN
from tripot.games.triolet.kernel.moves import (
    AGAIN,
    COUNT,
    FACTOR,
    FITS,
    HAS,
    KIND,
    MOST,
    NONE,
    NUMBER,
    PLACE,
    POINTS,
    REACH,
    WAY,
    WIDTH,
    WORTH,
    Bytes,
    Edge,
    Floats,
    Ints,
    Moves,
    generate,
    look,
    new_edge,
    new_moves,
)
from tripot.games.triolet.kernel.position import (
    HEAD,
    STILL,
    TURN,
    Table,
    act,
    bag_left,
    below,
    copy,
    dead,
    draw,
    finish,
    new_table,
    used,
)

# --- What is known from self-play: see `fit` ---------------------------------------------------

KINDS: Final = UNSEEN + 1
UNKNOWN: Final = KINDS * KINDS
KEPT: Final = (
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

LEAVES: Final = np.zeros(UNKNOWN + 1)
"""The same by lower * KINDS + higher, UNSEEN for a token less; the last is when nothing is known."""
for _higher, _row in enumerate(KEPT):
    LEAVES[np.arange(len(_row)) * KINDS + _higher] = _row

OPENED: Final = 1.1  # what a point that the next player may expect to find costs the one who opens it
BIS: Final = 30.0  # points that another move at once brings
TEMPO: Final = 22.7  # what it is worth to be the one to move
SPREAD: Final = 20.8  # by how many points a lead still varies, for each token left: as its square root


@compiled
def stay(rack: Bytes, gone: int) -> int:
    """Where LEAVES has the tokens of a rack that stay when some places are emptied."""
    one = two = UNSEEN
    for index in range(RACK):
        if not gone >> index & 1 and rack[index] != NONE:
            if one == UNSEEN:
                one = int(rack[index])
            else:
                two = int(rack[index])
    return one * KINDS + two


@compiled
def appraise(table: Table, leaves: Floats, edge: Edge, moves: Moves, values: Floats) -> tuple[int, int]:
    """Every move of the seat to play with its value, placements first, then exchanges.

    Returns how many there are, and how many of them are placements.
    """
    rack, bag = table.racks[table.at[TURN]], bag_left(table)
    placed = count = generate(table.grid, rack, edge, moves)
    for index in range(placed):
        move = moves[NUMBER, index]
        values[index] = moves[POINTS, index]
        if bag:
            values[index] += leaves[stay(rack, used(rack, move))]
            kind = move >> KIND & 3
            step = (WIDTH if move >> WAY & 1 else 1) * REACH[kind]
            for each in range(HAS[kind]):
                values[index] += BIS * AGAIN[(move & (1 << WAY) - 1) + each * step]
    if bag >= ENOUGH:
        for gone in range(1, 1 << RACK):
            moves[NUMBER, count], moves[POINTS, count] = -gone, 0
            values[count] = leaves[stay(rack, gone)]
            count += 1
    return count, placed


@compiled
def opened(grid: Bytes, unseen: Floats, edge: Edge) -> float:
    """What the next player may expect of a board with one token: the best of three that nobody has seen.

    `unseen` says how many there are of each token. Moves of two and three tokens are left out: they
    depend less on what this move opens, and would cost as much as a whole generation.
    """
    best = np.zeros(JOKER + 1)
    look(grid, edge)
    for place in PLACE:
        across, down = edge[COUNT, 0, place], edge[COUNT, 1, place]
        fits = edge[FITS, 0, place] & edge[FITS, 1, place]
        if grid[place] or not (across or down) or not fits:
            continue
        points, times = BIS if AGAIN[place] else 0.0, 0
        for way in range(2):
            if edge[COUNT, way, place] == 2:
                points += TRIO_POINTS
            elif edge[COUNT, way, place] == 1:
                points += edge[WORTH, way, place]
                times += 1
        if across == 2 or down == 2:
            points += TRIO_POINTS * (FACTOR[place] - 1)
        else:
            times += FACTOR[place] - 1
        for value in range(JOKER):
            if fits >> value & 1:
                best[value] = max(best[value], points + times * value)
    best[JOKER] = best[:JOKER].max()
    total, better, none_better, expected = unseen.sum(), 0.0, 1.0, 0.0
    for token in np.argsort(-best):
        better += unseen[token]
        none = 1.0  # the chance that three tokens are all worse
        for drawn in range(RACK):
            none *= max(0.0, total - better - drawn) / max(1.0, total - drawn)
        expected += best[token] * (none_better - none)
        none_better = none
    return float(expected)


# --- Playing on --------------------------------------------------------------------------------


@compiled
def play_on(
    table: Table, turns: int, leaves: Floats, edge: Edge, moves: Moves, values: Floats, kept: Ints
) -> bool:
    """Play some turns by `appraise`; returns whether the game is over. `kept` tells what each seat kept."""
    seats, turn = len(table.racks), 0
    while turn < turns:
        seat = table.at[TURN]
        count, placed = appraise(table, leaves, edge, moves, values)
        if not placed:
            table.at[STILL] += 1
            if table.at[STILL] >= seats and (not count or dead(table, edge)):
                finish(table, -1)
                return True
            if not count:
                table.at[TURN] = (seat + 1) % seats
                turn += 1
                continue
        best = values[:count].argmax()
        kept[seat] = stay(table.racks[seat], used(table.racks[seat], moves[NUMBER, best]))
        turn += not act(table, moves[NUMBER, best], moves[POINTS, best])
        if table.racks[seat, 0] == NONE:
            finish(table, seat)
            return True
    return False


@compiled
def deal(start: Table, pool: Bytes, world: Table) -> None:
    """A world that a view could be: hidden tokens and the bag from the pool, which is shuffled."""
    copy(start, world)
    for last in range(len(pool) - 1, 0, -1):
        other = below(world.rng, last + 1)
        pool[last], pool[other] = pool[other], pool[last]
    given = 0
    for seat in range(len(world.racks)):
        for index in range(RACK):
            if world.racks[seat, index] == UNSEEN:
                world.racks[seat, index] = pool[given]
                given += 1
        draw(world, world.racks[seat])  # only puts it in order: either it is full or the bag is empty
    for index in range(bag_left(start)):
        world.bag[start.at[HEAD] + index] = pool[given + index]


@compiled
def simulate(
    start: Table, pool: Bytes, picks: Moves, worlds: int, turns: int, leaves: Floats, seed: int, sums: Floats
) -> None:
    """Add up, for each of some moves, the chances to win and the leads over many worlds.

    All moves are tried in the same worlds. `turns` are played after each, then the lead is judged.
    """
    seats, me = len(start.racks), start.at[TURN]
    world, table = new_table(seats, seed), new_table(seats, seed + 1)
    edge, moves, values, kept = new_edge(), new_moves(), np.empty(MOST), np.zeros(seats, np.int32)
    for _ in range(worlds):
        deal(start, pool, world)
        for pick in range(picks.shape[1]):
            copy(world, table)
            kept[:] = UNKNOWN
            kept[me] = stay(table.racks[me], used(table.racks[me], picks[NUMBER, pick]))
            again = act(table, picks[NUMBER, pick], picks[POINTS, pick])
            over = table.racks[me, 0] == NONE
            if over:
                finish(table, me)
            else:
                over = play_on(table, turns + again, leaves, edge, moves, values, kept)
            if over or not bag_left(table):
                kept[:] = UNKNOWN
            best, tokens = -1e9, bag_left(table)
            for seat in range(seats):
                for index in range(RACK):
                    tokens += table.racks[seat, index] != NONE
                if seat != me:
                    best = max(best, table.scores[seat] + leaves[kept[seat]])
            lead = table.scores[me] + leaves[kept[me]] - best
            if not over:
                lead += TEMPO if table.at[TURN] == me else -TEMPO
            sums[0, pick] += chance(lead, 0 if over else tokens)
            sums[1, pick] += lead


@compiled
def chance(lead: float, tokens: int) -> float:
    """The chance to win with a lead and so many tokens still to be placed, as far as self-play tells."""
    if not tokens:
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return 0.5 + 0.5 * erf(lead / (SPREAD * sqrt(2.0 * tokens)))
