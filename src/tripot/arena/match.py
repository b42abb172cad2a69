"""Playing matches: two contestants, pairs of games with the same chance, and the result.

    config = MatchConfig("...", a="3", b="tripot:simulations=200", games=100, seed=1)
    result = play_match(config, jobs=2, records=Path("games"))
    print(result.score)

In both games of a pair the chance outcomes are the same, and the contestants exchange seats. With more than
two seats, they sit alternately.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from random import randrange
from typing import TYPE_CHECKING, Final, Generic, Literal, TypeGuard, TypeVar

import tripot
from tripot.arena.contestants import ContestantError, ContestantSpec, parse_contestant
from tripot.arena.elo import MatchScore
from tripot.arena.game_runner import (
    GameResult,
    ScheduledGame,
    close_contestants,
    contestants_of,
    load_game,
    play_games,
)
from tripot.arena.match_store import MatchHeader, MatchStore, TimeUsage, TimeUsagePair
from tripot.arena.sprt import Sprt, SprtStatus
from tripot.external.protocol import MAX_SECONDS, MAX_SIMULATIONS, MIN_SECONDS
from tripot.game import AnyGame, Game, Options, TripotError
from tripot.games import keys
from tripot.record import Record

DEFAULT_SECONDS: Final = 0.1
"""Time limit per move of a contestant that has none of its own."""

MAX_TIME_RATIO: Final = 2.0
"""With equal time, A gets at most this many times the average of B, and at least its inverse."""

RANDOM_SEEDS: Final = 1_000_000
"""A seed that is not given is drawn below this number, so that it is short enough to be typed again."""

StopReason = Literal["complete", "sprt", "interrupted", "failed"]
"""Why a match ended: all games were played, the test was decided, Ctrl-C, or an error."""


class MatchConfigError(TripotError):
    """The settings of a match or a ladder are invalid, or contradict each other."""


def check_amounts(games: object, seconds: object, simulations: object) -> None:
    """Raise `MatchConfigError` unless there is at least one game, and each move may be searched."""
    for name, value, is_valid in (
        ("games", games, _is_whole(games)),
        ("seconds", seconds, isinstance(seconds, int | float) and not isinstance(seconds, bool)),
        ("simulations", simulations, simulations is None or _is_whole(simulations)),
    ):
        if not is_valid:
            raise MatchConfigError(f"invalid {name} {value!r}: expected a number such as {name}=20")
    assert isinstance(games, int)
    assert isinstance(seconds, int | float)
    assert isinstance(simulations, int | None)
    if games < 1:
        raise MatchConfigError(f"invalid number of games {games}: expected 1 or more")
    if not MIN_SECONDS <= seconds <= MAX_SECONDS:
        raise MatchConfigError(
            f"invalid time limit of {seconds:g} seconds: expected {MIN_SECONDS:g} to {MAX_SECONDS:g}"
        )
    if simulations is not None and not 1 <= simulations <= MAX_SIMULATIONS:
        raise MatchConfigError(
            f"invalid number of simulations {simulations}: expected 1 to {MAX_SIMULATIONS}"
        )


def check_jobs(jobs: object) -> None:
    """Raise `MatchConfigError` unless at least one game is played at once."""
    if not _is_whole(jobs) or jobs < 1:
        raise MatchConfigError(f"invalid number of jobs {jobs!r}: expected 1 or more")


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def game_key(game: object) -> str:
    """Return the key of a game that is given by its key or as itself."""
    key = game.key if isinstance(game, Game) else game
    if not isinstance(key, str):
        raise MatchConfigError(
            f"invalid game {game!r}: expected a game such as tripot.{keys()[0]}, or its key"
        )
    return key


def options_text(game: AnyGame, options: object) -> str:
    """Return what differs from the default options, which are given as text or as an object of the game."""
    if isinstance(options, str):
        return str(game.Options.parse(options))
    if not isinstance(options, game.Options):
        raise MatchConfigError(
            f"invalid options {options!r}: expected text such as 'players=2', or an Options object of "
            f"{game.title}"
        )
    return str(options)


def _contestant_text(contestant: object) -> str:
    if not isinstance(contestant, str) and not _is_whole(contestant):
        raise MatchConfigError(
            f"invalid contestant {contestant!r}: expected a level such as 3, or text such as "
            "'tripot:seconds=1'"
        )
    return str(contestant)


def _sprt(test: object) -> Sprt | None:
    match test:
        case None | Sprt():
            return test
        case (int() | float() as elo0, int() | float() as elo1):
            return Sprt(elo0, elo1)
    raise MatchConfigError(f"invalid sprt {test!r}: expected Sprt(0, 50) of tripot.arena, or (0, 50)")


@dataclass(frozen=True, slots=True)
class MatchConfig:
    """What is played in a match. An invalid configuration raises an error when it is created.

    game         key of the game; the game itself may be given
    a, b         the contestants, as `parse_contestant` reads them: "3", "tripot:seconds=1", "gtp:COMMAND"; a
                 level may be given as a number
    games        number of games, rounded up to whole pairs; an upper limit if there is a test
    options      options of the game, as text; an object of its `Options` may be given
    seconds      time limit per move of a contestant without limits of its own
    simulations  the same in simulations, which makes games reproducible; None for a limit in time
    seed         seed of chance and engines; None for that of a stored match, or a random one
    equal_time   give A the average time per move that B needed in the games before
    check_legal  compare the legal moves of GTP programs with the rules
    sprt         sequential test that ends the match as soon as it is decided; None to play all games. The
                 two differences alone may be given: (0, 50)
    """

    game: str
    a: str
    b: str
    games: int = 20
    options: str = ""
    seconds: float = DEFAULT_SECONDS
    simulations: int | None = None
    seed: int | None = None
    equal_time: bool = False
    check_legal: bool = False
    sprt: Sprt | None = None

    if TYPE_CHECKING:  # what may be given; the fields have what it is converted to

        def __init__(  # noqa: PLR0913 - the fields
            self,
            game: str | AnyGame,
            a: str | int,
            b: str | int,
            games: int = ...,
            options: str | Options = ...,
            seconds: float = ...,
            simulations: int | None = ...,
            seed: int | None = ...,
            equal_time: bool = ...,
            check_legal: bool = ...,
            sprt: Sprt | tuple[float, float] | None = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", game_key(self.game))
        object.__setattr__(self, "a", _contestant_text(self.a))
        object.__setattr__(self, "b", _contestant_text(self.b))
        object.__setattr__(self, "sprt", _sprt(self.sprt))
        object.__setattr__(self, "options", options_text(tripot.get_game(self.game), self.options))
        check_amounts(self.games, self.seconds, self.simulations)
        spec_a, spec_b = self.contestants
        if self.equal_time and (spec_a.kind == "gtp" or spec_a.simulations is not None):
            raise ContestantError(
                f"equal time: A ({self.a}) needs a time limit that can be set, such as tripot:seconds=1"
            )
        if self.check_legal and "gtp" not in (spec_a.kind, spec_b.kind):
            raise ContestantError("checking legal moves needs a GTP program, but no contestant is one")

    @property
    def contestants(self) -> tuple[ContestantSpec, ContestantSpec]:
        """The contestants A and B, parsed."""
        game = tripot.get_game(self.game)
        a, b = (parse_contestant(game, text, self.seconds, self.simulations) for text in (self.a, self.b))
        return a, b


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match, complete or not.

    config         what was played, with the seed that was used
    names          the names of A and B in records
    games          the finished games: whole pairs in order, then games whose pair is not complete
    resumed_count  how many of them were stored before
    stop_reason    why the match ended; None while it is played
    single_count   how many games at the end belong to pairs that are not complete
    """

    config: MatchConfig
    names: tuple[str, str]
    games: tuple[GameResult, ...]
    resumed_count: int
    stop_reason: StopReason | None
    single_count: int = 0

    @property
    def score(self) -> MatchScore:
        """The score of A, with Elo and confidence intervals."""
        return MatchScore(tuple(game.game_points for game in self.games), self.single_count)

    @property
    def time_usage(self) -> TimeUsagePair:
        """The time usage of A and B in all games."""
        return _total_usage(self.games)

    @property
    def sprt(self) -> SprtStatus | None:
        """The state of the sequential test; None if there is none."""
        return self.config.sprt.status(self.score) if self.config.sprt else None

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of all games, each replayed and verified."""
        return tuple(game.record for game in self.games)


@dataclass(frozen=True, slots=True)
class MatchProgress:
    """What `on_progress` is called with: before the first game and after each one.

    result      the match that the last game belongs to, so far
    games_done  finished games, of all matches that are played together
    games_total games to be played, of all those matches
    """

    result: MatchResult
    games_done: int
    games_total: int


OnProgress = Callable[[MatchProgress], None]
Result = TypeVar("Result")


class PlayFailedError(TripotError, Generic[Result]):
    """A match or ladder could not go on, for instance because a program crashed.

    `result` has the games before that.
    """

    def __init__(self, cause: Exception, result: Result) -> None:
        super().__init__(failure_text(cause))
        self.result = result


class MatchFailedError(PlayFailedError[MatchResult]):
    """A match could not go on; `result` has the games before that."""


def failure_text(cause: Exception) -> str:
    """Return the text of an error, with its type unless it is one of Tripot's own."""
    return str(cause) if isinstance(cause, TripotError) else f"{type(cause).__name__}: {cause}"


def ignore_progress(_: MatchProgress) -> None:
    """Do nothing."""


def play_match(
    config: MatchConfig,
    *,
    jobs: int = 1,
    records: str | PathLike[str] | None = None,
    on_progress: OnProgress = ignore_progress,
) -> MatchResult:
    """Play a match and return its result.

    jobs         games played at once, each in a worker process; 1 plays in this process. A script needs
                 `if __name__ == "__main__":` for more than one, as always with spawned processes
    records      folder in which every game is stored; a match that is stored there is resumed
    on_progress  called before the first game and after each one

    KeyboardInterrupt (Ctrl-C) ends the match, and the result has the games so far. Any other failure, of an
    engine, a worker process or the disk, raises `MatchFailedError`, which has them too. Several threads may
    play matches at once.
    """
    check_jobs(jobs)
    if config.equal_time and jobs > 1:
        raise MatchConfigError("equal time needs games one after the other, so the number of jobs must be 1")
    store = MatchStore(Path(records)) if records else None
    seed = config.seed
    if seed is None:
        seed = store.header.seed if store and store.header else randrange(RANDOM_SEEDS)
    try:
        match = RunningMatch(replace(config, seed=seed), store)
        failure = play_matches([match], jobs, on_progress)
    finally:
        close_contestants()
    result = match.result
    if failure:
        raise MatchFailedError(failure, result) from failure
    return result


class RunningMatch:
    """A match while it is played: the finished games, and those that remain.

    The constructor opens both contestants, which may compile kernels, and loads the stored games.
    """

    def __init__(self, config: MatchConfig, store: MatchStore | None = None) -> None:
        assert config.seed is not None
        self.config, self.store = config, store
        first = ScheduledGame(
            config.game, config.options, config.contestants, 0, config.seed, config.check_legal
        )
        a, b = contestants_of(first)
        self.names = a.name, b.name
        self.finished: dict[int, GameResult] = {}
        self.stop_reason: StopReason | None = None
        scheduled = [replace(first, number=number) for number in range(config.games + config.games % 2)]
        if store:
            store.open(self._header())
            stored = [game for game in scheduled if store.has(game.number)]
            self.finished = {game.number: load_game(game, store) for game in stored}
        self.remaining = [game for game in scheduled if game.number not in self.finished]
        self.resumed_count = len(self.finished)
        self._check_sprt()

    def _header(self) -> MatchHeader:
        config, (a, b) = self.config, self.config.contestants
        assert config.seed is not None
        version = tripot.get_game(config.game).version
        return MatchHeader(
            config.game, version, config.options, str(a), str(b), self.names, config.seed, config.equal_time
        )

    def add(self, scheduled: ScheduledGame, game: GameResult) -> None:
        """Add a finished game, and store it."""
        if self.store:
            self.store.add(scheduled.number, game.record, game.time_usage)
        self.finished[scheduled.number] = game
        self._check_sprt()

    def _check_sprt(self) -> None:
        if (status := self.result.sprt) and status.decision:
            self.stop_reason = "sprt"

    def with_time_limit(self, scheduled: ScheduledGame) -> ScheduledGame:
        """Return a game with the time limit that A has in it."""
        if not self.config.equal_time:
            return scheduled
        a, b = scheduled.contestants
        seconds = next_time_limit(*self.result.time_usage, initial=a.seconds)
        return replace(scheduled, contestants=(replace(a, seconds=seconds), b))

    @property
    def result(self) -> MatchResult:
        """The result so far."""
        # Records may be missing anywhere, so it is the number of a game that tells which pair it belongs to.
        singles = {number for number in self.finished if number ^ 1 not in self.finished}
        order = sorted(self.finished, key=lambda number: (number in singles, number))
        games = tuple(self.finished[number] for number in order)
        return MatchResult(self.config, self.names, games, self.resumed_count, self.stop_reason, len(singles))


def play_matches(
    matches: Sequence[RunningMatch], jobs: int, on_progress: OnProgress = ignore_progress
) -> Exception | None:
    """Play the remaining games of several matches, and return the error that ended them early, if any.

    The matches are played side by side, one pair of games of each in turn, so that all of them have results
    whenever they are interrupted. A match whose sequential test is decided ends, and the others go on.
    """
    order = [(match, game) for match in matches for game in match.remaining]
    order.sort(key=lambda entry: entry[1].number // 2)
    done = sum(len(match.finished) for match in matches)
    total = done + len(order)
    for match in matches:
        on_progress(MatchProgress(match.result, done, total))
    results = play_games((match.with_time_limit(game) for match, game in order), jobs)
    try:
        for match, game in order:
            if all(match.stop_reason for match in matches):
                break
            result = next(results)
            if match.stop_reason:
                continue  # played although its match is decided: results come in the order of the games
            match.add(game, result)
            done += 1
            on_progress(MatchProgress(match.result, done, total))
        _set_stop_reason(matches, "complete")
    except KeyboardInterrupt:
        _set_stop_reason(matches, "interrupted")
    except Exception as error:
        _set_stop_reason(matches, "failed")
        return error
    finally:
        results.close()
    return None


def _set_stop_reason(matches: Sequence[RunningMatch], reason: StopReason) -> None:
    for match in matches:
        match.stop_reason = match.stop_reason or reason


def next_time_limit(a: TimeUsage, b: TimeUsage, initial: float) -> float:
    """Return the seconds per move that A gets in the next game, so that its average approaches that of B.

    The target is the average of B so far, plus what A has used less than that, or minus what it has used
    more. An engine that does not use its whole time, because it moves at once where there is only one move,
    gets accordingly more. The first game uses the `initial` limit. The result is one that engines accept,
    `MIN_SECONDS` to `MAX_SECONDS`.

    >>> next_time_limit(TimeUsage(), TimeUsage(), initial=1.0)
    1.0
    >>> next_time_limit(TimeUsage(40, 4.0, 8.0), TimeUsage(40, 4.0), initial=1.0)
    0.2
    """
    if not a.seconds or not b.seconds:
        return initial
    average_a, average_b = a.seconds_per_move, b.seconds_per_move
    target = min(MAX_TIME_RATIO * average_b, max(average_b / MAX_TIME_RATIO, 2 * average_b - average_a))
    return min(MAX_SECONDS, max(MIN_SECONDS, target * max(1.0, a.allowed / a.seconds)))


def _total_usage(games: Sequence[GameResult]) -> TimeUsagePair:
    total_a, total_b = TimeUsage(), TimeUsage()
    for game in games:
        total_a += game.time_usage[0]
        total_b += game.time_usage[1]
    return total_a, total_b
