"""Structured logs: one JSON object per line on stderr, from everything that logs in the process."""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

MAX_LINES_PER_KIND: Final = 10  # within `WINDOW_SECONDS`
WINDOW_SECONDS: Final = 10.0
MAX_KINDS: Final = 1000  # after which the counts start again

_SECRETS: Final = re.compile(
    r"\b[0-9a-f]{64}\b"  # seeds and hashes of tokens
    r"|\b[0-9a-f]{32}\b(\.[\w-]+\.[\w-]+)?"  # ids of users, and the cookies that contain them
    r'|(?<="token": ")[^"]+|(?<="token":")[^"]+'
    r"|(?<=://)[^\s/@\"]+(?=@)"  # names and passwords in URLs
)
_DIGITS: Final = re.compile(r"(0x[0-9a-f]+|\d)+")  # addresses of objects too
_DETAIL: Final = re.compile(r"\bDETAIL:.*")  # PostgreSQL repeats the values of a refused row there


class RateLimit:
    """A processor that drops messages of a kind beyond a number per window.

    The next message of the kind that is logged has the number of dropped ones as `suppressed`.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._kinds: dict[str, list[float]] = {}  # the start of the window, lines in it, lines dropped

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> EventDict:
        now, kind = self._now(), self._kind(event)
        if len(self._kinds) > MAX_KINDS:
            self._kinds.clear()
        window = self._kinds.setdefault(kind, [now, 0, 0])
        if now - window[0] >= WINDOW_SECONDS:
            if window[2]:
                event["suppressed"] = int(window[2])
            window[:] = [now, 0, 0]
        window[1] += 1
        if window[1] > MAX_LINES_PER_KIND:
            window[2] += 1
            raise structlog.DropEvent
        return event

    @staticmethod
    def _kind(event: EventDict) -> str:
        """The text of a message without its values: of the standard library, its format.

        Some libraries put values into the format, such as the name of a task and its traceback, so only the
        first line counts, without digits.
        """
        record: logging.LogRecord | None = event.get("_record")
        text = f"{record.name} {record.msg}" if record else str(event.get("event"))
        return _DIGITS.sub("", text.partition("\n")[0])


def redact(text: str) -> str:
    """A log line without seeds, tokens, hashes, ids of users and passwords.

    >>> redact("user 0123456789abcdef0123456789abcdef of game 0123456789abcdef")
    'user [redacted] of game 0123456789abcdef'
    """
    return _SECRETS.sub("[redacted]", _DETAIL.sub("DETAIL [redacted]", text))


def _render(logger: WrappedLogger, name: str, event: EventDict) -> str:
    shown = {key: redact(value) if isinstance(value, str) else value for key, value in event.items()}
    return redact(str(structlog.processors.JSONRenderer(default=str)(logger, name, shown)))


def configure_json_logging() -> None:
    """Write all logs to stderr as JSON lines, those of libraries, warnings and crashes included."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                _render,
            ],
        )
    )
    handler.addFilter(_RateLimitFilter(RateLimit()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("tripot").setLevel(logging.INFO)
    logging.captureWarnings(True)
    sys.excepthook = _log_exception
    threading.excepthook = lambda args: _log_exception(
        args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
    )
    sys.unraisablehook = lambda args: _log_exception(
        args.exc_type,
        args.exc_value or args.exc_type(),
        args.exc_traceback,
        args.err_msg or "an exception was ignored",
    )


class _RateLimitFilter(logging.Filter):
    """Applies a `RateLimit` to records, those of structlog included."""

    def __init__(self, rate_limit: RateLimit) -> None:
        super().__init__()
        self._rate_limit = rate_limit

    def filter(self, record: logging.LogRecord) -> bool:
        # A message of structlog comes as a dictionary with its text in `event`.
        event: dict[str, Any] = record.msg if isinstance(record.msg, dict) else {"_record": record}
        try:
            self._rate_limit(None, "", event)
        except structlog.DropEvent:
            return False
        return True


def _log_exception(
    type_: type[BaseException],
    error: BaseException,
    traceback: TracebackType | None,
    event: str = "the program failed",
) -> None:
    if issubclass(type_, KeyboardInterrupt):
        sys.__excepthook__(type_, error, traceback)
    else:
        logging.getLogger("tripot").critical(event, exc_info=(type_, error, traceback))
