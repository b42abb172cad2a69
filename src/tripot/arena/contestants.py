"""The two contestants of a match: a built-in engine, a program with the engine protocol, or a GTP program.

A contestant is written

    3 or bot3                      a level of the built-in engine, with the limits of the match
    level=3,seconds=0.5            ... or with its own; also simulations=N and threads=N
    level=3,average=0.5            ... or with that many seconds for the average move of a game
    tripot:seconds=1               the same, at the highest level unless one is given
    engine:COMMAND                 a program that speaks the engine protocol: docs/engine/protocol.md
    engine,seconds=2,level=3:COMMAND
    gtp:COMMAND                    a program that speaks GTP; its own options decide how long it searches
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Literal, NamedTuple

from tripot.bot import Bot
from tripot.external.client import ProtocolEngine
from tripot.external.gtp import ALL_LEGAL, GtpEngine
from tripot.external.protocol import (
    MAX_SECONDS,
    MAX_SEED,
    MAX_SIMULATIONS,
    MIN_SECONDS,
    CommandError,
    parse_float,
    parse_int,
    time_limit_name,
)
from tripot.game import CHANCE, Action, AnyGame, Limit, OptionError, Options, Seat, TripotError
from tripot.table import Table

MAX_THREADS: Final = 1024
SETTINGS: Final = ("level", "seconds", "average", "simulations", "threads")


class ContestantError(TripotError):
    """The text of a contestant is invalid, or the contestant cannot play this match."""


@dataclass(frozen=True, slots=True)
class ContestantSpec:
    """Describes one contestant. All fields are plain values, so it can be sent to a worker process.

    kind         built-in engine, program with the engine protocol, or GTP program
    seconds      time limit per move
    level        level of the engine; None leaves the choice to a program
    simulations  limit in simulations instead of time; None if there is none
    threads      threads of the engine; None for its default
    average      whether `seconds` are those of the average move of a game
    command      command line of a program
    """

    kind: Literal["tripot", "engine", "gtp"]
    seconds: float
    level: int | None = None
    simulations: int | None = None
    threads: int | None = None
    average: bool = False
    command: str = ""

    @property
    def limit(self) -> Limit:
        """The limit of one search."""
        return Limit(seconds=self.seconds, simulations=self.simulations, average=self.average)

    def __str__(self) -> str:
        """Return the text with all settings, which `parse_contestant` reads back."""
        settings = {
            "level": self.level,
            "average" if self.average else "seconds": self.seconds,
            "simulations": self.simulations,
            "threads": self.threads,
        }
        words = ",".join(f"{name}={value}" for name, value in settings.items() if value is not None)
        match self.kind:
            case "tripot":
                return f"tripot:{words}"
            case "engine":
                return f"engine,{words}:{self.command}"
            case "gtp":
                return f"gtp:{self.command}"


def parse_contestant(
    game: AnyGame, text: str, seconds: float = 0.1, simulations: int | None = None
) -> ContestantSpec:
    """Return the contestant of a text; `seconds` and `simulations` apply if it has no limits of its own."""
    head, colon, rest = text.partition(":")
    kind, *words = head.split(",") if colon else ("tripot", *text.split(","))
    if kind == "tripot":
        words += rest.split(",") if rest else []
        if words and (level := words[0].removeprefix("bot")).isdecimal():
            words[0] = f"level={level}"
    settings = [word.partition("=")[::2] for word in words]
    try:
        has_time_limit = time_limit_name(dict(settings)) is not None
        spec = ContestantSpec("tripot", seconds, simulations=None if has_time_limit else simulations)
        match kind:
            case "tripot":
                spec = _apply_settings(spec, game, settings)
                return replace(spec, level=spec.level or game.levels[-1])
            case "engine":
                return replace(_apply_settings(spec, game, settings), kind="engine", command=rest)
            case "gtp" if settings:
                raise CommandError("a GTP program takes no settings here; put its options into its command")
            case "gtp":
                return replace(spec, kind="gtp", simulations=None, command=rest)
    except (CommandError, ContestantError) as error:
        raise ContestantError(f"invalid contestant {text!r}: {error}") from None
    raise ContestantError(
        f"invalid contestant {text!r}: expected 3 or bot3, tripot:seconds=1, engine:COMMAND or gtp:COMMAND"
    )


def _apply_settings(spec: ContestantSpec, game: AnyGame, settings: list[tuple[str, str]]) -> ContestantSpec:
    for name, value in settings:
        match name:
            case "level":
                spec = replace(spec, level=parse_int(name, value, game.levels[0], game.levels[-1]))
            case "seconds" | "average":
                seconds = parse_float(name, value, MIN_SECONDS, MAX_SECONDS)
                spec = replace(spec, seconds=seconds, average=name == "average")
            case "simulations":
                spec = replace(spec, simulations=parse_int(name, value, 1, MAX_SIMULATIONS))
            case "threads":
                spec = replace(spec, threads=parse_int(name, value, 1, MAX_THREADS))
            case _:
                raise ContestantError(f"unknown setting {name!r}; expected one of {', '.join(SETTINGS)}")
    return spec


# --- Contestants that play ---------------------------------------------------------------------


class TimedMove(NamedTuple):
    """A decision of a contestant: the action, its text, or None to resign; and the seconds it took."""

    action: Action | str | None
    seconds: float


class Contestant(ABC):
    """A contestant that is ready to play, one game after the other."""

    name: str
    """Its name in records."""

    def prepare(self) -> None:  # noqa: B027 - programs compile what they need themselves
        """Do what takes long, once both contestants are known to be right, such as compiling kernels."""

    @abstractmethod
    def new_game(self, seats: Sequence[Seat], rng: Random) -> None:
        """Start a new game in which it plays those seats; `rng` is the random generator of its search."""

    def observe(self, table: Table) -> None:  # noqa: B027 - programs are sent the position when they choose
        """Take note of the position of the table: at the start, and after every action."""

    @abstractmethod
    def choose(self, table: Table, seat: Seat, seconds: float) -> TimedMove:
        """Return the decision of the seat to act; `seconds` replaces the time limit of the specification."""

    def end_game(self) -> None:  # noqa: B027 - programs keep nothing of a game that costs memory here
        """Release what is kept for the current game, such as search trees."""

    @abstractmethod
    def close(self) -> None:
        """Release what the contestant holds: engines, or a child process."""


def _check_threads(game: AnyGame, level: int, threads: int) -> None:
    """Raise `ContestantError` unless the engine of a level can search with that many threads."""
    with closing(game.engine(level)) as engine:
        if engine.threads is None:
            raise ContestantError(
                f"threads={threads}: the engine of {game.title} uses one thread only; leave threads out"
            )
        try:
            engine.threads = threads
        except ValueError as error:
            raise ContestantError(f"the engine of {game.title}: {error}") from None


class BuiltinContestant(Contestant):
    """A built-in engine, in this process: one bot per seat, which is kept for a whole game."""

    def __init__(self, game: AnyGame, options: Options, spec: ContestantSpec) -> None:
        assert spec.level is not None
        self.game, self.options, self.spec, self.level = game, options, spec, spec.level
        self.name = f"level {spec.level}"
        self.bots: dict[Seat, Bot] = {}
        if spec.threads is not None:
            _check_threads(game, spec.level, spec.threads)
        self._is_compiled = False

    def prepare(self) -> None:
        """Make one short search, so that no time measurement includes the compilation of kernels."""
        if self._is_compiled:
            return
        self._is_compiled = True
        rng, state = Random(0), self.game.initial_state(self.options)
        while state.to_act is CHANCE:
            state = state.apply(state.sample_chance(rng))
        if isinstance(state.to_act, int):
            with self._new_bot(state.to_act) as bot:
                bot.observe(state)
                bot.choose(Limit(seconds=0.01, simulations=1), rng)

    def _new_bot(self, seat: Seat) -> Bot:
        return Bot(self.game, self.level, seat, threads=self.spec.threads)

    def new_game(self, seats: Sequence[Seat], rng: Random) -> None:
        self.end_game()
        self.bots, self.rng = {seat: self._new_bot(seat) for seat in seats}, rng

    def observe(self, table: Table) -> None:
        for bot in self.bots.values():
            bot.observe(table.state)

    def choose(self, table: Table, seat: Seat, seconds: float) -> TimedMove:
        limit = replace(self.spec.limit, seconds=seconds)
        started = time.perf_counter()
        candidate = self.bots[seat].choose(limit, self.rng)
        return TimedMove(candidate.action, time.perf_counter() - started)

    def end_game(self) -> None:
        while self.bots:
            self.bots.popitem()[1].close()

    def close(self) -> None:
        self.end_game()


class ProtocolContestant(Contestant):
    """A program that speaks the engine protocol. It is sent views of its seats only."""

    def __init__(self, game: AnyGame, spec: ContestantSpec) -> None:
        self.spec = spec
        self.engine = ProtocolEngine(spec.command, game)
        level = [f"level {spec.level}"] if spec.level else []
        self.name = " ".join([self.engine.name.replace(",", " "), *level])
        try:
            if spec.level is not None:
                self.engine.send_command(f"option level {spec.level}")
            if spec.threads is not None:
                self.engine.send_command(f"option threads {spec.threads}")
        except BaseException:
            self.close()
            raise

    def new_game(self, seats: Sequence[Seat], rng: Random) -> None:
        self.engine.send_command(f"option seed {rng.randrange(MAX_SEED)}")  # this also resets the engine

    def choose(self, table: Table, seat: Seat, seconds: float) -> TimedMove:
        self.engine.send_command(f"position {table.state.view(seat).to_text()}")
        started = time.perf_counter()
        text = self.engine.choose(replace(self.spec.limit, seconds=seconds))
        return TimedMove(text, time.perf_counter() - started)

    def close(self) -> None:
        self.engine.close()


class GtpContestant(Contestant):
    """A GTP program. It is sent the actions of all seats, so only games without hidden information fit."""

    def __init__(self, game: AnyGame, options: Options, spec: ContestantSpec, check_legal: bool) -> None:
        try:
            dialect = game.gtp_dialect(options)
        except OptionError as error:
            raise ContestantError(f"gtp: {error}") from None
        if dialect is None:
            raise ContestantError(f"gtp: there are no GTP programs for {game.title}")
        self.engine, self.check_legal = GtpEngine(spec.command, dialect), check_legal
        self.name = self.engine.name
        if check_legal and not self.engine.has_command(ALL_LEGAL):
            self.close()
            raise ContestantError(f"{self.name} has no command {ALL_LEGAL}, which checking legal moves needs")

    def new_game(self, seats: Sequence[Seat], rng: Random) -> None:
        self.engine.new_game()

    def choose(self, table: Table, seat: Seat, seconds: float) -> TimedMove:
        states = [table.state_after(count) for count in range(table.action_count)]
        self.engine.send_actions(states, table.actions)
        if self.check_legal:
            self.engine.check_legal_moves(table.state)
        return TimedMove(*self.engine.choose(table.state))

    def close(self) -> None:
        self.engine.close()


def open_contestant(game: AnyGame, options: Options, spec: ContestantSpec, check_legal: bool) -> Contestant:
    """Return a contestant that is ready to play; a program is started."""
    match spec.kind:
        case "tripot":
            return BuiltinContestant(game, options, spec)
        case "engine":
            return ProtocolContestant(game, spec)
        case "gtp":
            return GtpContestant(game, options, spec, check_legal)
