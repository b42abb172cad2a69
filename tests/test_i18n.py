"""Sentences for players: every fact has one in every language, and every clause has a text."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import tripot
from tripot import i18n
from tripot.game import AnyGame, IllegalActionError, OptionError, fact

SOURCE = Path(tripot.__file__).parent
GAMES = tripot.list_games()
TOLD = [
    pytest.param(game, language, id=f"{game.key}-{language}")
    for game in GAMES
    for language in i18n.languages(game)
]
MANY = 12  # choices of an option; more of them are a library and have a list of their own


def folder(game: AnyGame) -> Path:
    return SOURCE / "games" / type(game).__module__.rpartition(".")[2]


def holes(sentence: str) -> set[str]:
    """The names of the values that a sentence has places for."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def texts(node: ast.expr) -> list[str]:
    """The texts that an expression may be, as far as the source tells."""
    if isinstance(node, ast.IfExp):
        return texts(node.body) + texts(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def facts(*sources: Path) -> Iterator[tuple[str, str, set[str]]]:
    """Every fact that the source speaks of: clause, key and the names of its values."""
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            # The option that is refused comes first.
            args = node.args[3 if node.func.id == "OptionError" else 0 :]
            if node.func.id in {"fact", "IllegalActionError", "OptionError"} and len(args) >= 2:
                named = {keyword.arg for keyword in node.keywords if keyword.arg}
                for clause in texts(args[0]):
                    yield from ((clause, key, named) for key in texts(args[1]))


def sentences(catalogue: dict[str, Any]) -> dict[tuple[str, str], str]:
    """All sentences of a catalogue by clause and key."""
    tables = {clause: table for clause, table in catalogue.items() if isinstance(table, dict)}
    return {(clause, key): text for clause, table in tables.items() for key, text in table.items()}


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_every_fact_of_a_game_has_a_sentence_with_its_placeholders(game: AnyGame, language: str) -> None:
    known = sentences(i18n.catalogue(game, language))
    spoken = list(facts(*folder(game).rglob("*.py"), *SOURCE.glob("*.py")))
    assert len(spoken) > 20
    for clause, key, values in spoken:
        assert (clause, key) in known, f"nothing to say for {clause} {key}"
        assert holes(known[clause, key]) <= values, f"{clause} {key} is told {values}"


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_all_languages_have_the_same_sentences(game: AnyGame, language: str) -> None:
    ours, theirs = (sentences(i18n.catalogue(game, code)) for code in ("en", language))
    assert theirs.keys() == ours.keys()
    for name, sentence in theirs.items():
        assert holes(sentence) == holes(ours[name]), name
        assert sentence == sentence.strip() != ""
    assert len(i18n.catalogue(game, language)["seats"]) == len(i18n.catalogue(game)["seats"])


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_every_seat_and_every_option_has_its_words(game: AnyGame, language: str) -> None:
    form = {entry["name"]: entry for entry in game.Options.schema()}
    seats = max(int(choice) for choice in form["players"]["choices"])
    names = {i18n.seat_name(game, seat, language) for seat in range(seats)}
    assert len(names) == seats
    assert i18n.catalogue(game, language)["options"].keys() == form.keys()
    for name, entry in form.items():
        description = i18n.option_description(game, name, language)
        if len(entry["choices"]) > MANY:
            continue
        missing = [choice for choice in entry["choices"] if not re.search(rf"\b{choice}\b", description)]
        assert not missing, f"{name} says nothing of {missing}"


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_a_refused_option_is_named_as_in_the_form(game: AnyGame, language: str) -> None:
    with pytest.raises(OptionError) as refused:
        game.Options.parse("players=99")
    sentence = i18n.option_error_text(refused.value, language)
    assert sentence.startswith(i18n.option_description(game, "players", language).partition(":")[0])
    assert i18n.option_error_reason(refused.value, language) in sentence
    assert "players=" not in sentence
    assert str(refused.value).startswith("option players=99: choose one of ")


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_an_unknown_option_keeps_its_name(game: AnyGame, language: str) -> None:
    with pytest.raises(OptionError) as refused:
        game.Options.parse("moon=full")
    assert i18n.option_error_text(refused.value, language).startswith("moon")


def test_an_option_error_can_be_sent_to_another_process() -> None:
    with pytest.raises(OptionError) as refused:
        GAMES[0].Options.parse("players=99")
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_every_clause_has_one_heading_and_a_text(game: AnyGame, language: str) -> None:
    headings = re.findall(r"^#+ ([A-Z]+-\d+) ", i18n.rulebook(game, language), re.MULTILINE)
    clauses = i18n.clauses(game, language)
    assert sorted(headings) == sorted(clauses), "each exactly once"
    assert all(clauses.values())
    prefix = headings[0].partition("-")[0]
    assert set(headings) == {f"{prefix}-{number + 1}" for number in range(len(headings))}, "none left out"
    assert set(headings) == set(i18n.clauses(game))


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_every_clause_that_is_named_is_in_the_rulebook(game: AnyGame, language: str) -> None:
    clauses = i18n.clauses(game, language)
    named = {entry["clause"] for entry in game.Options.schema()}
    named |= {game.draw_clause} if game.draw_clause else set()
    named |= {clause for clause in i18n.catalogue(game, language) if "-" in clause and clause[:2] != "X-"}
    assert named <= set(clauses)
    if game.draw_clause:
        assert i18n.render(game, fact(game.draw_clause, "agreed"), language)


def test_shared_sentences_exist_in_every_language_of_the_games() -> None:
    shared_languages = {
        path.name.removesuffix(".toml") for path in (files("tripot") / "catalogues").iterdir()
    }
    assert shared_languages == {language for game in GAMES for language in i18n.languages(game)}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_seat_is_rendered_by_its_name(game: AnyGame) -> None:
    sentence = i18n.render(game, fact("TABLE", "resign", seat=1))
    assert sentence == f"{i18n.seat_name(game, 1)} resigned."


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_an_unknown_language_is_refused_with_a_list_of_all(game: AnyGame) -> None:
    for ask in (i18n.rulebook, i18n.catalogue, i18n.clauses):
        with pytest.raises(i18n.UnknownLanguageError, match=", ".join(i18n.languages(game))):
            ask(game, "tlh")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_game_without_a_language_is_explained_in_english(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And only that game: the others keep their languages."""
    other = next(each for each in GAMES if each is not game and "fr" in i18n.languages(each))
    i18n.catalogue.cache_clear()
    monkeypatch.setattr(i18n, "languages", lambda each: ["en"] if each is game else ["en", "fr"])
    try:
        assert i18n.rulebook(game, "fr") == i18n.rulebook(game, "en")
        assert i18n.seat_name(game, 0, "fr") == i18n.seat_name(game, 0, "en")
        resigned = fact("TABLE", "resign", seat=0)
        assert i18n.render(game, resigned, "fr") == i18n.render(game, resigned, "en")
        assert i18n.rulebook(other, "fr") != i18n.rulebook(other, "en")
        assert i18n.render(other, resigned, "fr") != i18n.render(other, resigned, "en")
    finally:
        i18n.catalogue.cache_clear()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_fact_without_a_sentence_is_a_key_error(game: AnyGame) -> None:
    with pytest.raises(KeyError):
        i18n.render(game, fact("TABLE", "no such key"))


def test_an_illegal_action_is_an_english_sentence() -> None:
    for game in tripot.list_games():
        for clause, sentences in i18n.catalogue(game).items():
            for key, sentence in sentences.items() if isinstance(sentences, dict) else ():
                if "-" in clause and clause != "X-4" and "{" not in sentence:  # X-4 is about options
                    assert str(IllegalActionError(clause, key)) == sentence
    assert str(IllegalActionError("TABLE", "turn", seat=1)) == "It is not seat 2's turn."
    assert str(IllegalActionError("TABLE", "own_offer", seat=0)).startswith("Seat 1 made this offer")


def test_an_illegal_action_without_a_sentence_is_its_clause_and_key() -> None:
    assert str(IllegalActionError("ZZ-9", "strange", cell="a1")) == "ZZ-9 strange"


def test_an_illegal_action_can_be_sent_to_another_process() -> None:
    error = IllegalActionError("TABLE", "turn", seat=1)
    copy = pickle.loads(pickle.dumps(error))
    assert copy.fact == error.fact
    assert str(copy) == str(error)


def test_choices_that_are_explained_are_shown_as_sentences() -> None:
    text = i18n.parse_option_text(
        "Who takes the bonuses: automatic, the game does; by-hand, the players do.", ["automatic", "by-hand"]
    )
    expected = "Who takes the bonuses", "", ("The game does", "The players do"), True
    assert text == i18n.OptionText(*expected)


def test_a_french_colon_and_semicolon_have_a_space_before_them() -> None:
    text = i18n.parse_option_text(
        "Ce qui se voit : face-up, toutes ; face-down, aucune.", ["face-up", "face-down"]
    )
    assert (text.label, text.choices) == ("Ce qui se voit", ("Toutes", "Aucune"))


def test_choices_that_are_not_all_explained_are_shown_as_they_are_with_the_whole_description() -> None:
    description = "For one player: the figure to tile; own, that of the option shape."
    text = i18n.parse_option_text(description, ["little-ring", "own"])
    assert text.help == "The figure to tile; own, that of the option shape"
    assert (text.choices, text.explains_choices) == (("Little ring", "Own"), False)


def test_a_description_that_only_lists_the_choices_is_no_help() -> None:
    text = i18n.parse_option_text("How many play, each alone: 2, 3 or 4.", ["2", "3", "4"])
    assert text == i18n.OptionText("How many play, each alone", "", ("2", "3", "4"), False)


def test_a_description_without_a_colon_is_a_label() -> None:
    assert i18n.parse_option_text("How many lie in the heap.", []).label == "How many lie in the heap"


@pytest.mark.parametrize(("game", "language"), TOLD)
def test_every_choice_of_an_option_has_a_text(game: AnyGame, language: str) -> None:
    for entry in game.Options.schema():
        text = i18n.option_text(game, entry["name"], entry["choices"], language)
        assert text.label
        assert len(text.choices) == len(entry["choices"])
        assert all(text.choices)
