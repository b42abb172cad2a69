"""Fifty players beside attackers, on a server with its default limits.

TRIPOT_ATTACK_SECONDS is the time without attackers, and that with them. The two alternate every minute, so
that other work on the machine slows both. Still, the ratio means little on a machine that is busy.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx

from bench import Report
from bench._attackers import KINDS
from bench._load_client import SEARCHED_GAME_KEY, Pair
from bench._server_process import HANG, NO_LIMITS, Server
from tripot.server.settings import Settings

ROOT: Final = Path(__file__).parents[1]
SECONDS: Final = float(os.environ.get("TRIPOT_ATTACK_SECONDS", "60"))
ROUND_SECONDS: Final = 60.0
PAIRS: Final = 25
PERIOD: Final = 1.0  # seconds between two actions of a pair
MAX_RATIO: Final = 2.0  # of the 99th percentile with attackers to that without
MIN_SHARE: Final = 0.25  # of the actions that the pairs would make on an idle machine
SETUP_SECONDS: Final = 10.0  # in which the pairs begin their games while attackers run already
DEFAULT_LIMITS = {name: str(getattr(Settings(), name.removeprefix("TRIPOT_").lower())) for name in NO_LIMITS}


def run(report: Report) -> None:
    rounds = max(1, round(SECONDS / ROUND_SECONDS))
    alone, attacked, attacks = list[float](), list[float](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        server = new_server(Path(folder))
        try:
            players, target = Players(server.url), finished_game(server)
            for _ in report.each(range(rounds), f"50 players for {SECONDS:.0f} s, and beside attackers"):
                alone += players.play(SECONDS / rounds)
                with attackers(server.url, target, SECONDS / rounds + SETUP_SECONDS) as running:
                    attacked += players.play(SECONDS / rounds)
                    attacks += attack_counts(running)
        finally:
            server.stop()
    before, after = p99(alone), p99(attacked)
    report.add_target(
        f"{2 * PAIRS} players beside attackers, p99",
        f"{after / before:.1f}× ({before * 1000:.0f} ms, then {after * 1000:.0f} ms)",
        f"≤ {MAX_RATIO:.0f}×",
        after <= MAX_RATIO * before,
    )
    share = len(attacked) * PERIOD / (PAIRS * SECONDS)
    report.add_target(
        "their actions, of those offered", f"{share:.0%}", f"≥ {MIN_SHARE:.0%}", share >= MIN_SHARE
    )
    for kind, count in attacks.items():
        report.table.add_row(f"attacks: {kind.replace('_', ' ')}", "", "", f"{count:,}")


def new_server(home: Path) -> Server:
    """A server on SQLite with its default limits."""
    return Server(home, f"sqlite:///{home / 'games.db'}", **DEFAULT_LIMITS)


def finished_game(server: Server) -> str:
    """The id of a game that is over, which attackers watch and ask about."""
    with httpx.Client(base_url=f"{server.url}/api/v1", timeout=HANG) as http:
        seats = [{"kind": "me"}, {"kind": "me"}]
        created = http.post("/games", json={"game_key": SEARCHED_GAME_KEY, "seats": seats}).json()
        game_id: str = created["state"]["game_id"]
        http.post(f"/games/{game_id}/actions", json={"type": "resign"}).raise_for_status()
    return game_id


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
        self.acknowledged |= {action for pair in pairs for action in pair.acknowledged}
        return [seconds for pair in pairs for seconds in pair.times]


def p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


@contextmanager
def attackers(url: str, game_id: str, seconds: float) -> Iterator[list[subprocess.Popen[str]]]:
    """One attacker of each kind, in a process of its own."""
    running = []
    try:
        for number, kind in enumerate(KINDS):
            arguments = [kind, url, f"127.0.2.{number + 1}", str(seconds), game_id]
            command = [sys.executable, "-m", "bench._attackers", *arguments]
            running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT))
        yield running
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
            process.wait()
            assert process.stdout
            process.stdout.close()


def attack_counts(running: list[subprocess.Popen[str]]) -> Counter[str]:
    """How many attacks of each kind were made, once their time is over."""
    texts = [process.communicate(timeout=HANG)[0] for process in running]
    return Counter({kind: int(text) for kind, text in zip(KINDS, texts, strict=True)})
