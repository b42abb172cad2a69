"""The move generator of Triolet against the rules: the same placements with the same points."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from tripot.game import CHANCE
from tripot.games.triolet import GAME
from tripot.games.triolet.actions import Place
from tripot.games.triolet.board import JOKER, RACK_SIZE
from tripot.games.triolet.kernel.moves import generate_moves, new_moves, new_workspace
from tripot.games.triolet.kernel.tables import decode, to_grid, to_rack
from tripot.games.triolet.options import Options
from tripot.games.triolet.placement import placements
from tripot.games.triolet.rules import State
from tripot.games.triolet.scoring import score_placement
from tripot.testing import random_playthrough


def generated(cells: bytes, rack: bytes) -> dict[Place, int]:
    """Return the placements of the kernel with their points, after checking that none is repeated."""
    moves = new_moves()
    count = generate_moves(to_grid(cells), to_rack(rack), new_workspace(), moves)
    placed = [decode(code, rack) for code in moves.codes[:count].tolist()]
    assert len({*placed}) == len(placed)
    points = moves.points[:count].tolist()
    return {place: score for place, score in zip(placed, points, strict=True) if isinstance(place, Place)}


def racks_to_try(state: State, rng: Random) -> list[bytes]:
    """Return all racks of the game, one of unseen tokens, and one with a joker if a joker is unseen."""
    unseen = [*state.unseen_tokens.elements()]
    racks = [*state.racks, bytes(sorted(rng.sample(unseen, min(RACK_SIZE, len(unseen)))))]
    if JOKER in unseen:
        racks.append(bytes(sorted([JOKER, *rng.sample(unseen, min(RACK_SIZE, len(unseen)) - 1)])))
    return racks


def compare(players: int, seed: int, interval: int = 1) -> int:
    """Compare along a game of random actions, and return how many racks were compared.

    With an `interval`, only every so many decisions are compared.
    """
    rng, compared, decisions = Random(f"{players} {seed}"), 0, count()
    for state, _ in random_playthrough(GAME.initial_state(Options(players=players)), rng, steps=120):
        if state.to_act is CHANCE or next(decisions) % interval:
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


def test_the_generator_lists_the_placements_of_the_rules_with_their_points() -> None:
    """With jokers, with racks that no seat has, and with any number of players."""
    assert sum(compare(players, seed=0, interval=2) for players in (2, 3, 4)) > 250


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(54))
def test_the_generator_lists_what_the_rules_list_in_many_games(players: int, seed: int) -> None:
    compare(players, seed)
