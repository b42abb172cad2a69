"""Facts, which code uses instead of sentences, and the errors that a user can cause.

`tripot.game` exports all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement without a language: a clause of the rules, a key, and values.

    The catalogue of a game has a sentence for each clause and key: `fact("TP-3", "occupied", square="d4")` is
    rendered as "d4 is occupied: ...". The clause is the number of the rule, where a reader can look it up.
    """

    clause: str
    key: str
    values: tuple[tuple[str, str | int], ...] = ()


def fact(clause: str, key: str, /, **values: str | int) -> Fact:
    """Make a `Fact` with its values as keyword arguments."""
    return Fact(clause, key, tuple(values.items()))


class TripotError(Exception):
    """A mistake that a user can make. Every other exception is a bug."""


class IllegalActionError(TripotError):
    """An action that the rules forbid; the state has not changed.

    It carries a fact: `IllegalActionError("TP-3", "occupied", square="d4")`. `str` is its English sentence.
    """

    def __init__(self, clause: str, key: str, /, **values: str | int) -> None:
        self.fact = fact(clause, key, **values)
        super().__init__(clause, key)

    def __str__(self) -> str:
        return str(catalogues().illegal_action_text(self))


class ParseError(TripotError):
    """A text that is not an action, position or record; `reason` is in English."""

    def __init__(self, text: str, reason: str) -> None:
        self.text, self.reason = text, reason
        shown = text if len(text) <= 60 else text[:57] + "..."
        super().__init__(f"cannot read {shown!r}: {reason}")


class HiddenInformationError(TripotError):
    """On a view: the effect of this action depends on information that the view does not contain."""


class NoDecisionError(TripotError):
    """An engine or bot has nothing to decide: no seat or another seat is to act, or the bot is closed."""


class EngineBusyError(TripotError):
    """An engine was called while it was searching in another thread."""


def catalogues() -> Any:
    """The module `tripot.i18n`, for the sentence of an error.

    It is loaded by the first sentence: it imports the games, which import this module.
    """
    from tripot import i18n

    return i18n
