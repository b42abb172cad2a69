"""The clock of a game: so many seconds a seat, and some more for each move. The server decides.

It has no time of its own: it is told when things happened, so the same events give the same clock.
After a restart it goes on from the last event: time in which there was no server is nobody's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tripot.game import Seat, TripotError

SHORTEST = 10  # seconds per seat; with less, the delay of a network decides a game
LONGEST = 7 * 24 * 3600


@dataclass(slots=True)
class Clock:
    """Seconds left by seat, whose are running and since when; `per_move` are added after a move.

    Written `300+5`; nothing is no clock at all.
    """

    left: list[float] = field(default_factory=list)
    per_move: float = 0.0
    running: Seat | None = None
    since: float = 0.0

    @classmethod
    def read(cls, text: str, seats: int, shortest: int = SHORTEST) -> Clock:
        """A clock from its text; one with fewer seconds than `shortest` is refused.

        >>> Clock.read("300+5", 2).left
        [300.0, 300.0]
        >>> Clock.read("9+0", 2)
        Traceback (most recent call last):
        tripot.game.TripotError: '9+0' is no clock: those are like 300+5, from 10 seconds to a week
        >>> Clock.read("9+0", 2, shortest=1).left
        [9.0, 9.0]
        """
        if not text:
            return cls()
        parts = re.fullmatch(r"(\d{1,6})\+(\d{1,4})", text)
        if not parts or not shortest <= int(parts[1]) <= LONGEST:
            raise TripotError(
                f"{text!r} is no clock: those are like 300+5, from {shortest} seconds to a week"
            )
        return cls([float(parts[1])] * seats, float(parts[2]))

    def tick(self, mover: object, after: Seat | None, now: float, acted: bool) -> None:
        """Something happened: the mover's time stops, and `after` is on the clock now."""
        if not self.left:
            return
        if self.running is not None:
            self.left[self.running] -= max(0.0, now - self.since)
            if acted and self.running == mover:
                self.left[self.running] += self.per_move
        self.running, self.since = after, now

    def restart(self, now: float) -> None:
        """The server was away until now."""
        self.since = now

    def remaining(self, now: float) -> float | None:
        """How many seconds the seat on the clock has, if there is one."""
        return None if not self.left or self.running is None else self.left[self.running] - (now - self.since)

    def json(self) -> dict[str, Any] | None:
        """For the page: what each had left when the running one started."""
        if not self.left:
            return None
        left = [round(each, 3) for each in self.left]
        return {"left": left, "running": self.running, "since": round(self.since, 3)}
