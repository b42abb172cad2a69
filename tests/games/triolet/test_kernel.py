"""The kernel of Triolet against the rules: the same placements with the same points."""

from __future__ import annotations

from random import Random

import pytest

from tripot.game import CHANCE
from tripot.games.triolet import GAME, kernel
from tripot.games.triolet.actions import Options, Place
from tripot.games.triolet.rules import State, placements, weigh
from tripot.testing import random_play


def generated(cells: bytes, rack: bytes) -> dict[Place, int]:
    """What the kernel lists, with its points; twice the same placement is a fault."""
    edge, moves = kernel.new_edge(), kernel.new_moves()
    count = kernel.generate(kernel.pack(cells), kernel.pack_rack(rack), edge, moves)
    numbers, points = moves[:, :count].tolist()
    placed = [kernel.decode(number, rack) for number in numbers]
    assert len({*placed}) == len(placed)
    return {place: worth for place, worth in zip(placed, points, strict=True) if isinstance(place, Place)}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_lists_the_placements_of_the_rules_with_their_points(players: int, seed: int) -> None:
    """Along random games, with every rack on the table: jokers come up in many of them."""
    rng, compared = Random(f"{players} {seed}"), 0
    for state, _ in random_play(GAME.start(Options(players=players)), rng, steps=120):
        if state.to_act is CHANCE:
            continue
        assert isinstance(state, State)
        for rack in state.racks:
            plain = {
                place: weigh(state.cells, place.tokens).points for place in placements(state.cells, rack)
            }
            assert generated(state.cells, rack) == plain, state.dump()
            compared += 1
    assert compared > 30
