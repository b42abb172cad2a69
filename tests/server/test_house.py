"""The house without a network: rebuilding, bots that fail, clocks, the event loop, migrations."""

from __future__ import annotations

import asyncio
import pkgutil
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Literal
from uuid import uuid4

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
    run_house,
    until,
    until_bots_are_done,
)

import tripot
import tripot.games
from tripot import fairness
from tripot.game import CHANCE, Engine, IllegalActionError
from tripot.server import storage
from tripot.server.clock import Clock
from tripot.server.errors import Stale
from tripot.server.house import House
from tripot.server.live import Live
from tripot.server.watching import Watcher

CUT = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = %s"


def in_house(work: Work, database: str, **settings: Any) -> None:
    """Run some work in a house of its own."""
    run_house(work, replace(SETTINGS, database=database, **settings))


def same(one: Live, two: Live) -> None:
    """Two games that nobody could tell apart."""
    assert [event.row("") for event in one.events] == [event.row("") for event in two.events]
    assert one.table.state == two.table.state
    assert one.table.offer == two.table.offer
    assert one.clock.left == two.clock.left
    assert one.clients == two.clients
    for viewer in (None, *range(len(one.table.players))):
        assert one.sight(viewer, "en") | {"clock": 0} == two.sight(viewer, "en") | {"clock": 0}
        assert one.told(viewer) == two.told(viewer)


@pytest.mark.parametrize("game", [game.key for game in tripot.list_games()])
def test_a_game_rebuilt_after_every_step_is_the_same(database: str, game: str) -> None:
    """Acts, offers, answers, undos, a bot that takes a seat: all of it follows from the rows."""

    async def work(house: House) -> None:
        rng = Random(game)
        players = {"players": "2"}
        live = await house.create("ann", game, players, [ME, YOU], "Ann", clock="600+2")
        await house.join(live.id, "bob", "Bob")
        for step in range(40):
            if live.table.outcome:
                break
            mover = live.to_act
            who = "ann" if mover == 0 else "bob"
            action = str(rng.choice(live.table.state.legal_actions()))
            await house.act(live.id, who, "act", action, live.seq, f"client-{step}")
            same(live, await house.rebuilt(live.id))
            other = "bob" if who == "ann" else "ann"
            offers: list[tuple[Literal["draw", "undo", "no"], str]]
            offers = [("draw", who), ("no", other), ("undo", who), ("no", "ann")]
            for kind, by in offers:
                if step % 5 == 0:
                    try:
                        await house.act(live.id, by, kind, "", live.seq, None)
                    except IllegalActionError:
                        continue
                    same(live, await house.rebuilt(live.id))
        if not live.table.outcome:
            await house.act(live.id, "bob", "resign", "", None, None)
        same(live, await house.rebuilt(live.id))

    in_house(work, database)


@pytest.mark.parametrize("game", [game.key for game in tripot.list_games()])
def test_bots_play_by_themselves(database: str, game: str) -> None:
    async def work(house: House) -> None:
        live = await house.create("ann", game, {"players": "2"}, [bot(1), bot(2)], "Ann")
        await until(house, live, lambda live: live.seq > 12 or live.table.outcome is not None)

    in_house(work, database)


class Broken(Engine):
    def _choose(self, *_: Any) -> Any:
        raise ZeroDivisionError("this engine is broken")

    def _analyse(self, *_: Any) -> Any:
        raise ZeroDivisionError("this engine is broken")


def test_a_bot_that_fails_is_replaced_by_the_simplest_with_a_notice(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tripot.get_game("triolet")
    whole = type(game).engine
    monkeypatch.setattr(
        type(game), "engine", lambda self, level: Broken() if level > 1 else whole(self, level)
    )

    async def work(house: House) -> None:
        live = await house.create("ann", "triolet", {}, [bot(3), bot(3)], "Ann")
        await until(house, live, lambda live: acts(live) >= 4)
        assert [event.text for event in live.events if "failed" in event.text] == ["bot 1 failed"] * 2
        assert [player.level for player in live.table.players] == [1, 1]

    in_house(work, database)


def test_when_all_levels_fail_the_game_still_goes_on(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(tripot.get_game("triolet")), "engine", lambda *_: Broken())

    async def work(house: House) -> None:
        live = await house.create("ann", "triolet", {}, [bot(1), bot(1)], "Ann")
        await until(house, live, lambda live: acts(live) >= 2)

    in_house(work, database)


def test_a_bot_answers_offers(database: str) -> None:
    async def work(house: House) -> None:
        live = await house.create("ann", "trippples", {}, [ME, bot(1)], "Ann")
        assert live.to_act == 0
        await house.act(live.id, "ann", "draw", "", None, None)
        await until(house, live, lambda live: live.table.offer is None)
        assert live.events[-1].kind in ("yes", "no", "act")

    in_house(work, database)


def test_what_a_bot_thought_of_is_dropped_when_the_game_has_moved_on(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The story of many sites: an undo while the bot thinks, and then its move lands on another position."""
    gate = Gate()
    monkeypatch.setattr(type(tripot.get_game("trippples")), "engine", lambda *_: HeldBack(gate))

    async def work(house: House) -> None:
        live = await house.create("ann", "trippples", {}, [ME, bot(1)], "Ann")
        assert live.to_act == 0
        try:
            await house.act(live.id, "ann", "act", str(live.table.state.legal_actions()[0]), None, None)
            await gate.asked()
            await house.act(live.id, "ann", "undo", "", None, None)
            seq = live.seq
        finally:
            gate.open()
        await until_bots_are_done(house)
        assert live.seq == seq
        assert live.to_act == 0

    in_house(work, database)


def test_the_event_loop_does_not_wait_for_bots(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All threads of the bots are busy and more bots wait; meanwhile a person opens a game and plays it."""
    gate = Gate()
    for game in tripot.list_games():
        monkeypatch.setattr(type(game), "engine", lambda *_: HeldBack(gate))

    async def work(house: House) -> None:
        thinking = [
            await house.create("ann", game.key, {"players": "2"}, [bot(1), bot(1)], "Ann")
            for game in tripot.list_games()
        ]
        assert len(thinking) > house.settings.bot_threads
        try:
            await gate.asked(house.settings.bot_threads)
            live = await house.create("ann", "trippples", {}, [ME, ME], "Ann")
            while acts(live) < 10 and not live.table.outcome:
                await house.act(
                    live.id, "ann", "act", str(live.table.state.legal_actions()[0]), live.seq, None
                )
            same(live, await house.rebuilt(live.id))
            assert house.bots.waiting == len(thinking), "not one of them has answered yet"
        finally:
            gate.open()
        for each in thinking:
            await until(house, each, lambda each: acts(each) > 0)

    in_house(work, database)


def test_every_kernel_lets_other_threads_run() -> None:
    """A kernel that holds Python's lock stops the event loop for as long as it runs."""
    found = [
        value
        for module in pkgutil.walk_packages(tripot.games.__path__, "tripot.games.")
        if ".kernel" in module.name
        for value in vars(import_module(module.name)).values()
        if isinstance(value, CPUDispatcher)
    ]
    assert found
    assert [kernel for kernel in found if not kernel.targetoptions.get("nogil")] == []


def test_a_clock_runs_out_on_the_server(database: str) -> None:
    async def work(house: House) -> None:
        live = await house.create("ann", "trippples", {}, [ME, YOU], "Ann", clock="10+0")
        await house.join(live.id, "bob", "Bob")
        late = live.to_act
        live.clock.left[late] = 0.0
        house._wake(live)
        await until(house, live, lambda live: live.table.outcome is not None)
        assert live.events[-1].kind == "time"
        assert live.table.outcome is not None
        assert live.table.outcome.scores[late] == -1

    in_house(work, database)


def test_in_a_game_of_many_a_bot_plays_on_for_who_runs_out_of_time(database: str) -> None:
    async def work(house: House) -> None:
        live = await house.create("ann", "triolet", {"players": "3"}, [ME, ME, ME], "Ann", clock="10+0")
        late = live.to_act
        live.clock.left[late] = 0.0
        house._wake(live)
        await until(house, live, lambda live: live.table.players[late].is_bot)
        assert live.table.outcome is None

    in_house(work, database)


def test_the_clock_gives_time_for_each_move_and_none_is_lost_in_a_restart() -> None:
    clock = Clock.read("60+5", 2)
    clock.tick(None, 0, 100.0, acted=False)
    clock.tick(0, 1, 110.0, acted=True)
    assert clock.left == [55.0, 60.0]
    clock.restart(500.0)
    assert clock.remaining(503.0) == 57.0


def test_writes_of_many_games_share_transactions_and_one_bad_row_fails_alone(database: str) -> None:
    async def work(house: House) -> None:
        lives = [await house.create("ann", "trippples", {}, [ME, ME], "Ann") for _ in range(8)]
        rows = [{**live.events[-1].row(live.id), "seq": live.seq + 1, "client": None} for live in lives]
        rows[3]["seq"] = 1  # is there already
        results = await asyncio.gather(
            *(house.storage.write((storage.ADD_ACTION, row)) for row in rows), return_exceptions=True
        )
        assert [isinstance(each, storage.IntegrityError) for each in results] == [
            index == 3 for index in range(8)
        ]

    in_house(work, database)


def test_when_a_commit_fails_memory_is_dropped_and_nothing_is_told(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(house: House) -> None:
        live = await house.create("ann", "trippples", {}, [ME, ME], "Ann")
        action, seq = str(live.table.state.legal_actions()[0]), live.seq

        async def fail(*_: Any) -> None:
            raise OSError("the disk is full")

        monkeypatch.setattr(house.storage, "write", fail)
        with pytest.raises(OSError, match="disk"):
            await house.act(live.id, "ann", "act", action, seq, "the-client")
        monkeypatch.undo()
        again = await house.get(live.id)
        assert again is not live
        assert again.seq == seq
        await house.act(live.id, "ann", "act", action, seq, "the-client")
        with pytest.raises(Stale):
            await house.act(live.id, "ann", "act", action, seq, "another-client")

    in_house(work, database)


def test_games_nobody_looks_at_leave_memory_and_come_back(database: str) -> None:
    async def work(house: House) -> None:
        made = [await house.create("ann", "triolet", {}, [ME, ME], "Ann") for _ in range(12)]
        assert len(house._live) <= 5
        same(made[0], await house.get(made[0].id))

    in_house(work, database, kept=5)


def test_one_player_cannot_open_games_without_end(database: str) -> None:
    async def work(house: House) -> None:
        for _ in range(3):
            await house.create("ann", "triolet", {}, [ME, ME], "Ann")
        with pytest.raises(Exception, match="too many"):
            await house.create("ann", "triolet", {}, [ME, ME], "Ann")
        await house.create("bob", "triolet", {}, [ME, ME], "Bob")

    in_house(work, database, open_games=3)


def test_migrations_go_up_and_down_and_up(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'm.db'}")
    with engine.begin() as connection:
        storage.migrate(connection)
        made = {*sa.inspect(connection).get_table_names()}
        assert made >= {*storage.metadata.tables}
        for name, table in storage.metadata.tables.items():
            there = {column["name"] for column in sa.inspect(connection).get_columns(name)}
            assert there == {column.name for column in table.columns}
        storage.migrate(connection, "base")
        storage.migrate(connection)
    engine.dispose()


def test_chance_of_a_served_game_comes_from_its_seed(database: str) -> None:
    async def work(house: House) -> None:
        live = await house.create("ann", "triggery", {}, [ME, ME], "Ann")
        rng = Random(1)
        while acts(live) < 12:
            await house.act(
                live.id, "ann", "act", str(rng.choice(live.table.state.legal_actions())), None, None
            )
        await house.act(live.id, "ann", "resign", "", None, None)
        record = live.record("2026-11-16")
        draws = sum(state.to_act is CHANCE for state in [*record.states()][:-1])
        assert fairness.verify_chance(record) == draws > 1

    in_house(work, database)


def test_two_servers_on_one_database_never_write_the_same_event_twice(database: str) -> None:
    """Memory of the one is stale then: it is refused, reads again, and goes on."""

    async def work(house: House) -> None:
        other = House(house.settings)
        await other.open()
        try:
            live = await house.create("ann", "trippples", {}, [ME, ME], "Ann")
            twin = await other.get(live.id)
            legal = [str(action) for action in live.table.state.legal_actions()]
            await house.act(live.id, "ann", "act", legal[0], twin.seq, "one-client")
            with pytest.raises(Stale):
                await other.act(live.id, "ann", "act", legal[-1], twin.seq, "other-client")
            same(await other.get(live.id), live)
        finally:
            await other.close()

    in_house(work, database)


def test_a_slow_connection_is_closed_and_not_waited_for() -> None:
    async def work() -> None:
        slow = Watcher("ann", 0, "en", room=3)
        for number in range(10):
            slow.send(b"%d" % number)
        assert slow.is_lost
        assert await slow.waiting.get() is None, "nothing but the end is left"

    asyncio.run(work())


def test_a_database_that_cuts_its_connections_loses_no_move(postgres: str) -> None:
    """The writer keeps one connection for good: cut in the middle of a game, it is opened again."""
    name = f"cut_{uuid4().hex}"

    async def work(house: House) -> None:
        live = await house.create("ann", tripot.list_games()[0].key, {"players": "2"}, [ME, ME], "Ann")
        for step in range(3):
            with psycopg.connect(postgres, autocommit=True) as other:
                assert other.execute(CUT, [name]).fetchone() != (0,)
            action = str(live.table.state.legal_actions()[0])
            await house.act(live.id, "ann", "act", action, live.seq, f"client-{step}")
            same(live, await house.rebuilt(live.id))

    in_house(work, f"{postgres}&application_name={name}")
