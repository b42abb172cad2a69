"""The playout policy: its moves are legal, and its shortcuts choose what scoring every move would choose."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.games.trigon.kernel_helpers import VARIANTS, available_in, game_after, legal_moves
from tests.games.trigon.moves import placements

from tripot.engine.rng import new_rng
from tripot.games.trigon.kernel import moves as move_lists
from tripot.games.trigon.kernel.available_moves import play_move
from tripot.games.trigon.kernel.history import append_history, last_good_reply, update_replies
from tripot.games.trigon.kernel.local_moves import FLAGS_MASK, mark_local_cells, new_playout_state
from tripot.games.trigon.kernel.params import PLAYOUT_PARAMS
from tripot.games.trigon.kernel.placement_bits import attach_start_placements
from tripot.games.trigon.kernel.playout import pick_move
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    ATTACH,
    LOCAL_SHIFT,
    add_start_cells,
    cannot_move,
    clone,
    decode_move,
    encode_move,
    from_state,
    place_piece,
)
from tripot.games.trigon.kernel.tables import ALL_PIECES, MARGIN

WITHOUT_NOISE = PLAYOUT_PARAMS._replace(noise_weight=0)


@pytest.mark.parametrize("text", VARIANTS)
def test_every_move_of_a_playout_is_legal_and_no_colour_passes_that_could_move(text: str) -> None:
    rng = Random(text)
    for seed in range(3):
        state = game_after(text, rng, moves=rng.randrange(30))
        position, playout, kernel_rng = from_state(state), new_playout_state(), new_rng(seed)
        available = available_in(position, compact=bool(seed))
        blocked, turn = cannot_move(position), state.turn
        while blocked != ALL_COLOURS:
            if not blocked >> turn & 1:
                team = 0b101 << turn % 2 if state.options.is_paired else 1 << turn
                legal = legal_moves(position, turn)
                if position.pieces_left[turn] == ALL_PIECES:
                    attach_start_placements(position, available.bits, turn)
                move = pick_move(
                    position, available, turn, ALL_COLOURS & ~team, PLAYOUT_PARAMS, playout, kernel_rng
                )
                if move < 0:
                    assert not legal
                    blocked |= 1 << turn
                else:
                    assert move in legal
                    play_move(position, available, turn, move)
                    append_history(playout.history, turn, move)
            turn = (turn + 1) % 4


def test_a_playout_covers_the_attach_cells_of_the_last_move() -> None:
    """Blue has moved: yellow plays the move with the most triangles and new attach cells of blue."""
    for seed in range(5):
        state, playout = game_after("players=2", Random(seed), moves=24), new_playout_state()
        last = max(placements(state), key=lambda move: len(move.cells))
        position, opponent = from_state(state), state.turn
        place_piece(position, opponent, encode_move(last.cells))
        append_history(playout.history, opponent, encode_move(last.cells))
        start, end = position.last_attach_start[opponent], position.attach_count[opponent]
        new_cells = position.attach_cells[opponent, start:end]
        colour = state.apply(last).turn
        scores = dict[int, int]()
        for move in legal_moves(position, colour):
            cells = [cell + MARGIN for cell in decode_move(move)]
            local = [cell for cell in cells if cell in new_cells]
            double = sum(bool(position.cell_flags[cell] & ATTACH << colour) for cell in local)
            scores[move] = len(cells) + WITHOUT_NOISE.local_weight * (len(local) + double)
        available, kernel_rng = available_in(position, compact=seed % 2 > 0), new_rng(seed)
        chosen = pick_move(position, available, colour, 1 << opponent, WITHOUT_NOISE, playout, kernel_rng)
        assert scores[chosen] == max(scores.values())
        assert (position.cell_flags <= FLAGS_MASK).all(), "all marks are removed"


@pytest.mark.parametrize("text", VARIANTS)
def test_no_move_scores_more_than_the_one_that_a_playout_picks(text: str) -> None:
    """The playout scores few moves one by one; here all are scored. Noise is left out."""
    rng = Random(text)
    state, playout = game_after(text, rng), new_playout_state()
    position, first_team = from_state(state), 0b101 if state.options.is_paired else 1
    available, kernel_rng = available_in(position), new_rng(7)
    while state.to_act is not None:
        turn = state.turn
        if rng.randrange(8) == 0:
            position.blocked[0] = state.blocked
            available = available_in(position, compact=True)
        if position.pieces_left[turn] == ALL_PIECES:
            attach_start_placements(position, available.bits, turn)
        team = first_team << turn % 2 if state.options.is_paired else 1 << turn
        opponents = int(position.in_play[0]) & ~team
        marked = clone(position)
        mark_local_cells(marked, turn, opponents, WITHOUT_NOISE.local_history, playout)
        scores = dict[int, int]()
        for move in legal_moves(position, turn):
            cells = np.array(decode_move(move)) + MARGIN
            local_count = int((marked.cell_flags[cells] >> LOCAL_SHIFT).sum())
            scores[move] = len(cells) * WITHOUT_NOISE.size_weight + local_count * WITHOUT_NOISE.local_weight
        chosen = pick_move(position, available, turn, opponents, WITHOUT_NOISE, playout, kernel_rng)
        assert scores[chosen] == max(scores.values())
        action = next(move for move in placements(state) if encode_move(move.cells) == chosen)
        play_move(position, available, turn, chosen)
        append_history(playout.history, turn, chosen)
        state = state.apply(action)


@pytest.mark.parametrize("compact", [False, True])
def test_noise_of_moves_that_are_not_local_is_distributed_as_if_drawn_for_each(compact: bool) -> None:
    """One number is drawn per size, and then one of its moves: the distribution must be the same."""
    state, playout, draws = game_after("players=2", Random(5), moves=52), new_playout_state(), 20_000
    position, kernel_rng = from_state(state), new_rng(3)
    available, moves = available_in(position, compact), sorted(legal_moves(position, state.turn))
    assert bool(available.compact.word_count[0]) == compact
    sizes = np.array([len(decode_move(move)) for move in moves])
    assert len({*sizes}) > 2, "pieces of several sizes"
    noise = np.random.default_rng(1).random((draws, len(moves))) * PLAYOUT_PARAMS.noise_weight
    scores = sizes * PLAYOUT_PARAMS.size_weight + noise
    expected = np.bincount(scores.argmax(1), minlength=len(moves))
    picked = np.zeros(len(moves), np.int64)
    for _ in range(draws):
        move = pick_move(position, available, state.turn, 0, PLAYOUT_PARAMS, playout, kernel_rng)
        picked[moves.index(move)] += 1
    assert np.abs(picked - expected).sum() / (2 * draws) < 0.05


def test_the_last_good_reply_is_played_again_while_it_is_legal_and_did_well() -> None:
    """Yellow answered blue's move well, so it answers again, until that is illegal or has gone badly."""
    playout = new_playout_state()
    replies, history = playout.good_replies, playout.history
    position = from_state(game_after("players=2", Random(2)))
    first = int(move_lists.legal_moves(position, 0)[0])
    place_piece(position, 0, first)
    answer = int(move_lists.legal_moves(position, 1)[-1])
    for colour, move in ((0, first), (1, answer)):
        append_history(history, colour, move)
    update_replies(replies, history, np.array([0.1, 0.9, 0.1, 0.9]))
    history.length[0] = 1
    assert last_good_reply(replies, history, position, 1) == answer
    occupied = clone(position)
    place_piece(occupied, 2, answer)
    add_start_cells(occupied, 1)
    assert last_good_reply(replies, history, occupied, 1) == -1
    history.length[0] = 2
    update_replies(replies, history, np.array([0.9, 0.1, 0.9, 0.1]))
    history.length[0] = 1
    assert last_good_reply(replies, history, position, 1) == -1
