"""Every game passes the conformance suite, and so does a fifth one that a test adds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import tripot
import tripot.games
from tripot import i18n, testing, testing_engine, testing_view
from tripot.bot import Bot
from tripot.cli import app
from tripot.game import AnyGame, AnyState, Candidate, Engine, Limit, OptionError, Options, TripotError
from tripot.record import Record
from tripot.table import Player, Table

GAMES = [pytest.param(game, id=game.key) for game in tripot.list_games()]
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("game", GAMES)
def test_the_folder_of_a_game_is_complete_and_imports_one_way(game: AnyGame) -> None:
    testing.check_game_package(game)


@pytest.mark.parametrize("game", GAMES)
def test_the_repr_of_a_game_can_be_pasted(game: AnyGame) -> None:
    """It named a function that had been renamed."""
    assert eval(repr(game), {"tripot": tripot}) is game


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=4)
@given(seed=SEEDS)
def test_random_games_in_random_variants_conform(game: AnyGame, seed: int) -> None:
    testing.check_random_game(game, Random(seed), steps=70, interval=3)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=300)
@given(seed=SEEDS)
def test_many_more_random_games_conform(game: AnyGame, seed: int) -> None:
    testing.check_random_game(game, Random(seed), steps=400)


def main_variants(game: AnyGame) -> Iterator[Options]:
    """The default options, and every choice of an option that is not advanced."""
    yield game.Options()
    for entry in game.Options.schema():
        for choice in () if entry["advanced"] else entry["choices"]:
            if choice == entry["default"]:
                continue
            with suppress(OptionError):  # a choice that needs another one beside it
                yield game.Options.parse({entry["name"]: choice})


def check_views(game: AnyGame, start: AnyState, rng: Random) -> None:
    """The JSON of every view in a whole random game has the type from which that of the page is generated."""
    last = start
    for state, action in testing.random_playthrough(start, rng, steps=1000):
        for view in {state.view(viewer) for viewer in testing.viewers(state)}:
            testing_view.check_view_json(game, view.to_json())
        last = state.apply(action)
    testing_view.check_view_json(game, last.to_json())


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 20))])
def test_every_view_of_every_main_variant_has_the_type_of_the_page(game: AnyGame, seed: int) -> None:
    for options in main_variants(game):
        check_views(game, game.initial_state(options), Random(seed))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", [9, -1, "0"])
def test_a_seat_that_does_not_exist_has_no_view(game: AnyGame, seat: Any) -> None:
    """It was taken for a spectator, whose view hides what the seat with a misspelt number may see."""
    with pytest.raises(ValueError, match=f"there is no seat {seat!r}: the seats of this game are 0 to "):
        game.initial_state().view(seat)


@pytest.mark.parametrize("game", GAMES)
def test_levels_are_refused_in_the_same_words_everywhere(game: AnyGame) -> None:
    """Engines, bots and tables each had a wording of their own."""
    message = f"{game.title} has the levels 1 to {game.levels[-1]}, not 99"
    players = [Player("level 99", level=99), *[Player("Ann")] * (game.Options().players - 1)]
    for refused in (
        lambda: game.engine(99),
        lambda: Bot(game, 99, 0),
        lambda: Table(game, game.Options(), players),
    ):
        with pytest.raises((ValueError, TripotError), match=message):
            refused()
    with pytest.raises(TypeError, match=r"a level is a whole number such as .*, not '3'"):
        game.engine("3")  # type: ignore[arg-type]  # that is the point


@pytest.mark.kernel
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 12))]
)
def test_every_level_plays_legal_and_repeatable_actions(game: AnyGame, seed: int) -> None:
    testing_engine.check_engine(game, Random(seed))


@pytest.mark.kernel
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_engines_and_bots_refuse_what_they_cannot_decide(game: AnyGame, seed: int) -> None:
    testing_engine.check_engine_guards(game, Random(seed))


# --- A fifth game is one folder ----------------------------------------------------------------


def test_a_fifth_game_conforms(toy_game: AnyGame) -> None:
    testing.check_game_package(toy_game)
    for seed in range(20):
        assert testing.check_random_game(toy_game, Random(seed)).outcome
        testing_engine.check_engine(toy_game, Random(seed))
        testing_engine.check_engine_guards(toy_game, Random(seed))


def test_the_views_of_a_fifth_game_have_their_type(toy_game: AnyGame) -> None:
    for options in main_variants(toy_game):
        check_views(toy_game, toy_game.initial_state(options), Random(1))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"secret": 1}, "the fields"),
        ({"heap": None}, "view.heap is None"),
        ({"heap": True}, "view.heap is True"),
        ({"taken": [0, "1"]}, r"view.taken\[1\] is '1'"),
    ],
)
def test_the_suite_finds_a_view_of_another_type(
    toy_game: AnyGame, changes: dict[str, Any], error: str
) -> None:
    view: Any = toy_game.initial_state(toy_game.Options()).to_json()
    testing_view.check_view_json(toy_game, view)
    with pytest.raises(AssertionError, match=error):
        testing_view.check_view_json(toy_game, view | changes)


def test_the_suite_finds_a_refused_option_without_a_sentence(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(i18n.catalogue(toy_game, "en")["X-4"], "spaces")
    with pytest.raises(AssertionError, match="no words for X-4"):
        testing.check_game_package(toy_game)


def test_a_fifth_game_is_played_at_a_table_and_recorded(toy_game: AnyGame) -> None:
    table = Table(toy_game, toy_game.Options(), [Player("Ann", person_id="a"), Player("Bob", person_id="b")])
    table.run_chance(Random(3))
    for seat in (0, 1):
        table.act(seat, "take 2")
    own, other = table.view_for(0), table.view_for(1)
    assert own.view != other.view
    assert own.log[0] != other.log[0], "each sees only the own card"
    assert table.view_for(None).log[0][1] == "deal ?,?"
    table.act(0, "take 1")
    assert Record.parse(table.record().to_text()).outcome == table.outcome


def test_a_fifth_game_is_played_in_the_terminal(toy_game: AnyGame) -> None:
    listed = CliRunner().invoke(app, ["games"])
    assert "Tally" in listed.output
    played = CliRunner().invoke(app, ["play", toy_game.key, "--seed", "1"], input="1\n1\n1\n1\n1\n")
    assert played.exit_code == 0, played.output
    assert "The heap is gone." in played.output


@pytest.mark.parametrize(
    ("member", "leak"),
    [
        ("view", lambda self, _seat: self),
        ("redact", lambda _self, action, _seat: str(action)),
        ("determinize", lambda self, _rng: replace(self, cards=tuple(1 for _ in self.cards))),
        ("to_json", lambda self: {"legal": [str(each) for each in self.legal_actions()], "id": id(self)}),
    ],
)
def test_the_suite_finds_leaks_of_hidden_information(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch, member: str, leak: Callable[..., Any]
) -> None:
    monkeypatch.setattr(type(toy_game.initial_state(toy_game.Options())), member, leak)
    with pytest.raises(AssertionError):
        [testing.check_random_game(toy_game, Random(seed)) for seed in range(20)]


def test_the_suite_finds_an_engine_that_uses_hidden_information(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that was given a full state used the rack of its opponent."""

    @contextmanager
    def without_view(_engine: Engine, state: AnyState) -> Iterator[AnyState]:
        yield state

    def value_of_cards(_engine: Engine, state: Any, _limit: Limit, _rng: Random) -> Candidate:
        return Candidate(state.legal_actions()[0], sum(state.cards) / 100)

    engine = type(toy_game.engine(1))
    monkeypatch.setattr(engine, "_choose", value_of_cards)
    monkeypatch.setattr(engine, "_exclusive_use", without_view)
    with pytest.raises(AssertionError, match="uses what is hidden"):
        testing_engine.check_engine(toy_game, Random(1))
