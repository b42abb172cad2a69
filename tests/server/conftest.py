"""Real servers on real databases, and clients that talk to them as a browser would."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from bench._server_process import HANG, POSTGRES, Server, empty_database
from tests.server.databases import SQLITE_FIRST
from tests.shared_server import RunningServer, shared_by_workers
from websockets.sync.client import ClientConnection, connect

from tripot.server.identity import COOKIE

collect_ignore = ["schemathesis_hooks.py"]  # Schemathesis loads them, with variables of their own

REPRODUCIBLE = {"TRIPOT_SEED": "tests", "TRIPOT_BOT_SIMULATIONS": "20", "TRIPOT_BOT_SECONDS": "3600"}
"""Bots and hints are limited by simulations, and the seconds never run out before."""


@contextmanager
def fresh_database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of an empty database of a kind, gone afterwards."""
    with empty_database(kind, folder) as url:
        if url is None:
            pytest.skip(f"there is no PostgreSQL at {POSTGRES}: TRIPOT_TEST_POSTGRES names another")
        yield url


class WsClient:
    """A live connection."""

    def __init__(self, address: str, cookie: str | None) -> None:
        headers = {"Cookie": f"{COOKIE}={cookie}"} if cookie else {}
        self._stack = ExitStack()
        # Its own pings would draw random numbers in a thread, which Hypothesis takes for those of a test.
        self.socket: ClientConnection = self._stack.enter_context(
            connect(address, additional_headers=headers, max_size=None, close_timeout=1, ping_interval=None)
        )
        self.state: dict[str, Any] = {}
        self.seen: list[int] = []
        self.raw: list[str] = []

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, timeout: float = HANG) -> dict[str, Any]:
        raw = str(self.socket.recv(timeout))
        self.raw.append(raw)
        message: dict[str, Any] = json.loads(raw)
        if message["type"] == "event":
            self.seen.append(message["event"]["seq"])
        self.seen += [each["seq"] for each in message.get("events", ())]
        self.state = message.get("state", self.state)
        return message

    def wait(self, *kinds: str) -> dict[str, Any]:
        """The next message of some kinds; the others are taken note of."""
        while (message := self.receive())["type"] not in kinds:
            pass
        return message

    def hello(self, **more: Any) -> dict[str, Any]:
        self.send(type="hello", **more)
        return self.wait("snapshot", "catch_up")

    def act(self, action: str, seq: int | None = None, request_id: str = "") -> dict[str, Any]:
        self.send(
            type="action",
            request_id=request_id or uuid.uuid4().hex,
            action=action,
            seq=self.state["seq"] if seq is None else seq,
        )
        return self.wait("ack", "error")

    def close(self) -> None:
        self._stack.close()


class Client:
    """A browser: a cookie, requests, and live connections."""

    def __init__(self, server: Server | RunningServer) -> None:
        self.http = httpx.Client(base_url=server.url, timeout=HANG)
        self.server = server
        self.open: list[WsClient] = []

    def get(self, path: str, **query: Any) -> Any:
        return self._good(self.http.get(f"/api/v1{path}", params=query))

    def post(self, path: str, **body: Any) -> Any:
        return self._good(self.http.post(f"/api/v1{path}", json=body))

    @staticmethod
    def _good(response: httpx.Response) -> Any:
        assert response.status_code < 300, f"{response.status_code} {response.text}"
        return response.json()

    def expect_error(self, path: str, **body: Any) -> dict[str, Any]:
        """A request that must be refused."""
        response = self.http.post(f"/api/v1{path}", json=body)
        assert 400 <= response.status_code < 500, response.text
        problem: dict[str, Any] = response.json()
        assert problem["code"]
        assert problem["message"]
        return problem | {"status": response.status_code}

    def create_game(self, game: str, *seats: str, **more: Any) -> str:
        """Open a game: `me`, `open`, or `bot2`."""
        seat_requests = [
            {"kind": "bot", "level": int(each[3:])} if "bot" in each else {"kind": each} for each in seats
        ]
        options = {"players": str(len(seats))} | more.pop("options", {})
        made: str = self.post("/games", game_key=game, seats=seat_requests, options=options, **more)["state"][
            "game_id"
        ]
        return made

    def live(self, game: str, **hello: Any) -> WsClient:
        address = self.server.url.replace("http", "ws", 1) + f"/api/v1/games/{game}/ws"
        live = WsClient(address, self.http.cookies.get(COOKIE))
        self.open.append(live)
        live.hello(**hello)
        return live

    def close(self) -> None:
        for live in self.open:
            live.close()
        self.http.close()


@contextmanager
def running_server(kind: str, folder: Path) -> Iterator[Server]:
    """A server on an empty database of a kind, which must not print a traceback."""
    with fresh_database(kind, folder) as url:
        server = Server(folder, url, **REPRODUCIBLE)
        yield server
        server.stop()
        assert "Traceback" not in server.log(), server.log()


@pytest.fixture(scope="session")
def sqlite_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with shared_by_workers(tmp_path_factory, "sqlite", partial(running_server, "sqlite")) as server:
        yield server


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with shared_by_workers(tmp_path_factory, "postgres", partial(running_server, "postgres")) as server:
        yield server


@pytest.fixture(params=SQLITE_FIRST)
def shared_server(request: pytest.FixtureRequest) -> RunningServer:
    """A server for all tests that leave it as it was, one per database.

    This fixture only chooses. If it were the parametrised one of the session, pytest would stop a server
    whenever the next test needs the other database.
    """
    server: RunningServer = request.getfixturevalue(f"{request.param}_server")
    return server


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def restartable_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server that tests may kill, if they start it again."""
    folder = tmp_path_factory.mktemp("restartable_server")
    with fresh_database(request.param, folder) as url:
        server = Server(folder, url, **REPRODUCIBLE)
        yield server
        if server.process.poll() is None:
            server.stop()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """An empty SQLite database for a GameService without a server."""
    return f"sqlite:///{tmp_path / 'games.db'}"


@pytest.fixture
def new_client() -> Iterator[Callable[[Server | RunningServer], Client]]:
    """Newcomers, each with a cookie of their own."""
    clients: list[Client] = []

    def come(server: Server | RunningServer) -> Client:
        clients.append(Client(server))
        clients[-1].get("/me")
        return clients[-1]

    yield come
    for client in clients:
        client.close()


@pytest.fixture
def postgres_url(tmp_path: Path) -> Iterator[str]:
    """An empty PostgreSQL database for a GameService without a server."""
    with fresh_database("postgres", tmp_path) as url:
        yield url
