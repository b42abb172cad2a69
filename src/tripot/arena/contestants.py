"""The two sides of a match: an engine of the house, a process with our protocol, or a GTP program.

A side is written

    3                              a level, which thinks as long as the match says
    level=3,seconds=0.5            ... or as long as it says itself; also simulations=N and threads=N
    level=3,mean=0.5               ... or so long on average, more where it is worth more
    tripot:seconds=1               the same, at the highest level unless it says otherwise
    engine:COMMAND                 a process with our protocol: docs/engine-protocol.md
    engine,seconds=2,level=3:COMMAND
    gtp:COMMAND                    a process that speaks GTP; how long it thinks is its own affair
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from tripot.cli.compiling import compiling
from tripot.external.gtp import ALL_LEGAL, GtpEngine
from tripot.external.process import ProtocolEngine
from tripot.external.protocol import (
    MAX_SECONDS,
    MAX_SIMULATIONS,
    CommandError,
    parse_float,
    parse_int,
    time_limit_name,
)
from tripot.game import CHANCE, Action, AnyGame, Engine, Limit, OptionError, Options, Seat, TripotError
from tripot.table import Table


class ContestantError(TripotError):
    """A side of a match that cannot be read, or asks for what it cannot have."""


@dataclass(frozen=True, slots=True)
class ContestantSpec:
    """Who plays one side of a match: plain values, to be sent to another process."""

    kind: Literal["tripot", "engine", "gtp"]
    seconds: float
    level: int | None = None
    simulations: int | None = None
    threads: int | None = None
    mean: bool = False
    command: str = ""

    @property
    def limit(self) -> Limit:
        """How long it may think of a move."""
        return Limit(seconds=self.seconds, simulations=self.simulations, average=self.mean)

    def __str__(self) -> str:
        """As it is written in full."""
        limits = {
            "level": self.level,
            "mean" if self.mean else "seconds": self.seconds,
            "simulations": self.simulations,
            "threads": self.threads,
        }
        words = [f"{name}={value}" for name, value in limits.items() if value is not None]
        if self.kind == "gtp":
            return f"gtp:{self.command}"
        return f"engine,{','.join(words)}:{self.command}" if self.command else f"tripot:{','.join(words)}"


def parse_contestant(game: AnyGame, text: str, think: float, simulations: int | None) -> ContestantSpec:
    """A side from its text; what it does not say of its limits the match does."""
    head, colon, rest = text.partition(":")
    kind, *words = head.split(",") if colon else ("tripot", *text.split(","))
    if kind == "tripot":
        words += rest.split(",") if rest else []
        if words and words[0].isdecimal():
            words[0] = f"level={words[0]}"
    settings = [word.partition("=")[::2] for word in words]
    try:
        side = ContestantSpec(
            "tripot", think, simulations=None if time_limit_name(dict(settings)) else simulations
        )
        if kind == "gtp" and not settings:
            return replace(side, kind="gtp", simulations=None, command=rest)
        if kind == "engine":
            return replace(_apply_settings(side, game, settings), kind="engine", command=rest)
        if kind == "tripot":
            side = _apply_settings(side, game, settings)
            return replace(side, level=side.level or game.levels[-1])
    except CommandError as error:
        raise ContestantError(f"{text}: {error}") from None
    hint = "a GTP program has no limits here: its own options say how it plays" if kind == "gtp" else ""
    raise ContestantError(
        f"{text!r} is no side: {hint or 'write 3, tripot:seconds=1, engine:COMMAND or gtp:COMMAND'}"
    )


def _apply_settings(side: ContestantSpec, game: AnyGame, settings: list[tuple[str, str]]) -> ContestantSpec:
    for name, value in settings:
        match name:
            case "level":
                if not value.isdecimal() or int(value) not in game.levels:
                    raise ContestantError(
                        f"{game.title} has the levels {game.levels[0]} to {game.levels[-1]}, not {value}"
                    )
                side = replace(side, level=int(value))
            case "seconds" | "mean":
                side = replace(
                    side, seconds=parse_float(name, value, 0.001, MAX_SECONDS), mean=name == "mean"
                )
            case "simulations":
                side = replace(side, simulations=parse_int(name, value, 1, MAX_SIMULATIONS))
            case "threads":
                side = replace(side, threads=parse_int(name, value, 1, 1024))
            case _:
                known = "level, seconds, mean, simulations and threads"
                raise ContestantError(f"{name!r} is no setting; there are {known}")
    return side


# --- Sides that play ---------------------------------------------------------------------------


class Contestant(ABC):
    """A side that is ready to play, game after game."""

    name: str
    """As records call it."""

    @abstractmethod
    def new_game(self, rng: Random) -> None:
        """A new game, with its chance for thinking."""

    @abstractmethod
    def choose(self, table: Table, seat: Seat, seconds: float) -> tuple[Action | str | None, float]:
        """What the seat to act does, None if it resigns, and the seconds from the question to the answer."""

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """It plays no more."""


class BuiltinContestant(Contestant):
    """An engine of the house, in this process."""

    def __init__(self, game: AnyGame, options: Options, side: ContestantSpec) -> None:
        assert side.level is not None
        self.game, self.side, self.level = game, side, side.level
        self.name = f"level {side.level}"
        self._compile(game, options)

    def _engine(self) -> Engine:
        engine = self.game.engine(self.level)
        if self.side.threads is not None:
            if engine.threads is None:
                raise ContestantError(f"threads={self.side.threads}: this engine has but one")
            engine.threads = self.side.threads
        return engine

    def _compile(self, game: AnyGame, options: Options) -> None:
        """One quick choice, so that no clock ever measures how kernels are compiled."""
        rng, state = Random(0), game.initial_state(options)
        while state.to_act is CHANCE:
            state = state.apply(state.sample_chance(rng))
        if isinstance(state.to_act, int):
            with compiling(game):
                self._engine().choose(state.view(state.to_act), Limit(seconds=0.01, simulations=1), rng)

    def new_game(self, rng: Random) -> None:
        self.engine, self.rng = self._engine(), rng

    def choose(self, table: Table, seat: Seat, seconds: float) -> tuple[Action | str | None, float]:
        view, limit = table.state.view(seat), replace(self.side.limit, seconds=seconds)
        began = time.perf_counter()
        choice = self.engine.choose(view, limit, self.rng)
        return choice.action, time.perf_counter() - began


class ProtocolContestant(Contestant):
    """A process with our protocol, which is shown what its seat sees."""

    def __init__(self, game: AnyGame, side: ContestantSpec) -> None:
        self.side = side
        self.program = ProtocolEngine(side.command, game)
        self.name = " ".join(
            [self.program.name.replace(",", " "), *([f"level {side.level}"] if side.level else [])]
        )
        try:
            for name in ("level", "threads"):
                if (value := getattr(side, name)) is not None:
                    self.program.send_command(f"option {name} {value}")
        except BaseException:
            self.close()
            raise

    def new_game(self, rng: Random) -> None:
        self.program.send_command(
            f"option seed {rng.randrange(MAX_SIMULATIONS)}"
        )  # which also makes it forget

    def choose(self, table: Table, seat: Seat, seconds: float) -> tuple[Action | str | None, float]:
        self.program.send_command(f"position {table.state.view(seat).to_text()}")
        began = time.perf_counter()
        text = self.program.choose(replace(self.side.limit, seconds=seconds))
        return text, time.perf_counter() - began

    def close(self) -> None:
        self.program.close()


class GtpContestant(Contestant):
    """A GTP program. It is told the actions of the seats, so it is for games without secrets."""

    def __init__(self, game: AnyGame, options: Options, side: ContestantSpec, check: bool) -> None:
        try:
            dialect = game.gtp_dialect(options)
        except OptionError as bad:
            raise ContestantError(f"gtp: {bad}") from None
        if dialect is None:
            raise ContestantError(f"gtp: there are no GTP programs for {game.title}")
        self.program, self.check = GtpEngine(side.command, dialect), check
        self.name = self.program.name
        if check and not self.program.has_command(ALL_LEGAL):
            self.close()
            raise ContestantError(f"--check: {self.name} does not tell what is legal")

    def new_game(self, rng: Random) -> None:
        self.program.new_game()

    def choose(self, table: Table, seat: Seat, seconds: float) -> tuple[Action | str | None, float]:
        states = [table.state_after(at) for at in range(table.action_count)]
        self.program.send_actions(states, table.actions)
        if self.check:
            self.program.check_legal_moves(table.state)
        return self.program.choose(table.state)

    def close(self) -> None:
        self.program.close()


def open_contestant(game: AnyGame, options: Options, side: ContestantSpec, check: bool) -> Contestant:
    """A side, ready to play."""
    if side.kind == "tripot":
        return BuiltinContestant(game, options, side)
    return (
        ProtocolContestant(game, side) if side.kind == "engine" else GtpContestant(game, options, side, check)
    )
