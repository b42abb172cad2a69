"""Scripted pairs of clients in a process of their own: `python -m bench._load URL GAMES RATE SECONDS`.

Every pair plays game after game over WebSockets. At a rate, acts are sent at so many a second in all,
whatever the answers take; at rate 0 every client acts as soon as it may. Prints one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import msgspec
from websockets.asyncio.client import connect

KIND = "trippples"
WARM = 5.0  # seconds before anything counts
decode = msgspec.json.decode


class Pair:
    """Two clients at one table, game after game."""

    def __init__(self, url: str, http: httpx.AsyncClient, number: int) -> None:
        self.url, self.http, self.rng = url, http, Random(number)
        self.cookies: list[dict[str, str]] = []
        self.times: list[float] = []

    async def set_up(self) -> None:
        for _ in range(2):
            said = (await self.http.get("/api/me")).headers["set-cookie"]
            self.cookies.append({"Cookie": said.split(";")[0]})
            self.http.cookies.clear()  # one connection pool, many people
        self.game = await self.new_game()

    async def new_game(self) -> str:
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = await self.http.post(
            "/api/games", json={"game": KIND, "seats": seats}, headers=self.cookies[0]
        )
        game: str = made.json()["state"]["id"]
        await self.http.post(f"/api/games/{game}/join", json={}, headers=self.cookies[1])
        return game

    async def play(self, period: float, until: float) -> None:
        await asyncio.sleep(self.rng.random() * period)
        while time.monotonic() < until:
            await self.one_game(self.game, period, until)
            self.game = await self.new_game()

    async def one_game(self, game: str, period: float, until: float) -> None:
        address = self.url.replace("http", "ws", 1) + f"/api/games/{game}/live"
        self.visits = Counter[tuple[int, str]]()
        async with (
            connect(address, additional_headers=self.cookies[0], compression=None) as one,
            connect(address, additional_headers=self.cookies[1], compression=None) as two,
        ):
            sockets = (one, two)
            state: dict[str, Any] = {}
            for socket in sockets:
                await socket.send('{"type":"hello"}')
                state = (await self.receive(socket, "snapshot"))["state"]
            due = time.monotonic()
            while state["status"] == "live" and time.monotonic() < until:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                due += period
                state = await self.one_act(sockets, state)

    async def one_act(self, sockets: Any, state: dict[str, Any]) -> dict[str, Any]:
        """The seat to act acts; timed until it is acknowledged. Both then hear of it."""
        mover, other = sockets[state["to_act"]], sockets[1 - state["to_act"]]
        action = self.choose(state)
        act = {"type": "act", "id": uuid4().hex, "seq": state["seq"], "action": action}
        seen, answered, began = state["seq"], False, time.monotonic()
        await mover.send(json.dumps(act))
        while not answered or state["seq"] == seen:
            message = decode(await mover.recv())
            assert message["type"] != "refused", message
            if message["type"] == "ok":
                self.times.append(time.monotonic() - began)
                answered = True
            state = message.get("state", state)
        while (await self.receive(other, "event"))["event"]["seq"] < state["seq"]:
            pass
        return state

    def choose(self, state: dict[str, Any]) -> str:
        """The legal square where the pawn was least often, and of those the one nearest to the finish."""
        seat = state["to_act"]
        finish = state["view"]["finishes"][seat]

        def merit(square: str) -> tuple[int, int]:
            far = max(abs(ord(a) - ord(b)) for a, b in zip(square, finish, strict=False))
            return self.visits[seat, square], far

        action = min(state["view"]["legal"], key=merit)
        self.visits[seat, action] += 1
        return str(action)

    async def receive(self, socket: Any, kind: str) -> Any:
        while (message := decode(await socket.recv()))["type"] != kind:
            pass
        return message


async def main(url: str, games: int, rate: float, seconds: float) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        pairs = [Pair(url, http, number) for number in range(games)]
        for pair in pairs:
            await pair.set_up()
        until = time.monotonic() + WARM + seconds
        period = games / rate if rate else 0.0
        playing = asyncio.gather(*(pair.play(period, until) for pair in pairs))
        await asyncio.sleep(WARM)
        before, began = [len(pair.times) for pair in pairs], time.monotonic()
        await asyncio.sleep(seconds - 0.5)
        times = sorted(each for pair, skip in zip(pairs, before, strict=True) for each in pair.times[skip:])
        span = time.monotonic() - began
        await playing
    ms = [each * 1000 for each in times]
    figures = {"rate": len(ms) / span, "p50": ms[len(ms) // 2], "p99": ms[int(len(ms) * 0.99)]}
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])))
