"""An engine spoken to in lines of text: our own protocol, one for all games.

`EngineServer` is the engine's side without any input or output; docs/engine-protocol.md describes every
command, with a sitting that the tests repeat. Actions have spaces in them, so ` | ` stands between
them; no action and no position contains that.

    >>> expected = ExpectedOutcome(0.75, (3.0, 2.0))
    >>> candidate = Candidate("take 2", 0.5, ("take 2", "take 1"), expected=expected)
    >>> candidate_text(candidate)
    'take 2 value +0.500 wins 0.750 scores 3.0,2.0 line take 2 | take 1'
    >>> parse_candidate(candidate_text(candidate)) == candidate
    True
"""

from __future__ import annotations

import math
import os
import re
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

import tripot
from tripot import i18n
from tripot.game import (
    AnyGame,
    AnyState,
    Candidate,
    DistanceMap,
    ExpectedOutcome,
    IllegalActionError,
    Limit,
    ParseError,
    TripotError,
)

PROTOCOL: Final = 1
SEPARATOR: Final = " | "
INFO_INTERVAL: Final = 0.1  # seconds between two lines about the progress
MAX_SECONDS: Final = 86_400.0  # seconds that may be asked for: a day
MAX_SIMULATIONS: Final = 10**9  # simulations that may be asked for, and the largest seed


class CommandError(TripotError):
    """A line that is no command, or asks for what cannot be done now."""


def candidate_text(choice: Candidate) -> str:
    """A choice as the protocol writes it, without the word before it."""
    line, outlook = SEPARATOR.join(map(str, choice.pv or (choice.action,))), ""
    if choice.expected:
        scores = ",".join(f"{score:.1f}" for score in choice.expected.scores)
        outlook = f" wins {choice.expected.win_rate:.3f} scores {scores}"
    return f"{choice.action} value {choice.value:+.3f}{outlook} line {line}"


def parse_candidate(text: str) -> Candidate:
    """The choice of such a text; its actions are texts. Words before the line that are new are skipped."""
    found = re.fullmatch(r"(.+?) value ([+-]\d\.\d+)((?: \w+ \S+)*?) line (.+)", text)
    if not found:
        raise ParseError(text, "a choice is `ACTION value V line ACTION | ACTION ...`")
    i18n = iter(found[3].split())
    named = dict(zip(i18n, i18n, strict=True))
    outlook = None
    try:
        if "wins" in named and "scores" in named:
            scores = tuple(float(score) for score in named["scores"].split(","))
            outlook = ExpectedOutcome(float(named["wins"]), scores)
    except ValueError:
        raise ParseError(text, "`wins` is a number and `scores` are numbers with commas between") from None
    return Candidate(found[1], float(found[2]), tuple(found[4].split(SEPARATOR)), expected=outlook)


def distance_map_text(reached: DistanceMap) -> str:
    """Who can come where, as the protocol writes it: each place and its steps.

    >>> distance_map_text(DistanceMap("white", {"a1": 1, "a2": 2}))
    'white a1=1 a2=2'
    """
    return " ".join([reached.owner, *(f"{place}={steps}" for place, steps in reached.distances.items())])


class EngineServer:
    """One sitting with an engine. `send` is given the answers, a line each.

    `handle` takes a line and returns when it is answered, thinking included; `should_stop` is asked
    meanwhile whether to stop. Whatever is wrong is answered by one line that begins with `error`, and
    has changed nothing.
    """

    def __init__(self, game: AnyGame, say: Callable[[str], None]) -> None:
        self.game, self.send = game, say
        self.level, self.threads = game.levels[-1], 1
        self.seed: int | None = None
        self.state: AnyState | None = None
        self.has_quit = False
        self._reset_engine()

    def _reset_engine(self) -> None:
        """A fresh engine, which has learnt nothing yet, and the chance of the seed from its start."""
        self.engine = self.game.engine(self.level)
        if self.engine.threads is not None:
            self.engine.threads = self.threads
        self.rng = Random(self.seed)

    def handle(self, line: str, stopped: Callable[[], bool] = lambda: False) -> None:
        """Do what a line asks for, and say how it went."""
        command, _, rest = line.strip().partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "hello": self._handle_hello,
            "option": self._option,
            "new": self._new,
            "position": self._position,
            "go": lambda asked: self._go(asked, stopped),
            "analyse": lambda asked: self._analyse(asked, stopped),
            "stop": lambda _: None,  # nothing goes on any more: its answer was under way
            "quit": self._quit,
            "help": lambda _: self.send(f"ok {' '.join(commands)}"),
        }
        if not command:
            return
        try:
            if command not in commands:
                raise CommandError(f"no such command: {shortened(command)}; there are {' '.join(commands)}")
            commands[command](rest.strip())
        except IllegalActionError as refusal:
            self.send(f"error {i18n.render(self.game, refusal.fact)} ({refusal.fact.clause})")
        except TripotError as error:
            self.send(f"error {' '.join(str(error).split())}")
        except OSError:
            raise  # nobody listens any more
        except Exception as bug:  # an engine that fails once is still of use
            traceback.print_exc()
            self.send(f"error the engine failed: {' '.join(repr(bug).split())}")

    # -- who is there --

    def _handle_hello(self, _: str) -> None:
        self.send(f"protocol {PROTOCOL}")
        self.send("name tripot")
        self.send(f"version {tripot.__version__}")
        self.send(f"game {self.game.key} {self.game.version}")
        for name, (least, most, now) in self._options().items():
            self.send(f"option {name} from {least} to {most} now {'-' if now is None else now}")
        self.send("ok")

    def _options(self) -> dict[str, tuple[int, int, int | None]]:
        """What can be set: its least and greatest value and the one it has."""
        options: dict[str, tuple[int, int, int | None]] = {
            "level": (self.game.levels[0], self.game.levels[-1], self.level),
            "seed": (0, MAX_SIMULATIONS, self.seed),
        }
        if self.engine.threads is not None:
            options["threads"] = (1, max(1, os.cpu_count() or 1), self.threads)
        return options

    def _option(self, asked: str) -> None:
        name, _, text = asked.partition(" ")
        options = self._options()
        if name not in options:
            raise CommandError(f"no such option: {shortened(name)!r}; there are {' '.join(options)}")
        least, most, _now = options[name]
        setattr(self, name, parse_int(name, text.strip(), least, most))
        self._reset_engine()
        self.send("ok")

    def _new(self, _: str) -> None:
        self._reset_engine()
        self.send("ok")

    def _quit(self, _: str) -> None:
        self.has_quit = True
        self.send("ok")

    # -- where the game stands --

    def _position(self, asked: str) -> None:
        start, *actions = asked.split(SEPARATOR)
        first, _, options = start.strip().partition(" ")
        if not first:
            raise CommandError("a position is needed, as `dump` writes it, or `start` and options")
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
        """What the seat to move sees."""
        if self.state is None:
            raise CommandError("there is no position yet")
        if not isinstance(self.state.to_act, int):
            waits = "the game is over" if self.state.to_act is None else "chance acts first"
            raise CommandError(f"nobody is to move here: {waits}")
        return self.state.view(self.state.to_act)

    # -- thinking --

    def _go(self, asked: str, stopped: Callable[[], bool]) -> None:
        view = self._view_to_act()
        limit = self._parse_limit(parse_limit_words(asked, "seconds", "mean", "simulations"), stopped)
        self.send(f"best {candidate_text(self.engine.choose(view, limit, self.rng))}")

    def _analyse(self, asked: str, stopped: Callable[[], bool]) -> None:
        view, named = self._view_to_act(), parse_limit_words(asked, "seconds", "simulations", "top")
        top = parse_int("top", named.pop("top", str(MAX_SIMULATIONS)), 1, MAX_SIMULATIONS)
        analysis = self.engine.analyse(view, self._parse_limit(named, stopped), self.rng)
        for known in analysis.facts:
            self.send(f"known {i18n.render(self.game, known)}")
        for reached in analysis.distance_maps:
            self.send(f"reach {distance_map_text(reached)}")
        for place, choice in enumerate(analysis.candidates[:top], 1):
            self.send(f"choice {place} {candidate_text(choice)}")
        self.send(f"ok {len(analysis.candidates)} actions")

    def _parse_limit(self, named: dict[str, str], stopped: Callable[[], bool]) -> Limit:
        """The limits asked for, and the lines that are said until they are reached."""
        timed = time_limit_name(named) or "seconds"
        seconds = parse_float(timed, named.get(timed, "1"), 0.001, MAX_SECONDS)
        counted = named.get("simulations")
        began = time.monotonic()
        told = began

        def progress(done: float) -> None:
            nonlocal told
            if (now := time.monotonic()) - told >= INFO_INTERVAL:
                told = now
                self.send(f"info done {min(1.0, max(0.0, done)):.2f} seconds {now - began:.2f}")

        return Limit(
            seconds=seconds,
            simulations=None if counted is None else parse_int("simulations", counted, 1, MAX_SIMULATIONS),
            average=timed == "mean",
            on_progress=progress,
            on_best=lambda choice: self.send(f"info best {candidate_text(choice)}"),
            should_stop=stopped,
        )


# --- Reading what was typed --------------------------------------------------------------------


def parse_limit_words(text: str, *known: str) -> dict[str, str]:
    """The limits of a `go`: `seconds 2 simulations 100`, each at most once."""
    pieces, found = iter(text.split()), dict[str, str]()
    for name, value in _name_value_pairs(pieces):
        if name not in known or name in found:
            raise CommandError(f"{shortened(name)!r} is no new limit; there are {' '.join(known)}")
        found[name] = value
    return found


def _name_value_pairs(pieces: Iterator[str]) -> Iterator[tuple[str, str]]:
    for name in pieces:
        yield name, next(pieces, "")


def time_limit_name(named: Mapping[str, str]) -> str | None:
    """Which of the limits is one in time, if any."""
    match [name for name in ("seconds", "mean") if name in named]:
        case []:
            return None
        case [name]:
            return name
    raise CommandError("seconds are for every move or the mean of a game, not both")


def parse_int(name: str, text: str, least: int, most: int) -> int:
    """A whole number within its bounds."""
    if not re.fullmatch(r"\d{1,12}", text, re.ASCII) or not least <= int(text) <= most:
        raise CommandError(f"{name} is a whole number from {least} to {most}, not {shortened(text)!r}")
    return int(text)


def parse_float(name: str, text: str, least: float, most: float) -> float:
    """A number within its bounds."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number <= most:
        raise CommandError(f"{name} is a number from {least:g} to {most:g}, not {shortened(text)!r}")
    return number


def shortened(text: str) -> str:
    """A text cut to what fits into an answer."""
    return text if len(text) <= 40 else text[:37] + "..."
