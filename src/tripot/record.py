"""A played game as text, and back: every record that is read has been replayed and verified.

    tripot record 1
    game: ...                       the key of the game
    version: 1                      of its rules
    options: name=value             those that are not the default; nothing after the colon if all are
    position: ...                   only if the game did not begin at its start: `to_text` of the position
    seats: Ann, level 3             a name a seat
    date: 2026-11-15                the day it was played; nothing if it is not known
    result: 1 -1 TABLE resign       scores a seat, clause and key of the ending; * while unfinished
    seed: 9f86...                   only if all chance was drawn from it: see `tripot.fairness`

    1. ...                          every action by its text, chance included, numbered from 1
    2. ...
    end: resign 2                   only if the table ended it: `resign N`, `time N` or `agree`

The headers stand in this order, each once, then an empty line, then the actions. The text is UTF-8
and each line ends with a newline, the last one too.

`Record.parse` takes exactly what `Record.to_text` writes; only lines may also end in CRLF. The price is
that a record typed by hand has to be neat, and the refusal says how the line should read. In return
two records are equal exactly if their texts are, and damage is named by its line: a record that was
cut anywhere is refused, unless it is that of an unfinished game and lost whole actions. Then it is
still true, as far as it goes.
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
    fact,
)
from tripot.games import get_game

MAGIC_LINE: Final = "tripot record 1"
HEADERS: Final = ("game", "version", "options", "position", "seats", "date", "result", "seed")
OPTIONAL_HEADERS: Final = ("position", "seed")
UNFINISHED: Final = "*"


class RecordError(TripotError):
    """A text that is no true record: `line`, counted from 1, and the `reason` in English.

    Where the rules refused an action, the `IllegalActionError` is the `__cause__`.
    """

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line}: {reason}")


# --- What a record may say, checked ------------------------------------------------------------


def check_name(name: str) -> None:
    """A player's name goes on a line with others: printable, without commas or spaces around it."""
    if not name or name != name.strip() or "," in name or not name.isprintable():
        raise TripotError(f"{name!r} is no name: a name is printable, without commas or spaces around it")


def check_seats(seats: tuple[str, ...], options: Options) -> None:
    """A name a seat."""
    if len(seats) != options.players:
        raise TripotError(f"there are {options.players} seats, not {len(seats)}")
    for name in seats:
        check_name(name)


def check_seed(seed: str) -> None:
    """A seed is 64 hexadecimal digits, or nothing where chance came from elsewhere."""
    if not re.fullmatch("([0-9a-f]{64})?", seed):
        raise TripotError(f"{_shortened(seed)!r} is no seed: it has 64 digits, 0 to 9 and a to f")


def check_date(date: str) -> None:
    """A date is `2026-11-15`, or nothing where it is not known."""
    try:
        known = not date or day.fromisoformat(date).isoformat() == date
    except ValueError:
        known = False
    if not known:
        raise TripotError(f"{_shortened(date)!r} is no date such as 2026-11-15")


def starting_state(game: AnyGame, options: Options, position: str = "") -> AnyState:
    """The state a game begins with: the game's start, or a position instead, which has its own options."""
    if not position:
        return game.initial_state(options)
    state = game.parse_state(position)
    if state.determinize(Random(0)) != state:
        raise ParseError(position, "something in it is hidden; a game begins from a whole position")
    return state


def check_start(game: AnyGame, options: Options, position: str) -> None:
    """A game begins with its options, and a position has them already and is written as its game does."""
    start = starting_state(game, options, position)
    if start.options != options:
        raise TripotError(f"the position has other options: {str(start.options) or 'the defaults'}")
    if position and start.to_text() != position:
        raise TripotError(f"the position is written {start.to_text()!r}")


def termination_outcome(game: AnyGame, state: AnyState, end: str) -> Outcome:
    """How a game ends that the players end themselves: by `resign N`, `time N` or `agree`.

    Who resigns or runs out of time loses by 1 to -1, with the team, whatever the points on the board.
    """
    if state.outcome:
        raise IllegalActionError("TABLE", "over")
    teams = state.teams
    if end == "agree":
        if game.draw_clause is None:
            raise IllegalActionError("TABLE", "no_agreement")
        return Outcome((0,) * len(teams), teams, Fact(game.draw_clause, "agreed"))
    for seat, lost in enumerate(teams):
        if end in (f"resign {seat + 1}", f"time {seat + 1}"):
            if len(set(teams)) != 2:
                raise IllegalActionError("TABLE", "too_many")
            scores = tuple(-1 if team == lost else 1 for team in teams)
            return Outcome(scores, teams, fact("TABLE", end.split()[0], seat=seat))
    raise ParseError(end, f"an end is `resign 1` to `resign {len(teams)}`, `time` and a seat, or `agree`")


# --- The record --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it was played, finished or not.

    What stands above the actions is checked when a Record is made. The actions are checked whenever
    it is replayed, so by `parse`, `states`, `final_state` and `outcome`.
    """

    game: AnyGame
    options: Options
    seats: tuple[str, ...]
    date: str
    actions: tuple[Action, ...]
    termination: str = ""
    position: str = ""
    seed: str = ""

    def __post_init__(self) -> None:
        check_start(self.game, self.options, self.position)
        check_seats(self.seats, self.options)
        check_date(self.date)
        check_seed(self.seed)

    # -- replay --

    def initial_state(self) -> AnyState:
        """The state before the first action."""
        return starting_state(self.game, self.options, self.position)

    def states(self) -> Iterator[AnyState]:
        """The start, then the state after each action."""
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
        """How it ended, by the rules or at the table; None while unfinished."""
        return (
            termination_outcome(self.game, self.final_state, self.termination)
            if self.termination
            else self.final_state.outcome
        )

    # -- text --

    def to_text(self) -> str:
        """The text that `parse` takes back."""
        return self._text(_result(self.outcome))

    def _text(self, result: str) -> str:
        said = {
            "game": self.game.key,
            "version": str(self.game.version),
            "options": str(self.options),
            "position": self.position,
            "seats": ", ".join(self.seats),
            "date": self.date,
            "result": result,
            "seed": self.seed,
        }
        lines = [MAGIC_LINE]
        there = [name for name in HEADERS if said[name] or name not in OPTIONAL_HEADERS]
        lines += [f"{name}: {said[name]}".rstrip() for name in there]
        lines += ["", *(f"{number}. {action}" for number, action in enumerate(self.actions, 1))]
        lines += [f"end: {self.termination}"] if self.termination else []
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Record:
        """A record from its text, replayed and verified; `RecordError` names the line at fault."""
        lines = text.replace("\r\n", "\n").split("\n")
        if lines[0] != MAGIC_LINE:
            raise RecordError(1, f"a record begins with the line {MAGIC_LINE!r}")
        if lines.pop():
            raise RecordError(len(lines) + 1, "the record breaks off in this line")
        said, above = _parse_headers(lines)
        record, outcome = _replay_actions(_record_from_headers(said), lines[above:], above + 1)
        at, result = said["result"]
        if result != _result(outcome):
            raise RecordError(at, f"the actions lead to {_result(outcome)}, not to {_shortened(result)!r}")
        for number, (line, neat) in enumerate(zip(lines, record._text(result).split("\n"), strict=False), 1):
            if line != neat:
                raise RecordError(number, f"this line is written {_shortened(neat)!r}")
        return record

    # -- files --

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """The record in a file."""
        raw = Path(path).read_bytes()
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(raw.count(b"\n", 0, error.start) + 1, "this is no UTF-8 text") from None
        return cls.parse(text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, all or nothing: whatever fails, a file that was there stays whole."""
        path = Path(path).resolve()
        raw = self.to_text().encode("utf-8")
        beside = path.with_name(f".tripot-{secrets.token_hex(8)}")
        try:
            with beside.open("xb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


# --- Reading, line by line ---------------------------------------------------------------------

Headers: TypeAlias = dict[str, tuple[int, str]]
"""By name: the number of its line and what it says."""


@contextmanager
def _error_at_line(line: int) -> Iterator[None]:
    """What goes wrong in here is the fault of that line."""
    try:
        yield
    except IllegalActionError as refusal:
        raise RecordError(line, f"not allowed here: {refusal}") from refusal
    except TripotError as error:
        raise RecordError(line, str(error)) from error


def _parse_headers(lines: list[str]) -> tuple[Headers, int]:
    """The headers, and the number of lines above the first action."""
    said: Headers = {}
    for number, line in enumerate(lines[1:], 2):
        name, _, value = line.partition(":")
        if not line:
            if missing := [name for name in HEADERS if name not in (*said, *OPTIONAL_HEADERS)]:
                raise RecordError(number, f"the header {missing[0]!r} is missing")
            return said, number
        if name not in HEADERS:
            raise RecordError(number, f"{_shortened(line)!r} is no header; there are {', '.join(HEADERS)}")
        if name in said:
            raise RecordError(number, f"the header {name!r} is given twice")
        said[name] = (number, value.strip())
    raise RecordError(len(lines), "the record breaks off in its headers")


def _record_from_headers(said: Headers) -> Record:
    """The record that the headers begin, without its actions."""
    line, key = said["game"]
    with _error_at_line(line):
        game = get_game(key)
    line, version = said["version"]
    if version != str(game.version):
        raise RecordError(
            line, f"version {_shortened(version)!r} of the rules; here they have version {game.version}"
        )
    line, text = said["options"]
    with _error_at_line(line):
        options = game.Options.parse(text)
    line, position = said.get("position", (line, ""))
    with _error_at_line(line):
        check_start(game, options, position)
    line, names = said["seats"]
    with _error_at_line(line):
        check_seats(seats := tuple(names.split(", ")), options)
    line, date = said["date"]
    with _error_at_line(line):
        check_date(date)
    line, seed = said.get("seed", (line, ""))
    with _error_at_line(line):
        check_seed(seed)
    return Record(game, options, seats, date, (), "", position, seed)


def _replay_actions(begun: Record, lines: list[str], first: int) -> tuple[Record, Outcome | None]:
    """The record with its actions, each applied, and how it ended."""
    game, state, end = begun.game, begun.initial_state(), ""
    actions: list[Action] = []
    outcome = state.outcome
    for number, line in enumerate(lines, first):
        if end:
            raise RecordError(number, "nothing may follow the end")
        if line.startswith("end: "):
            end = line.removeprefix("end: ")
            with _error_at_line(number):
                outcome = termination_outcome(game, state, end)
            continue
        place, _, text = line.partition(". ")
        if place != str(len(actions) + 1):
            raise RecordError(number, f"action {len(actions) + 1} is expected here, not {_shortened(line)!r}")
        if outcome:
            raise RecordError(number, "the game was over before this action")
        with _error_at_line(number):
            actions.append(game.parse_action(text))
            state = state.apply(actions[-1])
        outcome = state.outcome
    return replace(begun, actions=tuple(actions), termination=end), outcome


def _result(outcome: Outcome | None) -> str:
    return str(outcome) if outcome else UNFINISHED


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
