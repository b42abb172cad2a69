"""Whole games between the levels, in every variant with opponents: all moves legal, all values plausible.

Few simulations a move, so that there are many games: what goes wrong in one game of thousands is found here.
A failure names its game; `whole_game("players=2", 17)` plays it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from random import Random

import pytest

import tripot
from tripot.game import CHANCE, Candidate, Limit, OptionError
from tripot.games.trigon.board import PIECE_NAMES, TRIANGLES_PER_COLOUR
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import SINGLE_LAST_SCORE, State, initial_state

GAME = tripot.get_game("trigon")
QUICK = 1  # games a variant in every run of the tests: each takes about a second
BLOCKS, BLOCK = 10, 20  # in `make soak`: so many times so many games a variant
STUDIED = 0.03  # the part of the moves at which the whole analysis is checked


def variants() -> Iterator[str]:
    """Every way in which two or more can play."""
    form = {entry["name"]: entry["choices"] for entry in Options.schema()}
    names = ("players", "teams", "contact", "start")
    for values in product(*(form[name] for name in names)):
        try:
            options = Options.parse(dict(zip(names, values, strict=True)))
        except OptionError:
            continue
        if options.players > 1:
            yield str(options)


VARIANTS = [*variants()]


def whole_game(variant: str, seed: int) -> State:
    """The end of a game, every move of which was checked.

    Each seat has an engine of its own, at a level of its own, or one engine plays all of them: so trees are
    kept over one move and over several, and started again. Now and then two threads share one.
    """
    rng, state = Random(f"{variant} {seed}"), initial_state(Options.parse(variant))
    seats = range(state.options.players)
    engines = [GAME.engine(rng.choice(GAME.levels)) for _ in seats]
    if rng.random() < 0.5:
        engines = [engines[0] for _ in seats]
    for engine in engines:
        engine.threads = 2 if rng.random() < 0.1 else 1
    try:
        while (seat := state.to_act) is not None:
            if seat is CHANCE:
                state = state.apply(state.sample_chance(rng))
                continue
            assert isinstance(seat, int)
            limit = Limit(simulations=rng.randint(2, 8))
            if rng.random() < STUDIED:
                check_all(state, engines[seat].analyse(state.view(seat), limit, rng).candidates)
            choice = engines[seat].choose(state.view(seat), limit, rng)
            check(state, choice)
            state = state.apply(choice.action)
        check_end(state)
    except Exception as error:
        error.add_note(f"whole_game({variant!r}, {seed}), at {state.to_text()}")
        raise
    return state


def check(state: State, choice: Candidate) -> None:
    """A choice is legal, as is its line, and it promises nothing that cannot be."""
    assert choice.action in state.legal_actions()
    check_claims(state, choice)
    assert not choice.pv or choice.pv[0] == choice.action
    for action in choice.pv:
        assert action in state.legal_actions()
        state = state.apply(action)


def check_claims(state: State, choice: Candidate) -> None:
    """Points are only won, and only so many."""
    assert -1 <= choice.value <= 1
    if choice.expected:
        assert 0 <= choice.expected.win_rate <= 1
        maximum = SINGLE_LAST_SCORE * (2 if state.options.players == 2 else 1)
        for score, minimum in zip(choice.expected.scores, points(state), strict=True):
            assert minimum - 1e-6 <= score <= maximum + 1e-6


def check_all(state: State, choices: tuple[Candidate, ...]) -> None:
    """An analysis has every legal move once, best first."""
    assert len(choices) == len(state.legal_actions())
    assert {choice.action for choice in choices} == {*state.legal_actions()}
    assert all(one.value >= other.value for one, other in pairwise(choices))
    check(state, choices[0])
    for choice in choices:
        check_claims(state, choice)


def check_end(state: State) -> None:
    """Nobody could go on, and the scores are those of what lies on the board."""
    assert state.outcome
    assert not any(True for colour in state.in_play for _ in state.legal_placements(colour))
    assert len(state.pieces_on_board) <= len(state.in_play) * len(PIECE_NAMES)
    for colour in state.in_play:
        placed = state.covered(colour).bit_count()
        assert placed <= TRIANGLES_PER_COLOUR
        assert state.score(colour) == placed - TRIANGLES_PER_COLOUR or placed == TRIANGLES_PER_COLOUR
    assert state.outcome.scores == points(state)
    best = max(state.outcome.team_scores)
    for seat in state.outcome.winners:
        assert state.outcome.team_scores[state.teams[seat]] == best


def points(state: State) -> tuple[int, ...]:
    """What each seat has so far: the scores of its colours together."""
    return tuple(
        sum(state.score(colour) for colour in state.in_play if state.seat_of(colour) == seat)
        for seat in range(state.options.players)
    )


def test_soak_games_cover_every_variant_with_opponents() -> None:
    assert len(VARIANTS) == len({*VARIANTS}) == 12
    assert {"", "players=2 contact=corners start=free", "players=3", "teams=on start=free"} <= {*VARIANTS}


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(variant, marks=() if index % 3 == 0 else pytest.mark.soak)
        for index, variant in enumerate(VARIANTS)
    ],
)
def test_games_between_the_levels_are_legal_to_the_end(variant: str) -> None:
    for seed in range(QUICK):
        whole_game(variant, seed)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("variant", VARIANTS)
def test_thousands_of_games_between_the_levels_are_legal_to_the_end(variant: str, block: int) -> None:
    for seed in range(QUICK + block * BLOCK, QUICK + (block + 1) * BLOCK):
        whole_game(variant, seed)


def test_a_failing_soak_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unlucky(_state: State, _choice: Candidate) -> None:
        raise AssertionError("wrong")

    monkeypatch.setitem(globals(), "check", unlucky)
    with pytest.raises(AssertionError, match="wrong") as failure:
        whole_game("players=2", 17)
    assert failure.value.__notes__ == [
        f"whole_game('players=2', 17), at {initial_state(Options(players=2)).to_text()}"
    ]
