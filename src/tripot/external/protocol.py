"""The text format of the engine protocol, shared by both of its ends.

docs/engine/protocol.md describes every command and answer. Actions contain spaces, so they are separated by
` | `, which occurs in no action and no position.

    >>> expected = ExpectedOutcome(0.75, (3.0, 2.0))
    >>> candidate = Candidate("take 2", 0.5, ("take 2", "take 1"), expected=expected)
    >>> candidate_text(candidate)
    'take 2 value +0.500 win_rate 0.750 scores 3.0,2.0 pv take 2 | take 1'
    >>> parse_candidate(candidate_text(candidate)) == candidate
    True
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from tripot.game import Candidate, DistanceMap, ExpectedOutcome, Limit, ParseError, TripotError

PROTOCOL_VERSION: Final = 2
SEPARATOR: Final = " | "
TIME_LIMITS: Final = ("seconds", "average")
"""The names of the limits in time: seconds for this move, or for the average move of a game."""

MIN_SECONDS: Final = 0.001
MAX_SECONDS: Final = 86_400.0  # one day
MAX_SIMULATIONS: Final = 10**9
MAX_SEED: Final = 10**9
MAX_CANDIDATES: Final = 10**9
MAX_ECHO: Final = 40  # characters of an input that an error message repeats


class CommandError(TripotError):
    """A line is not a command, or the command cannot be carried out now."""


# --- Candidates and maps -----------------------------------------------------------------------


def candidate_text(candidate: Candidate) -> str:
    """Return a candidate as the protocol writes it, without the word before it."""
    pv, expected = SEPARATOR.join(map(str, candidate.pv or (candidate.action,))), ""
    if candidate.expected:
        scores = ",".join(f"{score:.1f}" for score in candidate.expected.scores)
        expected = f" win_rate {candidate.expected.win_rate:.3f}" + (f" scores {scores}" if scores else "")
    return f"{candidate.action} value {candidate.value:+.3f}{expected} pv {pv}"


def parse_candidate(text: str) -> Candidate:
    """Return the candidate of such a text, with its actions as text. Unknown fields are ignored."""
    parts = re.fullmatch(r"(.+?) value ([+-]\d\.\d+)((?: \w+ \S+)*?) pv (.+)", text)
    if not parts:
        raise ParseError(text, "expected `ACTION value V pv ACTION | ACTION ...`")
    action, value, fields, pv = parts.groups()
    words = iter(fields.split())
    named = dict(zip(words, words, strict=True))
    expected = None
    try:
        if "win_rate" in named:
            scores = named["scores"].split(",") if "scores" in named else []
            expected = ExpectedOutcome(float(named["win_rate"]), tuple(map(float, scores)))
    except ValueError:
        raise ParseError(text, "expected a number after `win_rate` and numbers after `scores`") from None
    return Candidate(action, float(value), tuple(pv.split(SEPARATOR)), expected=expected)


def distance_map_text(distance_map: DistanceMap) -> str:
    """Return a distance map as the protocol writes it: the owner, then each cell with its distance.

    >>> distance_map_text(DistanceMap("white", {"a1": 1, "a2": 2}))
    'white a1=1 a2=2'
    """
    distances = (f"{cell}={distance}" for cell, distance in distance_map.distances.items())
    return " ".join([distance_map.owner, *distances])


# --- Limits ------------------------------------------------------------------------------------


def limit_text(limit: Limit) -> str:
    """Return the arguments of `go` for a limit.

    >>> limit_text(Limit(seconds=0.5, simulations=100))
    'seconds 0.500000 simulations 100'
    """
    time_limit = f"{'average' if limit.average else 'seconds'} {limit.seconds:.6f}"
    return time_limit if limit.simulations is None else f"{time_limit} simulations {limit.simulations}"


def parse_limit_words(text: str, *names: str) -> dict[str, str]:
    """Return the arguments of `go` or `analyse` by name, such as `seconds 2 simulations 100`.

    Each of the `names` may be given once.
    """
    words = iter(text.split())
    values: dict[str, str] = {}
    for name in words:
        if name not in names:
            raise CommandError(f"unknown limit {shortened(name)!r}: expected one of {', '.join(names)}")
        if name in values:
            raise CommandError(f"the limit {name!r} is given twice; give it once")
        values[name] = next(words, "")
    return values


def time_limit_name(values: Mapping[str, str]) -> str | None:
    """Return which limit in time is among some named values, or None."""
    match [name for name in TIME_LIMITS if name in values]:
        case []:
            return None
        case [name]:
            return name
    raise CommandError("give either 'seconds' (per move) or 'average' (per game), not both")


# --- Numbers -----------------------------------------------------------------------------------


def parse_int(name: str, text: str, minimum: int, maximum: int) -> int:
    """Return a whole number within its bounds."""
    if not re.fullmatch(r"\d{1,12}", text, re.ASCII) or not minimum <= int(text) <= maximum:
        raise CommandError(
            f"invalid {name} {shortened(text)!r}: expected a whole number from {minimum} to {maximum}"
        )
    return int(text)


def parse_float(name: str, text: str, minimum: float, maximum: float) -> float:
    """Return a number within its bounds."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not minimum <= number <= maximum:
        raise CommandError(
            f"invalid {name} {shortened(text)!r}: expected a number from {minimum:g} to {maximum:g}"
        )
    return number


def shortened(text: str) -> str:
    """Return a text cut to `MAX_ECHO` characters."""
    return text if len(text) <= MAX_ECHO else text[: MAX_ECHO - 3] + "..."
