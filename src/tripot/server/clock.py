"""The chess clock of a game: seconds per seat, and an increment after each move. The server decides.

A clock does not measure time itself: every event has the seconds that it took on the clock, so the same
events give the same clock. The time in which the server was down does not count.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tripot.game import Seat, TripotError
from tripot.server.wire import ClockState

SHORTEST = 10  # seconds per seat; with less, the delay of a network decides a game
LONGEST = 7 * 24 * 3600


@dataclass(slots=True)
class Clock:
    """Seconds left per seat, the seat whose time is running and since when.

    Its text is `300+5`; the empty text means a game without a clock, whose `remaining_seconds` is empty.
    """

    remaining_seconds: list[float] = field(default_factory=list)
    increment: float = 0.0
    running: Seat | None = None
    started_at: float = 0.0

    @classmethod
    def parse(cls, text: str, seats: int, shortest: int = SHORTEST) -> Clock:
        """A clock from its text; one with fewer seconds than `shortest` is refused.

        >>> Clock.parse("300+5", 2).remaining_seconds
        [300.0, 300.0]
        >>> Clock.parse("9+0", 2)
        Traceback (most recent call last):
        tripot.facts.TripotError: invalid clock '9+0': expected SECONDS+INCREMENT, for example 300+5, with 10 to 604800 seconds
        >>> Clock.parse("9+0", 2, shortest=1).remaining_seconds
        [9.0, 9.0]
        """  # noqa: E501 - doctest needs the message on one line
        if not text:
            return cls()
        parts = re.fullmatch(r"(\d{1,6})\+(\d{1,4})", text)
        if not parts or not shortest <= int(parts[1]) <= LONGEST:
            raise TripotError(
                f"invalid clock {text!r}: expected SECONDS+INCREMENT, for example 300+5, "
                f"with {shortest} to {LONGEST} seconds"
            )
        return cls([float(parts[1])] * seats, float(parts[2]))

    def elapsed(self, now: float) -> float:
        """The seconds that the running seat has used since its time was started; 0 if no time is running."""
        return max(0.0, now - self.started_at) if self.running is not None else 0.0

    def update(
        self, actor: object, next_seat: Seat | None, now: float, elapsed: float, add_increment: bool
    ) -> None:
        """Stop the time of the running seat at an event of `actor`, and start that of `next_seat`.

        `elapsed` is the number of seconds that the running seat has used for the event.
        """
        if not self.remaining_seconds:
            return
        if self.running is not None:
            self.remaining_seconds[self.running] -= elapsed
            if add_increment and self.running == actor:
                self.remaining_seconds[self.running] += self.increment
        self.running, self.started_at = next_seat, now

    def resume(self, server_started_at: float, now: float) -> None:
        """Do not count the time before the server was started, in which no player could move.

        A last event in the future was written by another server, before somebody corrected the wall clock.
        """
        if not server_started_at <= self.started_at <= now:
            self.started_at = server_started_at

    def remaining(self, now: float) -> float | None:
        """The seconds that the running seat has left; None if no time is running."""
        if not self.remaining_seconds or self.running is None:
            return None
        return self.remaining_seconds[self.running] - self.elapsed(now)

    def state(self) -> ClockState | None:
        """The clock for clients; None in a game without one."""
        if not self.remaining_seconds:
            return None
        remaining = [round(seconds, 3) for seconds in self.remaining_seconds]
        return ClockState(remaining, self.running, round(self.started_at, 3))


class ServerTime:
    """Seconds since the epoch that never jump, and timers.

    It starts with the wall clock and continues with the monotonic clock, so that a step of the wall clock
    does not decide a game. Tests use one that they advance themselves.
    """

    def __init__(self) -> None:
        self.started_at = time.time()
        self._offset = self.started_at - time.monotonic()

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.monotonic() + self._offset

    def call_later(self, seconds: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call a function on the event loop after some seconds."""
        return asyncio.get_running_loop().call_later(seconds, callback)

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)
