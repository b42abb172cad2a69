"""The games in memory: how many stay there, and what goes on for those that have left."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from prometheus_client import REGISTRY
from tests.server.in_process import ME, SETTINGS, YOU, FakeTime, run_games

from tripot.server.game_service import GameService
from tripot.server.live_game import LiveGame
from tripot.server.tables import GameRow


@pytest.mark.parametrize("max_cached_games", [0, 1])
def test_however_few_games_stay_in_memory_all_can_be_played(sqlite_url: str, max_cached_games: int) -> None:
    """A game evicted itself as soon as it was loaded, and was loaded again for ever."""

    async def play(games: GameService, game_id: str) -> None:
        for _ in range(4):
            state = (await games.get(game_id)).table.state
            await games.act(game_id, "ann", "action", str(state.legal_actions()[0]), None, None)

    async def work(games: GameService) -> None:
        made = [await games.create("ann", "trippples", {}, [ME, ME], "Ann", clock="600+0") for _ in range(3)]
        await asyncio.gather(*(play(games, live.id) for live in made))
        for live in made:
            assert (await games.get(live.id)).table.action_count >= 4
        last = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
        assert games.live_games.all() == (last,)

    run_games(work, replace(SETTINGS, database=sqlite_url, max_cached_games=max_cached_games))


def test_the_gauge_of_games_in_memory_falls_when_one_is_evicted(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
        assert REGISTRY.get_sample_value("tripot_live_games") == 1
        games.live_games.evict(live)
        assert REGISTRY.get_sample_value("tripot_live_games") == 0

    run_games(work, replace(SETTINGS, database=sqlite_url))


def test_two_games_with_connections_leave_room_for_a_third(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        made = [await games.create("ann", "trippples", {}, [ME, ME], "Ann") for _ in range(2)]
        for live in made:
            await live.lock.acquire()  # neither is idle
        third = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
        async with games.locked(third.id) as locked:
            assert locked is third
        for live in made:
            live.lock.release()

    run_games(work, replace(SETTINGS, database=sqlite_url, max_cached_games=2))


def test_games_with_running_clocks_leave_memory_and_their_flags_still_fall(sqlite_url: str) -> None:
    """They stayed in memory for as long as their clocks ran, up to a week per seat."""
    time = FakeTime()

    async def work(games: GameService) -> None:
        made = []
        for _ in range(3):
            live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann", clock="300+0")
            await games.join(live.id, "bob", "Bob")
            made.append(live)
        assert [live.is_in_memory for live in made] == [False, False, True]
        time.advance(301)
        while tasks := tuple(games.scheduler.tasks):
            await asyncio.gather(*tasks)
        for live in made:
            assert (await games.load_from_rows(live.id)).events[-1].type == "timeout"

    run_games(work, replace(SETTINGS, database=sqlite_url, max_cached_games=1), time)


@pytest.mark.parametrize("is_loaded_first", [True, False])
def test_a_game_that_is_loaded_while_it_is_created_is_in_memory_once(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, is_loaded_first: bool
) -> None:
    """Its creator had one object and a request for the new row another one, each with a lock of its own."""

    async def work(games: GameService) -> None:
        insert_game, load = games.storage.insert_game, games.live_games._load
        is_loading, may_load = asyncio.Event(), asyncio.Event()
        requests: list[asyncio.Task[LiveGame]] = []

        async def gated_load(game_id: str) -> LiveGame:
            live = await load(game_id)
            is_loading.set()
            await may_load.wait()
            return live

        async def insert_and_request(row: GameRow, *args: Any) -> None:
            await insert_game(row, *args)
            requests.append(asyncio.create_task(games.get(row["id"])))
            await is_loading.wait()
            if is_loaded_first:
                may_load.set()
                await requests[0]

        monkeypatch.setattr(games.live_games, "_load", gated_load)
        monkeypatch.setattr(games.storage, "insert_game", insert_and_request)
        created = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
        may_load.set()
        assert await requests[0] is created
        assert games.live_games.all() == (created,)

    run_games(work, replace(SETTINGS, database=sqlite_url))
