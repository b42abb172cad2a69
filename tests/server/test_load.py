"""What benchmarks do to a server, briefly: attackers attack, and pairs of players play.

`make bench` takes many minutes, so it was not noticed that a message had changed.
"""

from __future__ import annotations

import asyncio
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from bench import attackers
from bench._attackers import KINDS, Attacker
from bench._load_client import Pair
from bench._server_process import HANG, NO_LIMITS, Server

pytestmark = pytest.mark.service
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without limits, which would refuse attackers by chance."""
    server = Server(tmp_path_factory.mktemp("attacked"), TRIPOT_BOT_SIMULATIONS="20")
    yield server
    server.stop()
    assert "Traceback" not in server.log(), server.log()


@pytest.fixture(scope="module")
def target(server: Server) -> str:
    return attackers.finished_game(server)


def test_the_limits_of_the_attacked_server_are_the_defaults() -> None:
    assert attackers.DEFAULT_LIMITS.keys() == NO_LIMITS.keys()
    assert not attackers.DEFAULT_LIMITS.items() & NO_LIMITS.items()


@pytest.mark.parametrize("kind", KINDS)
def test_an_attacker_attacks_until_its_time_is_over(server: Server, target: str, kind: str) -> None:
    """The one with crafted positions died at the first position that was accepted."""

    async def work() -> None:
        attacker = Attacker(server.url, "127.0.0.1", HANG, target)
        attack = asyncio.create_task(getattr(attacker, kind)())
        while not attack.done() and not (attacker.statuses[201] if kind == "craft" else attacker.count):
            await asyncio.sleep(0)
        attacker.until = 0.0
        await attack
        await attacker.http.aclose()
        assert 404 not in attacker.statuses

    asyncio.run(work())


def test_the_program_prints_how_many_attacks_it_has_made(server: Server, target: str) -> None:
    command = [sys.executable, "-m", "bench._attackers", "rename", server.url, "127.0.0.1", "0", target]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "0\n"


def test_a_pair_plays_a_game_to_its_end(server: Server) -> None:
    async def work() -> None:
        async with httpx.AsyncClient(base_url=server.url, timeout=HANG) as http:
            pair = Pair(server.url, http, 1, "random")
            await pair.set_up()
            await pair.one_game(pair.game, 0.0, math.inf)
            state = (await http.get(f"/api/v1/games/{pair.game}")).json()["state"]
        assert state["status"] == "over"
        assert len(pair.times) == len(pair.acknowledged) > 0

    asyncio.run(work())
