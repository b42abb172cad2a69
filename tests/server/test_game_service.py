"""The games without a network: rebuilding, bots that fail, clocks, the event loop, migrations."""

from __future__ import annotations

import asyncio
import pkgutil
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Literal
from uuid import uuid4

import msgspec
import psycopg
import pytest
import sqlalchemy as sa
from numba.core.registry import CPUDispatcher
from tests.server.in_process import (
    ME,
    SETTINGS,
    YOU,
    Gate,
    HeldBack,
    Work,
    acts,
    bot,
    run_games,
    until,
    until_bots_are_done,
)

import tripot
import tripot.games
from tripot import fairness
from tripot.game import CHANCE, Analysis, AnyState, Engine, IllegalActionError
from tripot.server import database, render, storage
from tripot.server.analysis import AnalysisService
from tripot.server.clock import Clock
from tripot.server.connections import Connection
from tripot.server.errors import DatabaseUnavailableError, RequestError, StaleSeqError
from tripot.server.game_service import MAX_SEAT_OWNERS, GameService
from tripot.server.identity import User
from tripot.server.live_game import LiveGame
from tripot.server.lobby import LobbyService
from tripot.server.rate_limits import RateLimits
from tripot.server.render import Viewer
from tripot.server.tables import metadata

CUT = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = %s"


def with_games(work: Work, database: str, **settings: Any) -> None:
    """Run some work with a `GameService` of its own."""
    run_games(work, replace(SETTINGS, database=database, **settings))


def same(one: LiveGame, two: LiveGame) -> None:
    """Check that two games are the same."""
    assert [event.row("") for event in one.events] == [event.row("") for event in two.events]
    assert one.table.state == two.table.state
    assert one.table.offer == two.table.offer
    assert one.clock.remaining_seconds == two.clock.remaining_seconds
    assert one.seq_by_request_key == two.seq_by_request_key
    for viewer in (None, *range(len(one.table.players))):
        views = [render.state(live, Viewer(viewer, "en")) for live in (one, two)]
        assert views[0] == msgspec.structs.replace(views[1], clock=views[0].clock)
        assert render.events(one, render.Viewer(viewer, "en")) == render.events(
            two, render.Viewer(viewer, "en")
        )


@pytest.mark.parametrize("game", [game.key for game in tripot.list_games()])
def test_a_game_rebuilt_after_every_step_is_the_same(sqlite_url: str, game: str) -> None:
    """Acts, offers, answers, undos, a bot that takes a seat: all of it follows from the rows."""

    async def work(games: GameService) -> None:
        rng = Random(game)
        players = {"players": "2"}
        live = await games.create("ann", game, players, [ME, YOU], "Ann", clock="600+2")
        await games.join(live.id, "bob", "Bob")
        for step in range(40):
            if live.table.outcome:
                break
            mover = live.to_act
            who = "ann" if mover == 0 else "bob"
            action = str(rng.choice(live.table.state.legal_actions()))
            await games.act(live.id, who, "action", action, live.seq, f"client-{step}")
            same(live, await games.load_from_rows(live.id))
            other = "bob" if who == "ann" else "ann"
            offers: list[tuple[Literal["offer_draw", "undo", "decline"], str]]
            offers = [("offer_draw", who), ("decline", other), ("undo", who), ("decline", "ann")]
            for kind, by in offers:
                if step % 5 == 0:
                    try:
                        await games.act(live.id, by, kind, "", live.seq, None, offer_seq=live.offer_seq)
                    except IllegalActionError:
                        continue
                    same(live, await games.load_from_rows(live.id))
        if not live.table.outcome:
            await games.act(live.id, "bob", "resign", "", None, None)
        same(live, await games.load_from_rows(live.id))

    with_games(work, sqlite_url)


@pytest.mark.parametrize("game", [game.key for game in tripot.list_games()])
def test_bots_play_by_themselves(sqlite_url: str, game: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", game, {"players": "2"}, [bot(1), bot(2)], "Ann")
        await until(games, live, lambda live: live.seq > 12 or live.table.outcome is not None)

    with_games(work, sqlite_url)


class Broken(Engine):
    def _choose(self, *_: Any) -> Any:
        raise ZeroDivisionError("this engine is broken")

    def _analyse(self, *_: Any) -> Any:
        raise ZeroDivisionError("this engine is broken")


def test_a_bot_that_fails_is_replaced_by_the_simplest_with_a_notice(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tripot.get_game("triolet")
    whole = type(game).engine
    monkeypatch.setattr(
        type(game), "engine", lambda self, level: Broken() if level > 1 else whole(self, level)
    )

    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {}, [bot(3), bot(3)], "Ann")
        await until(games, live, lambda live: acts(live) >= 4)
        assert [event.text for event in live.events if '"failed"' in event.text] == [
            '{"kind":"bot","level":1,"reason":"failed"}'
        ] * 2
        assert [player.level for player in live.table.players] == [1, 1]

    with_games(work, sqlite_url)


def test_when_all_levels_fail_the_game_still_goes_on(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(tripot.get_game("triolet")), "engine", lambda *_: Broken())

    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {}, [bot(1), bot(1)], "Ann")
        await until(games, live, lambda live: acts(live) >= 2)

    with_games(work, sqlite_url)


@pytest.mark.kernel
def test_a_bot_of_a_level_that_was_removed_plays_on_at_the_top_level(sqlite_url: str) -> None:
    """Trigon had fifteen levels, and has thirteen: a game with one of the others counted as damaged."""
    top = tripot.trigon.levels[-1]
    stored, old = f'"level":{top}', f'"level":{top + 2}'

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trigon", {"players": "2"}, [ME, bot(top)], "Ann")
        async with games.storage.engine.begin() as connection:
            for statement in (
                "UPDATE events SET text = replace(text, :stored, :old)",
                "UPDATE games SET seats = replace(seats, :stored, :old)",
            ):
                await connection.execute(sa.text(statement), {"stored": stored, "old": old})
        assert old in (await games.storage.events(live.id))[1]["text"]
        games.live_games.evict(live)
        lobby = LobbyService(games, RateLimits(games.settings))
        (listed,) = (await lobby.profile("ann")).games
        rebuilt = await games.get(live.id)
        joined = [event.player for event in render.events(rebuilt, Viewer(None, "en")) if event.player]
        for seats in (listed.seats, rebuilt.seat_infos, joined):
            assert [seat.level for seat in seats] == [None, top]
        await games.act(live.id, "ann", "action", str(rebuilt.table.state.legal_actions()[0]), None, None)
        await until(games, rebuilt, lambda live: acts(live) == 2)

    with_games(work, sqlite_url)


def test_a_bot_answers_offers(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, bot(1)], "Ann")
        assert live.to_act == 0
        await games.act(live.id, "ann", "offer_draw", "", None, None)
        await until(games, live, lambda live: live.table.offer is None)
        assert live.events[-1].type in ("accept", "decline", "action")

    with_games(work, sqlite_url)


def test_a_bot_move_is_dropped_if_the_game_has_moved_on(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An undo during the search of a bot, whose move was then applied to another position."""
    gate = Gate()
    monkeypatch.setattr(type(tripot.get_game("trippples")), "engine", lambda *_: HeldBack(gate))

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, bot(1)], "Ann")
        assert live.to_act == 0
        try:
            await games.act(live.id, "ann", "action", str(live.table.state.legal_actions()[0]), None, None)
            await gate.asked()
            await games.act(live.id, "ann", "undo", "", None, None)
            seq = live.seq
        finally:
            gate.open()
        await until_bots_are_done(games)
        assert live.seq == seq
        assert live.to_act == 0

    with_games(work, sqlite_url)


def test_a_hint_does_not_change_into_an_analysis_by_an_end_that_is_not_stored(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was shown without what the player has to notice, because the game seemed to be over."""
    gate, filtered = Gate(), list[Analysis]()
    game = tripot.get_game("trippples")
    monkeypatch.setattr(type(game), "engine", lambda *_: HeldBack(gate))

    def hint(_: AnyState, analysis: Analysis) -> Analysis:
        filtered.append(analysis)
        return analysis

    async def work(games: GameService) -> None:
        live = await games.create("ann", game.key, {}, [ME, ME], "Ann")
        monkeypatch.setattr(type(live.table.state), "hint", hint)
        is_writing, may_fail = asyncio.Event(), asyncio.Event()

        async def fail_later(*_: Any) -> None:
            is_writing.set()
            await may_fail.wait()
            raise DatabaseUnavailableError

        monkeypatch.setattr(games.storage, "append_events", fail_later)
        analysis = AnalysisService(games, RateLimits(games.settings))
        try:
            answer = asyncio.create_task(analysis.hint(live.id, User("ann", ""), "en", 1.0))
            await gate.asked()
            resignation = asyncio.create_task(games.act(live.id, "ann", "resign", "", None, None))
            await is_writing.wait()
        finally:
            gate.open()
        await answer
        may_fail.set()
        with pytest.raises(DatabaseUnavailableError):
            await resignation
        assert len(filtered) == 1

    with_games(work, sqlite_url)


def test_a_hint_on_the_turn_of_a_bot_is_refused_because_of_the_turn(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason was that hints are for games against the computer, which this one is."""
    gate, game = Gate(), tripot.get_game("trippples")
    monkeypatch.setattr(type(game), "engine", lambda *_: HeldBack(gate))

    async def work(games: GameService) -> None:
        live = await games.create("ann", game.key, {}, [bot(1), ME], "Ann")
        analysis = AnalysisService(games, RateLimits(games.settings))
        try:
            await gate.asked()
            for user, key in (("ann", "turn"), ("bob", "others_play")):
                with pytest.raises(IllegalActionError) as refused:
                    await analysis.hint(live.id, User(user, ""), "en", 1.0)
                assert refused.value.fact.key == key
        finally:
            gate.open()

    with_games(work, sqlite_url)


def test_the_engine_of_a_hint_is_closed(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each hint and analysis creates an engine, which was not told that it is not used again."""
    gate, closed = Gate(), list[Engine]()
    gate.open()
    monkeypatch.setattr(type(tripot.get_game("triolet")), "engine", lambda *_: HeldBack(gate))
    monkeypatch.setattr(HeldBack, "close", lambda engine: closed.append(engine))  # noqa: PLW0108 - binds it

    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {}, [ME, ME], "Ann")
        analysis = AnalysisService(games, RateLimits(games.settings))
        await analysis.hint(live.id, User("ann", ""), "en", 1.0)
        assert len(closed) == 1

    with_games(work, sqlite_url)


def test_the_event_loop_does_not_wait_for_bots(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All threads of the bots are busy and more bots wait; meanwhile a person opens a game and plays it."""
    gate = Gate()
    for game in tripot.list_games():
        monkeypatch.setattr(type(game), "engine", lambda *_: HeldBack(gate))

    async def work(games: GameService) -> None:
        bot_games = [
            await games.create("ann", game.key, {"players": "2"}, [bot(1), bot(1)], "Ann")
            for game in tripot.list_games()
        ]
        assert len(bot_games) > games.settings.bot_threads
        try:
            await gate.asked(games.settings.bot_threads)
            live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
            while acts(live) < 10 and not live.table.outcome:
                await games.act(
                    live.id, "ann", "action", str(live.table.state.legal_actions()[0]), live.seq, None
                )
            same(live, await games.load_from_rows(live.id))
            assert games.bots.queue.length == len(bot_games), "not one of them has answered yet"
        finally:
            gate.open()
        for bot_game in bot_games:
            await until(games, bot_game, lambda live: acts(live) > 0)

    with_games(work, sqlite_url)


def test_every_kernel_lets_other_threads_run() -> None:
    """A kernel that holds Python's lock stops the event loop for as long as it runs."""
    rows = [
        value
        for module in pkgutil.walk_packages(tripot.games.__path__, "tripot.games.")
        if ".kernel" in module.name
        for value in vars(import_module(module.name)).values()
        if isinstance(value, CPUDispatcher)
    ]
    assert rows
    assert [kernel for kernel in rows if not kernel.targetoptions.get("nogil")] == []


def test_a_clock_runs_out_on_the_server(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann", clock="10+0")
        await games.join(live.id, "bob", "Bob")
        late = live.to_act
        assert isinstance(late, int)
        live.clock.remaining_seconds[late] = 0.0
        games.scheduler.schedule(live)
        await until(games, live, lambda live: live.table.outcome is not None)
        assert live.events[-1].type == "timeout"
        assert live.table.outcome is not None
        assert live.table.outcome.scores[late] == -1

    with_games(work, sqlite_url)


def test_with_more_than_two_teams_a_bot_replaces_a_player_out_of_time(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {"players": "3"}, [ME, ME, ME], "Ann", clock="10+0")
        late = live.to_act
        assert isinstance(late, int)
        live.clock.remaining_seconds[late] = 0.0
        games.scheduler.schedule(live)
        await until(games, live, lambda live: live.table.players[late].is_bot)
        assert live.table.outcome is None

    with_games(work, sqlite_url)


def test_the_clock_gives_time_for_each_move_and_none_is_lost_in_a_restart() -> None:
    clock = Clock.parse("60+5", 2)
    clock.update(None, 0, 100.0, 0.0, add_increment=False)
    clock.update(0, 1, 110.0, clock.elapsed(110.0), add_increment=True)
    assert clock.remaining_seconds == [55.0, 60.0]
    clock.resume(server_started_at=500.0, now=502.0)
    assert clock.remaining(503.0) == 57.0


def test_writes_of_many_games_share_transactions_and_one_bad_row_fails_alone(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        lives = [await games.create("ann", "trippples", {}, [ME, ME], "Ann") for _ in range(8)]
        rows = [{**live.events[-1].row(live.id), "seq": live.seq + 1, "request_id": None} for live in lives]
        rows[3]["seq"] = 1  # is there already
        results = await asyncio.gather(
            *(games.storage.commit((storage.INSERT_EVENT, row)) for row in rows), return_exceptions=True
        )
        assert [isinstance(each, storage.IntegrityError) for each in results] == [
            index == 3 for index in range(8)
        ]

    with_games(work, sqlite_url)


def test_after_a_failed_commit_the_game_is_evicted_and_nothing_is_broadcast(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
        action, seq = str(live.table.state.legal_actions()[0]), live.seq

        async def fail(*_: Any) -> None:
            raise OSError("the disk is full")

        monkeypatch.setattr(games.storage, "commit", fail)
        with pytest.raises(OSError, match="disk"):
            await games.act(live.id, "ann", "action", action, seq, "the-client")
        monkeypatch.undo()
        again = await games.get(live.id)
        assert again is not live
        assert again.seq == seq
        await games.act(live.id, "ann", "action", action, seq, "the-client")
        with pytest.raises(StaleSeqError):
            await games.act(live.id, "ann", "action", action, seq, "another-client")

    with_games(work, sqlite_url)


def test_games_without_connections_are_evicted_and_loaded_again(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        made = [await games.create("ann", "triolet", {}, [ME, ME], "Ann") for _ in range(12)]
        assert len(games.live_games.all()) <= 5
        same(made[0], await games.get(made[0].id))

    with_games(work, sqlite_url, max_cached_games=5)


def test_unfinished_games_of_one_user_are_limited(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        for _ in range(3):
            await games.create("ann", "triolet", {}, [ME, ME], "Ann")
        with pytest.raises(Exception, match="too many"):
            await games.create("ann", "triolet", {}, [ME, ME], "Ann")
        await games.create("bob", "triolet", {}, [ME, ME], "Bob")

    with_games(work, sqlite_url, max_unfinished_games=3)


def test_a_rematch_counts_as_an_unfinished_game(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {}, [ME, ME], "Ann")
        await games.act(live.id, "ann", "resign", "", None, None)
        await games.create("ann", "triolet", {}, [ME, ME], "Ann")
        with pytest.raises(RequestError, match="too many"):
            await games.rematch(live.id, "ann")

    with_games(work, sqlite_url, max_unfinished_games=1)


def test_one_user_cannot_take_all_open_seats(sqlite_url: str) -> None:
    """At once or one after the other; a game that is over does not count."""

    async def work(games: GameService) -> None:
        made = [await games.create("ann", "trippples", {}, [ME, YOU], "Ann", public=True) for _ in range(5)]
        joins = await asyncio.gather(
            *(games.join(live.id, "eve", "Eve") for live in made), return_exceptions=True
        )
        assert [isinstance(each, RequestError) for each in joins] == [False] * 2 + [True] * 3
        with pytest.raises(RequestError, match="joined too many"):
            await games.join(made[2].id, "eve", "Eve")
        own = await games.create("eve", "trippples", {}, [ME, YOU], "Eve")
        assert await games.join(own.id, "eve", "Eve", 1) == 1, "a seat of one's own game does not count"
        await games.act(made[0].id, "eve", "resign", "", None, None)
        await games.join(made[2].id, "eve", "Eve")

    with_games(work, sqlite_url, max_unfinished_seats=2)


def test_the_devices_of_a_seat_are_limited(sqlite_url: str) -> None:
    """A seat link that went round added users to the seat without end, and a rematch copied all of them."""

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann")
        token = await games.create_seat_link(live.id, "ann", 0)
        for number in range(1, MAX_SEAT_OWNERS):
            await games.claim_seat(live.id, f"phone{number}", token)
        with pytest.raises(RequestError, match="has 16 devices already"):
            await games.claim_seat(live.id, "phone", token)
        assert await games.claim_seat(live.id, "phone1", token) == 0, "it has the seat already"

    with_games(work, sqlite_url)


def test_one_person_undoes_the_moves_of_several_seats_one_after_the_other(sqlite_url: str) -> None:
    """The second undo was meant for the seat of the first one, whose move was undone already."""

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
        before = live.table.action_count
        for _ in range(2):
            await games.act(live.id, "ann", "action", str(live.table.state.legal_actions()[0]), None, None)
        for _ in range(2):
            await games.act(live.id, "ann", "undo", "", None, None)
        assert live.table.action_count == before
        with pytest.raises(IllegalActionError):
            await games.act(live.id, "ann", "undo", "", None, None)

    with_games(work, sqlite_url)


def test_an_undo_is_one_of_a_person_on_every_device(sqlite_url: str) -> None:
    """After a seat link, the second device was offered an undo that was then refused: it owned only the seat
    that had not acted."""

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
        actor = live.to_act
        assert isinstance(actor, int)
        other = 1 - actor
        await games.claim_seat(live.id, "phone", await games.create_seat_link(live.id, "ann", other))
        assert live.seats_of("phone") == [other]
        assert not render.state(live, Viewer(other, "en")).can_undo
        before = live.table.action_count
        await games.act(live.id, "ann", "action", str(live.table.state.legal_actions()[0]), None, None)
        assert render.state(live, Viewer(other, "en")).can_undo
        await games.act(live.id, "phone", "undo", "", None, None)
        assert (live.table.action_count, live.to_act) == (before, actor)

    with_games(work, sqlite_url)


def test_a_game_of_too_many_events_can_only_be_ended(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user alone could act and undo without end, until the game took too long to load."""
    monkeypatch.setattr("tripot.server.game_service.MAX_EVENTS", 5)

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
        action = str(live.table.state.legal_actions()[0])
        while live.seq < 5:
            type_: Literal["action", "undo"] = "undo" if live.table.can_undo(0) else "action"
            await games.act(live.id, "ann", type_, action, None, None)
        for type_ in ("action", "undo"):
            with pytest.raises(IllegalActionError, match="too long"):
                await games.act(live.id, "ann", type_, action, None, None)
        await games.act(live.id, "ann", "resign", "", None, None, 0)
        assert live.status == "over"

    with_games(work, sqlite_url)


def test_the_state_says_who_may_undo_offer_a_draw_and_has_to_answer(sqlite_url: str) -> None:
    """The page guessed it from the actions of its seats, and offered what the server then refused."""

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann")

        def fields() -> list[tuple[bool, bool, bool]]:
            states = [render.state(live, Viewer(seat, "en")) for seat in (0, 1, None)]
            return [(state.can_undo, state.can_offer_draw, state.must_answer) for state in states]

        nothing = (False, False, False)
        assert fields() == [nothing] * 3, "the game has not begun"
        await games.join(live.id, "bob", "Bob")
        assert fields() == [(False, True, False), (False, True, False), nothing]
        actor, user_id = (0, "ann") if live.to_act == 0 else (1, "bob")
        await games.act(live.id, user_id, "action", str(live.table.state.legal_actions()[0]), None, None)
        assert [can_undo for can_undo, _, _ in fields()] == [actor == 0, actor == 1, False]
        await games.act(live.id, "ann", "offer_draw", "", None, None)
        assert fields() == [nothing, (False, False, True), nothing]
        await games.act(live.id, "bob", "accept", "", None, None, offer_seq=live.offer_seq)
        assert fields() == [nothing] * 3, "the game is over"

    with_games(work, sqlite_url)


def test_migrations_can_be_reverted_and_repeated(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'm.db'}")
    with engine.begin() as connection:
        database.migrate(connection)
        made = {*sa.inspect(connection).get_table_names()}
        assert made >= {*metadata.tables}
        for name, table in metadata.tables.items():
            there = {column["name"] for column in sa.inspect(connection).get_columns(name)}
            assert there == {column.name for column in table.columns}
        database.downgrade(connection, "base")
        database.migrate(connection)
    engine.dispose()


def test_chance_of_a_served_game_comes_from_its_seed(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "triggery", {}, [ME, ME], "Ann")
        rng = Random(1)
        while acts(live) < 12:
            await games.act(
                live.id, "ann", "action", str(rng.choice(live.table.state.legal_actions())), None, None
            )
        await games.act(live.id, "ann", "resign", "", None, None)
        record = live.record("2026-11-16")
        draws = sum(state.to_act is CHANCE for state in [*record.states()][:-1])
        assert fairness.verify_chance(record) == draws > 1

    with_games(work, sqlite_url)


def test_two_servers_on_one_database_never_write_the_same_event_twice(sqlite_url: str) -> None:
    """Memory of the one is stale then: it is refused, reads again, and goes on."""

    async def work(games: GameService) -> None:
        other = GameService(games.settings)
        await other.open()
        try:
            live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
            twin = await other.get(live.id)
            legal = [str(action) for action in live.table.state.legal_actions()]
            await games.act(live.id, "ann", "action", legal[0], twin.seq, "one-client")
            with pytest.raises(StaleSeqError):
                await other.act(live.id, "ann", "action", legal[-1], twin.seq, "other-client")
            same(await other.get(live.id), live)
        finally:
            await other.close()

    with_games(work, sqlite_url)


def test_a_slow_connection_is_closed() -> None:
    async def work() -> None:
        slow = Connection("ann", Viewer(0, "en"), queue_size=3)
        for number in range(10):
            slow.send_encoded(b"%d" % number)
        assert slow.is_closing
        assert await slow.queue.get() is None, "nothing but the end is left"

    asyncio.run(work())


def test_a_database_that_cuts_its_connections_loses_no_move(postgres_url: str) -> None:
    """The writer keeps one connection for good: cut in the middle of a game, it is opened again."""
    name = f"cut_{uuid4().hex}"

    async def work(games: GameService) -> None:
        live = await games.create("ann", tripot.list_games()[0].key, {"players": "2"}, [ME, ME], "Ann")
        for step in range(3):
            with psycopg.connect(postgres_url, autocommit=True) as other:
                assert other.execute(CUT, [name]).fetchone() != (0,)
            action = str(live.table.state.legal_actions()[0])
            await games.act(live.id, "ann", "action", action, live.seq, f"client-{step}")
            same(live, await games.load_from_rows(live.id))

    with_games(work, f"{postgres_url}&application_name={name}")
