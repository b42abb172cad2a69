"""Discovery of games: every package in this folder that exports `GAME`. There is no list to edit.

The folder of a game has the name of its key, so one game can be imported without the others.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import cast

from tripot.game import AnyGame, AnyState, ParseError, TripotError


class UnknownGameError(TripotError):
    """No game has this key."""

    def __init__(self, key: str) -> None:
        super().__init__(f"there is no game called {key!r}; there are: {', '.join(keys())}")


def keys() -> list[str]:
    """The keys of all games, sorted; no game is imported."""
    return list(_keys(tuple(__path__)))


@lru_cache(maxsize=4)  # reading the folders takes a millisecond, and every record asks for its game
def _keys(folders: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(folders) if module.ispkg))


def list_games() -> tuple[AnyGame, ...]:
    """All games, sorted by title."""
    return tuple(sorted(map(_load, keys()), key=lambda game: str(game.title)))


def get_game(key: str) -> AnyGame:
    """The game with this key. Raises `UnknownGameError`, which lists the keys."""
    if key not in keys():
        raise UnknownGameError(key)
    return _load(key)


def _load(key: str) -> AnyGame:
    return cast(AnyGame, importlib.import_module(f"{__name__}.{key}").GAME)


def parse_state(text: str) -> AnyState:
    """Parse the position of any game: its text starts with the key of the game."""
    words = text.split(maxsplit=1)
    if not words:
        raise ParseError(text, "a position starts with the key of its game")
    return get_game(words[0]).parse_state(text)
