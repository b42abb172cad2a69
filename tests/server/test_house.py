"""The house without a network: rebuilding, bots that fail, clocks, the event loop, migrations."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

import tripot
from tripot.game import CHANCE, Engine, Illegal
from tripot.server import storage
from tripot.server.clock import Clock
from tripot.server.errors import Stale
from tripot.server.house import House
from tripot.server.live import Live
from tripot.server.settings import Settings
from tripot.server.watching import Watcher

ME, YOU = {"kind": "me"}, {"kind": "open"}
CUT = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = %s"
Work = Callable[[House], Coroutine[Any, Any, None]]


def in_house(work: Work, database: str, **settings: Any) -> None:
    """Run some work in a house of its own."""

    async def run() -> None:
        house = House(Settings(database=database, **{"think": 0.02, "key": "x" * 32} | settings))
        await house.open()
        try:
            await work(house)
        finally:
            await house.close()

    asyncio.run(run())


def bot(level: int) -> dict[str, Any]:
    return {"kind": "bot", "level": level}


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


async def settled(house: House, live: Live, until: Callable[[], bool]) -> None:
    """Wait for what happens by itself."""
    for _ in range(3000):
        if until():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{live.id} is stuck at {live.seq}")


@pytest.mark.parametrize("game", [game.key for game in tripot.found()])
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
            action = str(rng.choice(live.table.state.legal()))
            await house.act(live.id, who, "act", action, live.seq, f"client-{step}")
            same(live, await house.rebuilt(live.id))
            for kind, by in (
                ("draw", who),
                ("no", "bob" if who == "ann" else "ann"),
                ("undo", who),
                ("no", "ann"),
            ):
                if step % 5 == 0:
                    try:
                        await house.act(live.id, by, kind, "", live.seq, None)
                    except Illegal:
                        continue
                    same(live, await house.rebuilt(live.id))
        if not live.table.outcome:
            await house.act(live.id, "bob", "resign", "", None, None)
        same(live, await house.rebuilt(live.id))

    in_house(work, database)


def test_bots_play_a_whole_game_by_themselves(database: str) -> None:
    async def work(house: House) -> None:
        for game in tripot.found():
            live = await house.create("ann", game.key, {"players": "2"}, [bot(1), bot(2)], "Ann")
            await settled(house, live, lambda live=live: live.seq > 12 or live.table.outcome is not None)

    in_house(work, database)


class Broken(Engine):
    def choose(self, *_: Any) -> Any:
        raise ZeroDivisionError("this engine is broken")

    def analyse(self, *_: Any) -> Any:
        raise ZeroDivisionError("this engine is broken")


def test_a_bot_that_fails_is_replaced_by_the_simplest_with_a_notice(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tripot.find("triolet")
    whole = type(game).engine
    monkeypatch.setattr(
        type(game), "engine", lambda self, level: Broken() if level > 1 else whole(self, level)
    )

    async def work(house: House) -> None:
        live = await house.create("ann", "triolet", {}, [bot(3), bot(3)], "Ann")
        await settled(house, live, lambda: sum(event.kind == "act" for event in live.events) >= 4)
        assert [event.text for event in live.events if "failed" in event.text] == ["bot 1 failed"] * 2
        assert [player.level for player in live.table.players] == [1, 1]

    in_house(work, database)


def test_when_all_levels_fail_the_game_still_goes_on(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(tripot.find("triolet")), "engine", lambda *_: Broken())

    async def work(house: House) -> None:
        live = await house.create("ann", "triolet", {}, [bot(1), bot(1)], "Ann")
        await settled(house, live, lambda: sum(event.kind == "act" for event in live.events) >= 2)

    in_house(work, database)


def test_a_bot_answers_offers(database: str) -> None:
    async def work(house: House) -> None:
        live = await house.create("ann", "trippples", {}, [ME, bot(1)], "Ann")
        await settled(house, live, lambda: live.to_act == 0)
        await house.act(live.id, "ann", "draw", "", None, None)
        await settled(house, live, lambda: live.table.offer is None)
        assert live.events[-1].kind in ("yes", "no", "act")

    in_house(work, database)


def test_what_a_bot_thought_of_is_dropped_when_the_game_has_moved_on(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The story of many sites: an undo while the bot thinks, and then its move lands on another position."""
    game = tripot.find("trippples")
    whole = type(game).engine

    class Slow(Engine):
        def __init__(self, level: int) -> None:
            self.inner = whole(game, level)

        def choose(self, *args: Any) -> Any:
            time.sleep(0.3)
            return self.inner.choose(*args)

        def analyse(self, *args: Any) -> Any:
            return self.inner.analyse(*args)

    monkeypatch.setattr(type(game), "engine", lambda _, level: Slow(level))

    async def work(house: House) -> None:
        live = await house.create("ann", "trippples", {}, [ME, bot(1)], "Ann")
        await settled(house, live, lambda: live.to_act == 0)
        await house.act(live.id, "ann", "act", str(live.table.state.legal()[0]), None, None)
        await house.act(live.id, "ann", "undo", "", None, None)
        seq = live.seq
        await asyncio.sleep(0.6)
        assert live.seq == seq
        assert live.to_act == 0

    in_house(work, database)


def test_the_event_loop_does_not_wait_for_bots(database: str) -> None:
    """While strong bots think in all threads, the loop is asked for the time, again and again."""

    async def work(house: House) -> None:
        for game in tripot.found():
            game.engine(game.levels[-1])  # imported and compiled before anything is measured
            await house.create("ann", game.key, {"players": "2"}, [bot(game.levels[-1])] * 2, "Ann")
        lags = []
        for _ in range(200):
            began = time.monotonic()
            await asyncio.sleep(0.01)
            lags.append(time.monotonic() - began - 0.01)
        lags.sort()
        assert lags[len(lags) // 2] < 0.1, f"the loop is late by {lags[len(lags) // 2]:.3f} s at the median"

    in_house(work, database, think=0.3)


def test_a_clock_runs_out_on_the_server(database: str) -> None:
    async def work(house: House) -> None:
        live = await house.create("ann", "trippples", {}, [ME, YOU], "Ann", clock="10+0")
        await house.join(live.id, "bob", "Bob")
        late = live.to_act
        live.clock.left[late] = 0.05
        house._wake(live)
        await settled(house, live, lambda: live.table.outcome is not None)
        assert live.events[-1].kind == "time"
        assert live.table.outcome is not None
        assert live.table.outcome.scores[late] == -1

    in_house(work, database)


def test_in_a_game_of_many_a_bot_plays_on_for_who_runs_out_of_time(database: str) -> None:
    async def work(house: House) -> None:
        live = await house.create("ann", "triolet", {"players": "3"}, [ME, ME, ME], "Ann", clock="10+0")
        late = live.to_act
        live.clock.left[late] = 0.05
        house._wake(live)
        await settled(house, live, lambda: live.table.players[late].is_bot)
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
        action, seq = str(live.table.state.legal()[0]), live.seq

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
        live = await house.create("ann", "triggery", {}, [bot(1), bot(1)], "Ann")
        await settled(house, live, lambda: live.table.outcome is not None or live.seq > 400)
        if live.table.outcome:
            from tripot import fair

            assert fair.check(live.record("2026-11-16")) == sum(
                state.to_act is CHANCE for state in [*live.record("").states()][:-1]
            )

    in_house(work, database, think=0.01)


def test_two_servers_on_one_database_never_write_the_same_event_twice(database: str) -> None:
    """Memory of the one is stale then: it is refused, reads again, and goes on."""

    async def work(house: House) -> None:
        other = House(house.settings)
        await other.open()
        try:
            live = await house.create("ann", "trippples", {}, [ME, ME], "Ann")
            twin = await other.get(live.id)
            legal = [str(action) for action in live.table.state.legal()]
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
    name = f"cut_{time.time_ns()}"

    async def work(house: House) -> None:
        live = await house.create("ann", tripot.found()[0].key, {"players": "2"}, [ME, ME], "Ann")
        for step in range(3):
            with psycopg.connect(postgres, autocommit=True) as other:
                assert other.execute(CUT, [name]).fetchone() != (0,)
            action = str(live.table.state.legal()[0])
            await house.act(live.id, "ann", "act", action, live.seq, f"client-{step}")
            same(live, await house.rebuilt(live.id))

    in_house(work, f"{postgres}&application_name={name}")
