"""Players who leave a game with more than two teams: a bot takes their seat, even that of the last human."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from tests.server.in_process import ME, SETTINGS, YOU, FakeTime, bot, run_games, until
from tests.server.test_failed_writes import FailingWriter

from tripot.game import IllegalActionError
from tripot.server import render
from tripot.server.connections import Connection
from tripot.server.errors import DatabaseUnavailableError, StaleSeqError
from tripot.server.events import Change
from tripot.server.game_service import GameService
from tripot.server.live_game import LiveGame
from tripot.server.render import Viewer
from tripot.server.wire import HelloMessage


async def only_human(games: GameService, clock: str = "") -> LiveGame:
    """A game in which the only human is to act, against two bots."""
    live = await games.create("ann", "triolet", {"players": "3"}, [ME, bot(1), bot(1)], "Ann", clock=clock)
    await until(games, live, lambda live: live.to_act == 0)
    return live


def test_the_only_human_may_resign_and_the_bots_finish_the_game(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await only_human(games)
        await games.act(live.id, "ann", "resign", "", None, None)
        assert live.table.players[0].is_bot
        assert live.seats_of("ann") == []
        seq = live.seq
        await until(games, live, lambda live: live.seq > seq)

    run_games(work, replace(SETTINGS, database=sqlite_url))


@pytest.mark.parametrize("by", ["timer", "action"])
def test_the_time_of_the_only_human_runs_out(sqlite_url: str, by: str) -> None:
    """Nothing happened, and every action was refused as stale for ever."""
    time = FakeTime()

    async def work(games: GameService) -> None:
        live = await only_human(games, clock="60+0")
        if by == "timer":
            time.advance(61)
        else:
            live.clock.remaining_seconds[0] = 0.0
            with pytest.raises(StaleSeqError):
                await games.act(live.id, "ann", "action", "pass", live.seq, None)
        await until(games, live, lambda live: live.table.players[0].is_bot)

    run_games(work, replace(SETTINGS, database=sqlite_url), time)


# --- Connections of a seat that another player has taken ------------------------------------------


async def connect(games: GameService, live: LiveGame, user_id: str) -> Connection:
    connection = Connection(user_id, Viewer(None, "en"), queue_size=1000)
    await games.subscribe(live.id, connection, HelloMessage())
    return connection


def received(connection: Connection) -> list[dict[str, Any]]:
    messages = []
    while not connection.queue.empty():
        messages.append(json.loads(connection.queue.get_nowait() or b"{}"))
    return messages


@pytest.mark.parametrize("failing", [False, True], ids=["", "after a failed write"])
def test_who_has_left_sees_no_more_than_a_spectator(
    sqlite_url: str, failing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection of a player who had left was sent the tokens of the bot that had taken the seat."""
    fails = FailingWriter(monkeypatch)

    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {"players": "3"}, [ME, YOU, YOU], "Ann")
        await games.join(live.id, "bob", "Bob")
        await games.join(live.id, "eve", "Eve")
        ann, bob = await connect(games, live, "ann"), await connect(games, live, "bob")
        assert received(bob)[0]["state"]["viewer"] == 1
        if failing:
            fails.fail(after_commit=True)
            with pytest.raises(DatabaseUnavailableError):
                await games.act(live.id, "bob", "resign", "", None, None)
        else:
            await games.act(live.id, "bob", "resign", "", None, None)
        await until(games, live, lambda live: live.to_act in (0, 2))
        async with games.locked(live.id) as live:
            spectator = render.state(live, Viewer(None, "en"))
        messages = received(bob)
        states = [message["state"] for message in messages if message.get("state")]
        assert states
        for state in states:
            assert state["viewer"] is None
            assert state["view"]["racks"][1] == ["?"] * len(state["view"]["racks"][1])
        assert "?" in str(spectator.view["racks"][1])
        assert games.connections.presence(live.id).present_seats == [0]
        assert received(ann)[-1]["state"]["viewer"] == 0, "the others see as before"

    run_games(work, replace(SETTINGS, database=sqlite_url))


def test_a_hello_that_is_refused_leaves_the_earlier_one_valid(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann")
        ann = await connect(games, live, "ann")
        with pytest.raises(IllegalActionError, match="seat"):
            await games.subscribe(live.id, ann, HelloMessage(seat=1))
        received(ann)
        await games.join(live.id, "bob", "Bob")
        assert {message["type"] for message in received(ann)} == {"event"}
        await games.subscribe(live.id, ann, HelloMessage(seat=0, lang="fr"))
        assert len(games.connections.for_game(live.id)) == 1

    run_games(work, replace(SETTINGS, database=sqlite_url))


def test_the_seat_of_a_hello_is_chosen_while_the_game_is_locked(sqlite_url: str) -> None:
    """A hello that came while its user was being replaced looked through the seat of the bot."""

    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {"players": "3"}, [ME, YOU, YOU], "Ann")
        await games.join(live.id, "bob", "Bob")
        await games.join(live.id, "eve", "Eve")
        async with games.locked(live.id):
            hello = asyncio.create_task(connect(games, live, "bob"))
            while not live.lock._waiters:
                await asyncio.sleep(0)
            await games.commit_changes(live, [Change("join", 1, '{"kind":"bot","level":1}')])
        assert (await hello).viewer.seat is None

    run_games(work, replace(SETTINGS, database=sqlite_url))
