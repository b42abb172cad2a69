"""The folder of a match: its records, so that an interrupted match can be resumed.

The folder holds one record per game, `0001.txt` and so on, and `match.json`: what was played, and for each
game how many moves each contestant made, how long it searched and how long it was allowed to. A game counts
once its record exists. Before it counts, it is replayed and compared with the game that would be played now.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from tripot.game import CHANCE, TripotError
from tripot.record import Record, RecordError

MATCH_FILE: Final = "match.json"


class MatchStoreError(TripotError):
    """A folder does not hold the match that is to be played."""


@dataclass(frozen=True, slots=True)
class TimeUsage:
    """How a contestant used its time: its moves, the seconds they took, and the seconds they might take."""

    moves: int = 0
    seconds: float = 0.0
    allowed: float = 0.0

    def __add__(self, other: TimeUsage) -> TimeUsage:
        return TimeUsage(self.moves + other.moves, self.seconds + other.seconds, self.allowed + other.allowed)

    @property
    def seconds_per_move(self) -> float:
        """The average time of a move; 0.0 without any."""
        return self.seconds / max(1, self.moves)


TimeUsagePair = tuple[TimeUsage, TimeUsage]
"""The time usage of contestants A and B."""


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """What identifies a match. More games may be added to it, but nothing else may change."""

    game: str
    version: int
    options: str
    a: str
    b: str
    names: tuple[str, str]
    seed: int
    equal_time: bool


class MatchStore:
    """The folder of one match. Nothing is written before the first game is added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.header: MatchHeader | None = None
        self.time_usage: dict[int, TimeUsagePair] = {}
        if (folder / MATCH_FILE).exists():
            self._load()
        elif any(self._records()):
            raise MatchStoreError(
                f"{folder} holds records, but no {MATCH_FILE}: they are not the games of a match; "
                "choose another folder"
            )

    def _load(self) -> None:
        try:
            stored = json.loads((self.folder / MATCH_FILE).read_text("utf-8"))
            header = stored["match"]
            self.header = MatchHeader(**{**header, "names": tuple(header["names"])})
            self.time_usage = {
                int(number): (TimeUsage(*a), TimeUsage(*b)) for number, (a, b) in stored["time_usage"].items()
            }
        except (ValueError, KeyError, TypeError) as error:
            raise MatchStoreError(
                f"cannot read {self.folder / MATCH_FILE}: {error!r}; it is damaged or was written by another "
                "version of Tripot, so choose another folder"
            ) from None

    def _records(self) -> Iterator[Path]:
        return self.folder.glob("[0-9][0-9][0-9][0-9]*.txt")

    def path(self, number: int) -> Path:
        """Return the file of a game, which is counted from 0; the names of the files begin with 1."""
        return self.folder / f"{number + 1:04}.txt"

    def open(self, header: MatchHeader) -> None:
        """Begin a match in this folder, or resume it; raise `MatchStoreError` if it holds another match."""
        if self.header and self.header != header:
            stored, wanted = asdict(self.header), asdict(header)
            differences = [
                f"{name} {stored[name]!r}, not {wanted[name]!r}"
                for name in stored
                if stored[name] != wanted[name]
            ]
            raise MatchStoreError(f"{self.folder} holds another match: {'; '.join(differences)}")
        self.header = header

    def has(self, number: int) -> bool:
        """Return whether a game is stored."""
        return self.path(number).exists()

    def load_game(self, number: int, expected: Record, chance: Random) -> Record:
        """Return a stored game, after checking that it is the one that would be played now.

        It must have the headers of the expected record, the chance outcomes that the seed of the match
        gives, and an end.
        """
        path = self.path(number)
        if number not in self.time_usage:
            raise MatchStoreError(f"{path} is not listed in {MATCH_FILE}")
        try:
            record = Record.load(path)
        except RecordError as error:
            raise MatchStoreError(f"{path}: {error}") from error
        if replace(record, actions=(), termination="") != expected:
            raise MatchStoreError(f"{path}: another game, other options or other players than in this match")
        for state, action in zip(record.states(), record.actions, strict=False):
            if state.to_act is CHANCE and state.sample_chance(chance) != action:
                raise MatchStoreError(f"{path}: {action} does not follow from the seed of this match")
        if record.outcome is None:
            raise MatchStoreError(f"{path}: the game is not finished")
        return record

    def add(self, number: int, record: Record, time_usage: TimeUsagePair) -> None:
        """Store a game. The record is written last and atomically, so a game is complete or absent."""
        assert self.header
        self.folder.mkdir(parents=True, exist_ok=True)
        self.time_usage[number] = time_usage
        stored = {
            "match": asdict(self.header),
            "time_usage": {str(n): [astuple(usage) for usage in pair] for n, pair in self._sorted_usage()},
        }
        temporary = self.folder / f".{MATCH_FILE}"
        temporary.write_text(json.dumps(stored, indent=1), "utf-8")
        os.replace(temporary, self.folder / MATCH_FILE)
        record.save(self.path(number))

    def _sorted_usage(self) -> list[tuple[int, TimeUsagePair]]:
        return sorted(self.time_usage.items())
