"""The computer players of Triolet.

    level 1  every other move at random, else as level 2
    level 2  greedy: the most points
    level 3  points, what the tokens kept are worth, and what the move opens to the next player
    level 4  plays on from each good move with many guesses of what is hidden; with two players and
             an empty bag it searches to the end of the game for every rack that the other may hold

What a move is worth is a number of points; a lead in points becomes a chance to win (`chance`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import erf, sqrt
from typing import Final

import numpy as np

from tripot.game import Analysis, AnyState, Choice, Engine, Fact, Limit, Rng, fact
from tripot.games.triolet import kernel
from tripot.games.triolet.actions import TRIO_POINTS, Action, Place
from tripot.games.triolet.board import ASIDE, COUNTS, ENOUGH, IS_JOKER, JOKER, RACK, UNSEEN
from tripot.games.triolet.kernel import (
    AGAIN,
    COUNT,
    END,
    FACTOR,
    FITS,
    HAS,
    HEAD,
    KIND,
    MOST,
    NONE,
    NUMBER,
    PLACE,
    POINTS,
    REACH,
    STILL,
    TURN,
    WAY,
    WIDTH,
    WORTH,
    Bytes,
    Edge,
    Floats,
    Ints,
    Moves,
    Table,
    act,
    bag_left,
    below,
    copy,
    dead,
    draw,
    finish,
    generate,
    lift,
    look,
    new_edge,
    new_moves,
    new_table,
    put,
    used,
)
from tripot.games.triolet.rules import State
from tripot.search.compiled import compiled

# --- What is known from self-play: see `fit` ---------------------------------------------------

KINDS: Final = UNSEEN + 1
LEAVES: Final = np.zeros(KINDS * KINDS + 1)
"""What two tokens kept are worth, lower * KINDS + higher, UNSEEN for a token less; the last is nothing."""
UNKNOWN: Final = KINDS * KINDS

OPENED: Final = 0.8  # what a point that the next player may expect to find costs the one who opens it
BIS: Final = 30.0  # points that another move at once brings
TEMPO: Final = 20.0  # what it is worth to be the one to move
SPREAD: Final = 18.0  # by how many points a lead still varies, for each token left: as its square root


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


# --- The end of a game of two, exactly ---------------------------------------------------------

PLIES: Final = 20  # more than six tokens and all passes can take


@compiled
def search(table: Table, low: int, high: int, ply: int, stack: Moves, edge: Edge) -> int:
    """TO-12: by how much the seat to play gains on the other until the end, both racks known.

    Alpha-beta over every move to the end; the bag must be empty. `stack` has room for each ply.
    """
    seat = table.at[TURN]
    rack, moves = table.racks[seat], stack[ply]
    count = generate(table.grid, rack, edge, moves)
    if not count:
        if table.at[STILL]:
            return held(table.racks[1 - seat]) - held(rack)
        table.at[STILL], table.at[TURN] = 1, 1 - seat
        gain = -search(table, -high, -low, ply + 1, stack, edge)
        table.at[STILL], table.at[TURN] = 0, seat
        return gain
    best, still = -1_000_000, table.at[STILL]
    one, two, three = rack[0], rack[1], rack[2]
    for index in range(count):
        first = index + moves[POINTS, index:count].argmax()
        move, points = moves[NUMBER, first], moves[POINTS, first]
        moves[:, first] = moves[:, index]
        again = act(table, move, 0)
        if rack[0] == NONE:
            gain = points + held(table.racks[1 - seat])
        elif again:
            gain = points + search(table, low - points, high - points, ply + 1, stack, edge)
        else:
            gain = points - search(table, points - high, points - low, ply + 1, stack, edge)
        lift(table.grid, move)
        rack[0], rack[1], rack[2] = one, two, three
        table.at[TURN], table.at[STILL] = seat, still
        best = max(best, gain)
        low = max(low, best)
        if low >= high:
            break
    return best


@compiled
def held(rack: Bytes) -> int:
    """TO-8, TO-12: the values on a rack, a joker for nothing."""
    total = 0
    for token in rack:
        total += token if token < JOKER else 0
    return total


@compiled
def gains(start: Table, move: int, points: int, stack: Moves) -> int:
    """By how much a move and all that follows gains, both racks known and the bag empty."""
    table, edge = new_table(2, 0), new_edge()
    copy(start, table)
    seat = table.at[TURN]
    again = act(table, move, 0)
    if table.racks[seat, 0] == NONE:
        return points + held(table.racks[1 - seat])
    after = search(table, -1_000_000, 1_000_000, 0, stack, edge)
    return points + (after if again else -after)


# --- Levels ------------------------------------------------------------------------------------

WIDE: Final = 24  # moves that level 4 plays on from at first; half of them again and again
NEAR_END: Final = 6  # with so few tokens in the bag it plays on to the end
BATCH: Final = 16  # worlds between two looks at the clock


@dataclass(slots=True)
class Judged:
    """A move with what is thought of it: its value in points, or a chance and the lead to expect."""

    action: Action
    number: int
    points: int
    value: float
    chance: float = 0.0
    lead: float = 0.0
    worlds: int = 0


class Trioler(Engine):
    """A computer player of one level."""

    def __init__(self, level: int) -> None:
        if level not in range(1, 5):
            raise ValueError(f"levels are 1 to 4, not {level}")
        self.level = level

    def choose(self, view: AnyState, limit: Limit, rng: Rng) -> Choice:
        if self.level == 1 and rng.random() < 0.5:
            return Choice(rng.choice(view.legal()), 0.0)
        return self.analyse(view, limit, rng).choices[0]

    def analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        table = pack(view)
        judged = judge(view, table, self.level)
        if self.level < 4 or len(judged) == 1:
            return _analysis(judged, ())
        if not view.bag and view.options.players == 2 and UNSEEN not in view.racks[view.turn]:
            return _analysis(*_to_the_end(view, table, judged, limit))
        return _analysis(*_play_on(view, table, judged, limit, rng))


def pack(view: State) -> Table:
    """A view as a table of the kernel: what is hidden is UNSEEN, and the bag has nothing known in it."""
    table = new_table(view.options.players, 0)
    table.grid[:] = kernel.pack(view.cells)
    for seat, rack in enumerate(view.racks):
        table.racks[seat] = kernel.pack_rack(rack)
    table.scores[:] = view.scores
    table.at[END], table.at[TURN] = view.bag, view.turn
    return table


def judge(view: State, table: Table, level: int) -> list[Judged]:
    """Every legal move, best first, as the lower levels see it."""
    moves, values, edge = new_moves(), np.zeros(MOST), new_edge()
    count, _ = appraise(table, LEAVES, edge, moves, values)
    rack, unseen = view.racks[view.turn], np.array([view.pool[token] for token in range(JOKER + 1)], float)
    judged: dict[Action, Judged] = {}
    legal = {*view.legal()}
    for number, points, value in zip(*moves[:, :count].tolist(), values[:count].tolist(), strict=True):
        action = kernel.decode(number, rack)
        if level >= 3 and number >= 0:
            put(table.grid, number)
            value -= OPENED * opened(table.grid, unseen, edge)
            lift(table.grid, number)
        elif level >= 3:
            value -= OPENED * opened(table.grid, unseen, edge)
        if action in legal and action not in judged:
            judged[action] = Judged(action, number, points, value if level >= 3 else float(points))
    lead, tokens = _lead(view), view.bag + sum(map(len, view.racks))
    for each in judged.values():
        each.lead = lead + each.value - (0 if level >= 3 else 2 * TEMPO)
        each.chance = chance(each.lead, max(1, tokens))
    return sorted(judged.values(), key=lambda each: (-each.value, each.number < 0))


def _lead(view: State) -> int:
    """The lead of the seat to play over the best of the others."""
    others = [score for seat, score in enumerate(view.scores) if seat != view.turn]
    return view.scores[view.turn] - max(others)


def _play_on(
    view: State, table: Table, judged: list[Judged], limit: Limit, rng: Rng
) -> tuple[list[Judged], tuple[Fact, ...]]:
    """Level 4: simulate, and again with the better half, until the limit is spent."""
    pool = np.array(sorted(view.pool.elements()), np.uint8)
    turns = 100 if view.bag <= NEAR_END else view.options.players
    tried, worlds = judged[:WIDE], 0
    stages = max(1, (len(tried) - 1).bit_length())
    for stage in range(stages):
        picks = np.array([[each.number for each in tried], [each.points for each in tried]], np.int32)
        for count in _batches(limit, stage, stages):
            sums = np.zeros((2, len(tried)))
            simulate(table, pool, picks, count, turns, LEAVES, rng.getrandbits(32), sums)
            worlds += count
            for each, won, lead in zip(tried, *sums.tolist(), strict=True):
                total = each.worlds + count
                each.chance = (each.chance * each.worlds + won) / total
                each.lead = (each.lead * each.worlds + lead) / total
                each.worlds = total
        tried = sorted(tried, key=_rank)[: (len(tried) + 1) // 2]
    ranked = sorted(judged, key=_rank)
    return ranked, (fact("ENGINE", "simulated", count=worlds),)


def _rank(each: Judged) -> tuple[int, float, float]:
    """Those looked at longest first, then by the chance to win, then by points."""
    return -each.worlds, -each.chance, -each.value


def _batches(limit: Limit, stage: int, stages: int) -> Iterator[int]:
    """How many worlds to simulate at once, again and again, until a stage's part of the limit is spent."""
    if limit.simulations is not None:
        yield max(1, limit.simulations // stages)
        return
    began = time.monotonic()
    while (spent := (time.monotonic() - began) * stages / max(limit.seconds, 1e-9)) < 1:
        limit.progress((stage + spent) / stages)
        yield BATCH


def _to_the_end(
    view: State, table: Table, judged: list[Judged], limit: Limit
) -> tuple[list[Judged], tuple[Fact, ...]]:
    """The bag is empty: every rack that the other may hold, each move searched to the end of the game.

    The best moves at first sight come first. What there is no time for keeps its first judgement.
    """
    other = 1 - view.turn
    racks = _racks(view, other)
    stack, began, lead = np.zeros((PLIES, 2, MOST), np.int32), time.monotonic(), _lead(view)
    most = len(judged) if limit.simulations is None else max(1, limit.simulations)
    for index, each in enumerate(judged[:most]):
        limit.progress(index / len(judged))
        if limit.simulations is None and index and time.monotonic() - began > limit.seconds:
            break
        each.chance = each.lead = 0.0
        for rack, odds in racks:
            table.racks[other] = kernel.pack_rack(rack)
            end = lead + gains(table, each.number, each.points, stack)
            each.chance += odds * chance(end, 0)
            each.lead += odds * end
        each.worlds = len(racks)
    ranked = sorted(judged, key=lambda each: (-each.worlds, -each.chance, -each.lead))
    return ranked, (fact("ENGINE", "exact", count=len(racks)),)


def _racks(view: State, other: int) -> list[tuple[bytes, float]]:
    """The racks that the other may hold, at most twenty, with their odds."""
    known = view.racks[other].replace(bytes([UNSEEN]), b"")
    hidden, pool = len(view.racks[other]) - len(known), view.pool
    drawn = combinations(sorted(pool.elements()), hidden)
    odds = Counter(bytes(sorted(known + bytes(each))) for each in drawn)
    return [(rack, count / odds.total()) for rack, count in sorted(odds.items())]


def _analysis(ranked: list[Judged], facts: tuple[Fact, ...]) -> Analysis:
    """The moves in order with their chances, which never rise: a move looked at less is not trusted more."""
    choices, ceiling = [], 1.0
    for each in ranked:
        ceiling = min(ceiling, each.chance)
        known = [fact("ENGINE", "points", points=each.points)] if isinstance(each.action, Place) else []
        if each.worlds:
            percent = round(100 * each.chance)
            known.append(fact("ENGINE", "expects", lead=f"{each.lead:+.0f}", percent=percent))
        choices.append(Choice(each.action, 2 * ceiling - 1, (each.action,), tuple(known)))
    return Analysis(tuple(choices), facts)


# --- Fitting -----------------------------------------------------------------------------------


def fit(games: int = 20_000, rounds: int = 6, seed: int = 1) -> dict[str, float | list[float]]:
    """The numbers at the top of this file, from games of two in self-play; a minute or two.

        python -c "from tripot.games.triolet.engine import fit; print(fit())"

    What tokens kept are worth is what the next turn brings more than the average one, and what is then
    kept, again and again. Leaves that hardly occur are drawn towards 0.
    """
    rng, all_tokens = np.random.default_rng(seed), np.repeat(np.arange(JOKER + 1), COUNTS).astype(np.uint8)
    leaves, edge, moves, values = np.zeros_like(LEAVES), new_edge(), new_moves(), np.zeros(MOST)
    for _ in range(rounds):
        sums, counts, kept = np.zeros_like(leaves), np.zeros_like(leaves), np.zeros(2, np.int32)
        leads: list[tuple[float, int]] = []  # squared change of the lead to the end, and tokens then left
        looks: list[tuple[float, float]] = []  # what was opened, and what the next turn brought
        for game in range(games // rounds):
            table, before = new_table(2, game), [UNKNOWN, UNKNOWN]
            table.bag[:] = rng.permutation(all_tokens)
            table.at[END] = len(all_tokens) - ASIDE
            for rack in table.racks:
                draw(table, rack)
            opening, history = 0.0, []
            while True:
                seat, bag, scores = int(table.at[TURN]), bag_left(table), table.scores.copy()
                history.append((int(scores[0] - scores[1]), bag + 2 * RACK))
                if play_on(table, 1, leaves, edge, moves, values, kept):
                    break
                gained = float(table.scores[seat] - scores[seat])
                looks.append((opening, gained))
                sums[before[seat]] += gained + leaves[kept[seat]]
                counts[before[seat]] += 1
                before[seat] = int(kept[seat]) if bag > 2 * RACK else UNKNOWN
                opening = opened(table.grid, _unseen(table, seat), edge)
            final = int(table.scores[0] - table.scores[1])
            leads += [((final - lead) ** 2, tokens) for lead, tokens in history if tokens > 2 * RACK]
        mean = sums[:UNKNOWN].sum() / counts[:UNKNOWN].sum()
        leaves = np.where(counts, (sums - mean * counts) / (counts + 30), 0.0)
        leaves[UNKNOWN] = 0.0
    known = np.array(looks)
    return {
        "LEAVES": [round(float(each), 1) for each in leaves],
        "OPENED": round(float(np.polyfit(known[:, 0], known[:, 1], 1)[0]), 2),
        "TEMPO": round(float(known[:, 1].mean()) / 2, 1),
        "SPREAD": round(sqrt(sum(each for each, _ in leads) / sum(tokens for _, tokens in leads)), 1),
    }


def _unseen(table: Table, seat: int) -> Floats:
    """How many there are of each token that a seat has not seen."""
    counts = np.array(COUNTS, float)
    for cell in table.grid[table.grid > 0]:
        counts[JOKER if cell >= IS_JOKER else cell - 1] -= 1
    for token in table.racks[seat]:
        if token <= JOKER:
            counts[token] -= 1
    return counts
