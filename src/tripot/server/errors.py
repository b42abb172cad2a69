"""Refused requests, the same over HTTP and WebSockets. They reveal nothing about the inside of the server."""

from __future__ import annotations

from typing import TypeAlias

import tripot
from tripot import i18n
from tripot.game import (
    AnyGame,
    HiddenInformationError,
    IllegalActionError,
    OptionError,
    ParseError,
    TripotError,
)
from tripot.record import RecordError
from tripot.server.wire import ErrorBody, ErrorCode, FieldError, Snapshot

ErrorReply: TypeAlias = tuple[int, ErrorBody]
"""An HTTP status and the body of the answer."""


class RequestError(TripotError):
    """A request that the server refuses: an HTTP status, a code for programs and a sentence for people.

    `retry_after` is the number of seconds after which it may be sent again.
    """

    def __init__(self, status: int, code: ErrorCode, message: str, retry_after: int | None = None) -> None:
        self.status, self.retry_after = status, retry_after
        self.code: ErrorCode = code
        super().__init__(message)

    @property
    def body(self) -> ErrorBody:
        """The body of the answer."""
        return ErrorBody(self.code, str(self), retry_after=self.retry_after)


class StaleSeqError(RequestError):
    """A request for a position that is no longer current.

    `current` is the game as the user may see it now, for the body of the answer over HTTP.
    """

    def __init__(self, seq: int, current: Snapshot | None = None) -> None:
        super().__init__(409, "stale", "The game has moved on since; here is how it stands.")
        self.seq, self.current = seq, current

    @property
    def body(self) -> ErrorBody:
        return ErrorBody(self.code, str(self), seq=self.seq, current=self.current)


class InvalidRequestError(RequestError):
    """A request body that is not JSON, or has a wrong field."""

    def __init__(self, errors: list[FieldError]) -> None:
        message = "; ".join(f"{'.'.join(error.loc)}: {error.msg}" for error in errors[:3])
        super().__init__(422, "validation_error", message)
        self.errors = errors

    @property
    def body(self) -> ErrorBody:
        return ErrorBody(self.code, str(self), errors=self.errors)


class RequestIdReusedError(RequestError):
    """A user has sent another request with the same `request_id` before; this one was not applied."""

    def __init__(self) -> None:
        super().__init__(
            409,
            "request_id_reused",
            "You have sent another request with this request_id in this game: choose a new one.",
        )


class DatabaseUnavailableError(RequestError):
    """The database does not answer, or cannot be written now.

    The server does not know whether a write was applied. A client sends the request again with the same
    `request_id`, and it is applied once.
    """

    def __init__(self) -> None:
        super().__init__(
            503, "database_unavailable", "The games cannot be stored at the moment; please try again soon."
        )


class RulesBusyError(RequestError):
    """All threads of the rules were occupied until the deadline; nothing was done."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            503, "busy", f"The server is busy; please try again in {retry_after} s.", retry_after
        )


class RulesTimeoutError(RulesBusyError):
    """The rules did not answer before the deadline. Their thread may still use the game."""


class UnreadableGameError(RequestError):
    """A stored game that this server cannot rebuild: its rules have another version, or it is damaged."""

    def __init__(self, reason: str) -> None:
        super().__init__(409, "game_unreadable", f"This game cannot be read: {reason}.")


def game_not_found(game_id: str) -> RequestError:
    """No game has this id."""
    return RequestError(404, "game_not_found", f"There is no game {game_id!r} here.")


def rate_limited(what: str, retry_after: int | None = None) -> RequestError:
    """A rate limit has been reached."""
    return RequestError(429, "rate_limited", f"Too many {what}; please wait a moment.", retry_after)


def server_busy(retry_after: int) -> RequestError:
    """All engines are busy, and too many questions wait for them."""
    message = f"The engines are busy; please try again in {retry_after} s."
    return RequestError(503, "busy", message, retry_after)


def error_reply(error: TripotError, language: str, game: AnyGame | None = None) -> ErrorReply:
    """The HTTP status and the body of a refused request."""
    match error:
        case RequestError():
            return error.status, error.body
        case IllegalActionError():
            fact = error.fact
            text = _illegal_action_text(error, language, game)
            return 409, ErrorBody(
                "illegal_action", text, clause=fact.clause, key=fact.key, values=dict(fact.values)
            )
        case ParseError():
            return 400, ErrorBody("parse_error", str(error))
        case OptionError():
            text = i18n.option_error_text(error, language)
            return 422, ErrorBody("invalid_option", text, option=error.name, clause=error.clause)
        case RecordError():
            return 400, ErrorBody("invalid_record", str(error))
        case HiddenInformationError():
            return 409, ErrorBody("hidden_information", str(error))
    return 400, ErrorBody("bad_request", str(error))


def _illegal_action_text(error: IllegalActionError, language: str, game: AnyGame | None) -> str:
    """The sentence of a refusal. Those of the table are the same in every game."""
    return i18n.render(game or tripot.list_games()[0], error.fact, language)
