"""Tripot: four out-of-print board games with computer players and solvers.

    import tripot

    game = tripot.find("...")         # tripot.found() lists them all
    state = game.start(game.Options())
    state = tripot.load(state.dump())

`tripot.game` is the protocol that every game fills in: start reading there.
"""

from tripot.games import get_game, list_games, parse_state

__all__ = ["get_game", "list_games", "parse_state"]
__version__ = "0.2.0"
