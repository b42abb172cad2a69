"""Players who send good messages with wrong numbers, in any order: the stored game stays whole."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from bench._server_process import HANG
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.in_process import ME, SETTINGS, YOU, JsonSocket, websocket
from tests.server.test_game_service import same

from tripot.server.app import create_app
from tripot.server.game_service import GameService
from tripot.server.identity import COOKIE, User, request_key

PLAYERS = ("ann", "bob", "eve")  # the last one only watches
ALIKE = ("trippples", "triolet")  # a game with offers of a draw, and one with hidden information

# A number is mostly the right one, or one nearby, none, or any.
NUMBERS = st.sampled_from([*[0] * 16, -1, 1, None, "-1", "0", "1", "2147483648", f"{2**70}"])
SEATS = st.sampled_from([*[None] * 8, 0, 1, 2, 15, 16, -1])
GREETING = '{"type": "hello"}'


@dataclass(frozen=True)
class Step:
    """What one of the players sends. Numbers that are no text are relative to the right ones."""

    player: int
    kind: Literal["hello", "action", "text", "command", "again", "raw", "reconnect"]
    number: int | str | None
    offer: int | str | None
    seat: int | None
    choice: int
    command: str
    text: str
    is_binary: bool
    is_in_turn: bool


STEPS = st.builds(
    Step,
    player=st.sampled_from([0, 0, 1, 1, 2]),
    kind=st.sampled_from(
        ["hello", "action", "action", "action", "text", "command", "command", "again", "raw", "reconnect"]
    ),
    number=NUMBERS,
    offer=NUMBERS,
    seat=SEATS,
    choice=st.integers(0, 1000),
    command=st.sampled_from(
        ["resign", "offer_draw", "offer_draw", "undo", "undo", "accept", "decline", "win"]
    ),
    text=st.text(max_size=20),
    is_binary=st.booleans(),
    is_in_turn=st.sampled_from([True, True, True, False]),
)


def number_near(right: int | None, given: int | str | None) -> int | None:
    if given is None:
        return None
    return int(given) if isinstance(given, str) else (right or 0) + given


@dataclass
class Client:
    """A connection of a player, and what was received on it."""

    socket: JsonSocket
    seqs: list[int] = field(default_factory=list)
    last: str = '{"type": "ping"}'

    async def send(self, text: str, is_binary: bool) -> list[dict[str, Any]]:
        """Send a message and a ping, and return what comes until the pong."""
        frame: dict[str, Any] = {"bytes": text.encode()} if is_binary else {"text": text}
        self.last = text
        self.socket._up.put_nowait({"type": "websocket.receive"} | frame)
        pongs = 1 + (text == '{"type": "ping"}')
        self.socket.send(type="ping")
        received: list[dict[str, Any]] = []
        while pongs:
            message = await self.socket.receive()
            received.append(message)
            pongs -= message["type"] == "pong"
            if message["type"] == "snapshot":
                self.seqs = [message["state"]["seq"]]
            elif message["type"] in ("event", "catch_up"):
                events = message["events"] if "events" in message else [message["event"]]
                for event in events:
                    assert not self.seqs or event["seq"] == self.seqs[-1] + 1 or message["type"] == "catch_up"
                    self.seqs.append(event["seq"])
        return received


class Table:
    """A game of two, whose players send what a test says."""

    def __init__(self, app: FastAPI) -> None:
        self.app, self.games = app, app.state.games
        self.acknowledged: dict[str, int] = {}
        self.sent: set[str] = set()

    async def open(self, key: str) -> None:
        games: GameService = self.games
        live = await games.create("ann", key, {"players": "2"}, [ME, YOU], "Ann")
        await games.join(live.id, "bob", "Bob")
        self.id = live.id

    async def connect(self, stack: AsyncExitStack, player: str) -> Client:
        cookie = f"{COOKIE}={self.app.state.cookies.sign(User(player, ''))}"
        path = f"/api/v1/games/{self.id}/ws"
        return Client(await stack.enter_async_context(websocket(self.app, path, cookie)))

    async def message(self, step: Step, client: Client) -> str:
        """The text of what is sent."""
        live = await self.games.get(self.id)
        request_id = f"request-{len(self.sent)}"
        seq = number_near(live.seq, step.number)
        if step.kind == "again":
            return client.last
        if step.kind == "raw":
            return step.text
        if step.kind == "hello":
            lang = ("en", "fr", "xx")[step.choice % 3]
            return json.dumps({"type": "hello", "seq": seq, "lang": lang, "seat": step.seat})
        if step.kind in ("action", "text"):
            legal = [] if live.table.outcome else live.table.state.legal_actions()
            action = str(legal[step.choice % len(legal)]) if legal and step.kind == "action" else step.text
            return json.dumps({"type": "action", "request_id": request_id, "action": action, "seq": seq})
        offer_seq = number_near(live.offer_seq, step.offer)
        numbers = {"seq": seq, "offer_seq": offer_seq, "seat": step.seat}
        return json.dumps({"type": "command", "request_id": request_id, "command": step.command} | numbers)

    async def play(self, silent: set[int], steps: list[Step]) -> None:
        async with AsyncExitStack() as stack:
            clients = [await self.connect(stack, player) for player in PLAYERS]
            for number, client in enumerate(clients):
                if number not in silent:
                    await client.send(GREETING, is_binary=False)
            for step in steps:
                if step.kind == "reconnect":
                    clients[step.player] = await self.connect(stack, PLAYERS[step.player])
                    if step.player not in silent:
                        await clients[step.player].send(GREETING, is_binary=False)
                    continue
                to_act = (await self.games.get(self.id)).to_act
                is_in_turn = step.kind == "action" and step.is_in_turn and to_act is not None
                player = to_act if is_in_turn else step.player
                client = clients[player]
                text = await self.message(step, client)
                self.sent.add(text)
                for message in await client.send(text, step.is_binary):
                    if message["type"] == "ack":
                        key = request_key(PLAYERS[player], message["request_id"])
                        known = self.acknowledged.setdefault(key, message["seq"])
                        assert known == message["seq"], "a request is applied once"
                    elif message["type"] == "error":
                        assert message["error"]["code"] != "internal_error"

    async def check(self) -> None:
        """The rows have no gap, every acknowledged request is stored, and the game is the one in memory."""
        games: GameService = self.games
        rows = await games.storage.events(self.id)
        assert [row["seq"] for row in rows] == [*range(1, len(rows) + 1)]
        stored = {row["request_id"]: row["seq"] for row in rows if row["request_id"]}
        assert stored == self.acknowledged
        same(await games.get(self.id), await games.load_from_rows(self.id))


@pytest.mark.parametrize("examples", [40, pytest.param(2000, marks=pytest.mark.soak)])
def test_players_who_send_anything_leave_a_whole_game(tmp_path: Path, examples: int) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    limits = ("messages_per_second", "max_unfinished_games", "max_unfinished_seats")
    no_limits: dict[str, Any] = dict.fromkeys(limits, 1_000_000)
    app = create_app(replace(SETTINGS, database=database, **no_limits))
    lifespan = app.router.lifespan_context(app)
    played = 0

    with asyncio.Runner() as runner:
        runner.run(lifespan.__aenter__())

        @settings(max_examples=examples)
        @given(
            key=st.sampled_from(ALIKE),
            silent=st.sets(st.sampled_from(range(3)), max_size=1),
            steps=st.lists(STEPS, min_size=10, max_size=40),
        )
        def fuzz(key: str, silent: set[int], steps: list[Step]) -> None:
            async def run() -> int:
                async with asyncio.timeout(HANG):
                    table = Table(app)
                    await table.open(key)
                    await table.play(silent, steps)
                    await table.check()
                return len(table.acknowledged)

            nonlocal played
            played += runner.run(run())

        try:
            fuzz()
        finally:
            runner.run(lifespan.__aexit__(None, None, None))
    assert played > examples, "the messages are good enough to be applied"
