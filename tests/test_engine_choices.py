"""Engines choose the same actions as when the golden files were recorded.

A refactoring must not change what an engine plays with a given seed and number of simulations. Each game has
a file `golden/engine.tsv` with one position per line: level, seed, chosen action, value and view. After a
change that is meant to alter play, record them again and explain the difference in the commit:

    python -m tests.test_engine_choices GAME ...
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

import tripot
from tripot import testing
from tripot.game import AnyGame, Limit

GAMES = [pytest.param(game, id=game.key) for game in tripot.list_games()]
POSITIONS = 240  # per game
SIMULATIONS = 40
SAMPLE_STEP = 11  # the normal run checks every eleventh line, of all levels; `make soak` all lines


class Line(NamedTuple):
    """One line of a golden file."""

    level: int
    seed: int
    action: str
    value: str
    view: str

    @classmethod
    def parse(cls, text: str) -> Line:
        level, seed, action, value, view = text.split("\t")
        return cls(int(level), int(seed), action, value, view)

    def to_text(self) -> str:
        return "\t".join(map(str, self))


def golden_file(game: AnyGame) -> Path:
    return Path(__file__).parent / "games" / game.key / "golden" / "engine.tsv"


def golden_lines(game: AnyGame) -> list[Line]:
    return [Line.parse(text) for text in golden_file(game).read_text("utf-8").splitlines()]


def choose(game: AnyGame, level: int, seed: int, view_text: str) -> Line:
    """Let a new engine choose, and describe its choice."""
    view = game.parse_state(view_text)
    choice = game.engine(level).choose(view, Limit(simulations=SIMULATIONS), Random(seed))
    return Line(level, seed, str(choice.action), f"{choice.value:.4f}", view_text)


def check_lines(game: AnyGame, lines: list[Line]) -> None:
    """Fail with every line whose choice or value is another one now."""
    changed = [
        f"was {line.to_text()}\n now {again.to_text()}"
        for line in lines
        if (again := choose(game, line.level, line.seed, line.view)) != line
    ]
    assert not changed, "\n".join([f"{len(changed)} of {len(lines)} lines differ", *changed])


@pytest.mark.kernel
@pytest.mark.parametrize("game", GAMES)
def test_engines_choose_what_they_chose_before(game: AnyGame) -> None:
    lines = golden_lines(game)
    assert len(lines) == POSITIONS
    assert {line.level for line in lines[::SAMPLE_STEP]} == {*game.levels}
    check_lines(game, lines[::SAMPLE_STEP])


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_engines_choose_what_they_chose_before_everywhere(game: AnyGame) -> None:
    check_lines(game, golden_lines(game))


# --- Recording ------------------------------------------------------------------------------------


def random_views(game: AnyGame, rng: Random) -> Iterator[str]:
    """Views of the seat to act at random moments of random games, in random variants."""
    while True:
        options = testing.random_options(game, rng)
        states = [
            state for state, _ in testing.random_playthrough(game.initial_state(options), rng, steps=100)
        ]
        decisions = [state for state in states if len(state.legal_actions()) > 1]
        for state in rng.sample(decisions, min(4, len(decisions))):
            assert isinstance(state.to_act, int)
            yield state.view(state.to_act).to_text()


def record(game: AnyGame) -> None:
    """Write the golden file of a game."""
    rng = Random(game.key)
    views = random_views(game, rng)
    levels = [game.levels[index % len(game.levels)] for index in range(POSITIONS)]
    lines = [choose(game, level, rng.getrandbits(32), next(views)) for level in levels]
    golden_file(game).write_text("".join(f"{line.to_text()}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    for key in sys.argv[1:]:
        record(tripot.get_game(key))
