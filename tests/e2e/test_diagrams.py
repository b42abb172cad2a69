"""The diagrams of the page's rulebooks are what the games make of their positions now."""

from __future__ import annotations

import runpy

import pytest
from tests.e2e.page_user import ROOT

import tripot
from tripot import i18n

WEB = ROOT / "web"
MODULE = runpy.run_path(str(WEB / "build_diagrams.py"))


def test_they_are_up_to_date() -> None:
    for key, text in MODULE["made"]().items():
        file = WEB / "src" / "rulebooks" / f"{key}.json"
        assert file.read_text("utf-8") == text, "run web/build_diagrams.py"


@pytest.mark.parametrize("key", MODULE["texts"]())
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_belongs_to_a_clause_or_a_drawing_of_its_game_and_has_a_caption(key: str, language: str) -> None:
    """`block-1` is shown in place of the first drawing in characters."""
    game = tripot.get_game(key)
    fences = i18n.rulebook(game, language).count("```")
    blocks = {f"block-{number}" for number in range(1, fences // 2 + 1)}
    for clause, diagram in MODULE["texts"]()[key].items():
        assert clause in {*i18n.clauses(game, language), *blocks}
        assert diagram[language]
