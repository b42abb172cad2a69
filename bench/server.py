"""The server under load: 200 games at once over WebSockets, with the clients in another process."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import Report
from bench._server_process import POSTGRES, Server, empty_database

GAMES = 200
SECONDS = 15
OFFERED = 520  # actions per second
TARGET_RATE, TARGET_P99 = 500, 150  # accepted actions per second; milliseconds


def run(report: Report) -> None:
    for name, kind in (("SQLite", "sqlite"), ("PostgreSQL", "postgres")):
        with tempfile.TemporaryDirectory() as folder, empty_database(kind, Path(folder)) as database:
            if database is None:
                report.table.add_row(f"{name}: no server at {POSTGRES}, skipped")
                continue
            for rate in report.each((OFFERED, 0), f"{GAMES} games on {name}"):
                measured = measure(database, rate, Path(folder))
                offered = f"{rate}/s offered" if rate else "unlimited"
                figure = (
                    f"{measured['rate']:.0f}/s, p50 {measured['p50']:.0f} ms, p99 {measured['p99']:.0f} ms"
                )
                label = f"{GAMES} games at once, {name}, {offered}"
                if rate:
                    met = measured["rate"] >= TARGET_RATE and measured["p99"] < TARGET_P99
                    report.add_target(label, figure, f"≥ {TARGET_RATE}/s, p99 < {TARGET_P99} ms", met)
                else:
                    report.table.add_row(label, "", "", figure)
            measured = measure(database, OFFERED, Path(folder), "random")
            figure = f"{measured['rate']:.0f}/s, p50 {measured['p50']:.0f} ms, p99 {measured['p99']:.0f} ms"
            label = f"{GAMES} games at once, {name}, {OFFERED}/s offered, random moves"
            report.table.add_row(label, "", "", figure)


def measure(database: str, rate: int, home: Path, choice: str = "least-visited") -> dict[str, float]:
    server = Server(home, database)
    try:
        command = [
            sys.executable,
            "-m",
            "bench._load_client",
            server.url,
            str(GAMES),
            str(rate),
            str(SECONDS),
            choice,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS + 120)
    finally:
        server.stop()
    measured: dict[str, float] = json.loads(done.stdout)
    return measured
