"""Matches between engines, and what can be concluded from them.

    from tripot.arena import MatchConfig, play_match

    result = play_match(MatchConfig("...", a="3", b="2", games=100), jobs=2)
    result.score.elo, result.score.elo_interval()

elo            score of a match, Elo difference and confidence intervals
sprt           sequential probability ratio test: stop a match as soon as it is decided
contestants    what plays: a built-in level, a program with the engine protocol, or a GTP program
game_runner    one game of a match, played in this process or in a worker process
match          `play_match`: all games of a match, with resuming and early stopping
match_store    the folder with the records of a match
ladder         `play_ladder`: each level against the next lower one
plot           a ladder as SVG

Nothing here prints, and nothing names a game.
"""

from tripot.arena.contestants import ContestantError, ContestantSpec, parse_contestant
from tripot.arena.elo import MatchScore
from tripot.arena.ladder import LadderConfig, LadderFailedError, LadderResult, LadderStep, play_ladder
from tripot.arena.match import (
    MatchConfig,
    MatchConfigError,
    MatchFailedError,
    MatchProgress,
    MatchResult,
    play_match,
)
from tripot.arena.sprt import Sprt, SprtStatus

__all__ = [
    "ContestantError",
    "ContestantSpec",
    "LadderConfig",
    "LadderFailedError",
    "LadderResult",
    "LadderStep",
    "MatchConfig",
    "MatchConfigError",
    "MatchFailedError",
    "MatchProgress",
    "MatchResult",
    "MatchScore",
    "Sprt",
    "SprtStatus",
    "parse_contestant",
    "play_ladder",
    "play_match",
]
