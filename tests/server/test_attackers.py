"""Players beside attackers lose nothing. How long they wait is measured by `python -m bench`."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import httpx
import pytest
from bench._attackers import KINDS
from bench.attackers import (
    SECONDS,
    SETUP_SECONDS,
    Players,
    attack_counts,
    attackers,
    finished_game,
    new_server,
)


@pytest.mark.soak
def test_players_beside_attackers_lose_no_action(tmp_path: Path) -> None:
    server = new_server(tmp_path)
    players = Players(server.url)
    with attackers(server.url, finished_game(server), SECONDS + SETUP_SECONDS) as running:
        players.play(SECONDS)
        counts = attack_counts(running)
    metrics = httpx.get(f"{server.url}/metrics").text
    server.stop()
    print(f"attacks: {dict(counts)}")
    print("\n".join(line for line in metrics.splitlines() if line.startswith("tripot_connections_refused_t")))
    assert all(counts[kind] for kind in KINDS)
    lines = [json.loads(line) for line in server.log().splitlines()]
    assert not [line for line in lines if "exception" in line or "Traceback" in str(line)]
    with sqlite3.connect(tmp_path / "games.db") as connection:
        rows = {*connection.execute("SELECT game_id, request_id, seq FROM events")}
    assert players.acknowledged
    assert players.acknowledged <= rows
