"""Options that do not fit: each refusal names the option as a form does, in both languages."""

from __future__ import annotations

from itertools import product

import pytest

from tripot import i18n, testing
from tripot.game import OptionError
from tripot.games.trigon.options import Options

OWN = "players=1 figure=own"


@pytest.mark.parametrize(
    ("options", "english", "french"),
    [
        (
            "players=2 teams=on",
            "Four players: two teams need four players.",
            "À quatre : deux équipes demandent quatre joueurs.",
        ),
        (
            "start=free",
            "Two players or teams: only two players or two teams have starts that belong together.",
            "À deux joueurs ou deux équipes : "
            "seuls deux joueurs ou deux équipes ont des départs qui vont ensemble.",
        ),
        (
            f"{OWN} shape=p9-u9",
            "The pieces for your own figure: "
            "as none are chosen, all are taken; they have 110 triangles, and the figure has 6.",
            "Les pièces de votre figure : "
            "aucune n'est choisie, donc toutes sont prises ; elles ont 110 triangles, et la figure en a 6.",
        ),
        (
            f"{OWN} shape=p9-u9 pieces=I6,1",
            "The pieces for your own figure: those chosen have 7 triangles in all, and the figure has 6.",
            "Les pièces de votre figure : "
            "celles qui sont choisies ont 7 triangles en tout, et la figure en a 6.",
        ),
        (
            OWN,
            "Your own figure: say which triangles it is made of.",
            "Votre propre figure : dites de quels triangles elle est faite.",
        ),
    ],
)
def test_option_errors_are_rendered_in_both_languages(options: str, english: str, french: str) -> None:
    """A French page said "option pieces=: they have 110 triangles, and the figure has 6"."""
    error = testing.option_error(Options, options)
    assert i18n.option_error_text(error) == english
    assert i18n.option_error_text(error, "fr") == french


def test_in_python_and_in_the_terminal_a_refusal_names_the_option_as_it_was_written() -> None:
    error = testing.option_error(Options, "players=2 teams=on")
    assert str(error) == "option teams=on: two teams need four players (TR-9)"


def test_relevant_options_are_those_that_are_not_refused() -> None:
    """Free starts were offered to four players without teams, and then refused."""
    where = {entry["name"]: entry["relevant_if"] for entry in Options.schema()}
    for players, teams in product(("1", "2", "3", "4"), ("off", "on")):
        if teams == "on" and players != "4":
            continue
        chosen = {"players": players, "teams": teams}
        for name, value in (("teams", "on"), ("start", "free"), ("contact", "corners")):
            offered = any(
                all(chosen[other] in those for other, those in case.items()) for case in where[name]
            )
            try:
                Options.parse({**chosen, name: value})
                fits = True
            except OptionError:
                fits = False
            assert offered == fits, (chosen, name)
