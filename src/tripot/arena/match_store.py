"""The games of a match on disk, so that it can be stopped and gone on with.

A folder holds a record a game, `0001.txt` and so on, and `match.json`: which match it is, and for each
game how many moves each side made, how long it thought and how long it might have. A game counts once
its record is there, and every record is replayed and compared with its fixture before it counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Self

from tripot.cli.arguments import load_record
from tripot.game import CHANCE, TripotError
from tripot.record import Record

MATCH_FILE = "match.json"


class MatchStoreError(TripotError):
    """A folder that holds something else than this match."""


@dataclass(frozen=True, slots=True)
class TimeUsage:
    """How a side used its time: its moves, the seconds it took for them, and those it might have taken."""

    moves: int = 0
    seconds: float = 0.0
    allowed: float = 0.0

    def __add__(self, other: TimeUsage) -> TimeUsage:
        return TimeUsage(self.moves + other.moves, self.seconds + other.seconds, self.allowed + other.allowed)

    @property
    def mean(self) -> float:
        """Seconds a move."""
        return self.seconds / max(1, self.moves)


TimeUsagePair = tuple[TimeUsage, TimeUsage]


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """Which match it is. More games may be added to it, but nothing else may change."""

    game: str
    version: int
    options: str
    a: str
    b: str
    names: tuple[str, str]
    seed: int
    equal_time: bool


class MatchStore:
    """A folder of games. Nothing is written before the first game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.header: MatchHeader | None = None
        self.time_usage: dict[int, TimeUsagePair] = {}
        if (folder / MATCH_FILE).exists():
            self._load()
        elif any(self._records()):
            raise MatchStoreError(
                f"{folder} holds records, but no {MATCH_FILE}: these are not the games of a match"
            )

    def _load(self) -> None:
        try:
            said = json.loads((self.folder / MATCH_FILE).read_text("utf-8"))
            about = said["match"]
            self.header = MatchHeader(**{**about, "names": tuple(about["names"])})
            self.time_usage = {int(n): (TimeUsage(*a), TimeUsage(*b)) for n, (a, b) in said["paces"].items()}
        except (ValueError, KeyError, TypeError) as error:
            raise MatchStoreError(f"{self.folder / MATCH_FILE} cannot be read: {error!r}") from None

    def _records(self) -> Iterator[Path]:
        return self.folder.glob("[0-9][0-9][0-9][0-9]*.txt")

    def path(self, number: int) -> Path:
        """Where a game is kept."""
        return self.folder / f"{number + 1:04}.txt"

    def open(self, about: MatchHeader) -> Self:
        """Begin the match, or go on with it if it is the same."""
        if self.header and self.header != about:
            here, asked = asdict(self.header), asdict(about)
            other = [
                f"{name} {here[name]!r}, not {asked[name]!r}" for name in here if here[name] != asked[name]
            ]
            raise MatchStoreError(f"{self.folder} holds another match: {'; '.join(other)}")
        self.header = about
        return self

    def has(self, number: int) -> bool:
        """Whether a game is there already."""
        return self.path(number).exists()

    def load_game(self, number: int, expected: Record, chance: Random) -> Record:
        """A game that is there, if it is the one that would be played now.

        It has the headers of the expected one, the chance that would be dealt, and an end.
        """
        where, record = self.path(number), load_record(self.path(number))
        if number not in self.time_usage:
            raise MatchStoreError(f"{where} is not in {MATCH_FILE}")
        if replace(record, actions=(), termination="") != expected:
            raise MatchStoreError(f"{where}: another game, other options or other players than in this match")
        for state, action in zip(record.states(), record.actions, strict=False):
            if state.to_act is CHANCE and state.sample_chance(chance) != action:
                raise MatchStoreError(f"{where}: {action} is not what the seed of this match deals")
        if record.outcome is None:
            raise MatchStoreError(f"{where}: the game is not finished")
        return record

    def add(self, number: int, record: Record, paces: TimeUsagePair) -> None:
        """Keep a game. Whatever happens meanwhile, it is there as a whole or not at all."""
        assert self.header
        self.folder.mkdir(parents=True, exist_ok=True)
        self.time_usage[number] = paces
        times: dict[str, Any] = {
            str(n): [astuple(each) for each in self.time_usage[n]] for n in sorted(self.time_usage)
        }
        beside = self.folder / f".{MATCH_FILE}"
        beside.write_text(json.dumps({"match": asdict(self.header), "paces": times}, indent=1), "utf-8")
        os.replace(beside, self.folder / MATCH_FILE)
        record.save(self.path(number))
