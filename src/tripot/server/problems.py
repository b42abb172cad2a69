"""Refusals as JSON, the same over HTTP and over the live connection; nothing about our inside."""

from __future__ import annotations

from typing import Any

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
from tripot.server.errors import Refused

Problem = tuple[int, dict[str, Any]]


def problem(error: TripotError, language: str, game: AnyGame | None = None) -> Problem:
    """The HTTP status of a refusal, and its body."""
    match error:
        case Refused():
            return error.status, error.body
        case IllegalActionError():
            fact = error.fact
            body = {
                "code": "illegal",
                "message": _sentence(error, language, game),
                "clause": fact.clause,
                "key": fact.key,
            }
            return 409, body | {"values": dict(fact.values)}
        case ParseError():
            return 400, {"code": "unreadable", "message": str(error)}
        case OptionError():
            about = {"option": error.name, "clause": error.clause}
            return 422, {"code": "bad_option", "message": i18n.option_error_text(error, language), **about}
        case HiddenInformationError():
            return 409, {"code": "hidden", "message": str(error)}
    return 400, {"code": "refused", "message": str(error)}


def _sentence(error: IllegalActionError, language: str, game: AnyGame | None) -> str:
    """In words; what no game has to do with, any of them can say."""
    return i18n.render(game or tripot.list_games()[0], error.fact, language)
