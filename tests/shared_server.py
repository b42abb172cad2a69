"""One server for all workers of a test run, because starting it and loading its engines takes seconds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_SH, LOCK_UN, flock
from pathlib import Path

import pytest
from bench._server_process import Server


@dataclass(frozen=True)
class RunningServer:
    """A server that this worker or another one has started; `log` returns its stderr."""

    url: str
    home: Path

    def log(self) -> str:
        return (self.home / "errors.txt").read_text("utf-8")


@contextmanager
def shared_by_workers(
    paths: pytest.TempPathFactory, name: str, start: Callable[[Path], AbstractContextManager[Server]]
) -> Iterator[RunningServer]:
    """The server with this name. The worker that asks first starts it, and stops it after all others.

    Each worker holds a shared lock on the file `using` as long as it needs the server. The worker that has
    started it waits for an exclusive lock before it stops the server. A worker that comes later than that
    finds no address, and starts another one.
    """
    is_worker = "PYTEST_XDIST_WORKER" in os.environ  # then all workers have folders in that of the test run
    home = (paths.getbasetemp().parent if is_worker else paths.getbasetemp()) / name
    home.mkdir(exist_ok=True)
    address = home / "address"
    with (home / "starting").open("w") as starting, (home / "using").open("w") as using:
        flock(starting, LOCK_EX)
        flock(using, LOCK_SH)
        if address.exists():
            flock(starting, LOCK_UN)
            yield RunningServer(address.read_text("utf-8"), home)
            return
        with start(home) as server:
            address.write_text(server.url, "utf-8")
            flock(starting, LOCK_UN)
            yield RunningServer(server.url, home)
            flock(using, LOCK_EX)
            address.unlink()
