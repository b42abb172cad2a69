"""What the server refuses, each with a code for programs and a sentence for people."""

from __future__ import annotations

from typing import Any

from tripot.game import TripotError


class Refused(TripotError):
    """A request that is refused: an HTTP status, a code, a sentence, and perhaps more."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        self.status, self.code, self.more = status, code, more
        super().__init__(message)

    @property
    def body(self) -> dict[str, Any]:
        """As it is sent."""
        return {"code": self.code, "message": str(self), **self.more}


class Stale(Refused):
    """An action for a position that is no longer current; the answer to it is what is."""

    def __init__(self, seq: int) -> None:
        super().__init__(409, "stale", "The game has moved on since; here is how it stands.", seq=seq)


def no_such_game(game: str) -> Refused:
    """No game has that address."""
    return Refused(404, "no_such_game", f"There is no game {game!r} here.")


def too_many(what: str) -> Refused:
    """A limit has been reached."""
    return Refused(429, "too_many", f"Too many {what}; please wait a moment.")
