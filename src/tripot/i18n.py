"""What is said to people: catalogues of sentences, and the rulebooks.

The code speaks in facts: a clause, a key, values. A catalogue has a sentence for each, in one
language: `catalogues/en.toml` for what is true of every game (the clauses X-1 to X-4 and TABLE), and
`rulebook/en.toml` in each game's folder for the game's own. A value called `seat` is a seat's
number and is said by its name. A game that writes in signs (an arrow as the key of a keypad) says them
in words: `signs` has a word for each, and `spelt` the values made of them, with what comes before the last.

    [TP-3]
    occupied = "{square} is occupied: a pawn may only enter a free square."

The rulebook itself is `rulebook/en.md`, where each clause has a heading of its own.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from tripot.game import AnyGame, Fact, IllegalActionError, OptionError, Seat, TripotError, fact
from tripot.games import list_games

Catalogue = dict[str, Any]


class UnknownLanguageError(TripotError):
    """A language that a rulebook has not been written in."""


def _rulebook_dir(game: AnyGame) -> Traversable:
    return files(type(game).__module__) / "rulebook"


def languages(game: AnyGame) -> list[str]:
    """The languages in which a game has a rulebook and a catalogue."""
    return list(_languages(game))


@cache
def _languages(game: AnyGame) -> tuple[str, ...]:
    """The same, read from the folder once: a server asks with every sentence."""
    names = {path.name for path in _rulebook_dir(game).iterdir()}
    found = (name[:-3] for name in names if name.endswith(".md") and name[:-3] + ".toml" in names)
    return tuple(sorted(found))


def _require_language(game: AnyGame, language: str) -> str:
    known = languages(game)
    if language not in known:
        raise UnknownLanguageError(
            f"{game.title} has no rulebook in {language!r}; there are: {', '.join(known)}"
        )
    return language


@cache
def catalogue(game: AnyGame, language: str = "en") -> Catalogue:
    """All sentences that can be said of a game, by clause and key."""
    text = (_rulebook_dir(game) / f"{_require_language(game, language)}.toml").read_text("utf-8")
    return _shared_catalogue(language) | tomllib.loads(text)


@cache
def _shared_catalogue(language: str) -> Catalogue:
    return tomllib.loads((files("tripot") / "catalogues" / f"{language}.toml").read_text("utf-8"))


def rulebook(game: AnyGame, language: str = "en") -> str:
    """The rules of a game, as Markdown with a heading for each clause."""
    return (_rulebook_dir(game) / f"{_require_language(game, language)}.md").read_text("utf-8")


def clauses(game: AnyGame, language: str = "en") -> dict[str, str]:
    """The text of each clause of the rulebook, by its number.

    A heading such as `### TP-3 Where a pawn may go` starts one.
    """
    found: dict[str, str] = {}
    number = ""
    for line in rulebook(game, language).splitlines():
        if line.startswith("#"):
            word = (line.lstrip("#").split() or [""])[0]
            number = word if "-" in word and word.rpartition("-")[2].isdigit() else ""
            if number:
                found[number] = ""
        elif number:
            found[number] += line + "\n"
    return {number: text.strip() for number, text in found.items()}


def render(game: AnyGame, fact: Fact, language: str = "en") -> str:
    """A fact as a sentence. A fact without one is a gap in the catalogue: KeyError."""
    sentence = catalogue(game, language)[fact.clause][fact.key]
    return str(sentence).format(
        **{name: _render_value(game, name, value, language) for name, value in fact.values}
    )


def _render_value(game: AnyGame, name: str, value: Any, language: str) -> Any:
    if name == "seat" and isinstance(value, int):
        return seat_name(game, value, language)
    known = catalogue(game, language)
    if name not in known.get("spelt", ()):
        return value
    *first, last = (word for sign, word in known["signs"].items() if sign in value)
    return f"{', '.join(first)} {known['spelt'][name]} {last}" if first else last


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
    """What a seat is called in its game."""
    return str(catalogue(game, language)["seats"][seat])


def option_description(game: AnyGame, name: str, language: str = "en") -> str:
    """One line that says what an option decides."""
    return str(catalogue(game, language)["options"][name])


def option_label(game: AnyGame, name: str, language: str = "en") -> str:
    """What a form calls an option: the first words of that line. One that there is not, by its name."""
    about = catalogue(game, language)["options"].get(name, name)
    return str(about).partition(":")[0].strip()


def option_error_reason(error: OptionError, language: str = "en") -> str:
    """Why an option is refused; `option_error_text` makes a sentence of it."""
    return render(_game_of_options(error), error.fact, language)


def option_error_text(error: OptionError, language: str = "en") -> str:
    """That an option is refused and why, under the name that it has in a form."""
    game = _game_of_options(error)
    titled = option_label(game, error.name, language)
    return render(
        game, fact("X-4", "refused", option=titled, reason=option_error_reason(error, language)), language
    )


def _game_of_options(error: OptionError) -> AnyGame:
    """The game with these options; what no game has to do with, any of them can say."""
    games = list_games()
    return next((game for game in games if game.Options is error.options), games[0])
