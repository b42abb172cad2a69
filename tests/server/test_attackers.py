"""Fifty players beside attackers, on a server with its default limits.

`TRIPOT_ATTACK_SECONDS` is the time without attackers, and that with them. The two alternate every minute, so
that other work on the machine slows both. Still, the figures mean little on a machine that is busy.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from bench._attackers import KINDS
from bench._load_client import Pair
from bench._server_process import HANG, NO_LIMITS, Server

from tripot.server.settings import Settings

ROOT = Path(__file__).parents[2]
SECONDS = float(os.environ.get("TRIPOT_ATTACK_SECONDS", "300"))
ROUNDS = max(1, round(SECONDS / 60))
PAIRS = 25
PERIOD = 1.0  # seconds between two actions of a pair
MAX_RATIO = 2.0  # of the 99th percentile with attackers to that without
DEFAULTS = {name: str(getattr(Settings(), name.removeprefix("TRIPOT_").lower())) for name in NO_LIMITS}


class Players:
    """Pairs of players, each pair at an address of its own, because limits count per address."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.acknowledged: set[tuple[str, str, int]] = set()  # game, request and event

    def play(self, seconds: float) -> list[float]:
        """Play, and return the seconds until each action was acknowledged."""
        return asyncio.run(self._play(seconds))

    async def _play(self, seconds: float) -> list[float]:
        pairs, clients = [], []
        for number in range(PAIRS):
            address = f"127.0.1.{number + 1}"
            transport = httpx.AsyncHTTPTransport(local_address=address)
            clients.append(httpx.AsyncClient(base_url=self.url, transport=transport, timeout=HANG))
            pairs.append(Pair(self.url, clients[-1], number, address=address))
            await pairs[-1].set_up()
        until = time.monotonic() + seconds
        await asyncio.gather(*(pair.play(PERIOD, until) for pair in pairs))
        for client in clients:
            await client.aclose()
        self.acknowledged |= {each for pair in pairs for each in pair.acknowledged}
        times = [each for pair in pairs for each in pair.times]
        assert len(times) > PAIRS * seconds / PERIOD / 4, "the players were held up"
        return times


def p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


@contextmanager
def attackers(url: str, game: str, seconds: float) -> Iterator[list[subprocess.Popen[str]]]:
    """One attacker of each kind, in a process of its own."""
    running = []
    try:
        for number, kind in enumerate(KINDS):
            words = [kind, url, f"127.0.2.{number + 1}", str(seconds), game]
            command = [sys.executable, "-m", "bench._attackers", *words]
            running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT))
        yield running
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
            process.wait()
            assert process.stdout
            process.stdout.close()


@pytest.mark.soak
def test_players_hardly_notice_attackers(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    server = Server(tmp_path, f"sqlite:///{file}", **DEFAULTS)
    players = Players(server.url)
    with httpx.Client(base_url=f"{server.url}/api/v1", timeout=HANG) as http:
        seats = [{"kind": "me"}, {"kind": "me"}]
        created = http.post("/games", json={"game_key": "triolet", "seats": seats}).json()
        target = created["state"]["game_id"]
        http.post(f"/games/{target}/actions", json={"type": "resign"}).raise_for_status()
    alone, attacked, counts = list[float](), list[float](), Counter[str]()
    for _ in range(ROUNDS):
        alone += players.play(SECONDS / ROUNDS)
        with attackers(server.url, target, SECONDS / ROUNDS + 10.0) as running:
            attacked += players.play(SECONDS / ROUNDS)
            for kind, each in zip(KINDS, running, strict=True):
                counts[kind] += int(each.communicate(timeout=HANG)[0])
    metrics = httpx.get(f"{server.url}/metrics").text
    server.stop()
    milliseconds = [round(p99(times) * 1000) for times in (alone, attacked)]
    print(f"p99 without and with attackers: {milliseconds} ms; attacks: {dict(counts)}")
    print("\n".join(line for line in metrics.splitlines() if line.startswith("tripot_connections_refused_t")))
    assert all(counts[kind] for kind in KINDS)
    lines = [json.loads(line) for line in server.log().splitlines()]
    assert not [line for line in lines if "exception" in line or "Traceback" in str(line)]
    with sqlite3.connect(file) as connection:
        rows = {*connection.execute("SELECT game_id, request_id, seq FROM events")}
    assert players.acknowledged
    assert players.acknowledged <= rows
    assert p99(attacked) <= MAX_RATIO * p99(alone)
