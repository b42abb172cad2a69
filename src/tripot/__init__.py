"""Tripot: four out-of-print board games with computer players and solvers.

    import tripot

    game = tripot.get_game("...")  # tripot.list_games() returns all games
    state = game.initial_state(game.Options())
    state = tripot.parse_state(state.to_text())

`tripot.game` is the protocol that every game fills in: start reading there.
"""

from tripot.games import get_game, list_games, parse_state

__all__ = ["get_game", "list_games", "parse_state"]
__version__ = "0.2.0"
