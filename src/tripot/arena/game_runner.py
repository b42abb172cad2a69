"""One game of a match: what is sent to a worker process, how it is played, and what comes back.

Every game has its own random generators, seeded by the match and the pair, so the result of a match does not
depend on how many games are played at once.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.util import Finalize
from random import Random

import tripot
from tripot.arena.contestants import Contestant, ContestantSpec, open_contestant
from tripot.arena.elo import game_points
from tripot.arena.match_store import MatchStore, TimeUsage, TimeUsagePair
from tripot.external.process import EngineProcessError
from tripot.game import CHANCE, Seat, TripotError
from tripot.record import Record
from tripot.table import Player, Table

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game that is to be played. All fields are plain values, so it can be sent to a worker process.

    game         key of the game
    options      its options as text
    contestants  A and B
    number       index of the game in its match, from 0; two consecutive games are a pair
    seed         seed of the match
    check_legal  whether the legal moves of GTP programs are compared with the rules
    """

    game: str
    options: str
    contestants: tuple[ContestantSpec, ContestantSpec]
    number: int
    seed: int
    check_legal: bool = False

    @property
    def is_swapped(self) -> bool:
        """Whether the contestants have exchanged seats, as in the second game of each pair."""
        return self.number % 2 == 1

    @property
    def contestant_of_seat(self) -> list[int]:
        """Which contestant plays each seat, 0 for A and 1 for B: A has the even teams, B the odd ones."""
        game = tripot.get_game(self.game)
        teams = game.initial_state(game.Options.parse(self.options)).teams
        return [(team + self.is_swapped) % 2 for team in teams]

    def seats_of(self, contestant: int) -> tuple[Seat, ...]:
        """Return the seats that contestant A (0) or B (1) plays."""
        return tuple(seat for seat, index in enumerate(self.contestant_of_seat) if index == contestant)

    def rngs(self) -> tuple[Random, Random]:
        """Return the generator of chance and that of the engines, the same for both games of a pair.

        They are separate, so that a longer search never changes the chance outcomes.
        """
        stream = f"{self.seed} pair {self.number // 2}"
        return Random(f"chance {stream}"), Random(f"engines {stream}")


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game of a match: the game points of A, the text of the record, and the time usage."""

    game_points: float
    record_text: str
    time_usage: TimeUsagePair = (TimeUsage(), TimeUsage())

    @property
    def record(self) -> Record:
        """The record, replayed and verified."""
        return Record.parse(self.record_text)


def play_game(scheduled: ScheduledGame) -> GameResult:
    """Play one game of a match."""
    contestants, table = contestants_of(scheduled), _new_table(scheduled)
    try:
        time_usage = _play(scheduled, contestants, table)
    finally:
        for contestant in contestants:
            contestant.end_game()
    record = table.record()
    return GameResult(_points_of_a(scheduled, record), record.to_text(), time_usage)


def _play(
    scheduled: ScheduledGame, contestants: tuple[Contestant, Contestant], table: Table
) -> tuple[TimeUsage, TimeUsage]:
    """Play a game to its end, and return the time that each contestant used."""
    contestant_of_seat, (chance, engine_rng) = scheduled.contestant_of_seat, scheduled.rngs()
    time_usage = [TimeUsage(), TimeUsage()]
    for index, contestant in enumerate(contestants):
        contestant.new_game(scheduled.seats_of(index), engine_rng)
    while (actor := table.to_act) is not None:
        for contestant in contestants:
            contestant.observe(table)
        if actor is CHANCE:
            table.sample_chance(chance)
            continue
        index = contestant_of_seat[actor]
        contestant, allowed = contestants[index], scheduled.contestants[index].seconds
        action, seconds = contestant.choose(table, actor, allowed)
        time_usage[index] += TimeUsage(1, seconds, allowed)
        try:
            table.resign(actor) if action is None else table.act(actor, action)
        except TripotError as error:
            move = "resigns" if action is None else f"plays {action}"
            raise EngineProcessError(
                f"{contestant.name} {move}: {error}; position {table.state.to_text()}"
            ) from None
    return time_usage[0], time_usage[1]


def load_game(scheduled: ScheduledGame, store: MatchStore) -> GameResult:
    """Return a game that is stored already, after checking it."""
    chance, _ = scheduled.rngs()
    record = store.load_game(scheduled.number, _new_table(scheduled).record(), chance)
    points = _points_of_a(scheduled, record)
    return GameResult(points, record.to_text(), store.time_usage[scheduled.number])


def _new_table(scheduled: ScheduledGame) -> Table:
    """Return the table before the first action, with the names that records give the contestants."""
    game = tripot.get_game(scheduled.game)
    contestants = contestants_of(scheduled)
    levels = [spec.level if spec.kind == "tripot" else None for spec in scheduled.contestants]
    players = [Player(contestants[index].name, levels[index]) for index in scheduled.contestant_of_seat]
    return Table(game, game.Options.parse(scheduled.options), players)


def _points_of_a(scheduled: ScheduledGame, record: Record) -> float:
    assert record.outcome is not None
    return game_points(record.outcome, scheduled.seats_of(0))


# --- Contestants of this thread ----------------------------------------------------------------

_ContestantKey = tuple[str, str, ContestantSpec, int, bool]


class _OpenContestants(threading.local):
    """The contestants that are open. A program is started once, however many games it plays.

    Each thread has its own, so that two matches can be played in two threads at once.
    """

    def __init__(self) -> None:
        self.by_key: dict[_ContestantKey, Contestant] = {}


_open = _OpenContestants()


def contestants_of(scheduled: ScheduledGame) -> tuple[Contestant, Contestant]:
    """Return both contestants of a game, ready to play."""
    game = tripot.get_game(scheduled.game)
    options = game.Options.parse(scheduled.options)
    for index, spec in enumerate(scheduled.contestants):
        key = _key(scheduled, index)
        if key not in _open.by_key:
            _open.by_key[key] = open_contestant(game, options, spec, scheduled.check_legal)
    a, b = (_open.by_key[_key(scheduled, index)] for index in range(2))
    for contestant in (a, b):  # only now: no kernel is compiled for a match whose other program is missing
        contestant.prepare()
    return a, b


def _key(scheduled: ScheduledGame, index: int) -> _ContestantKey:
    """Identify a contestant. Its time limit is left out, because it may change from game to game."""
    spec = replace(scheduled.contestants[index], seconds=0.0)
    return scheduled.game, scheduled.options, spec, index, scheduled.check_legal


def close_contestants() -> None:
    """Close all contestants of this thread, and end the programs that they started."""
    while _open.by_key:
        _open.by_key.popitem()[1].close()


# --- Several games -----------------------------------------------------------------------------


def play_games(games: Iterable[ScheduledGame], jobs: int) -> Generator[GameResult, None, None]:
    """Yield the results of games in order, played in this process or in `jobs` worker processes.

    If the iterator is closed early, the games that are not yet under way are cancelled.
    """
    if jobs == 1:
        yield from map(play_game, games)
        return
    close_contestants()  # the workers open their own
    # Spawned, not forked: the caller may have threads, such as that of a progress bar, whose locks a fork
    # would copy.
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_init_worker)
    futures: list[Future[GameResult]] = []
    try:
        futures += [pool.submit(play_game, game) for game in games]
        for future in futures:
            yield future.result()
    finally:
        if any(future.running() for future in futures):
            logger.warning("Waiting for the games under way.")
        pool.shutdown(cancel_futures=True)


def _init_worker() -> None:
    """Prepare a worker process: Ctrl-C is handled by its parent, and programs end with the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Finalize(None, close_contestants, exitpriority=10)
