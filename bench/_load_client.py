"""A load generator: `python -m bench._load_client URL GAMES RATE SECONDS [CHOICE]`.

Pairs of scripted clients play one game after the other over WebSockets. RATE is the total number of actions
per second, whatever the latency; with 0 every client acts as soon as it may. CHOICE is `least-visited` (the
default: long games, few repetitions) or `random` (many games end by repetition). Prints one line of JSON.
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

GAME_KEY = "trippples"
SEARCHED_GAME_KEY = "triolet"  # whose analysis takes all the seconds it is given
WARM_UP_SECONDS = 5.0  # before the measurement begins
CHOICES = ("least-visited", "random")
decode = msgspec.json.decode


class Pair:
    """Two clients that play one game after the other, from a local address if one is given."""

    def __init__(
        self,
        url: str,
        http: httpx.AsyncClient,
        number: int,
        choice: str = CHOICES[0],
        address: str | None = None,
    ) -> None:
        self.url, self.http, self.rng, self.choice = url, http, Random(number), choice
        self.local = (address, 0) if address else None
        self.cookies: list[dict[str, str]] = []
        self.times: list[float] = []
        self.acknowledged: list[tuple[str, str, int]] = []  # game, request and event

    async def set_up(self) -> None:
        for _ in range(2):
            cookie = (await self.http.get("/api/v1/me")).headers["set-cookie"]
            self.cookies.append({"Cookie": cookie.split(";")[0]})
            self.http.cookies.clear()  # one connection pool for many users
        self.game = await self.new_game()

    async def new_game(self) -> str:
        seats = [{"kind": "me"}, {"kind": "open"}]
        created = await self.http.post(
            "/api/v1/games", json={"game_key": GAME_KEY, "seats": seats}, headers=self.cookies[0]
        )
        game: str = created.json()["state"]["game_id"]
        await self.http.post(f"/api/v1/games/{game}/join", json={}, headers=self.cookies[1])
        return game

    async def play(self, period: float, until: float) -> None:
        await asyncio.sleep(self.rng.random() * period)
        while time.monotonic() < until:
            await self.one_game(self.game, period, until)
            self.game = await self.new_game()

    async def one_game(self, game: str, period: float, until: float) -> None:
        address = self.url.replace("http", "ws", 1) + f"/api/v1/games/{game}/ws"
        self.visits = Counter[tuple[int, str]]()
        async with (
            self.open_socket(address, 0) as one,
            self.open_socket(address, 1) as two,
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

    def open_socket(self, address: str, client: int) -> connect:
        cookie = self.cookies[client]
        return connect(address, additional_headers=cookie, compression=None, local_addr=self.local)

    async def one_act(self, sockets: Any, state: dict[str, Any]) -> dict[str, Any]:
        """Let the seat to act play, and measure the time until the acknowledgement; then wait for both."""
        actor, other = sockets[state["to_act"]], sockets[1 - state["to_act"]]
        action = self.choose(state)
        request = {"type": "action", "request_id": uuid4().hex, "seq": state["seq"], "action": action}
        seq, is_answered, started = state["seq"], False, time.monotonic()
        await actor.send(json.dumps(request))
        while not is_answered or state["seq"] == seq:
            message = decode(await actor.recv())
            assert message["type"] != "error", message
            if message["type"] == "ack":
                self.times.append(time.monotonic() - started)
                self.acknowledged.append((self.game, message["request_id"], message["seq"]))
                is_answered = True
            state = message.get("state", state)
        while (await self.receive(other, "event"))["event"]["seq"] < state["seq"]:
            pass
        return state

    def choose(self, state: dict[str, Any]) -> str:
        """Return a random legal square, or the one that the pawn has visited least and that ends nothing."""
        if self.choice == "random":
            return str(self.rng.choice(state["view"]["legal"]))
        seat, finishes = state["to_act"], state["view"]["finishes"]
        action = min(state["view"]["legal"], key=lambda move: (move in finishes, self.visits[seat, move]))
        self.visits[seat, action] += 1
        return str(action)

    async def receive(self, socket: Any, kind: str) -> Any:
        while (message := decode(await socket.recv()))["type"] != kind:
            pass
        return message


async def main(url: str, games: int, rate: float, seconds: float, choice: str) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        pairs = [Pair(url, http, number, choice) for number in range(games)]
        for pair in pairs:
            await pair.set_up()
        until = time.monotonic() + WARM_UP_SECONDS + seconds
        period = games / rate if rate else 0.0
        playing = asyncio.gather(*(pair.play(period, until) for pair in pairs))
        await asyncio.sleep(WARM_UP_SECONDS)
        counts, started = [len(pair.times) for pair in pairs], time.monotonic()
        await asyncio.sleep(seconds - 0.5)
        measured = zip(pairs, counts, strict=True)
        times = sorted(latency for pair, count in measured for latency in pair.times[count:])
        duration = time.monotonic() - started
        await playing
    ms = [latency * 1000 for latency in times]
    figures = {"rate": len(ms) / duration, "p50": ms[len(ms) // 2], "p99": ms[int(len(ms) * 0.99)]}
    print(json.dumps(figures))


if __name__ == "__main__":
    choice = sys.argv[5] if len(sys.argv) > 5 else CHOICES[0]
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), choice))
