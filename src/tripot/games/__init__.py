"""The games, found by looking: every package in this folder that exports `GAME`. No list to edit."""

from __future__ import annotations

import importlib
import pkgutil

from tripot.game import AnyGame, AnyState, TripotError, Unreadable


class NoSuchGame(TripotError):
    """A key that no game has."""

    def __init__(self, key: str) -> None:
        known = ", ".join(game.key for game in found())
        super().__init__(f"there is no game called {key!r}; there are: {known}")


def found() -> tuple[AnyGame, ...]:
    """Every game there is, by title."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
    games = [importlib.import_module(f"{__name__}.{name}").GAME for name in names]
    return tuple(sorted(games, key=lambda game: str(game.title)))


def find(key: str) -> AnyGame:
    """The game of that key; `NoSuchGame` names those there are."""
    for game in found():
        if game.key == key:
            return game
    raise NoSuchGame(key)


def load(text: str) -> AnyState:
    """A position of any game: its text starts with the game's key."""
    words = text.split(maxsplit=1)
    if not words:
        raise Unreadable(text, "a position starts with the key of its game")
    return find(words[0]).load(text)
