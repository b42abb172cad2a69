"""A ladder: how far apart the levels of an engine are. Each level plays a match against the next lower one.

    result = play_ladder(LadderConfig("...", games=200, seconds=0.5), jobs=2)
    print(markdown_table(result.steps))

The steps are independent matches, so the variances of their Elo differences add up: the higher a level, the
wider is the interval of its rating over the lowest level.

    >>> first = LadderStep(1, 2, MatchScore((1, 0.5, 1, 0) * 10))
    >>> second = LadderStep(2, 3, MatchScore((1, 1, 1, 0) * 10))
    >>> print(markdown_table([first, second]))
    | levels | games | won, drawn, lost | score | Elo | Elo over level 1 |
    | --- | ---: | ---: | ---: | ---: | ---: |
    | 2 - 1 | 40 | 20, 10, 10 | 62.5% (53.2% to 69.5%) | +89 (+22 to +143) | +89 (+22 to +143) |
    | 3 - 2 | 40 | 30, 0, 10 | 75.0% (60.6% to 84.9%) | +191 (+75 to +300) | +280 (+146 to +401) |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot, isfinite
from os import PathLike
from pathlib import Path
from random import randrange
from typing import TYPE_CHECKING, Final

import tripot
from tripot.arena.elo import MatchScore, elo, elo_text
from tripot.arena.game_runner import close_contestants
from tripot.arena.match import (
    DEFAULT_SECONDS,
    RANDOM_SEEDS,
    MatchConfig,
    MatchConfigError,
    MatchResult,
    OnProgress,
    PlayFailedError,
    RunningMatch,
    check_amounts,
    check_jobs,
    game_key,
    ignore_progress,
    options_text,
    play_matches,
)
from tripot.arena.match_store import MatchStore
from tripot.game import AnyGame, Options

APPROXIMATE_SIGN: Final = "~"
"""Stands before a number that replaces an infinite one."""


# --- Ratings -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LadderStep:
    """The match between a level and the next lower one, with the score of the upper one."""

    lower: int
    upper: int
    score: MatchScore

    @property
    def is_one_sided(self) -> bool:
        """Whether all games were won, or all lost: then the Elo difference is infinite."""
        return not isfinite(self.score.elo)

    @property
    def elo_difference(self) -> float:
        """The Elo difference; in a one-sided match, that with one more pair won and one more lost."""
        return elo(self.score.smoothed_rate) if self.is_one_sided else self.score.elo

    def __str__(self) -> str:
        return APPROXIMATE_SIGN * self.is_one_sided + elo_text(self.elo_difference)


@dataclass(frozen=True, slots=True)
class LevelRating:
    """The Elo of a level over the lowest one, with its 95% confidence interval.

    is_approximate  whether one of the steps that lead to it is one-sided
    """

    level: int
    elo: float = 0.0
    low: float = 0.0
    high: float = 0.0
    is_approximate: bool = False

    def __str__(self) -> str:
        return APPROXIMATE_SIGN * self.is_approximate + elo_text(self.elo)


def cumulative_ratings(steps: Sequence[LadderStep]) -> list[LevelRating]:
    """Return the ratings of all levels from the lowest up: the sums of the steps that lead to them."""
    ratings = [LevelRating(steps[0].lower)]
    for step in steps:
        below, (low, high) = ratings[-1], step.score.elo_interval()
        rating = below.elo + step.elo_difference
        distance_low = hypot(below.elo - below.low, step.elo_difference - low)
        distance_high = hypot(below.high - below.elo, high - step.elo_difference)
        is_approximate = below.is_approximate or step.is_one_sided
        ratings.append(
            LevelRating(step.upper, rating, rating - distance_low, rating + distance_high, is_approximate)
        )
    return ratings


def markdown_table(steps: Sequence[LadderStep]) -> str:
    """Return all steps, from the lowest up, as a table in Markdown."""
    lines = [
        f"| levels | games | won, drawn, lost | score | Elo | Elo over level {steps[0].lower} |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for step, rating in zip(steps, cumulative_ratings(steps)[1:], strict=True):
        score = step.score
        low, high = score.interval()
        cells = [
            f"{step.upper} - {step.lower}",
            str(len(score.game_points)),
            f"{score.wins}, {score.draws}, {score.losses}",
            f"{score.rate:.1%} ({low:.1%} to {high:.1%})",
            _with_interval(elo_text(score.elo), *score.elo_interval()),
            _with_interval(str(rating), rating.low, rating.high),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _with_interval(text: str, low: float, high: float) -> str:
    return f"{text} ({elo_text(low)} to {elo_text(high)})"


# --- Playing -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LadderConfig:
    """What is played in a ladder. An invalid configuration raises an error when it is created.

    game         key of the game; the game itself may be given
    levels       lowest and highest level; None for all levels of the game
    games        number of games per step, rounded up to whole pairs
    options      options of the game, as text; an object of its `Options` may be given
    seconds      time limit per move
    simulations  the same in simulations, which makes games reproducible; None for a limit in time
    seed         seed of the ladder; None for that of a stored ladder, or a random one. The step to level n
                 is a match with the seed of the ladder plus n
    """

    game: str
    levels: tuple[int, int] | None = None
    games: int = 20
    options: str = ""
    seconds: float = DEFAULT_SECONDS
    simulations: int | None = None
    seed: int | None = None

    if TYPE_CHECKING:  # what may be given; the fields have what it is converted to

        def __init__(
            self,
            game: str | AnyGame,
            levels: tuple[int, int] | None = ...,
            games: int = ...,
            options: str | Options = ...,
            seconds: float = ...,
            simulations: int | None = ...,
            seed: int | None = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", game_key(self.game))
        game = tripot.get_game(self.game)
        match self.levels:
            case None:
                lowest, highest = game.levels[0], game.levels[-1]
            case (int() as lowest, int() as highest):
                pass
            case _:
                raise MatchConfigError(
                    f"invalid levels {self.levels!r}: expected the lowest and the highest, such as (1, 3)"
                )
        if not game.levels[0] <= lowest < highest <= game.levels[-1]:
            raise MatchConfigError(
                f"invalid levels {lowest}-{highest}: {game.title} has the levels {game.levels[0]} to "
                f"{game.levels[-1]}, and a ladder needs at least two of them"
            )
        check_amounts(self.games, self.seconds, self.simulations)
        object.__setattr__(self, "levels", (lowest, highest))
        object.__setattr__(self, "options", options_text(game, self.options))

    @property
    def steps(self) -> list[tuple[int, int]]:
        """The lower and the upper level of each step."""
        assert self.levels
        return [*pairwise(range(self.levels[0], self.levels[1] + 1))]

    def match(self, lower: int, upper: int) -> MatchConfig:
        """Return the match of a step: the upper level is A, the lower one B."""
        return MatchConfig(
            self.game,
            a=str(upper),
            b=str(lower),
            games=self.games,
            options=self.options,
            seconds=self.seconds,
            simulations=self.simulations,
            seed=None if self.seed is None else self.seed + upper,
        )


@dataclass(frozen=True, slots=True)
class LadderResult:
    """The matches of a ladder, from the lowest step up; `config` has the seed that was used."""

    config: LadderConfig
    matches: tuple[MatchResult, ...]

    @property
    def steps(self) -> list[LadderStep]:
        """The score of each step."""
        levels = zip(self.config.steps, self.matches, strict=True)
        return [LadderStep(lower, upper, match.score) for (lower, upper), match in levels]

    @property
    def ratings(self) -> list[LevelRating]:
        """The Elo of each level over the lowest one."""
        return cumulative_ratings(self.steps)

    @property
    def resumed_count(self) -> int:
        """How many games were stored before."""
        return sum(match.resumed_count for match in self.matches)

    @property
    def is_interrupted(self) -> bool:
        """Whether Ctrl-C ended the ladder before all its games were played."""
        return any(match.stop_reason == "interrupted" for match in self.matches)

    def _repr_markdown_(self) -> str:
        """Return the table, for notebooks."""
        return markdown_table(self.steps)


class LadderFailedError(PlayFailedError[LadderResult]):
    """A ladder could not go on; `result` has the games before that."""


def play_ladder(
    config: LadderConfig,
    *,
    jobs: int = 1,
    records: str | PathLike[str] | None = None,
    on_progress: OnProgress = ignore_progress,
) -> LadderResult:
    """Play a ladder and return its result.

    The arguments are those of `play_match`; the games of the step from level 1 to level 2 are stored in the
    folder `2-1` within `records`. The matches are played side by side, one pair of games of each in turn.
    KeyboardInterrupt (Ctrl-C) ends the ladder, and the result has the games so far. Any other failure
    raises `LadderFailedError`, which has them too.
    """
    check_jobs(jobs)
    stores = {}
    if records:
        stores = {upper: MatchStore(Path(records, f"{upper}-{lower}")) for lower, upper in config.steps}
    if config.seed is None:
        stored_seeds = [store.header.seed - upper for upper, store in stores.items() if store.header]
        config = replace(config, seed=stored_seeds[0] if stored_seeds else randrange(RANDOM_SEEDS))
    try:
        matches = [
            RunningMatch(config.match(lower, upper), stores.get(upper)) for lower, upper in config.steps
        ]
        failure = play_matches(matches, jobs, on_progress)
    finally:
        close_contestants()
    result = LadderResult(config, tuple(match.result for match in matches))
    if failure:
        raise LadderFailedError(failure, result) from failure
    return result
