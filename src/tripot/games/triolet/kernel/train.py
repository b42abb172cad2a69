"""What self-play tells of Triolet: the numbers at the top of `value.py`.

    python -m tripot.games.triolet.kernel.train

prints them anew in a minute. Level 3 without its look at the board plays games of two against itself.
What tokens kept are worth is what the next turn then brings more than an average one. Tokens that
are hardly ever kept are drawn towards what each of them is worth alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tripot.engine.jit import njit_cached
from tripot.engine.rng import lcg64_below
from tripot.games.triolet.board import HIDDEN_TOKEN, IS_JOKER, JOKER, RACK_SIZE, SET_ASIDE
from tripot.games.triolet.kernel.moves import MAX_MOVES, Floats, new_anchors, new_moves
from tripot.games.triolet.kernel.position import (
    BAG_END,
    TOKENS_IN_ALL,
    TURN,
    GamePosition,
    bag_left,
    draw,
    new_position,
)
from tripot.games.triolet.kernel.value import TOKEN_KINDS, UNKNOWN_LEAVE, expected_reply, run_playout

GAMES: Final = 40_000
ROUNDS: Final = 3
SHRINKAGE: Final = 200.0  # what is seen less often than this counts less than half
MAX_TURNS: Final = 200  # turns; no game has so many
LEAD_ERROR, TOKENS_LEFT, REPLY_SUM, GAIN_SUM, LOOKS_SQUARED, LOOKS_BROUGHT, TURNS = range(7)


@njit_cached
def unseen(table: GamePosition, seat: int) -> Floats:
    """How many there are of each token that a seat has not seen."""
    counts = TOKENS_IN_ALL.astype(np.float64)
    for cell in table.grid:
        if cell:
            counts[JOKER if cell >= IS_JOKER else cell - 1] -= 1
    for token in table.racks[seat]:
        if token <= JOKER:
            counts[token] -= 1
    return counts


@njit_cached
def accumulate_self_play(
    games: int, seed: int, leaves: Floats, sums: Floats, counts: Floats, seen: Floats
) -> None:
    """Play games; add up what turns brought after each leave, and what leads and open squares came to."""
    edge, moves, values = new_anchors(), new_moves(), np.empty(MAX_MOVES)
    kept, before = np.zeros(2, np.int32), np.zeros(2, np.int32)
    history = np.zeros((MAX_TURNS, 2))
    for game in range(games):
        table = new_position(2, seed + game)
        shuffle(table)
        before[:] = UNKNOWN_LEAVE
        look_ahead = -1.0
        for turn in range(MAX_TURNS):
            seat, bag = table.cursors[TURN], bag_left(table)
            score = table.scores[seat]
            history[turn] = table.scores[0] - table.scores[1], bag + 2 * RACK_SIZE if bag else 0
            over = run_playout(table, 1, leaves, edge, moves, values, kept)
            if over:
                last = table.scores[0] - table.scores[1]
                for lead, tokens in history[: turn + 1]:
                    if tokens:
                        seen[LEAD_ERROR] += (last - lead) ** 2
                        seen[TOKENS_LEFT] += tokens
                break
            gained = table.scores[seat] - score
            sums[before[seat]] += gained
            counts[before[seat]] += 1
            if look_ahead >= 0:
                seen[REPLY_SUM] += look_ahead
                seen[GAIN_SUM] += gained
                seen[LOOKS_SQUARED] += look_ahead * look_ahead
                seen[LOOKS_BROUGHT] += look_ahead * gained
                seen[TURNS] += 1
            before[seat] = kept[seat] if bag > 2 * RACK_SIZE else UNKNOWN_LEAVE
            look_ahead = (
                expected_reply(table.grid, unseen(table, seat), edge) if bag > 2 * RACK_SIZE else -1.0
            )


@njit_cached
def shuffle(table: GamePosition) -> None:
    """TO-1: fill the bag but for three tokens, and both racks."""
    count = 0
    for token in range(len(TOKENS_IN_ALL)):
        for _ in range(TOKENS_IN_ALL[token]):
            table.bag[count] = token
            count += 1
    for last in range(count - 1, 0, -1):
        other = lcg64_below(table.rng, last + 1)
        table.bag[last], table.bag[other] = table.bag[other], table.bag[last]
    table.cursors[BAG_END] = count - SET_ASIDE
    for seat in range(len(table.racks)):
        draw(table, table.racks[seat])


def smooth(sums: Floats, counts: Floats) -> Floats:
    """Averages; pairs that hardly occur are drawn towards what their two tokens are worth alone."""
    alone = sums[:, HIDDEN_TOKEN] / (counts[:, HIDDEN_TOKEN] + SHRINKAGE)
    apart = alone[:, None] + alone[None, :]
    apart[:, HIDDEN_TOKEN] = 0.0
    often = counts > SHRINKAGE
    often[:, HIDDEN_TOKEN] = False
    apart[:, :HIDDEN_TOKEN] += (sums[often] / counts[often] - apart[often]).mean()
    smoothed: Floats = (sums + SHRINKAGE * apart) / (counts + SHRINKAGE)
    return smoothed


def fit_leaves(games: int = GAMES, rounds: int = ROUNDS, seed: int = 1) -> tuple[Floats, dict[str, float]]:
    """What leaves are worth, by their number, and the other numbers by name."""
    leaves = np.zeros(UNKNOWN_LEAVE + 1)
    for each in range(rounds):
        sums, counts, seen = np.zeros_like(leaves), np.zeros_like(leaves), np.zeros(7)
        accumulate_self_play(games, seed + each * games, leaves, sums, counts, seen)
        mean = sums[:UNKNOWN_LEAVE].sum() / counts[:UNKNOWN_LEAVE].sum()
        leaves[:UNKNOWN_LEAVE] = smooth(
            (sums - mean * counts)[:UNKNOWN_LEAVE].reshape(TOKEN_KINDS, TOKEN_KINDS),
            counts[:UNKNOWN_LEAVE].reshape(TOKEN_KINDS, TOKEN_KINDS),
        ).ravel()
    looks, brought = seen[REPLY_SUM] / seen[TURNS], seen[GAIN_SUM] / seen[TURNS]
    slope = (seen[LOOKS_BROUGHT] / seen[TURNS] - looks * brought) / (
        seen[LOOKS_SQUARED] / seen[TURNS] - looks * looks
    )
    return leaves, {
        "OPENED": round(float(slope), 2),
        "TEMPO": round(float(brought) / 2, 1),
        "SPREAD": round(float(seen[LEAD_ERROR] / seen[TOKENS_LEFT]) ** 0.5, 1),
    }


def main() -> None:
    """Print the numbers as they stand in `value.py`."""
    leaves, others = fit_leaves()
    worth = leaves[:UNKNOWN_LEAVE].reshape(TOKEN_KINDS, TOKEN_KINDS).round().astype(int)
    for higher in range(TOKEN_KINDS):
        print(f"    {tuple(worth[: higher + 1, higher].tolist())},")
    for name, number in others.items():
        print(f"{name}: Final = {number}")


if __name__ == "__main__":
    main()
