"""The options of games. `tripot.game` exports all of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from tripot.facts import TripotError, catalogues, fact


class OptionError(TripotError):
    """An option that does not exist, has no such value, or contradicts another one.

    It carries the reason as a fact: `OptionError(Options, "teams", True, "AB-9", "four")`.
    """

    def __init__(
        self, options: type[Options], name: str, value: object, clause: str, key: str, /, **values: str | int
    ) -> None:
        self.options, self.name, self.value = options, name, value
        self.fact = fact(clause, key, **values)
        super().__init__(options, name, value, clause, key)

    @property
    def clause(self) -> str:
        """The clause of the rulebook that forbids it, or an empty text."""
        return "" if self.fact.clause.startswith("X-") else self.fact.clause

    @property
    def reason(self) -> str:
        """The reason in English."""
        return str(catalogues().option_error_reason(self))

    def __str__(self) -> str:
        value = _choice_text(self.value)
        text = f"option {self.name}={value}: {self.reason}" if value else f"option {self.name}: {self.reason}"
        return f"{text} ({self.clause})" if self.clause else text


def option(
    default: Any,
    *choices: Any,
    clause: str,
    advanced: bool = False,
    relevant_if: Sequence[Mapping[str, Sequence[Any]]] = (),
) -> Any:
    """Declare a field of an `Options` class: its default, all its choices, and its clause.

    Without choices, any text is a value. Forms may hide an `advanced` option at first. `relevant_if` has the
    cases in which the option matters, as values of other options; forms offer it only then. No cases means
    always. `relevant_if=[{"players": (2,)}, {"players": (4,), "teams": (True,)}]`: two, or four in teams.
    """
    metadata = {"choices": choices, "clause": clause, "advanced": advanced, "relevant_if": relevant_if}
    return dataclasses.field(default=default, metadata=metadata)


def _choice_text(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Options:
    """The options of a game. Each game subclasses it as a frozen dataclass of `option` fields.

    Every instance is valid: `__post_init__` checks each value against its choices, then the combinations.
    `str` lists what differs from the defaults (`neutral=wild players=4`), and `parse` reads it.
    """

    players: int = option(2, 2, clause="X-4")

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, choices = getattr(self, field.name), field.metadata["choices"]
            is_choice = any(type(value) is type(choice) and value == choice for choice in choices)
            if choices and not is_choice:
                texts = [_choice_text(choice) for choice in choices]
                if value in texts:  # the text of a choice that is no text itself
                    raise OptionError(type(self), field.name, value, "X-4", "text")
                raise OptionError(type(self), field.name, value, "X-4", "choice", choices=", ".join(texts))
            if not choices and (not isinstance(value, str) or "".join(value.split()) != value):
                raise OptionError(type(self), field.name, value, "X-4", "spaces")
        self.check_combinations()

    def check_combinations(self) -> None:
        """Raise `OptionError` for values that contradict each other. By default none do."""

    @classmethod
    def parse(cls, text: str | Mapping[str, str]) -> Self:
        """Parse options from `"name=value name=value"`, or from a mapping of names to texts.

        >>> Options.parse("players=2")
        Options(players=2)
        """
        if isinstance(text, str):
            names = [word.partition("=")[0] for word in text.split()]
            text = cls.split(text)
            for name in text:
                if names.count(name) > 1:
                    raise OptionError(cls, name, text[name], "X-4", "twice")
        fields = {field.name: field for field in dataclasses.fields(cls)}
        values: dict[str, Any] = {}
        for name, value in text.items():
            if name not in fields:
                raise OptionError(cls, name, value, "X-4", "unknown", names=", ".join(fields))
            by_text = {_choice_text(choice): choice for choice in fields[name].metadata["choices"]}
            values[name] = by_text.get(value, value)
        return cls(**values)

    @staticmethod
    def split(text: str) -> dict[str, str]:
        """The names and values in a text such as that of `str`, unchecked.

        >>> Options.split("neutral=wild players=4")
        {'neutral': 'wild', 'players': '4'}
        """
        return {name: value for name, _, value in (word.partition("=") for word in text.split())}

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.non_defaults().items())

    def non_defaults(self) -> dict[str, str]:
        """The values that differ from the defaults, as texts by their names."""
        return {
            field.name: _choice_text(value)
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    @classmethod
    def player_counts(cls) -> tuple[int, ...]:
        """The choices of `players`: how many seats a game may have.

        >>> Options.player_counts()
        (2,)
        """
        choices: tuple[int, ...] = cls.__dataclass_fields__["players"].metadata["choices"]
        return choices

    @classmethod
    def schema(cls) -> tuple[dict[str, Any], ...]:
        """Describe every option, in order, for forms and help; all values as texts."""
        return tuple(
            {
                "name": field.name,
                "choices": [_choice_text(choice) for choice in field.metadata["choices"]],
                "default": _choice_text(field.default),
                "clause": field.metadata["clause"],
                "advanced": field.metadata["advanced"],
                "relevant_if": [
                    {name: [_choice_text(value) for value in values] for name, values in case.items()}
                    for case in field.metadata["relevant_if"]
                ],
            }
            for field in dataclasses.fields(cls)
        )
