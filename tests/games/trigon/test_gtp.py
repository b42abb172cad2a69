"""The GTP dialect of Trigon, and a match against Pentobi where it is installed."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import tripot
from tripot.cli import app
from tripot.external.gtp import GtpEngine
from tripot.game import Action, AnyState, OptionError, ParseError
from tripot.games.trigon.board import COLOURS
from tripot.games.trigon.rules import State
from tripot.record import Record
from tripot.testing import random_playthrough

GAME = tripot.get_game("trigon")
PENTOBI = os.environ.get("TRIPOT_TEST_PENTOBI", "")
VARIANTS = ("players=2 start=free", "players=4", "players=4 teams=on start=free")

needs_pentobi = pytest.mark.skipif(
    not PENTOBI, reason="TRIPOT_TEST_PENTOBI does not name a pentobi-gtp to play against"
)


@pytest.mark.parametrize(
    ("options", "variant"),
    [
        (VARIANTS[0], "Blokus Trigon Two-Player"),
        (VARIANTS[1], "Blokus Trigon"),
        (VARIANTS[2], "Blokus Trigon Two-Player"),
    ],
)
def test_the_variants_have_their_names(options: str, variant: str) -> None:
    dialect = GAME.gtp_dialect(GAME.Options.parse(options))
    assert dialect
    assert dialect.game_name == variant


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("players=1", "figures"),
        ("players=3", "TR-7"),
        ("players=2", "start=free"),
        ("teams=on", "start=free"),
        ("contact=corners", "contact=base"),
    ],
)
def test_variants_with_other_rules_are_refused(options: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        GAME.gtp_dialect(GAME.Options.parse(options))


@pytest.mark.parametrize("options", VARIANTS)
def test_pieces_and_colours_of_random_games_are_written_and_parsed_back(options: str) -> None:
    dialect = GAME.gtp_dialect(GAME.Options.parse(options))
    assert dialect
    for state, action in random_playthrough(GAME.initial_state(GAME.Options.parse(options)), Random(1), 40):
        if isinstance(state.to_act, int):
            assert dialect.parse_vertex(dialect.vertex_text(action)) == action
            assert dialect.parse_vertex(dialect.vertex_text(action).upper()) == action
            assert isinstance(state, State)
            turn = state.to_json()["turn"]
            assert turn
            assert dialect.colour_of(state) == str(1 + COLOURS.index(turn))


def test_a_colour_has_the_same_number_for_every_seat() -> None:
    dialect = GAME.gtp_dialect(GAME.Options())
    assert dialect
    state = GAME.initial_state(GAME.Options()).apply(GAME.parse_action("lot green,red,yellow,blue"))
    assert (state.to_act, dialect.colour_of(state)) == (3, "1"), "blue begins, whoever plays it"


def test_a_piece_is_its_triangles() -> None:
    dialect = GAME.gtp_dialect(GAME.Options())
    assert dialect
    assert dialect.vertex_text(GAME.parse_action("V@q15-r15,n16-q16")) == "q15,r15,n16,o16,p16,q16"
    assert str(dialect.parse_vertex("q16,q15,r15,n16,o16,p16")) == "V@q15-r15,n16-q16"
    for wrong in ("", "zz9", "a10,ai10", "q15,q15"):
        with pytest.raises(ParseError):
            dialect.parse_vertex(wrong)


@needs_pentobi
@pytest.mark.parametrize("options", VARIANTS)
def test_pentobi_finds_the_same_moves_legal_along_random_games(options: str) -> None:
    dialect = GAME.gtp_dialect(GAME.Options.parse(options))
    assert dialect
    command = f"{PENTOBI} --level 1 --nobook --noresign --quiet"
    with GtpEngine(command, dialect) as program:
        for seed in range(3):
            program.new_game()
            states, actions = list[AnyState](), list[Action]()
            for state, action in random_playthrough(
                GAME.initial_state(GAME.Options.parse(options)), Random(seed), 100
            ):
                program.send_actions(states, actions)
                if isinstance(state.to_act, int):
                    program.check_legal_moves(state)
                states.append(state)
                actions.append(action)


@needs_pentobi
@pytest.mark.parametrize("options", VARIANTS)
def test_a_match_against_pentobi(options: str, tmp_path: Path) -> None:
    command = f"{PENTOBI} --level 1 --nobook --noresign --quiet"
    words = [
        "match",
        GAME.key,
        "--a",
        "1",
        "--b",
        f"gtp:{command}",
        "--games",
        "2",
        "--check-legal",
        "--seconds",
        "0.01",
    ]
    for option in options.split():
        words += ["-o", option]
    result = CliRunner().invoke(app, [*words, "--records", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "2 games: " in result.output
    assert [Record.load(path).outcome is not None for path in sorted(tmp_path.glob("*.txt"))] == [True, True]
