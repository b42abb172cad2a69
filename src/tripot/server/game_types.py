"""The games that can be played, for people who choose one, and the languages they are explained in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tripot
from tripot import i18n
from tripot.game import AnyGame, TripotError
from tripot.server.errors import RequestError
from tripot.server.wire import GameLevel, GameOption, GameType, OptionChoice, Rulebook

FALLBACK_LANGUAGE = "en"


def require_game(game_key: str) -> AnyGame:
    """A game by its key."""
    try:
        return tripot.get_game(game_key)
    except TripotError as error:
        raise RequestError(404, "unknown_game_type", str(error)) from None


def preferred_language(wanted: Iterable[str]) -> str:
    """The first of some languages that Tripot knows; English if it knows none of them."""
    return next((language for language in wanted if language in i18n.all_languages()), FALLBACK_LANGUAGE)


def language_for(game: AnyGame, language: str) -> str:
    """The language in which a game is explained: the one that is wanted, or English."""
    return language if language in i18n.languages(game) else FALLBACK_LANGUAGE


def game_type(game: AnyGame, wanted_language: str) -> GameType:
    """A game with its options."""
    language = language_for(game, wanted_language)
    options = [_game_option(game, entry, language) for entry in game.Options.schema()]
    levels = [
        GameLevel(
            level, i18n.level_name(game, level, language), i18n.level_description(game, level, language)
        )
        for level in game.levels
    ]
    players = next(option.choices for option in options if option.name == "players")
    seat_count = max(int(choice.value) for choice in players)
    return GameType(
        key=game.key,
        title=game.title,
        version=game.version,
        levels=levels,
        allows_draw_offers=game.draw_clause is not None,
        seats=[i18n.seat_name(game, seat, language) for seat in range(seat_count)],
        options=options,
        languages=[*i18n.languages(game)],
    )


def _game_option(game: AnyGame, entry: dict[str, Any], language: str) -> GameOption:
    """An option, by its entry in `Options.schema`."""
    texts = i18n.option_text(game, entry["name"], entry["choices"], language)
    return GameOption(
        name=entry["name"],
        label=texts.label,
        help=texts.help,
        choices=[OptionChoice(*each) for each in zip(entry["choices"], texts.choices, strict=True)],
        explains_choices=texts.explains_choices,
        default=entry["default"],
        clause=entry["clause"],
        advanced=entry["advanced"],
        relevant_if=entry["relevant_if"],
    )


def rulebook(game: AnyGame, wanted_language: str) -> Rulebook:
    """The rules of a game."""
    language = language_for(game, wanted_language)
    return Rulebook(language, i18n.rulebook(game, language), dict(i18n.clauses(game, language)))
