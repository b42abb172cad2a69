"""Hooks for Schemathesis: prepared requests, real games, and a list of the operations that were answered.

Random requests seldom find a legal move or the token of a link. So the first request of an operation for
which one was prepared is that one, and most of the others are about a real game. The file `TRIPOT_PREPARED`
has the ids of these `games`, and the prepared `requests` by operation, such as `POST /x/{id}`. Each answer
adds a line with its operation and its status to the file `TRIPOT_ANSWERS`.
"""

from __future__ import annotations

import json
import os
from itertools import cycle
from pathlib import Path
from typing import Any

import schemathesis

PREPARED: dict[str, Any] = json.loads(Path(os.environ["TRIPOT_PREPARED"]).read_text("utf-8"))
GAMES = cycle([*PREPARED["games"], None])  # None: the id that Schemathesis has drawn
ANSWERS = Path(os.environ["TRIPOT_ANSWERS"])


def operation_of(case: schemathesis.Case[Any]) -> str:
    """The method and the path template of a request."""
    return f"{case.method} {case.path}"


@schemathesis.hook
def before_call(
    _context: schemathesis.HookContext, case: schemathesis.Case[Any], _kwargs: dict[str, Any]
) -> None:
    """Replace the first request of an operation by the prepared one, and the game of most others."""
    if prepared := PREPARED["requests"].pop(operation_of(case), None):
        case.path_parameters = prepared["path"]
        case.query, case.headers = {}, type(case.headers)()
        if "body" in prepared:
            case.body, case.media_type = prepared["body"], "application/json"
    elif "game_id" in case.path_parameters and (game := next(GAMES)):
        case.path_parameters["game_id"] = game


@schemathesis.hook
def after_call(
    _context: schemathesis.HookContext, case: schemathesis.Case[Any], response: schemathesis.Response
) -> None:
    """Note the status of an answer."""
    with ANSWERS.open("a", encoding="utf-8") as answers:
        answers.write(f"{operation_of(case)} {response.status_code}\n")
