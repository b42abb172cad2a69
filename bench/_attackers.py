"""Attackers of a server: `python -m bench._attackers KIND URL ADDRESS SECONDS GAME`.

Each works from one local address, with a bounded number of connections and a bounded rate, and stops after
some seconds. It is nicer to the processor than the server and its players, because real attackers have
processors of their own. Prints how many attacks it has made. Only for servers on this machine.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from tests.test_crafted_positions import changed, position_texts
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

import tripot
from tripot.game import TripotError

SOCKETS: Final = 100  # of one attacker that keeps them open
FLOODING_SOCKETS: Final = 4
MESSAGES_PER_SECOND: Final = 100  # of one flooding socket
REQUESTS_PER_SECOND: Final = 40
ANALYSES: Final = 12  # at once
NICENESS: Final = 19
HEADERS: Final = b"GET /api/v1/me HTTP/1.1\r\nhost: x\r\n"
BODY: Final = b"PUT /api/v1/me HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"


class Attacker:
    """One attacker; `count` is the number of connections, messages or requests that it has made."""

    def __init__(self, url: str, address: str, seconds: float, game: str) -> None:
        self.url, self.local, self.game = url, (address, 0), game
        self.until = time.monotonic() + seconds
        self.count, self.rng = 0, Random(address)
        self.statuses = Counter[int]()  # of the answers to its requests
        transport = httpx.AsyncHTTPTransport(local_address=address)
        self.http = httpx.AsyncClient(base_url=f"{url}/api/v1", transport=transport, timeout=60)

    @property
    def is_attacking(self) -> bool:
        return time.monotonic() < self.until

    async def repeat(self, attack: Callable[[], Awaitable[Any]], times: int, pause: float) -> None:
        """Repeat an attack in some tasks at once until the time is over, whatever the server does."""

        async def one() -> None:
            await asyncio.sleep(self.rng.random() * pause)
            while self.is_attacking:
                with suppress(OSError, httpx.HTTPError, WebSocketException):
                    await attack()
                await asyncio.sleep(pause)

        await asyncio.gather(*(one() for _ in range(times)))

    # -- connections --

    async def _drip(self, start: bytes, drop: bytes) -> None:
        """Open a connection and send very little, until the server closes it."""
        host = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(host.hostname, host.port, local_addr=self.local)
        self.count += 1
        try:
            writer.write(start)
            while self.is_attacking and not reader.at_eof():
                writer.write(drop)
                with suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await reader.read(65536)
        finally:
            writer.close()

    async def slow_headers(self) -> None:
        await self.repeat(lambda: self._drip(HEADERS, b"a"), SOCKETS, 0.1)

    async def slow_bodies(self) -> None:
        await self.repeat(lambda: self._drip(BODY, b" "), SOCKETS, 0.1)

    async def silent(self) -> None:
        await self.repeat(lambda: self._drip(b"", b""), SOCKETS, 0.1)

    # -- messages and requests --

    async def flood(self) -> None:
        await self.repeat(self._flood, FLOODING_SOCKETS, 0.1)

    async def _flood(self) -> None:
        address = self.url.replace("http", "ws", 1) + f"/api/v1/games/{self.game}/ws"
        messages = ('{"type": "hello"}', '{"type": "ping"}', "nonsense", "[" * 5000)
        async with connect(address, compression=None, local_addr=self.local) as socket:
            while self.is_attacking:
                await socket.send(self.rng.choice(messages))
                self.count += 1
                await asyncio.sleep(1 / MESSAGES_PER_SECOND)

    async def _ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        if self.rng.random() < 0.5:
            self.http.cookies.clear()  # a new user
        self.count += 1
        answer = await self.http.request(method, path, **more)
        self.statuses[answer.status_code] += 1
        return answer

    async def rename(self) -> None:
        async def attack() -> None:
            await self._ask("PUT", "/me", json={"name": f"Eve {self.rng.random()}"})

        await self.repeat(attack, 4, 4 / REQUESTS_PER_SECOND)

    async def analyse(self) -> None:
        async def attack() -> None:
            await self._ask("GET", f"/games/{self.game}/analysis?seconds=10&action_index=1")

        await self.repeat(attack, ANALYSES, 0.5)

    async def craft(self) -> None:
        """Create games at positions that were never played, and ask for everything in them.

        Few positions with random changes are accepted, so half of them are left as they are.
        """
        texts = {game.key: position_texts(game, self.rng) for game in tripot.list_games()}

        async def attack() -> None:
            key = self.rng.choice([*texts])
            position = self.rng.choice(texts[key])
            if self.rng.random() < 0.5:
                position = changed(texts[key], self.rng)
            seats = [{"kind": "me"}] * players(key, position)
            answer = await self._ask(
                "POST", "/games", json={"game_key": key, "seats": seats, "position": position}
            )
            if answer.status_code == 201:
                game_id = answer.json()["state"]["game_id"]
                for question in ("hint?seconds=1", "analysis?seconds=1", "board.svg", "positions/0"):
                    await self._ask("GET", f"/games/{game_id}/{question}")

        await self.repeat(attack, 2, 2 / REQUESTS_PER_SECOND)


def players(key: str, position: str) -> int:
    """How many players a position has, if it can be read."""
    with suppress(TripotError):
        return len(tripot.get_game(key).parse_state(position).teams)
    return 2


KINDS: Final = ("slow_headers", "slow_bodies", "silent", "flood", "rename", "analyse", "craft")


async def main(kind: str, url: str, address: str, seconds: float, game: str) -> None:
    """Attack until the time is over."""
    assert urlsplit(url).hostname == "127.0.0.1"
    attacker = Attacker(url, address, seconds, game)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds + 5.0):
            await getattr(attacker, kind)()
    await attacker.http.aclose()
    print(attacker.count)


if __name__ == "__main__":
    os.nice(NICENESS)
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5]))
