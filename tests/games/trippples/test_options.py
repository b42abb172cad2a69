"""The options: what may be chosen, what goes together, and how a choice is written."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripot import i18n, testing
from tripot.game import CHANCE, OptionError
from tripot.game import Options as AnyOptions
from tripot.games.trippples import GAME
from tripot.games.trippples.options import Options

ROWS = [
    "q,238,347,478,249,137,246,o",
    "189,479,378,234,139,147,489,468",
    "269,689,149,148,124,279,369,167",
    "389,789,237,N,N,367,248,239",
    "169,168,469,N,N,136,467,126",
    "349,348,236,123,134,247,679,179",
    "289,178,346,379,268,678,138,127",
    "O,278,129,146,368,128,267,Q",
]
BOARD = "/".join(ROWS)


def test_the_defaults_are_the_plain_game() -> None:
    assert str(Options()) == ""
    assert Options.parse("") == Options()
    plain = Options()
    assert (plain.players, plain.face_down, plain.wild, plain.repetition_can_win) == (2, False, False, True)


@pytest.mark.parametrize(
    "text",
    [
        "players=3",
        "players=two",
        "players",
        "layout=scattered",
        "zone=left",
        "neutral=open",
        "corners=outset",
        "finish=middle",
        "tiles=upside-down",
        "indirect=yes",
        "indirect=True",
        "freeze=1",
        "colour=blue",
    ],
)
def test_a_bad_value_names_its_option(text: str) -> None:
    name = text.partition("=")[0]
    with pytest.raises(OptionError, match=f"^option {name}[=:]") as refused:
        Options.parse(text)
    assert refused.value.name == name


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("layout=given", "board", "all 64 squares"),
        (f"board={BOARD}", "board", "only for tiles that are given"),
        (f"layout=drafted board={BOARD}", "board", "only for tiles that are given"),
        (f"layout=given zone=random board={BOARD}", "zone", "has its neutral tiles already"),
        (f"layout=given zone=chosen board={BOARD}", "zone", "has its neutral tiles already"),
        ("tiles=face-down layout=drafted", "layout", "face-down tiles are laid at random"),
        (f"tiles=face-down layout=given board={BOARD}", "layout", "face-down tiles are laid at random"),
        ("tiles=face-down zone=chosen", "zone", "laid unseen"),
        ("players=4 players=4", "players", "given twice"),
    ],
)
def test_contradictory_options_name_the_one_to_change(text: str, name: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason) as refused:
        Options.parse(text)
    assert refused.value.name == name


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ("/".join(ROWS[:7]), "8 rows"),
        (BOARD.replace(",N,N,", ",N,", 1), "8 rows"),
        (BOARD.replace("268", "238"), "238 is on the board twice"),
        (BOARD.replace("268", "N"), "only four neutral"),
        (BOARD.replace("268", "."), "a full board has 56 arrow tiles and four neutral"),
        (BOARD.replace("268", "~268"), "e2 lies face down"),
        (BOARD.replace("268", "?"), "e2 lies face down"),
        (BOARD.replace("268", "862"), "not a tile"),
        (BOARD.replace("268", "5"), "not a tile"),
        (BOARD.replace("q", "o"), "a8 must be q"),
        (BOARD.replace("268", "q"), "e2 must be no home"),
    ],
)
def test_an_invalid_board_is_refused_with_a_reason(board: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason) as refused:
        Options(layout="given", board=board)
    assert refused.value.name == "board"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("layout=given", "Les tuiles d'une mise en place donnée : il faut écrire les 64 cases."),
        (
            "tiles=face-down layout=drafted",
            "Qui pose les tuiles fléchées : les tuiles cachées sont posées au hasard, sans qu'on les voie.",
        ),
    ],
)
def test_option_errors_are_rendered_in_french(text: str, sentence: str) -> None:
    assert i18n.option_error_text(testing.option_error(Options, text), "fr") == sentence


def test_a_board_is_asked_for_only_where_the_layout_is_given() -> None:
    assert {entry["name"]: entry["relevant_if"] for entry in Options.schema()}["board"] == [
        {"layout": ["given"]}
    ]


def test_a_given_board_must_fit_the_other_options() -> None:
    assert Options(layout="given", board=BOARD).board == BOARD
    with pytest.raises(OptionError, match="must be"):
        Options(layout="given", board=BOARD, corners="inset")
    with pytest.raises(OptionError, match="must be"):
        Options(layout="given", board=BOARD, finish="centre")


@pytest.mark.parametrize(
    ("name", "value"),
    [("players", "2"), ("players", True), ("indirect", 1), ("indirect", "on"), ("board", 3)],
)
def test_a_value_of_the_wrong_type_is_refused_even_if_it_is_equal(name: str, value: Any) -> None:
    with pytest.raises(OptionError) as refused:
        Options(**{name: value})
    assert refused.value.name == name


@st.composite
def valid_options(draw: st.DrawFn) -> Options:
    fields = {field.name: field.metadata["choices"] for field in dataclasses.fields(Options)}
    chosen = {name: draw(st.sampled_from(choices)) for name, choices in fields.items() if choices}
    if chosen["layout"] == "given":
        chosen |= {"board": BOARD, "corners": "corner", "finish": "corner"}
    try:
        return Options(**chosen)
    except OptionError:
        return Options(**chosen | {"layout": "random", "zone": "random", "board": ""})


@given(valid_options())
def test_options_are_parsed_back(options: Options) -> None:
    assert Options.parse(str(options)) == options
    assert Options.parse(dict(word.split("=", 1) for word in str(options).split())) == options
    assert hash(Options.parse(str(options))) == hash(options)


@given(valid_options(), st.integers(0, 99))
def test_every_valid_combination_can_be_laid_out_and_begun(options: Options, seed: int) -> None:
    state, rng = GAME.initial_state(options), Random(seed)
    for _ in range(200):
        if not state.free_squares:
            break
        state = state.apply(state.sample_chance(rng) if state.to_act is CHANCE else state.legal_actions()[0])
    assert state.to_act in range(options.players)
    assert state.options is options


def test_only_options_that_differ_from_the_defaults_are_written() -> None:
    text = "players=4 layout=drafted zone=chosen neutral=wild corners=inset finish=centre freeze=off"
    assert str(Options.parse(text)) == text
    assert str(Options.parse("players=2 freeze=on tiles=face-down")) == "tiles=face-down"


def test_the_form_lists_every_option_with_its_choices_default_and_clause() -> None:
    form = Options.schema()
    assert [(entry["name"], entry["clause"], entry["default"]) for entry in form] == [
        ("players", "TP-13", "2"),
        ("layout", "TP-1", "random"),
        ("zone", "TP-1", "centre"),
        ("neutral", "TP-6", "closed"),
        ("corners", "TP-10", "corner"),
        ("finish", "TP-12", "corner"),
        ("tiles", "TP-11", "face-up"),
        ("indirect", "TP-7", "on"),
        ("freeze", "TP-8", "on"),
        ("board", "TP-1", ""),
    ]
    for entry in form:
        assert not entry["choices"] or entry["default"] == entry["choices"][0]


def test_options_of_another_game_are_refused() -> None:
    with pytest.raises(TypeError, match="is not an object of"):
        GAME.initial_state(AnyOptions())
