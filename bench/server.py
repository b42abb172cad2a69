"""The server under load: 200 games at once over WebSockets, clients in another process, on each database."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import Report
from bench._serve import POSTGRES, Server, empty_database

GAMES = 200
SECONDS = 15
OFFERED = 520  # acts a second
BAR_RATE, BAR_P99 = 500, 150


def run(report: Report) -> None:
    for name, kind in (("SQLite", "sqlite"), ("PostgreSQL", "postgres")):
        with tempfile.TemporaryDirectory() as folder, empty_database(kind, Path(folder)) as database:
            if database is None:
                report.table.add_row(f"{name}: no server at {POSTGRES}, skipped")
                continue
            for rate in report.each((OFFERED, 0), f"{GAMES} games on {name}"):
                measured = measure(database, rate, Path(folder))
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


def measure(database: str, rate: int, home: Path) -> dict[str, float]:
    server = Server(home, database)
    try:
        load = [sys.executable, "-m", "bench._load", server.url, str(GAMES), str(rate), str(SECONDS)]
        done = subprocess.run(load, capture_output=True, text=True, check=True, timeout=SECONDS + 120)
    finally:
        server.stop()
    measured: dict[str, float] = json.loads(done.stdout)
    return measured
