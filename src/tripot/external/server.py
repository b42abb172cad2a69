"""The engine's end of the engine protocol, without any input or output."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

import tripot
from tripot import i18n
from tripot.external.protocol import (
    MAX_CANDIDATES,
    MAX_SECONDS,
    MAX_SEED,
    MAX_SIMULATIONS,
    MIN_SECONDS,
    PROTOCOL_VERSION,
    SEPARATOR,
    CommandError,
    candidate_text,
    distance_map_text,
    parse_float,
    parse_int,
    parse_limit_words,
    shortened,
    time_limit_name,
)
from tripot.game import AnyGame, AnyState, Engine, IllegalActionError, Limit, TripotError

INFO_INTERVAL: Final = 0.1
"""Seconds between two `info done` lines."""

DEFAULT_SECONDS: Final = "1"
"""The time limit of a search for which none is given."""


@dataclass(frozen=True, slots=True)
class OptionRange:
    """The values of an option, and the current one; None if it was not set."""

    minimum: int
    maximum: int
    value: int | None


class EngineServer:
    """One session with an engine. `send` is called with each line of an answer.

    `handle` processes one line and returns once it is answered, after a whole search if need be. An invalid
    command is answered with one line that begins with `error`, and changes nothing.
    """

    def __init__(self, game: AnyGame, send: Callable[[str], None]) -> None:
        self.game, self.send = game, send
        self.level, self.threads = game.levels[-1], 1
        self.seed: int | None = None
        self.state: AnyState | None = None
        self.has_quit = False
        self.engine = self._new_engine()
        self.rng = Random(self.seed)

    def _new_engine(self) -> Engine:
        engine = self.game.engine(self.level)
        if engine.threads is not None:
            engine.threads = self.threads
        return engine

    def _reset_engine(self) -> None:
        """Take a new engine, without anything from earlier searches, and restart the random generator."""
        self.engine.close()
        self.engine = self._new_engine()
        self.rng = Random(self.seed)

    def close(self) -> None:
        """Free what the engine holds. The session is over."""
        self.engine.close()

    def handle(self, line: str, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Carry out one command and send the answer; a search checks `should_stop` while it runs."""
        command, _, arguments = line.strip().partition(" ")
        handlers: dict[str, Callable[[str], None]] = {
            "hello": self._handle_hello,
            "option": self._handle_option,
            "new": self._handle_new,
            "position": self._handle_position,
            "go": lambda arguments: self._handle_go(arguments, should_stop),
            "analyse": lambda arguments: self._handle_analyse(arguments, should_stop),
            "stop": lambda _: None,  # no search is running: its answer was sent before
            "quit": self._handle_quit,
            "help": lambda _: self.send(f"ok {' '.join(handlers)}"),
        }
        if not command:
            return
        try:
            if command not in handlers:
                raise CommandError(
                    f"unknown command {shortened(command)!r}: expected one of {' '.join(handlers)}"
                )
            handlers[command](arguments.strip())
        except IllegalActionError as error:
            self.send(f"error {i18n.render(self.game, error.fact)} ({error.fact.clause})")
        except TripotError as error:
            self.send(f"error {' '.join(str(error).split())}")
        except OSError:
            raise  # the output is closed
        except Exception as bug:  # one failed search must not end the session
            traceback.print_exc()
            self.send(f"error the engine failed: {' '.join(repr(bug).split())}")

    # -- identification and options --

    def _handle_hello(self, _: str) -> None:
        self.send(f"protocol {PROTOCOL_VERSION}")
        self.send("name tripot")
        self.send(f"version {tripot.__version__}")
        self.send(f"game {self.game.key} {self.game.version}")
        for name, option in self._options().items():
            value = "-" if option.value is None else option.value
            self.send(f"option {name} from {option.minimum} to {option.maximum} now {value}")
        self.send("ok")

    def _options(self) -> dict[str, OptionRange]:
        options = {
            "level": OptionRange(self.game.levels[0], self.game.levels[-1], self.level),
            "seed": OptionRange(0, MAX_SEED, self.seed),
        }
        if self.engine.threads is not None:
            options["threads"] = OptionRange(1, max(1, os.cpu_count() or 1), self.threads)
        return options

    def _handle_option(self, arguments: str) -> None:
        name, _, text = arguments.partition(" ")
        options = self._options()
        if name not in options:
            raise CommandError(f"unknown option {shortened(name)!r}: expected one of {' '.join(options)}")
        value = parse_int(name, text.strip(), options[name].minimum, options[name].maximum)
        match name:
            case "level":
                self.level = value
            case "seed":
                self.seed = value
            case "threads":
                try:
                    self.engine.threads = value
                except ValueError as error:
                    raise CommandError(str(error)) from None
                self.threads = value
        self._reset_engine()
        self.send("ok")

    def _handle_new(self, _: str) -> None:
        self._reset_engine()
        self.send("ok")

    def _handle_quit(self, _: str) -> None:
        self.has_quit = True
        self.send("ok")

    # -- the position --

    def _handle_position(self, arguments: str) -> None:
        start, *actions = arguments.split(SEPARATOR)
        first, _, options = start.strip().partition(" ")
        if not first:
            raise CommandError(
                "the position is missing: expected the text of a position, or `start` and options"
            )
        state = (
            self.game.initial_state(self.game.Options.parse(options))
            if first == "start"
            else self.game.parse_state(start)
        )
        for text in actions:
            state = state.apply(self.game.parse_action(text.strip()))
        self.state = state
        self.send("ok")

    def _view_to_act(self) -> AnyState:
        """Return the position as the seat to act sees it."""
        if self.state is None:
            raise CommandError("there is no position yet; send `position` first")
        if not isinstance(self.state.to_act, int):
            problem = "the game is over" if self.state.to_act is None else "chance acts first"
            raise CommandError(f"no seat is to act in this position: {problem}")
        return self.state.view(self.state.to_act)

    # -- searching --

    def _handle_go(self, arguments: str, should_stop: Callable[[], bool]) -> None:
        view = self._view_to_act()
        values = parse_limit_words(arguments, "seconds", "average", "simulations")
        candidate = self.engine.choose(view, self._parse_limit(values, should_stop), self.rng)
        self.send(f"best {candidate_text(candidate)}")

    def _handle_analyse(self, arguments: str, should_stop: Callable[[], bool]) -> None:
        view, values = self._view_to_act(), parse_limit_words(arguments, "seconds", "simulations", "top")
        top = parse_int("top", values.pop("top"), 1, MAX_CANDIDATES) if "top" in values else None
        analysis = self.engine.analyse(view, self._parse_limit(values, should_stop), self.rng)
        for fact in analysis.facts:
            self.send(f"fact {i18n.render(self.game, fact)}")
        for distance_map in analysis.distance_maps:
            self.send(f"distances {distance_map_text(distance_map)}")
        for rank, candidate in enumerate(analysis.candidates[:top], 1):
            self.send(f"candidate {rank} {candidate_text(candidate)}")
        self.send(f"ok {len(analysis.candidates)} actions")

    def _parse_limit(self, values: dict[str, str], should_stop: Callable[[], bool]) -> Limit:
        """Return the limit of a search, with callbacks that send `info` lines while it runs."""
        time_limit = time_limit_name(values) or "seconds"
        seconds = parse_float(time_limit, values.get(time_limit, DEFAULT_SECONDS), MIN_SECONDS, MAX_SECONDS)
        simulations = values.get("simulations")
        started = time.monotonic()
        reported = started

        def on_progress(share: float) -> None:
            nonlocal reported
            if (now := time.monotonic()) - reported >= INFO_INTERVAL:
                reported = now
                self.send(f"info done {min(1.0, max(0.0, share)):.2f} seconds {now - started:.2f}")

        return Limit(
            seconds=seconds,
            simulations=(
                None if simulations is None else parse_int("simulations", simulations, 1, MAX_SIMULATIONS)
            ),
            average=time_limit == "average",
            on_progress=on_progress,
            on_best=lambda candidate: self.send(f"info best {candidate_text(candidate)}"),
            should_stop=should_stop,
        )
