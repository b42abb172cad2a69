"""The diagrams of the page's rulebooks are what the games make of their positions now."""

import runpy
from pathlib import Path

import pytest

import tripot
from tripot import words

WEB = Path(__file__).parents[2] / "web"
MODULE = runpy.run_path(str(WEB / "diagrams.py"))


def test_they_are_up_to_date():
    for key, text in MODULE["made"]().items():
        assert (WEB / "src" / "rulebooks" / f"{key}.json").read_text("utf-8") == text, "run web/diagrams.py"


@pytest.mark.parametrize("clause", MODULE["DIAGRAMS"])
def test_each_belongs_to_a_clause_of_its_game(clause):
    position = MODULE["DIAGRAMS"][clause][0]
    for language in ("en", "fr"):
        assert clause in words.clauses(tripot.find(position.split()[0]), language)
