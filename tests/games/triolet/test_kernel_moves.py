"""The kernel of Triolet against the rules: the same placements with the same points."""

from __future__ import annotations

from random import Random

import pytest

from tripot.game import CHANCE
from tripot.games.triolet import GAME
from tripot.games.triolet.actions import Options, Place
from tripot.games.triolet.board import JOKER, RACK_SIZE
from tripot.games.triolet.kernel.moves import decode, generate_moves, new_anchors, new_moves, to_grid, to_rack
from tripot.games.triolet.rules import State, placements, score_placement
from tripot.testing import random_playthrough


def generated(cells: bytes, rack: bytes) -> dict[Place, int]:
    """What the kernel lists, with its points; twice the same placement is a fault."""
    edge, moves = new_anchors(), new_moves()
    count = generate_moves(to_grid(cells), to_rack(rack), edge, moves)
    numbers, points = moves[:, :count].tolist()
    placed = [decode(number, rack) for number in numbers]
    assert len({*placed}) == len(placed)
    return {place: worth for place, worth in zip(placed, points, strict=True) if isinstance(place, Place)}


def racks_to_try(state: State, rng: Random) -> list[bytes]:
    """Every rack on the table, one of tokens that nobody sees, and one with a joker if any is left."""
    left = [*state.unseen_tokens.elements()]
    racks = [*state.racks, bytes(sorted(rng.sample(left, min(RACK_SIZE, len(left)))))]
    if JOKER in left:
        racks.append(bytes(sorted([JOKER, *rng.sample(left, min(RACK_SIZE, len(left)) - 1)])))
    return racks


def compare(players: int, seed: int) -> int:
    """Along a game of random actions; returns how many positions were compared."""
    rng, compared = Random(f"{players} {seed}"), 0
    for state, _ in random_playthrough(GAME.initial_state(Options(players=players)), rng, steps=120):
        if state.to_act is CHANCE:
            continue
        assert isinstance(state, State)
        for rack in racks_to_try(state, rng):
            plain = {
                place: score_placement(state.cells, place.tokens).points
                for place in placements(state.cells, rack)
            }
            assert generated(state.cells, rack) == plain, state.to_text()
            compared += 1
    return compared


def test_the_kernel_lists_the_placements_of_the_rules_with_their_points() -> None:
    """Jokers, and racks that no seat has, at tables of every size."""
    assert sum(compare(players, seed=0) for players in (2, 3, 4)) > 500


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(1, 54))
def test_the_kernel_lists_what_the_rules_list_in_many_games(players: int, seed: int) -> None:
    compare(players, seed)
