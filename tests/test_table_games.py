"""Every game, played at a table: views, records, refusals."""

from __future__ import annotations

import re
from inspect import getsource
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tripot
from tripot import i18n
from tripot import record as record_module
from tripot import table as table_module
from tripot.game import (
    CHANCE,
    Action,
    Analysis,
    AnyGame,
    AnyState,
    Candidate,
    Engine,
    IllegalActionError,
    Limit,
    ParseError,
    Rng,
    fact,
)
from tripot.record import Record
from tripot.table import EQUAL_DRAW_ACTIONS, Player, Table, TableView
from tripot.testing import random_action, random_options, viewers

every_game = pytest.mark.parametrize("game", tripot.list_games(), ids=lambda game: game.key)
few = settings(max_examples=5)


def table_with_players(game: AnyGame, seed: int) -> Table:
    options = random_options(game, Random(seed))
    return Table(game, options, [Player(f"Player {n}") for n in range(options.players)], date="2026-11-15")


def play(table: Table, rng: Random) -> None:
    if table.to_act is CHANCE:
        table.sample_chance(rng)
    else:
        seat = table.to_act
        assert isinstance(seat, int)
        table.act(seat, random_action(table.state, rng))


def all_views(table: Table) -> Any:
    """All that can be told of a table."""
    sights = [table.view_for(viewer) for viewer in (None, *range(len(table.players)))]
    return sights, table.record(), table.to_act, table.action_count, table.state, table.termination


@pytest.mark.long
@every_game
@few
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 80))
def test_a_table_follows_the_rules_and_shows_each_viewer_only_views_and_hidden_texts(
    game: AnyGame, seed: int, steps: int
) -> None:
    check_table(game, seed, steps)


@pytest.mark.soak
@every_game
@settings(max_examples=100)
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 80))
def test_many_more_tables_follow_the_rules_and_show_only_views(game: AnyGame, seed: int, steps: int) -> None:
    check_table(game, seed, steps)


def check_table(game: AnyGame, seed: int, steps: int) -> None:
    """Play at a table at random, and compare it with the rules for every viewer after every action."""
    table, rng = table_with_players(game, seed), Random(seed)
    state = game.initial_state(table.options)
    logs: dict[int | None, list[tuple[int | None, str]]] = {viewer: [] for viewer in viewers(state)}
    for count in range(steps):
        assert (table.action_count, table.state) == (count, state)
        assert (table.to_act, table.outcome) == (state.to_act, state.outcome)
        for viewer, log in logs.items():
            assert table.view_for(viewer) == TableView(
                count, state.view(viewer), tuple(log), None, state.outcome
            )
        if state.to_act is None:
            break
        action, seat = random_action(state, rng), state.to_act
        for viewer, log in logs.items():
            log.append((seat if isinstance(seat, int) else None, state.redact(action, viewer)))
        given_action = rng.choice((action, str(action)))
        assert isinstance(given_action, Action | str)
        if isinstance(seat, int):
            table.act(seat, given_action)
        else:
            table.apply_chance(given_action)
        for viewer in logs:
            report = table.report_action(table.action_count - 1, viewer)
            assert (report.seat, report.text) == logs[viewer][-1]
            assert not report.effects or report.text == str(action)
        state = state.apply(action)
    assert table.record() == Record.parse(table.record().to_text())


@every_game
def test_tables_that_differ_in_hidden_information_have_equal_views(game: AnyGame) -> None:
    compared = 0
    for seed in range(60):
        one, two = table_with_players(game, seed), table_with_players(game, seed)
        one.run_chance(Random(1))
        two.run_chance(Random(2))
        for viewer in viewers(one.state):
            if one.actions != two.actions and one.view_for(viewer).log == two.view_for(viewer).log:
                assert one.view_for(viewer) == two.view_for(viewer)
                compared += 1
    if not compared:
        pytest.skip("nothing is hidden at the start of this game")


@every_game
def test_a_table_resumed_from_its_record_is_the_same_table(game: AnyGame) -> None:
    table, rng = table_with_players(game, 1), Random(1)
    while table.to_act is not None and table.action_count < 150:  # some games never end by random play
        again = Table.resume(Record.parse(table.record().to_text()), table.players)
        assert all_views(again) == all_views(table)
        for _ in range(10):
            if table.to_act is not None:
                play(table, rng)
    assert all_views(Table.resume(table.record(), table.players)) == all_views(table)


@every_game
def test_the_same_calls_make_the_same_table(game: AnyGame) -> None:
    one, two = table_with_players(game, 2), table_with_players(game, 2)
    for table in (one, two):
        rng = Random(5)
        for _ in range(12):
            play(table, rng)
    assert all_views(one) == all_views(two)


@pytest.mark.long
@every_game
def test_refused_actions_name_their_clause_and_change_nothing(game: AnyGame) -> None:
    table, rng = table_with_players(game, 3), Random(3)
    seen: list[Action] = []
    refusals = 0
    for _ in range(30):
        if table.to_act is None:
            break
        for action in seen[-8:]:
            before = all_views(table)
            copy = Table.resume(table.record(), table.players)
            seat = table.to_act
            try:
                copy.act(seat, action) if isinstance(seat, int) else copy.apply_chance(action)
            except IllegalActionError:
                refusals += 1
                assert all_views(copy) == before
        seen += table.state.legal_actions()[:3]
        play(table, rng)
        seen.append(table.actions[-1])
    assert refusals


@every_game
def test_unreadable_text_is_a_parse_error_and_changes_nothing(game: AnyGame) -> None:
    table = table_with_players(game, 1)
    table.run_chance(Random(1))
    before = all_views(table)
    assert isinstance(table.to_act, int)
    with pytest.raises(ParseError):
        table.act(table.to_act, "no such action at all")
    assert all_views(table) == before


@every_game
def test_every_refusal_and_termination_has_a_sentence(game: AnyGame) -> None:
    source = getsource(table_module) + getsource(record_module)
    source += "".join(
        path.read_text("utf-8") for path in (Path(table_module.__file__).parent / "server").glob("*.py")
    )
    keys = {*re.findall(r'(?:IllegalActionError|fact)\("TABLE", "(\w+)"', source), "resign", "time"}
    assert {"turn", "over", "not_seated"} < keys
    facts = [fact("TABLE", key, seat=0) for key in keys]
    facts += [fact(game.draw_clause, "agreed")] if game.draw_clause else []
    assert "en" in i18n.languages(game)
    for language in i18n.languages(game):
        assert all(i18n.render(game, fact, language) for fact in facts)


class EqualEngine(Engine):
    """Finds every position equal. `open_count` counts the engines that were not closed."""

    open_count = 0

    def __init__(self) -> None:
        super().__init__()
        EqualEngine.open_count += 1

    def close(self) -> None:
        EqualEngine.open_count -= 1

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        return Candidate(view.legal_actions()[0], 0.0)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        return Analysis((self._choose(view, limit, rng),))


@pytest.mark.parametrize(
    "game", [game for game in tripot.list_games() if game.draw_clause], ids=lambda game: game.key
)
def test_a_bot_accepts_a_draw_in_an_equal_position_only_late(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(game), "engine", lambda *_: EqualEngine())
    answers = set()
    for seed in range(30):
        table, rng = Table(game, game.Options(), [Player("Ann"), Player("level 1", level=1)]), Random(seed)
        while table.to_act is not None and table.action_count < 3 * EQUAL_DRAW_ACTIONS:
            play(table, rng)
            if table.to_act == 0:
                acted = sum(seat is not None for seat, _ in table.view_for(None).log)
                table.offer_draw(0)
                accepts = table.bot_accepts(1, Limit(), rng)
                table.answer_offer(1, accept=False)
                assert accepts == (acted >= 2 * EQUAL_DRAW_ACTIONS)
                answers.add(accepts)
    assert answers == {True, False}
    assert EqualEngine.open_count == 0, "an engine that judged an offer was left open"
