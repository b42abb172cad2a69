"""Tripot: four out-of-print board games with computer players and solvers.

    import tripot

    game = tripot.get_game("...")                # tripot.list_games() returns all games
    state = game.initial_state(players=2)
    state = tripot.parse_state(state.to_text())

Each game is also an attribute of this module, by its key. Then type checkers know its options, states and
actions. `tripot.game` is the interface of all games: start reading there.
"""

from typing import Any

from tripot.games import get_game, keys, list_games, parse_state

__all__ = ["get_game", "list_games", "parse_state"]
__version__ = "0.2.0"


def __getattr__(name: str) -> Any:
    """Return the game with this key. It is found at run time, so that no game has to be listed here.

    Type checkers read `__init__.pyi` instead, which `python tools/write_stub.py` generates.
    """
    if name in keys():
        return get_game(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*(name for name in globals() if name not in ("Any", "keys")), *keys()]
