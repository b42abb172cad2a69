"""Game records: a played game as text. Parsing a record replays and verifies the game.

    tripot record 1
    game: ...                       the key of the game
    version: 1                      the version of its rules; an older one if they are the same for this game
    options: name=value             options that differ from their defaults; may be empty
    position: ...                   only if the game started from a position: its `to_text`
    seats: Ann, level 3             one name per seat
    date: 2026-11-15                the day on which it was played; empty if unknown
    result: 1 -1 TABLE resign       the score of each seat, clause and key of the end; * if unfinished
    seed: 9f86...                   only if all chance outcomes derive from it: see `tripot.fairness`

    1. ...                          the text of every action, including chance, numbered from 1
    2. ...
    end: resign 2                   only if the players ended the game: `resign N`, `time N` or `agree`

The headers are in this order, each once, followed by an empty line and the actions. The text is UTF-8, and
every line ends with a newline, including the last one.

`Record.parse` accepts exactly what `Record.to_text` writes, except that lines may end in CRLF. The price is
that a record typed by hand must be exact; the error shows how the line should read. In return, two records
are equal exactly if their texts are equal, and damage is reported with its line. A truncated record is
refused, unless it is the record of an unfinished game without its last actions, which is a valid record too.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date as day
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from tripot.game import (
    Action,
    AnyGame,
    AnyState,
    Fact,
    IllegalActionError,
    Options,
    Outcome,
    ParseError,
    TripotError,
    check_text,
    fact,
)
from tripot.games import get_game

MAGIC_LINE: Final = "tripot record 1"
HEADERS: Final = ("game", "version", "options", "position", "seats", "date", "result", "seed")
OPTIONAL_HEADERS: Final = ("position", "seed")
UNFINISHED: Final = "*"


class RecordError(TripotError):
    """A text that is not a correct record: the `line`, counted from 1, and the `reason` in English.

    If an action is illegal, the `IllegalActionError` is the `__cause__`.
    """

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line}: {reason}")


class RulesVersionError(TripotError):
    """A game that was played with a version of the rules in which it went differently."""


# --- Checks of the parts of a record -----------------------------------------------------------


def check_name(name: str) -> None:
    """Raise TripotError unless a name is printable, without commas and without spaces around it."""
    if not name or name != name.strip() or "," in name or not name.isprintable():
        raise TripotError(f"{name!r} is no name: a name is printable, without commas or spaces around it")


def check_seats(seats: tuple[str, ...], options: Options) -> None:
    """Raise TripotError unless there is one valid name per seat."""
    if len(seats) != options.players:
        raise TripotError(f"there are {options.players} seats, not {len(seats)}")
    for name in seats:
        check_name(name)


def check_seed(seed: str) -> None:
    """Raise TripotError unless a seed is 64 hexadecimal digits, or empty."""
    if not re.fullmatch("([0-9a-f]{64})?", seed):
        raise TripotError(f"{_shortened(seed)!r} is no seed: it has 64 digits, 0 to 9 and a to f")


def check_date(date: str) -> None:
    """Raise TripotError unless a date has the form `2026-11-15`, or is empty."""
    try:
        is_valid = not date or day.fromisoformat(date).isoformat() == date
    except ValueError:
        is_valid = False
    if not is_valid:
        raise TripotError(f"{_shortened(date)!r} is no date such as 2026-11-15")


def check_version(game: AnyGame, version: int, options: str) -> None:
    """Raise RulesVersionError unless games of a version with these options are the same in this version."""
    if version == game.version:
        return
    message = f"it was played with version {version} of the rules"
    if not 1 <= version < game.version:
        raise RulesVersionError(f"{message}; here they have version {game.version}")
    if change := game.changes_since(version, game.Options.parse(options)):
        raise RulesVersionError(f"{message}, and in version {game.version} {change}")


def starting_state(game: AnyGame, options: Options, position: str = "") -> AnyState:
    """The first state of a game: its initial state, or a full position, which has its own options."""
    if not position:
        return game.initial_state(options)
    state = game.parse_state(position)
    if state.determinize(Random(0)) != state:
        raise ParseError(position, "something in it is hidden; a game begins from a whole position")
    return state


def check_start(game: AnyGame, options: Options, position: str) -> None:
    """Raise TripotError unless a position has these options and is written as its game writes it."""
    start = starting_state(game, options, position)
    if start.options != options:
        raise TripotError(f"the position has other options: {str(start.options) or 'the defaults'}")
    if position and start.to_text() != position:
        raise TripotError(f"the position is written {start.to_text()!r}")


def outcome_of(game: AnyGame, state: AnyState, termination: str) -> Outcome | None:
    """The outcome, by the players' termination if there is one, else by the rules; None before the end."""
    return termination_outcome(game, state, termination) if termination else state.outcome


def termination_outcome(game: AnyGame, state: AnyState, termination: str) -> Outcome:
    """The outcome of a game that the players ended: by `resign N`, `time N` or `agree`.

    The team of the seat that resigns or runs out of time loses by -1 to 1, whatever the points are.
    """
    if state.outcome:
        raise IllegalActionError("TABLE", "over")
    teams = state.teams
    if termination == "agree":
        if game.draw_clause is None:
            raise IllegalActionError("TABLE", "no_agreement")
        return Outcome((0,) * len(teams), teams, Fact(game.draw_clause, "agreed"), has_points=False)
    for seat, losing_team in enumerate(teams):
        if termination in (f"resign {seat + 1}", f"time {seat + 1}"):
            if len(set(teams)) != 2:
                raise IllegalActionError("TABLE", "too_many")
            scores = tuple(-1 if team == losing_team else 1 for team in teams)
            reason = fact("TABLE", termination.split()[0], seat=seat)
            return Outcome(scores, teams, reason, has_points=False)
    raise ParseError(
        termination, f"an end is `resign 1` to `resign {len(teams)}`, `time` and a seat, or `agree`"
    )


# --- The record --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Record:
    """A played game, finished or not.

    The headers are checked when a Record is created. The actions are checked when it is replayed, which
    `parse`, `states`, `final_state` and `outcome` do. `older_version` is the version of the rules that the
    record names if it is not the present one.
    """

    game: AnyGame
    options: Options
    seats: tuple[str, ...]
    date: str
    actions: tuple[Action, ...]
    termination: str = ""
    position: str = ""
    seed: str = ""
    older_version: int | None = None

    def __post_init__(self) -> None:
        if self.older_version is not None:
            check_version(self.game, self.older_version, str(self.options))
        check_start(self.game, self.options, self.position)
        check_seats(self.seats, self.options)
        check_date(self.date)
        check_seed(self.seed)

    # -- replay --

    def initial_state(self) -> AnyState:
        """The state before the first action."""
        return starting_state(self.game, self.options, self.position)

    def states(self) -> Iterator[AnyState]:
        """The initial state, then the state after each action."""
        state = self.initial_state()
        yield state
        for action in self.actions:
            state = state.apply(action)
            yield state

    @property
    def final_state(self) -> AnyState:
        """The state after the last action."""
        *_, state = self.states()
        return state

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, by the rules or by the players; None if the game is unfinished."""
        return outcome_of(self.game, self.final_state, self.termination)

    # -- text --

    def to_text(self) -> str:
        """The text that `parse` reads."""
        return self._text(_result(self.outcome))

    def _text(self, result: str) -> str:
        headers = {
            "game": self.game.key,
            "version": str(self.older_version or self.game.version),
            "options": str(self.options),
            "position": self.position,
            "seats": ", ".join(self.seats),
            "date": self.date,
            "result": result,
            "seed": self.seed,
        }
        lines = [MAGIC_LINE]
        present = [name for name in HEADERS if headers[name] or name not in OPTIONAL_HEADERS]
        lines += [f"{name}: {headers[name]}".rstrip() for name in present]
        lines += ["", *(f"{number}. {action}" for number, action in enumerate(self.actions, 1))]
        lines += [f"end: {self.termination}"] if self.termination else []
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Record:
        """Parse, replay and verify a record. Raises `RecordError` with the line of the first error."""
        check_text(text, "a record")
        lines = text.replace("\r\n", "\n").split("\n")
        if lines[0] != MAGIC_LINE:
            raise RecordError(1, f"a record begins with the line {MAGIC_LINE!r}")
        if lines.pop():
            raise RecordError(len(lines) + 1, "the record breaks off in this line")
        headers, header_lines = _parse_headers(lines)
        unplayed = _record_from_headers(headers)
        record, outcome = _replay_actions(unplayed, lines[header_lines:], header_lines + 1)
        number, result = headers["result"]
        if result != _result(outcome):
            raise RecordError(
                number, f"the actions lead to {_result(outcome)}, not to {_shortened(result)!r}"
            )
        exact_lines = record._text(result).split("\n")
        for number, (line, exact) in enumerate(zip(lines, exact_lines, strict=False), 1):
            if line != exact:
                raise RecordError(number, f"this line is written {_shortened(exact)!r}")
        return record

    # -- files --

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Parse the record in a file."""
        raw = Path(path).read_bytes()
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(raw.count(b"\n", 0, error.start) + 1, "this is not UTF-8 text") from None
        return cls.parse(text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file atomically: if it fails, an existing file is unchanged."""
        path = Path(path).resolve()
        raw = self.to_text().encode("utf-8")
        temporary = path.with_name(f".tripot-{secrets.token_hex(8)}")
        try:
            with temporary.open("xb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


# --- Parsing -----------------------------------------------------------------------------------

Headers: TypeAlias = dict[str, tuple[int, str]]
"""The line number and the value of each header, by name."""


@contextmanager
def _error_at_line(line: int) -> Iterator[None]:
    """Turn errors into a `RecordError` of a line."""
    try:
        yield
    except IllegalActionError as error:
        raise RecordError(line, f"not allowed here: {error}") from error
    except TripotError as error:
        raise RecordError(line, str(error)) from error


def _parse_headers(lines: list[str]) -> tuple[Headers, int]:
    """Return the headers, and the number of lines before the first action."""
    headers: Headers = {}
    for number, line in enumerate(lines[1:], 2):
        name, _, value = line.partition(":")
        if not line:
            if missing := [name for name in HEADERS if name not in (*headers, *OPTIONAL_HEADERS)]:
                raise RecordError(number, f"the header {missing[0]!r} is missing")
            return headers, number
        if name not in HEADERS:
            raise RecordError(number, f"{_shortened(line)!r} is no header; there are {', '.join(HEADERS)}")
        if name in headers:
            raise RecordError(number, f"the header {name!r} is given twice")
        headers[name] = (number, value.strip())
    raise RecordError(len(lines), "the record breaks off in its headers")


def _record_from_headers(headers: Headers) -> Record:
    """Return a record without actions."""
    line, key = headers["game"]
    with _error_at_line(line):
        game = get_game(key)
    version_line, text = headers["version"]
    version = int(text) if re.fullmatch("[1-9][0-9]{0,3}", text) else 0
    if not 1 <= version <= game.version:
        raise RecordError(
            version_line, f"version {_shortened(text)!r} of the rules; here they have version {game.version}"
        )
    line, text = headers["options"]
    with _error_at_line(line):
        options = game.Options.parse(text)
    with _error_at_line(version_line):
        check_version(game, version, text)
    line, position = headers.get("position", (line, ""))
    with _error_at_line(line):
        check_start(game, options, position)
    line, names = headers["seats"]
    with _error_at_line(line):
        check_seats(seats := tuple(names.split(", ")), options)
    line, date = headers["date"]
    with _error_at_line(line):
        check_date(date)
    line, seed = headers.get("seed", (line, ""))
    with _error_at_line(line):
        check_seed(seed)
    older_version = version if version < game.version else None
    return Record(game, options, seats, date, (), "", position, seed, older_version)


def _replay_actions(unplayed: Record, lines: list[str], first_number: int) -> tuple[Record, Outcome | None]:
    """Parse and apply the actions; return the complete record and its outcome."""
    game, state, termination = unplayed.game, unplayed.initial_state(), ""
    actions: list[Action] = []
    outcome = state.outcome
    for number, line in enumerate(lines, first_number):
        if termination:
            raise RecordError(number, "nothing may follow the end")
        if line.startswith("end: "):
            termination = line.removeprefix("end: ")
            with _error_at_line(number):
                outcome = termination_outcome(game, state, termination)
            continue
        action_number, _, text = line.partition(". ")
        if action_number != str(len(actions) + 1):
            raise RecordError(number, f"action {len(actions) + 1} is expected here, not {_shortened(line)!r}")
        if outcome:
            raise RecordError(number, "the game was over before this action")
        with _error_at_line(number):
            actions.append(game.parse_action(text))
            state = state.apply(actions[-1])
        outcome = state.outcome
    return replace(unplayed, actions=tuple(actions), termination=termination), outcome


def _result(outcome: Outcome | None) -> str:
    return str(outcome) if outcome else UNFINISHED


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
