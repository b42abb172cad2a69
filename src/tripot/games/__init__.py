"""Discovery of games: every package in this folder that exports `GAME`. There is no list to edit.

The folder of a game has the name of its key, so one game can be imported without the others.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
from functools import cache, lru_cache
from pathlib import Path
from typing import cast

from tripot.game import AnyGame, AnyState, ParseError, TripotError, check_text

logger = logging.getLogger(__name__)


class UnknownGameError(TripotError):
    """No game has this key."""

    def __init__(self, key: str) -> None:
        super().__init__(f"there is no game called {key!r}; there are: {', '.join(keys())}")


class NotAGameError(TripotError):
    """The folder of a game exports no game: it is not finished yet."""

    def __init__(self, folder: Path) -> None:
        folder = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
        super().__init__(f"{folder} exports no GAME: see docs/adding-a-game.md")


def keys() -> list[str]:
    """The keys of all games, sorted; no game is imported."""
    return list(_keys(tuple(__path__)))


@lru_cache(maxsize=4)  # reading the folders takes a millisecond, and every record asks for its game
def _keys(folders: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(folders) if module.ispkg))


def list_games() -> tuple[AnyGame, ...]:
    """All games, sorted by title. A folder that exports no game is left out, with a warning in the log."""
    games: list[AnyGame] = []
    for key in keys():
        try:
            games.append(_load(key))
        except NotAGameError as error:
            _warn(str(error))
    return tuple(sorted(games, key=lambda game: str(game.title)))


@cache
def _warn(message: str) -> None:
    """Log a warning once."""
    logger.warning(message)


def get_game(key: str) -> AnyGame:
    """The game with this key. Raises `UnknownGameError`, which lists the keys, or `NotAGameError`."""
    if key not in keys():
        raise UnknownGameError(key)
    return _load(key)


def _load(key: str) -> AnyGame:
    package = importlib.import_module(f"{__name__}.{key}")
    if not hasattr(package, "GAME"):
        raise NotAGameError(Path(package.__path__[0]))
    return cast(AnyGame, package.GAME)


def parse_state(text: str) -> AnyState:
    """Parse the position of any game: its text starts with the key of the game."""
    check_text(text, "a position")
    words = text.split(maxsplit=1)
    if not words:
        raise ParseError(text, "a position starts with the key of its game")
    return get_game(words[0]).parse_state(text)
