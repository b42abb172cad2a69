"""Boards and states that the tests of Triggery share."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

from tripot import testing
from tripot.game import Fact
from tripot.games.triggery import GAME
from tripot.games.triggery.actions import Fill
from tripot.games.triggery.options import Options
from tripot.games.triggery.rules import State

play = partial(testing.apply_texts, GAME)
rejection_key = partial(testing.rejection_key, GAME)

PROBLEMS = (Path(__file__).parent / "golden" / "problems.txt").read_text("utf-8").splitlines()
GRID = next(line for line in PROBLEMS if line.startswith("triggery"))

# No line has a single number in these: no tile is free before one is paid for.
FULL = "/".join(",".join(str((6 * row + column) % 24 + 1) for column in range(6)) for row in range(6))
SQUARE = "c1:3 d1:24 c2:5 d2:6"  # any of its tiles frees the others
SMALL = "c1:9 d1:16 c2:7 d2:8"  # 40 points
DEAR = "c1:20 d1:16 c2:24 d2:18"
LADDER = "b1:4 c1:7 d1:2 b6:5 c6:9 d6:3"
PAIRS = "b1:3 e1:24 b3:5 e3:6 b4:7 e4:8"  # the 3 frees the 24 and nothing else


def board_text(text: str) -> str:
    """A board on which tiles such as `b1:4 c3:*` lie face up, and all others are turned over."""
    tiles = dict(tile.split(":") for tile in text.split())
    return "/".join(",".join(tiles.get(f"{column}{row}", "-1") for column in "abcdef") for row in range(1, 7))


def solo_state(words: str, tiles: str) -> State:
    """A player alone with a board."""
    return GAME.parse_state(f"triggery {board_text(tiles)} {words}")


def two_sides(words: str, blue: str, yellow: str) -> State:
    """Two sides with one board each."""
    return GAME.parse_state(f"triggery {board_text(blue)} {board_text(yellow)} {words}")


def started_game(options: str = "", contest: str = "contest 3-5", seed: int = 1) -> State:
    """A game whose boards are filled, and of which the side that throws first is known."""
    state, rng = GAME.initial_state(Options.parse(options)), Random(seed)
    while state.pending_chance is Fill:
        state = state.apply(state.sample_chance(rng))
    return play(state, contest) if state.options.boards == 2 else state


def legal_texts(state: State) -> str:
    """The legal actions in one line."""
    return " | ".join(str(action) for action in state.legal_actions())


def effects(state: State, text: str) -> list[Fact]:
    """What the preview of an action says."""
    return [*state.preview(GAME.parse_action(text)).effects]
