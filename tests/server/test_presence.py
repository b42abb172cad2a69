"""Presence is coalesced, and never disconnects anybody."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import msgspec
from tests.server.in_process import ME, SETTINGS, YOU, run_games

from tripot.server import connections
from tripot.server.connections import Connection
from tripot.server.game_service import GameService
from tripot.server.live_game import LiveGame
from tripot.server.render import Viewer
from tripot.server.wire import HelloMessage, PresenceMessage, encode

QUEUE_SIZE = 8
NEVER = 3600.0  # seconds of an interval that does not end during a test


async def connect(games: GameService, live: LiveGame, seat: int | None = None) -> Connection:
    connection = Connection(None if seat is None else "ann", Viewer(None, "en"), QUEUE_SIZE)
    await games.subscribe(live.id, connection, HelloMessage(seat=seat))
    return connection


def test_many_sockets_that_close_at_once_disconnect_no_other(sqlite_url: str) -> None:
    """Each of them sent a message to the players, whose full send queues closed their connections."""

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann")
        player = await connect(games, live, 0)
        spectators = [await connect(games, live) for _ in range(150)]
        for spectator in spectators:
            games.unsubscribe(live, spectator)
        assert not player.is_closing
        assert player.queue.qsize() == 1, "only the snapshot"

    run_games(work, replace(SETTINGS, database=sqlite_url))


def test_presence_is_sent_once_per_interval_and_only_its_latest_value(
    sqlite_url: str, monkeypatch: Any
) -> None:
    """Every spectator was told of every other one: the time was quadratic in their number."""
    sent: list[PresenceMessage] = []

    def recording_encode(message: Any) -> bytes:
        if isinstance(message, PresenceMessage):
            sent.append(message)
        return encode(message)

    monkeypatch.setattr(connections, "encode", recording_encode)

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann")
        player = await connect(games, live, 0)
        for _ in range(20):
            await connect(games, live)
        assert sent == [PresenceMessage([0], 0)], "the others came during the interval"
        games.connections._presence_timers.pop(live.id).cancel()
        games.connections.announce_presence(live.id)
        assert sent[1:] == [PresenceMessage([0], 20)]
        received = [await player.next_message() for _ in range(2)]
        latest = msgspec.json.decode(received[-1] or b"")
        assert (latest["type"], latest["spectators"]) == ("presence", 20)
        assert player.queue.empty()
        assert player.presence is None

    run_games(work, replace(SETTINGS, database=sqlite_url, presence_seconds=NEVER))


def test_the_last_change_of_an_interval_is_sent_at_its_end(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann")
        player, spectator = await connect(games, live, 0), await connect(games, live)
        games.unsubscribe(live, spectator)
        while (message := msgspec.json.decode(await player.next_message() or b"")).get("spectators") != 0:
            pass
        assert message["present_seats"] == [0]

    run_games(work, replace(SETTINGS, database=sqlite_url, presence_seconds=0.001))


def test_a_socket_without_hello_is_not_counted_as_present(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann")
        player = await connect(games, live, 0)
        await player.next_message()
        await player.next_message()
        games.unsubscribe(live, Connection(None, Viewer(None, "en"), QUEUE_SIZE))
        assert (player.queue.qsize(), player.presence) == (0, None)

    run_games(work, replace(SETTINGS, database=sqlite_url))


def test_messages_come_before_presence_and_the_end_comes_last(sqlite_url: str) -> None:
    async def run() -> None:
        connection = Connection(None, Viewer(None, "en"), QUEUE_SIZE)
        waiting = asyncio.create_task(connection.next_message())
        connection.set_presence(b"one")
        connection.set_presence(b"two")
        connection.send_encoded(b"event")
        assert [await waiting, await connection.next_message()] == [b"event", b"two"]
        connection.announce_shutdown()
        assert await connection.next_message() is not None
        assert await connection.next_message() is None

    asyncio.run(run())
