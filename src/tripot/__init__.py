"""Tripot: four out-of-print board games with computer players and solvers.

    import tripot

    game = tripot.get_game("...")                # tripot.list_games() returns all games
    state = game.initial_state(players=2)
    state = tripot.parse_state(state.to_text())

Each game is also an attribute of this module, by its key. Then type checkers know its options, states and
actions. `tripot.game` is the interface of all games: start reading there.
"""

__all__ = ["get_game", "list_games", "parse_state"]
__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """Return a function of `tripot.games`, or the game with this key, which is found at run time.

    So no game has to be listed here, and the `tripot` command can catch Ctrl-C before anything is imported.
    Type checkers read `__init__.pyi` instead, which `python tools/write_stub.py` generates.
    """
    from importlib import import_module

    games = import_module("tripot.games")  # `from tripot import games` would come back here
    if name in __all__:
        return getattr(games, name)
    if name in games.keys():  # noqa: SIM118 - a function of the module
        return games.get_game(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names of this module, and the keys of all games."""
    from tripot.games import keys

    return [*globals(), *__all__, *keys()]
