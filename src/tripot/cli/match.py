"""`match`: two sides against each other, engines of the house or other programs.

Games are played in pairs with the same chance and the sides exchanged; every game has generators of
its own, seeded by the match and the pair, so the result does not depend on how many run at once.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.util import Finalize
from pathlib import Path
from random import Random, randrange
from typing import Annotated

import typer

import tripot
from tripot.arena.contestants import (
    Contestant,
    ContestantError,
    ContestantSpec,
    open_contestant,
    parse_contestant,
)
from tripot.arena.elo import MatchScore, elo_text, game_points
from tripot.arena.match_store import MatchHeader, MatchStore, TimeUsage, TimeUsagePair
from tripot.cli import console as console_module
from tripot.cli.arguments import (
    GameKey,
    OptionTexts,
    SecondsPerMove,
    Seed,
    Simulations,
    make_rngs,
    parse_options,
)
from tripot.cli.console import console
from tripot.external.process import EngineProcessError
from tripot.game import CHANCE, TripotError
from tripot.record import Record
from tripot.table import Player, Table

MAX_TIME_RATIO = 2.0  # A is never given more than so many times B's mean, nor less than that part of it


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game of a match that is to be played: plain values, to be sent to another process."""

    game: str
    options: str
    contestants: tuple[ContestantSpec, ContestantSpec]
    number: int
    seed: int
    check_legal: bool = False

    @property
    def is_swapped(self) -> bool:
        """In the second game of each pair the sides are exchanged."""
        return self.number % 2 == 1

    @property
    def seats(self) -> list[int]:
        """Who has each seat, 0 for A and 1 for B: A has the even teams, or the odd ones when swapped."""
        game = tripot.get_game(self.game)
        teams = game.initial_state(game.Options.parse(self.options)).teams
        return [(team + self.is_swapped) % 2 for team in teams]


@dataclass(frozen=True, slots=True)
class GameResult:
    """What came of a fixture: the points of A, the record, and how the sides used their time."""

    game_points: float
    record: str
    time_usage: TimeUsagePair = (TimeUsage(), TimeUsage())


ContestantText = Annotated[
    str,
    typer.Option(metavar="SIDE", help="A level, tripot:seconds=1,level=3, engine:COMMAND or gtp:COMMAND."),
]

Games = Annotated[int, typer.Option(metavar="N", min=1, help="How many; rounded up to whole pairs.")]
Players = Annotated[int | None, typer.Option(metavar="N", help="Short for -o players=N.")]
Jobs = Annotated[int, typer.Option(metavar="N", min=1, help="How many games to play at once.")]
Records = Annotated[
    Path | None,
    typer.Option(metavar="DIR", file_okay=False, help="Keep every game there; go on with those that are."),
]


def match(
    game: GameKey,
    a: ContestantText,
    b: ContestantText,
    games: Games = 20,
    players: Players = None,
    option: OptionTexts = [],  # noqa: B006 - Typer reads the default and never changes it
    think: SecondsPerMove = 0.1,
    simulations: Simulations = None,
    seed: Seed = None,
    jobs: Jobs = 1,
    records: Records = None,
    equal: Annotated[
        bool, typer.Option("--equal", help="Give A the mean time a move that B needed in earlier games.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Compare what a GTP program finds legal with the rules.")
    ] = False,
) -> None:
    """Let two sides play a match: which is stronger, and how sure is that?

    A side is a level of the game's engine, perhaps with limits of its own (tripot:seconds=1,level=3), a
    process with our protocol (engine:"COMMAND ...") or a program that speaks GTP (gtp:"COMMAND ...").
    With --records, a match that was stopped goes on when the same command is given again.
    """
    found = tripot.get_game(game)
    options = parse_options(found, option, players)
    side_a, side_b = (parse_contestant(found, text, think, simulations) for text in (a, b))
    if equal and (side_a.kind == "gtp" or side_a.simulations is not None):
        raise ContestantError("--equal: A needs a limit in seconds that can be set")
    if equal and jobs > 1:
        raise ContestantError("--equal: the games are played one after the other, so --jobs must be 1")
    if check and "gtp" not in (side_a.kind, side_b.kind):
        raise ContestantError("--check: neither side is a GTP program")
    book = MatchStore(records) if records else None
    if seed is None:
        seed = book.header.seed if book and book.header else randrange(1_000_000)
    try:
        played = Match(
            ScheduledGame(game, str(options), (side_a, side_b), 0, seed, check), games, book, equal
        )
        failure = play_matches([played], jobs)
    finally:
        close_contestants()
    names = played.names
    console.print(f"{found.title}: {names[0]} against {names[1]}, seed {seed}", markup=False)
    if played.resumed_count:
        console.print(f"{played.resumed_count} of these games were there already")
    print_score(played.score)
    played.print_time_usage()
    if failure:
        raise failure


class Match:
    """A match of so many games: what came of those that are over, and which are missing.

    resumed_count  how many of them were in its book before
    """

    def __init__(
        self, first: ScheduledGame, games: int, book: MatchStore | None, equal: bool = False
    ) -> None:
        a, b = _contestants_of(first)
        self.names = a.name, b.name
        self.book, self.equal = book, equal
        self.game_points: dict[int, float] = {}
        self.paces: TimeUsagePair = (TimeUsage(), TimeUsage())
        self.remaining = [replace(first, number=number) for number in range(games + games % 2)]
        if book:
            sides, version = (
                (str(first.contestants[0]), str(first.contestants[1])),
                tripot.get_game(first.game).version,
            )
            book.open(MatchHeader(first.game, version, first.options, *sides, self.names, first.seed, equal))
            for fixture in self.remaining:
                if book.has(fixture.number):
                    self._add_result(fixture, _resumed_game(fixture, book))
            self.remaining = [fixture for fixture in self.remaining if fixture.number not in self.game_points]
        self.resumed_count = len(self.game_points)

    def add(self, fixture: ScheduledGame, played: GameResult) -> None:
        """One more game."""
        if self.book:
            self.book.add(fixture.number, Record.parse(played.record), played.time_usage)
        self._add_result(fixture, played)

    def _add_result(self, fixture: ScheduledGame, played: GameResult) -> None:
        self.game_points[fixture.number] = played.game_points
        self.paces = (self.paces[0] + played.time_usage[0], self.paces[1] + played.time_usage[1])

    def with_time_limit(self, fixture: ScheduledGame) -> ScheduledGame:
        """A fixture with the time that A has for it."""
        if not self.equal:
            return fixture
        a, b = fixture.contestants
        return replace(
            fixture, contestants=(replace(a, seconds=next_time_limit(*self.paces, given=a.seconds)), b)
        )

    @property
    def score(self) -> MatchScore:
        """The score of A, in the order of the games."""
        return MatchScore(tuple(self.game_points[number] for number in sorted(self.game_points)))

    def progress_text(self) -> str:
        """All in one line, for the progress bar."""
        a, b = (pace.mean for pace in self.paces)
        low, high = self.score.elo_interval()
        return (
            f"{self.names[0]} - {self.names[1]}  {self.score.rate:.1%}  Elo {elo_text(self.score.elo)} "
            f"({elo_text(low)} to {elo_text(high)})  {a:.2f} s / {b:.2f} s"
        )

    def print_time_usage(self) -> None:
        """How long each side thought."""
        for letter, name, pace in zip("AB", self.names, self.paces, strict=True):
            if pace.moves:
                console.print(
                    f"{letter}, {name}: {pace.mean:.3f} s a move over {pace.moves} moves", markup=False
                )


def play_matches(matches: list[Match], jobs: int) -> TripotError | None:
    """Play the games that are missing, until all are played, Ctrl-C, or what makes going on impossible.

    Several matches go on side by side, a pair of games of each in turn, so that each has its share whenever
    it ends. The score so far is worth printing in any case, so the failure is returned.
    """
    if jobs > 1:
        close_contestants()  # others play
    order = [(its, fixture) for its in matches for fixture in its.remaining]
    order.sort(key=lambda each: each[1].number // 2)
    done = sum(len(each.game_points) for each in matches)
    with console_module.progress_bar() as bar:
        task = bar.add_task(matches[0].progress_text(), total=done + len(order), completed=done)
        try:
            games = _play_games((its.with_time_limit(fixture) for its, fixture in order), jobs)
            for (its, fixture), played in zip(order, games, strict=True):
                its.add(fixture, played)
                bar.update(task, advance=1, description=its.progress_text())
        except KeyboardInterrupt:
            pass
        except TripotError as failure:
            return failure
    return None


def next_time_limit(a: TimeUsage, b: TimeUsage, given: float) -> float:
    """The seconds a move that A is given for the next game, so that it needs as many as B on the mean.

    B's mean so far, and as far over it as A's own mean is under it; an engine that does not use up what
    it is given, as it moves at once where there is no choice, is given so much more. Before the first
    game, what the side says.

    >>> next_time_limit(TimeUsage(), TimeUsage(), given=1.0)
    1.0
    >>> next_time_limit(TimeUsage(40, 4.0, 8.0), TimeUsage(40, 4.0), given=1.0)
    0.2
    """
    if not a.seconds or not b.seconds:
        return given
    wanted = min(MAX_TIME_RATIO * b.mean, max(b.mean / MAX_TIME_RATIO, 2 * b.mean - a.mean))
    return wanted * max(1.0, a.allowed / a.seconds)


def print_score(score: MatchScore) -> None:
    """The score of A with what is sure of it."""
    (low, high), (least, most) = score.interval(), score.elo_interval()
    console.print(
        f"{len(score.game_points)} games: {score.wins} won, {score.draws} drawn, {score.losses} lost"
    )
    console.print(f"score {score.rate:.1%}, 95% sure between {low:.1%} and {high:.1%}")
    console.print(f"Elo {elo_text(score.elo)}, 95% sure between {elo_text(least)} and {elo_text(most)}")


# --- Playing -----------------------------------------------------------------------------------


def _play_games(fixtures: Iterator[ScheduledGame], jobs: int) -> Iterator[GameResult]:
    """The games in order, as they are done; here, or in processes of their own."""
    if jobs == 1:
        yield from map(play_game, fixtures)
        return
    # Spawned, not forked: the progress bar has a thread, and a fork would copy its locks.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_init_worker) as pool:
        try:
            yield from pool.map(play_game, fixtures)
        except KeyboardInterrupt:
            console_module.errors.print("Stopping after the games under way.")
            pool.shutdown(cancel_futures=True)
            raise


def _init_worker() -> None:
    """A process that plays: Ctrl-C is for the one that prints the score."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Finalize(None, close_contestants, exitpriority=10)


_contestants: dict[
    tuple[str, str, ContestantSpec, int, bool], Contestant
] = {}  # the sides of this process, for all its games


def _contestants_of(fixture: ScheduledGame) -> tuple[Contestant, Contestant]:
    """Both sides, ready to play; a program is started once, however many games it plays."""
    game = tripot.get_game(fixture.game)
    options = game.Options.parse(fixture.options)
    for index, side in enumerate(fixture.contestants):
        key = _key(fixture, index)
        if key not in _contestants:
            _contestants[key] = open_contestant(game, options, side, fixture.check_legal)
    return _contestants[_key(fixture, 0)], _contestants[_key(fixture, 1)]


def _key(fixture: ScheduledGame, index: int) -> tuple[str, str, ContestantSpec, int, bool]:
    """What tells one side from another; its seconds do not, they may change from game to game."""
    return (
        fixture.game,
        fixture.options,
        replace(fixture.contestants[index], seconds=0.0),
        index,
        fixture.check_legal,
    )


def close_contestants() -> None:
    """End all programs that this process started."""
    while _contestants:
        _contestants.popitem()[1].close()


def play_game(fixture: ScheduledGame) -> GameResult:
    """Play one game of a match."""
    movers, sides, table = _contestants_of(fixture), fixture.seats, _table(fixture)
    chance, thinking = _rngs_of(fixture)
    paces = [TimeUsage(), TimeUsage()]
    for mover in movers:
        mover.new_game(thinking)
    while (actor := table.to_act) is not None:
        if actor is CHANCE:
            table.sample_chance(chance)
            continue
        side = sides[actor]
        mover, seconds = movers[side], fixture.contestants[side].seconds
        action, took = mover.choose(table, actor, seconds)
        paces[side] += TimeUsage(1, took, seconds)
        try:
            table.resign(actor) if action is None else table.act(actor, action)
        except TripotError as error:
            played = action or "resign"
            raise EngineProcessError(
                f"{mover.name} plays {played}: {error}; {table.state.to_text()}"
            ) from None
    record = table.record()
    return GameResult(_points(fixture, record), record.to_text(), (paces[0], paces[1]))


def _table(fixture: ScheduledGame) -> Table:
    """The table of a fixture before anything has happened, with the names that records give the sides."""
    game = tripot.get_game(fixture.game)
    movers = _contestants_of(fixture)
    players = [
        Player(
            movers[side].name,
            fixture.contestants[side].level if fixture.contestants[side].kind == "tripot" else None,
        )
        for side in fixture.seats
    ]
    return Table(game, game.Options.parse(fixture.options), players)


def _rngs_of(fixture: ScheduledGame) -> tuple[Random, Random]:
    return make_rngs(fixture.seed, f"pair {fixture.number // 2}")


def _points(fixture: ScheduledGame, record: Record) -> float:
    assert record.outcome is not None
    return game_points(record.outcome, tuple(seat for seat, side in enumerate(fixture.seats) if side == 0))


def _resumed_game(fixture: ScheduledGame, book: MatchStore) -> GameResult:
    """A game that is there already, checked."""
    chance, _ = _rngs_of(fixture)
    record = book.load_game(fixture.number, _table(fixture).record(), chance)
    return GameResult(_points(fixture, record), record.to_text(), book.time_usage[fixture.number])
