"""What self-play tells of Triolet: the numbers at the top of `kernel_judge.py`.

    python -m tripot.games.triolet.kernel_fit

prints them anew in a minute. Level 3 without its look at the board plays games of two against itself.
What tokens kept are worth is what the next turn then brings more than an average one. Tokens that
are hardly ever kept are drawn towards what each of them is worth alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tripot.engine.jit import compiled
from tripot.games.triolet.board import ASIDE, IS_JOKER, JOKER, RACK, UNSEEN
from tripot.games.triolet.kernel.moves import MOST, Floats, new_edge, new_moves
from tripot.games.triolet.kernel.position import END, IN_ALL, TURN, Table, bag_left, below, draw, new_table
from tripot.games.triolet.kernel.value import KINDS, UNKNOWN, opened, play_on

GAMES: Final = 40_000
ROUNDS: Final = 3
SHY: Final = 200.0  # what is seen less often than this counts less than half
LONG: Final = 200  # turns; no game has so many
LEADS, TOKENS_LEFT, LOOKS, BROUGHT, LOOKS_SQUARED, LOOKS_BROUGHT, TURNS = range(7)


@compiled
def unseen(table: Table, seat: int) -> Floats:
    """How many there are of each token that a seat has not seen."""
    counts = IN_ALL.astype(np.float64)
    for cell in table.grid:
        if cell:
            counts[JOKER if cell >= IS_JOKER else cell - 1] -= 1
    for token in table.racks[seat]:
        if token <= JOKER:
            counts[token] -= 1
    return counts


@compiled
def self_play(games: int, seed: int, leaves: Floats, sums: Floats, counts: Floats, seen: Floats) -> None:
    """Play games; add up what turns brought after each leave, and what leads and open squares came to."""
    edge, moves, values = new_edge(), new_moves(), np.empty(MOST)
    kept, before = np.zeros(2, np.int32), np.zeros(2, np.int32)
    history = np.zeros((LONG, 2))
    for game in range(games):
        table = new_table(2, seed + game)
        shuffle(table)
        before[:] = UNKNOWN
        look_ahead = -1.0
        for turn in range(LONG):
            seat, bag = table.at[TURN], bag_left(table)
            score = table.scores[seat]
            history[turn] = table.scores[0] - table.scores[1], bag + 2 * RACK if bag else 0
            over = play_on(table, 1, leaves, edge, moves, values, kept)
            if over:
                last = table.scores[0] - table.scores[1]
                for lead, tokens in history[: turn + 1]:
                    if tokens:
                        seen[LEADS] += (last - lead) ** 2
                        seen[TOKENS_LEFT] += tokens
                break
            gained = table.scores[seat] - score
            sums[before[seat]] += gained
            counts[before[seat]] += 1
            if look_ahead >= 0:
                seen[LOOKS] += look_ahead
                seen[BROUGHT] += gained
                seen[LOOKS_SQUARED] += look_ahead * look_ahead
                seen[LOOKS_BROUGHT] += look_ahead * gained
                seen[TURNS] += 1
            before[seat] = kept[seat] if bag > 2 * RACK else UNKNOWN
            look_ahead = opened(table.grid, unseen(table, seat), edge) if bag > 2 * RACK else -1.0


@compiled
def shuffle(table: Table) -> None:
    """TO-1: fill the bag but for three tokens, and both racks."""
    count = 0
    for token in range(len(IN_ALL)):
        for _ in range(IN_ALL[token]):
            table.bag[count] = token
            count += 1
    for last in range(count - 1, 0, -1):
        other = below(table.rng, last + 1)
        table.bag[last], table.bag[other] = table.bag[other], table.bag[last]
    table.at[END] = count - ASIDE
    for seat in range(len(table.racks)):
        draw(table, table.racks[seat])


def smooth(sums: Floats, counts: Floats) -> Floats:
    """Averages; pairs that hardly occur are drawn towards what their two tokens are worth alone."""
    alone = sums[:, UNSEEN] / (counts[:, UNSEEN] + SHY)
    apart = alone[:, None] + alone[None, :]
    apart[:, UNSEEN] = 0.0
    often = counts > SHY
    often[:, UNSEEN] = False
    apart[:, :UNSEEN] += (sums[often] / counts[often] - apart[often]).mean()
    smoothed: Floats = (sums + SHY * apart) / (counts + SHY)
    return smoothed


def fit(games: int = GAMES, rounds: int = ROUNDS, seed: int = 1) -> tuple[Floats, dict[str, float]]:
    """What leaves are worth, by their number, and the other numbers by name."""
    leaves = np.zeros(UNKNOWN + 1)
    for each in range(rounds):
        sums, counts, seen = np.zeros_like(leaves), np.zeros_like(leaves), np.zeros(7)
        self_play(games, seed + each * games, leaves, sums, counts, seen)
        mean = sums[:UNKNOWN].sum() / counts[:UNKNOWN].sum()
        leaves[:UNKNOWN] = smooth(
            (sums - mean * counts)[:UNKNOWN].reshape(KINDS, KINDS), counts[:UNKNOWN].reshape(KINDS, KINDS)
        ).ravel()
    looks, brought = seen[LOOKS] / seen[TURNS], seen[BROUGHT] / seen[TURNS]
    slope = (seen[LOOKS_BROUGHT] / seen[TURNS] - looks * brought) / (
        seen[LOOKS_SQUARED] / seen[TURNS] - looks * looks
    )
    return leaves, {
        "OPENED": round(float(slope), 2),
        "TEMPO": round(float(brought) / 2, 1),
        "SPREAD": round(float(seen[LEADS] / seen[TOKENS_LEFT]) ** 0.5, 1),
    }


def main() -> None:
    """Print the numbers as they stand in `kernel_judge.py`."""
    leaves, others = fit()
    worth = leaves[:UNKNOWN].reshape(KINDS, KINDS).round().astype(int)
    for higher in range(KINDS):
        print(f"    {tuple(worth[: higher + 1, higher].tolist())},")
    for name, number in others.items():
        print(f"{name}: Final = {number}")


if __name__ == "__main__":
    main()
