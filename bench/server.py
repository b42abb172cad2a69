"""The server under load: 200 games at once over WebSockets, clients in another process, on each database."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import psycopg

from bench import Report

POSTGRES = os.environ.get("TRIPOT_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432")
GAMES = 200
SECONDS = 15
OFFERED = 600  # acts a second
BAR_RATE, BAR_P99 = 500, 150
PLENTY = {
    "TRIPOT_GAMES_A_MINUTE": "1000000",
    "TRIPOT_MESSAGES_A_SECOND": "1000",
    "TRIPOT_OPEN_GAMES": "1000000",
}


def run(report: Report) -> None:
    for name, opened in (("SQLite", sqlite), ("PostgreSQL", postgres)):
        with opened() as database:
            if database is None:
                report.table.add_row(f"{name}: no server at {POSTGRES}, skipped")
                continue
            for rate in report.each((OFFERED, 0), f"{GAMES} games on {name}"):
                measured = measure(database, rate)
                offered = f"{rate}/s offered" if rate else "as fast as it goes"
                figure = (
                    f"{measured['rate']:.0f}/s, p50 {measured['p50']:.0f} ms, p99 {measured['p99']:.0f} ms"
                )
                what = f"{GAMES} games at once, {name}, {offered}"
                if rate:
                    met = measured["rate"] >= BAR_RATE and measured["p99"] < BAR_P99
                    report.judge(what, figure, f"≥ {BAR_RATE}/s, p99 < {BAR_P99} ms", met)
                else:
                    report.table.add_row(what, "", "", figure)


@contextmanager
def sqlite() -> Iterator[str | None]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/games.db"


@contextmanager
def postgres() -> Iterator[str | None]:
    """A schema of its own, if there is a PostgreSQL."""
    name = f"tripot_bench_{uuid.uuid4().hex[:8]}"
    try:
        connection = psycopg.connect(f"{POSTGRES}/postgres", autocommit=True, connect_timeout=2)
    except psycopg.Error:
        yield None
        return
    with connection:
        connection.execute(f"CREATE SCHEMA {name}")
        try:
            yield f"{POSTGRES}/postgres?options=-csearch_path%3D{name}"
        finally:
            connection.execute(f"DROP SCHEMA {name} CASCADE")


def measure(database: str, rate: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as home:
        server = subprocess.Popen(
            [sys.executable, "-m", "tripot", "serve", "--port", "0", "--database", database],
            env=os.environ | PLENTY | {"TRIPOT_HOME": home},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert server.stdout is not None
        try:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            httpx.get(f"{found[0]}/healthz", timeout=60).raise_for_status()
            load = [sys.executable, "-m", "bench._load", found[0], str(GAMES), str(rate), str(SECONDS)]
            done = subprocess.run(load, capture_output=True, text=True, check=True, timeout=SECONDS + 120)
        finally:
            server.terminate()
            server.wait(30)
            server.stdout.close()
    measured: dict[str, float] = json.loads(done.stdout)
    return measured
