"""`tripot serve` as a child process with an empty database, for benchmarks and tests."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import uuid
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg

POSTGRES = os.environ.get("TRIPOT_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432")
HANG = 300.0  # seconds after which a test gives up waiting
NO_LIMITS = {
    "TRIPOT_GAMES_PER_MINUTE": "1000000",
    "TRIPOT_MESSAGES_PER_SECOND": "10000",
    "TRIPOT_MAX_UNFINISHED_GAMES": "1000000",
    "TRIPOT_JOINS_PER_MINUTE": "1000000",
    "TRIPOT_MAX_UNFINISHED_SEATS": "1000000",
    "TRIPOT_MAX_UNFINISHED_SEATS_PER_ADDRESS": "1000000",
    "TRIPOT_MAX_PUBLIC_GAMES_PER_ADDRESS": "1000000",
    "TRIPOT_RULES_SECONDS": "1000000",
    "TRIPOT_ANALYSIS_SECONDS_PER_ADDRESS": "1000000",
    "TRIPOT_MAX_CONNECTIONS_PER_ADDRESS": "1000000",
}


class Server:
    """A server that can be stopped and started again at the same address; `log` returns its stderr."""

    def __init__(
        self,
        home: Path,
        database: str | None = None,
        program: Sequence[str] = ("-m", "tripot"),
        **settings: str,
    ) -> None:
        self.home, self.database, self.settings = home, database, settings
        self.program = program
        self.port = self._reserve_port()
        self.start()

    def _reserve_port(self) -> int:
        """A port that no other program is given as long as this object exists, even if the server is stopped.

        The socket is bound and does not listen, so that the server may bind the same port.
        """
        reserving = socket.socket()
        weakref.finalize(self, reserving.close)
        reserving.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserving.bind(("127.0.0.1", 0))
        port: int = reserving.getsockname()[1]
        return port

    def start(self) -> None:
        command = [sys.executable, *self.program, "serve", "--port", str(self.port)]
        self.errors = (self.home / "errors.txt").open("ab")
        self.process = subprocess.Popen(
            command + (["--database", self.database] if self.database else []),
            env=os.environ | NO_LIMITS | {"TRIPOT_HOME": str(self.home)} | self.settings,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        address = re.search(rf"http://\S+:{self.port}", line)
        assert address, f"{line!r} {self.log()}"
        self.url = address[0]
        httpx.get(f"{self.url}/healthz", timeout=HANG).raise_for_status()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(how)
        self.process.wait(HANG)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.errors.close()

    def log(self) -> str:
        return (self.home / "errors.txt").read_text("utf-8")


@contextmanager
def empty_database(kind: str, folder: Path) -> Iterator[str | None]:
    """Provide the URL of an empty database, which is dropped afterwards; None if there is no PostgreSQL.

    A PostgreSQL server that TRIPOT_TEST_POSTGRES names must be there.
    """
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'games.db'}"
        return
    name = f"tripot_{uuid.uuid4().hex[:12]}"  # a schema, because dropping a database takes seconds
    try:
        connection = psycopg.connect(f"{POSTGRES}/postgres", autocommit=True, connect_timeout=2)
    except psycopg.Error:
        if "TRIPOT_TEST_POSTGRES" in os.environ:
            raise
        yield None
        return
    with connection:
        connection.execute(f"CREATE SCHEMA {name}")
        try:
            yield f"{POSTGRES}/postgres?options=-csearch_path%3D{name}"
        finally:
            connection.execute(f"DROP SCHEMA {name} CASCADE")
