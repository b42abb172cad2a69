"""Texts for people: catalogues, which turn facts into sentences, and rulebooks.

A fact has a clause, a key and values. A catalogue has one sentence for each clause and key, in one language:
`catalogues/en.toml` for the clauses of all games (X-1 to X-4, TABLE), and `rulebook/en.toml` in the package
of a game for its own clauses. A value called `seat` is the number of a seat and is rendered as its name.
Values made of symbols (an arrow as the key of a keypad) can be spelled out: the table `symbols` has a word
for each symbol, and `spelled` has the names of such values, with the conjunction before the last word.

    [TP-3]
    occupied = "{square} is occupied: a pawn may only enter a free square."

The rulebook itself is `rulebook/en.md`, in which each clause has a heading.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from tripot.game import AnyGame, Fact, IllegalActionError, OptionError, Seat, TripotError, fact
from tripot.games import list_games

Catalogue = dict[str, Any]


class UnknownLanguageError(TripotError):
    """Tripot does not know this language."""


def _rulebook_dir(game: AnyGame) -> Traversable:
    return files(type(game).__module__) / "rulebook"


def languages(game: AnyGame) -> list[str]:
    """The languages in which a game has a rulebook and a catalogue, sorted."""
    return list(_languages(game))


@cache
def _languages(game: AnyGame) -> tuple[str, ...]:
    """The same, cached, because a server asks for every sentence."""
    names = {path.name for path in _rulebook_dir(game).iterdir()}
    return tuple(sorted(name[:-3] for name in names if name.endswith(".md") and name[:-3] + ".toml" in names))


@cache
def all_languages() -> tuple[str, ...]:
    """All languages that Tripot knows, sorted. A game need not have all of them."""
    names = (path.name for path in (files("tripot") / "catalogues").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def language_of(game: AnyGame, language: str) -> str:
    """The language itself if the game has it, otherwise English."""
    if language not in all_languages():
        known = ", ".join(all_languages())
        raise UnknownLanguageError(f"there is no language {language!r}; there are: {known}")
    return language if language in languages(game) else "en"


@cache
def catalogue(game: AnyGame, language: str = "en") -> Catalogue:
    """All sentences of a game, by clause and key; in English if the game does not have the language."""
    language = language_of(game, language)
    text = (_rulebook_dir(game) / f"{language}.toml").read_text("utf-8")
    return _shared_catalogue(language) | tomllib.loads(text)


@cache
def _shared_catalogue(language: str) -> Catalogue:
    return tomllib.loads((files("tripot") / "catalogues" / f"{language}.toml").read_text("utf-8"))


def rulebook(game: AnyGame, language: str = "en") -> str:
    """The rulebook of a game: Markdown with a heading for each clause; in English if there is no other."""
    return (_rulebook_dir(game) / f"{language_of(game, language)}.md").read_text("utf-8")


def clauses(game: AnyGame, language: str = "en") -> dict[str, str]:
    """The text of each clause of the rulebook, by its number.

    A clause starts with a heading such as `### TP-3 Where a pawn may go`.
    """
    texts: dict[str, str] = {}
    number = ""
    for line in rulebook(game, language).splitlines():
        if line.startswith("#"):
            word = (line.lstrip("#").split() or [""])[0]
            number = word if "-" in word and word.rpartition("-")[2].isdigit() else ""
            if number:
                texts[number] = ""
        elif number:
            texts[number] += line + "\n"
    return {number: text.strip() for number, text in texts.items()}


def render(game: AnyGame, fact: Fact, language: str = "en") -> str:
    """Render a fact as a sentence. KeyError if the catalogue has none, which is a bug."""
    sentence = catalogue(game, language)[fact.clause][fact.key]
    return str(sentence).format(
        **{name: _render_value(game, name, value, language) for name, value in fact.values}
    )


def _render_value(game: AnyGame, name: str, value: Any, language: str) -> Any:
    if name == "seat" and isinstance(value, int):
        return seat_name(game, value, language)
    sentences = catalogue(game, language)
    if name not in sentences.get("spelled", ()):
        return value
    *first, last = (word for symbol, word in sentences["symbols"].items() if symbol in value)
    return f"{', '.join(first)} {sentences['spelled'][name]} {last}" if first else last


def illegal_action_text(error: IllegalActionError) -> str:
    """The sentence of an illegal action in English, for developers and logs.

    The error does not know its game. A clause of a rulebook belongs to one game; in the sentences that all
    games share, seats have numbers instead of names. Without a sentence, it is the clause and the key.
    """
    clause, key, values = error.fact.clause, error.fact.key, dict(error.fact.values)
    if key in (shared := _shared_catalogue("en").get(clause, {})):
        if isinstance(seat := values.get("seat"), int):
            values["seat"] = f"seat {seat + 1}"
        sentence = str(shared[key]).format(**values)
        return sentence[0].upper() + sentence[1:]
    for game in list_games():
        if key in catalogue(game).get(clause, ()):
            return render(game, error.fact)
    return f"{clause} {key}"


def seat_name(game: AnyGame, seat: Seat, language: str = "en") -> str:
    """The name of a seat in its game, such as the name of a colour."""
    return str(catalogue(game, language)["seats"][seat])


def option_description(game: AnyGame, name: str, language: str = "en") -> str:
    """One line that describes an option."""
    return str(catalogue(game, language)["options"][name])


@dataclass(frozen=True, slots=True)
class OptionText:
    """The texts of an option in a form.

    With `explains_choices` the texts of the choices are sentences, and `help` is empty.
    """

    label: str
    help: str
    choices: tuple[str, ...]
    explains_choices: bool


def option_text(game: AnyGame, name: str, choices: Sequence[str], language: str = "en") -> OptionText:
    """The texts of an option with these choices, parsed from its description.

    A description is `Label: choice, sentence; choice, sentence.` If it does not explain every choice, its
    part after the colon is the help, unless that only lists them, and the choices are shown as they are.
    """
    return parse_option_text(option_description(game, name, language), choices)


def parse_option_text(description: str, choices: Sequence[str]) -> OptionText:
    """The same for a given description.

    >>> parse_option_text("What decides: points, the fewest; rounds, both.", ["points", "rounds"]).choices
    ('The fewest', 'Both')
    """
    label, _, rest = (part.strip() for part in description.removesuffix(".").partition(":"))
    parts = [part.strip() for part in rest.split(";")]
    sentences = [
        next((part.removeprefix(f"{choice}, ") for part in parts if part.startswith(f"{choice}, ")), "")
        for choice in choices
    ]
    if choices and all(sentences):
        return OptionText(label, "", tuple(map(_capitalised, sentences)), explains_choices=True)
    has_words = re.search(r"[^\W\d_]{4}", rest)  # more than `2, 3 or 4`
    names = tuple(_capitalised(choice.replace("-", " ")) for choice in choices)
    return OptionText(label, _capitalised(rest) if has_words else "", names, explains_choices=False)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def option_label(game: AnyGame, name: str, language: str = "en") -> str:
    """The label of an option in a form. An unknown option keeps its name."""
    description = catalogue(game, language)["options"].get(name, name)
    return parse_option_text(str(description), ()).label


def level_name(game: AnyGame, level: int, language: str = "en") -> str:
    """The name of a level of the engine, such as "Beginner"."""
    return str(catalogue(game, language)["levels"][str(level)]).partition(":")[0].strip()


def level_description(game: AnyGame, level: int, language: str = "en") -> str:
    """One sentence that says how a level plays."""
    return str(catalogue(game, language)["levels"][str(level)]).partition(":")[2].strip()


def option_error_reason(error: OptionError, language: str = "en") -> str:
    """The reason of an `OptionError`; `option_error_text` is the whole sentence."""
    return render(_game_of_options(error), error.fact, language)


def option_error_text(error: OptionError, language: str = "en") -> str:
    """The sentence of an `OptionError`, with the label that the option has in a form."""
    game = _game_of_options(error)
    label, reason = option_label(game, error.name, language), option_error_reason(error, language)
    return render(game, fact("X-4", "refused", option=label, reason=reason), language)


def _game_of_options(error: OptionError) -> AnyGame:
    """The game with these options; any game for the base class, whose sentences are shared."""
    games = list_games()
    return next((game for game in games if game.Options is error.options), games[0])
