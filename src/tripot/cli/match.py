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
from tripot.arena.contestants import BadSide, Mover, Side, open_mover, read_side
from tripot.arena.elo import Score, elo_text, points
from tripot.arena.match_store import About, Book, Pace, Paces
from tripot.cli import console as console_module
from tripot.cli.arguments import GameKey, OptionWords, Seed, Simulations, Think, randoms, read_options
from tripot.cli.console import console
from tripot.external.process import ProgramError
from tripot.game import CHANCE, TripotError
from tripot.record import Record
from tripot.table import Player, Table

SWING = 2.0  # A is never given more than so many times B's mean, nor less than that part of it


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game of a match that is to be played: plain values, to be sent to another process."""

    game: str
    options: str
    sides: tuple[Side, Side]
    number: int
    seed: int
    check: bool = False

    @property
    def swapped(self) -> bool:
        """In the second game of each pair the sides are exchanged."""
        return self.number % 2 == 1

    @property
    def seats(self) -> list[int]:
        """Who has each seat, 0 for A and 1 for B: A has the even teams, or the odd ones when swapped."""
        game = tripot.find(self.game)
        teams = game.start(game.Options.read(self.options)).teams
        return [(team + self.swapped) % 2 for team in teams]


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a fixture: the points of A, the record, and how the sides used their time."""

    points: float
    record: str
    paces: Paces = (Pace(), Pace())


SideText = Annotated[
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
    a: SideText,
    b: SideText,
    games: Games = 20,
    players: Players = None,
    option: OptionWords = [],  # noqa: B006 - Typer reads the default and never changes it
    think: Think = 0.1,
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
    found = tripot.find(game)
    options = read_options(found, option, players)
    side_a, side_b = (read_side(found, text, think, simulations) for text in (a, b))
    if equal and (side_a.kind == "gtp" or side_a.simulations is not None):
        raise BadSide("--equal: A needs a limit in seconds that can be set")
    if equal and jobs > 1:
        raise BadSide("--equal: the games are played one after the other, so --jobs must be 1")
    if check and "gtp" not in (side_a.kind, side_b.kind):
        raise BadSide("--check: neither side is a GTP program")
    book = Book(records) if records else None
    if seed is None:
        seed = book.about.seed if book and book.about else randrange(1_000_000)
    try:
        played = Match(Fixture(game, str(options), (side_a, side_b), 0, seed, check), games, book, equal)
        failure = play([played], jobs)
    finally:
        close()
    names = played.names
    console.print(f"{found.title}: {names[0]} against {names[1]}, seed {seed}", markup=False)
    if played.kept:
        console.print(f"{played.kept} of these games were there already")
    print_score(played.score)
    played.print_paces()
    if failure:
        raise failure


class Match:
    """A match of so many games: what came of those that are over, and which are missing.

    kept  how many of them were in its book before
    """

    def __init__(self, first: Fixture, games: int, book: Book | None, equal: bool = False) -> None:
        a, b = _movers(first)
        self.names = a.name, b.name
        self.book, self.equal = book, equal
        self.points: dict[int, float] = {}
        self.paces: Paces = (Pace(), Pace())
        self.missing = [replace(first, number=number) for number in range(games + games % 2)]
        if book:
            sides, version = (str(first.sides[0]), str(first.sides[1])), tripot.find(first.game).version
            book.open(About(first.game, version, first.options, *sides, self.names, first.seed, equal))
            for fixture in self.missing:
                if book.has(fixture.number):
                    self._count(fixture, _played_before(fixture, book))
            self.missing = [fixture for fixture in self.missing if fixture.number not in self.points]
        self.kept = len(self.points)

    def add(self, fixture: Fixture, played: Played) -> None:
        """One more game."""
        if self.book:
            self.book.add(fixture.number, Record.read(played.record), played.paces)
        self._count(fixture, played)

    def _count(self, fixture: Fixture, played: Played) -> None:
        self.points[fixture.number] = played.points
        self.paces = (self.paces[0] + played.paces[0], self.paces[1] + played.paces[1])

    def timed(self, fixture: Fixture) -> Fixture:
        """A fixture with the time that A has for it."""
        if not self.equal:
            return fixture
        a, b = fixture.sides
        return replace(fixture, sides=(replace(a, seconds=allowance(*self.paces, given=a.seconds)), b))

    @property
    def score(self) -> Score:
        """The score of A, in the order of the games."""
        return Score(tuple(self.points[number] for number in sorted(self.points)))

    def line(self) -> str:
        """All in one line, for the progress bar."""
        a, b = (pace.mean for pace in self.paces)
        low, high = self.score.elo_interval()
        return (
            f"{self.names[0]} - {self.names[1]}  {self.score.rate:.1%}  Elo {elo_text(self.score.elo)} "
            f"({elo_text(low)} to {elo_text(high)})  {a:.2f} s / {b:.2f} s"
        )

    def print_paces(self) -> None:
        """How long each side thought."""
        for letter, name, pace in zip("AB", self.names, self.paces, strict=True):
            if pace.moves:
                console.print(
                    f"{letter}, {name}: {pace.mean:.3f} s a move over {pace.moves} moves", markup=False
                )


def play(matches: list[Match], jobs: int) -> TripotError | None:
    """Play the games that are missing, until all are played, Ctrl-C, or what makes going on impossible.

    Several matches go on side by side, a pair of games of each in turn, so that each has its share whenever
    it ends. The score so far is worth printing in any case, so the failure is returned.
    """
    if jobs > 1:
        close()  # others play
    order = [(its, fixture) for its in matches for fixture in its.missing]
    order.sort(key=lambda each: each[1].number // 2)
    done = sum(len(each.points) for each in matches)
    with console_module.bar() as bar:
        task = bar.add_task(matches[0].line(), total=done + len(order), completed=done)
        try:
            games = _play_all((its.timed(fixture) for its, fixture in order), jobs)
            for (its, fixture), played in zip(order, games, strict=True):
                its.add(fixture, played)
                bar.update(task, advance=1, description=its.line())
        except KeyboardInterrupt:
            pass
        except TripotError as failure:
            return failure
    return None


def allowance(a: Pace, b: Pace, given: float) -> float:
    """The seconds a move that A is given for the next game, so that it needs as many as B on the mean.

    B's mean so far, and as far over it as A's own mean is under it; an engine that does not use up what
    it is given, as it moves at once where there is no choice, is given so much more. Before the first
    game, what the side says.

    >>> allowance(Pace(), Pace(), given=1.0)
    1.0
    >>> allowance(Pace(40, 4.0, 8.0), Pace(40, 4.0), given=1.0)
    0.2
    """
    if not a.seconds or not b.seconds:
        return given
    wanted = min(SWING * b.mean, max(b.mean / SWING, 2 * b.mean - a.mean))
    return wanted * max(1.0, a.allowed / a.seconds)


def print_score(score: Score) -> None:
    """The score of A with what is sure of it."""
    (low, high), (least, most) = score.interval(), score.elo_interval()
    console.print(f"{len(score.points)} games: {score.wins} won, {score.draws} drawn, {score.losses} lost")
    console.print(f"score {score.rate:.1%}, 95% sure between {low:.1%} and {high:.1%}")
    console.print(f"Elo {elo_text(score.elo)}, 95% sure between {elo_text(least)} and {elo_text(most)}")


# --- Playing -----------------------------------------------------------------------------------


def _play_all(fixtures: Iterator[Fixture], jobs: int) -> Iterator[Played]:
    """The games in order, as they are done; here, or in processes of their own."""
    if jobs == 1:
        yield from map(play_one, fixtures)
        return
    # Spawned, not forked: the progress bar has a thread, and a fork would copy its locks.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_at_work) as pool:
        try:
            yield from pool.map(play_one, fixtures)
        except KeyboardInterrupt:
            console_module.errors.print("Stopping after the games under way.")
            pool.shutdown(cancel_futures=True)
            raise


def _at_work() -> None:
    """A process that plays: Ctrl-C is for the one that prints the score."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Finalize(None, close, exitpriority=10)


_ready: dict[tuple[str, str, Side, int, bool], Mover] = {}  # the sides of this process, for all its games


def _movers(fixture: Fixture) -> tuple[Mover, Mover]:
    """Both sides, ready to play; a program is started once, however many games it plays."""
    game = tripot.find(fixture.game)
    options = game.Options.read(fixture.options)
    for index, side in enumerate(fixture.sides):
        key = _key(fixture, index)
        if key not in _ready:
            _ready[key] = open_mover(game, options, side, fixture.check)
    return _ready[_key(fixture, 0)], _ready[_key(fixture, 1)]


def _key(fixture: Fixture, index: int) -> tuple[str, str, Side, int, bool]:
    """What tells one side from another; its seconds do not, they may change from game to game."""
    return fixture.game, fixture.options, replace(fixture.sides[index], seconds=0.0), index, fixture.check


def close() -> None:
    """End all programs that this process started."""
    while _ready:
        _ready.popitem()[1].close()


def play_one(fixture: Fixture) -> Played:
    """Play one game of a match."""
    movers, sides, table = _movers(fixture), fixture.seats, _table(fixture)
    chance, thinking = _chances(fixture)
    paces = [Pace(), Pace()]
    for mover in movers:
        mover.begin(thinking)
    while (actor := table.to_act) is not None:
        if actor is CHANCE:
            table.deal(chance)
            continue
        side = sides[actor]
        mover, seconds = movers[side], fixture.sides[side].seconds
        action, took = mover.choose(table, actor, seconds)
        paces[side] += Pace(1, took, seconds)
        try:
            table.resign(actor) if action is None else table.act(actor, action)
        except TripotError as error:
            played = action or "resign"
            raise ProgramError(f"{mover.name} plays {played}: {error}; {table.state.dump()}") from None
    record = table.record()
    return Played(_points(fixture, record), record.write(), (paces[0], paces[1]))


def _table(fixture: Fixture) -> Table:
    """The table of a fixture before anything has happened, with the names that records give the sides."""
    game = tripot.find(fixture.game)
    movers = _movers(fixture)
    players = [
        Player(movers[side].name, fixture.sides[side].level if fixture.sides[side].kind == "tripot" else None)
        for side in fixture.seats
    ]
    return Table(game, game.Options.read(fixture.options), players)


def _chances(fixture: Fixture) -> tuple[Random, Random]:
    return randoms(fixture.seed, f"pair {fixture.number // 2}")


def _points(fixture: Fixture, record: Record) -> float:
    assert record.outcome is not None
    return points(record.outcome, tuple(seat for seat, side in enumerate(fixture.seats) if side == 0))


def _played_before(fixture: Fixture, book: Book) -> Played:
    """A game that is there already, checked."""
    chance, _ = _chances(fixture)
    record = book.game(fixture.number, _table(fixture).record(), chance)
    return Played(_points(fixture, record), record.write(), book.paces[fixture.number])
