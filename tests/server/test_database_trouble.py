"""Trouble with the database: readiness, timeouts, errors at start, and what is logged."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiosqlite.core
import httpx
import pytest
import sqlalchemy as sa
import structlog
from bench._server_process import HANG, Server
from fastapi import FastAPI
from tests.server.conftest import Client
from tests.server.in_process import ME, SETTINGS, run_games

from tripot.server import database, postgres, readiness
from tripot.server.app import create_app
from tripot.server.errors import DatabaseUnavailableError
from tripot.server.game_service import GameService
from tripot.server.log_config import MAX_LINES_PER_KIND, WINDOW_SECONDS, RateLimit
from tripot.server.settings import Settings


class Proxy:
    """A TCP proxy in front of PostgreSQL that can stop forwarding, as a network does that fails silently."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self.is_forwarding = asyncio.Event()
        self.is_forwarding.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def close(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connecting = asyncio.current_task()
        assert connecting
        self._tasks.add(connecting)
        self._writers.append(writer)
        await self.is_forwarding.wait()
        database_reader, database_writer = await asyncio.open_connection(self._host, self._port)
        self._writers.append(database_writer)
        for source, target in ((reader, database_writer), (database_reader, writer)):
            task = asyncio.create_task(self._forward(source, target))
            self._tasks.add(task)

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while received := await source.read(65536):
            await self.is_forwarding.wait()
            target.write(received)
            await target.drain()
        target.close()


@asynccontextmanager
async def client_of(settings: Settings) -> AsyncIterator[tuple[httpx.AsyncClient, FastAPI]]:
    """A client of an app without a network."""
    app = create_app(settings)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app, False), base_url="http://test") as client,
    ):
        yield client, app


async def statuses(client: httpx.AsyncClient) -> tuple[int, int]:
    return (await client.get("/healthz")).status_code, (await client.get("/readyz")).status_code


@pytest.fixture
def no_reuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request for the readiness checks again."""
    monkeypatch.setattr(readiness, "REUSE_SECONDS", -1.0)


@pytest.fixture
def patient_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, a check that will succeed has the time for it."""
    monkeypatch.setattr(readiness, "PROBE_SECONDS", HANG)


def limit_calls(monkeypatch: pytest.MonkeyPatch, seconds: Callable[[], float]) -> set[float]:
    """Let calls of PostgreSQL take so many seconds, whatever the settings say; returns what they say."""
    configured = set[float]()
    connect = postgres.TimedConnection.connect

    def connect_in_time(*args: Any, **more: Any) -> Any:
        configured.add(more["connect_timeout"])
        return connect(*args, **more | {"connect_timeout": max(database.LEAST_CONNECT_SECONDS, seconds())})

    timeout = property(lambda _: seconds(), lambda _, value: configured.add(value))
    monkeypatch.setattr(postgres.TimedConnection, "connect", connect_in_time)
    monkeypatch.setattr(postgres.TimedConnection, "timeout", timeout)
    return configured


def test_a_silent_database_makes_the_server_unready_but_not_dead(
    postgres_url: str, no_reuse: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The health check hung while PostgreSQL did not answer, and so did every request.

    Only calls during the silence have little time: the others must succeed, however slow the machine is.
    """
    assert readiness.PROBE_SECONDS < 1
    url = sa.make_url(postgres_url)

    async def work() -> None:
        proxy = Proxy(url.host or "", url.port or 5432)
        configured = limit_calls(monkeypatch, lambda: HANG if proxy.is_forwarding.is_set() else 0.3)
        behind = url.set(host="127.0.0.1", port=await proxy.start()).render_as_string(hide_password=False)
        settings = replace(SETTINGS, database=behind, database_timeout=HANG)
        async with asyncio.timeout(HANG), client_of(settings) as (client, app):
            games: GameService = app.state.games
            live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
            action = str(live.table.state.legal_actions()[0])
            with monkeypatch.context() as patch:
                patch.setattr(readiness, "PROBE_SECONDS", HANG)
                assert await statuses(client) == (200, 200)
            assert configured == {settings.database_timeout}
            proxy.is_forwarding.clear()
            assert await statuses(client) == (200, 503)
            assert (await client.get("/api/v1/games")).status_code == 503
            with pytest.raises(DatabaseUnavailableError):
                await games.act(live.id, "ann", "action", action, live.seq, "the-request")
            proxy.is_forwarding.set()
            while (await client.get("/readyz")).status_code != 200:
                pass
            assert (await client.get("/api/v1/games")).status_code == 200
            _, seq = await games.act(live.id, "ann", "action", action, None, "the-request")
            assert seq == (await games.get(live.id)).seq
            await client.aclose()
        await proxy.close()

    asyncio.run(work())


def test_a_check_that_does_not_end_counts_as_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        is_over = asyncio.Event()

        async def check() -> None:
            await is_over.wait()

        probe = readiness.ReadinessProbe(check)
        monkeypatch.setattr(readiness, "PROBE_SECONDS", 0.0)
        assert not await probe.is_ready()
        is_over.set()
        monkeypatch.setattr(readiness, "PROBE_SECONDS", HANG)
        assert await probe.is_ready(), "the same check, which has ended now"

    asyncio.run(work())


def test_a_restart_of_the_database_costs_no_request(postgres_url: str, patient_probe: None) -> None:
    """The first requests after a restart of PostgreSQL got 500, on connections that were closed."""
    cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'restarted'"

    async def work() -> None:
        url = f"{postgres_url}&application_name=restarted"
        settings = replace(SETTINGS, database=url, database_timeout=HANG)
        async with client_of(settings) as (client, app):
            for _ in range(3):
                await asyncio.gather(*(client.get("/api/v1/games") for _ in range(4)))
                other = database.create_engine(replace(SETTINGS, database=postgres_url).database_url, HANG)
                async with other.connect() as connection:
                    assert (await connection.execute(sa.text(cut))).scalar_one() > 0
                await other.dispose()
                assert (await client.get("/api/v1/games")).status_code == 200
                assert await statuses(client) == (200, 200)
            assert app.state.games

    asyncio.run(work())


def test_a_locked_or_damaged_file_or_full_disk_makes_the_server_unready(
    tmp_path: Path, no_reuse: None, patient_probe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.db"

    async def work() -> None:
        settings = replace(SETTINGS, database=f"sqlite:///{file}", database_timeout=0.05)
        async with client_of(settings) as (client, app):
            assert await statuses(client) == (200, 200)
            other = sqlite3.connect(file, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            assert await statuses(client) == (200, 503)
            other.execute("ROLLBACK")
            assert await statuses(client) == (200, 200)
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            other.close()
            games: GameService = app.state.games

            async def fail(*_: Any) -> None:
                raise sa.exc.OperationalError("", {}, sqlite3.OperationalError("database or disk is full"))

            with monkeypatch.context() as patch:
                patch.setattr(games.storage._writer, "_write_together", fail)
                assert await statuses(client) == (200, 503)
            assert await statuses(client) == (200, 200)
            file.write_bytes(b"This is not a database. " * 1000)
            assert await statuses(client) == (200, 503)

    asyncio.run(work())


# --- The end of connections -----------------------------------------------------------------------


TURNS = 50  # more than an event loop takes to close


class SlowQueue:
    """The calls of a thread, which begins each of them after the event loop has taken some turns."""

    def __init__(self, queue: Any) -> None:
        self._queue = queue

    def get(self) -> Any:
        call = self._queue.get()
        loop, may_begin = call[0].get_loop(), threading.Event()

        def take_turns(left: int) -> None:
            if left:
                loop.call_soon(take_turns, left - 1)
            else:
                may_begin.set()

        loop.call_soon_threadsafe(take_turns, TURNS)
        may_begin.wait()
        return call


class SlowThread(threading.Thread):
    """A thread of an SQLite connection on a busy machine: late to begin every call, and late to end.

    The end of its last call does not end it, but only somebody who waits for that.
    """

    def __init__(self, target: Callable[..., None], args: tuple[Any]) -> None:
        super().__init__(target=target, args=(SlowQueue(*args),))
        self._is_awaited = threading.Event()

    def run(self) -> None:
        super().run()
        self._is_awaited.wait()

    def join(self, timeout: float | None = None) -> None:
        self._is_awaited.set()
        super().join(timeout)


class SlowThreads:
    """All threads of SQLite connections from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.all: list[SlowThread] = []

        def slow_thread(target: Callable[..., None], args: tuple[Any]) -> SlowThread:
            self.all.append(SlowThread(target, args))
            return self.all[-1]

        monkeypatch.setattr(aiosqlite.core, "Thread", slow_thread)

    def assert_ended(self) -> None:
        assert self.all
        assert not any(thread.is_alive() for thread in self.all)


def test_no_thread_of_a_connection_outlives_a_failed_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread reported to an event loop that was closed, which printed a traceback."""
    threads = SlowThreads(monkeypatch)
    (tmp_path / "damaged.db").write_bytes(b"This is not a database. " * 100)
    for url in (f"sqlite:///{tmp_path / 'missing' / 'games.db'}", f"sqlite:///{tmp_path / 'damaged.db'}"):
        start_error(url)
        threads.assert_ended()


def test_no_thread_of_a_connection_outlives_the_server(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls were cut off when the server closed, and so were their connections."""
    threads = SlowThreads(monkeypatch)

    async def work() -> None:
        async with client_of(replace(SETTINGS, database=sqlite_url)) as (client, app):
            games: GameService = app.state.games
            live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
            games.live_games.evict(live)
            calls = [
                asyncio.create_task(client.get("/readyz")),
                asyncio.create_task(client.get(f"/api/v1/games/{live.id}")),
                asyncio.create_task(client.get("/api/v1/games")),
                asyncio.create_task(client.put("/api/v1/me", json={"name": "Ann"})),
            ]
            before = len(threads.all)
            while len(threads.all) == before:
                await asyncio.sleep(0)
            for call in calls[2:]:
                call.cancel()
        ready, _, *cancelled = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(ready, httpx.Response)
        assert [type(each) for each in cancelled] == [asyncio.CancelledError] * 2

    asyncio.run(work())
    threads.assert_ended()


def test_no_thread_of_a_connection_outlives_a_start_that_is_cancelled(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = SlowThreads(monkeypatch)

    async def work() -> None:
        start = asyncio.create_task(database.prepare(replace(SETTINGS, database=sqlite_url).database_url))
        while not threads.all:
            await asyncio.sleep(0)
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start
        threads.assert_ended()

    asyncio.run(work())


def test_storage_that_is_closed_refuses_calls(sqlite_url: str) -> None:
    """A write waited for ever."""

    async def work() -> None:
        settings = replace(SETTINGS, database=sqlite_url)
        games = GameService(settings)
        await games.open()
        await games.close()
        with pytest.raises(DatabaseUnavailableError):
            await games.storage.set_user_name("ann", "Ann")
        with pytest.raises(DatabaseUnavailableError):
            await games.storage.user_name("ann")
        games.scheduler.recover("a-game", DatabaseUnavailableError())
        assert not games.scheduler.tasks

    asyncio.run(work())


# --- Start ---------------------------------------------------------------------------------------


def serve(home: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tripot", "serve", "--port", "0", *arguments]
    environment = os.environ | {"TRIPOT_HOME": str(home), "COLUMNS": "80"} | variables
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=HANG, check=False)


def start_error(database_url: str) -> str:
    """The message of a server that cannot start with a database."""
    with pytest.raises(database.StartupError) as refused:
        asyncio.run(database.prepare(replace(SETTINGS, database=database_url).database_url))
    message = str(refused.value)
    assert "\n" not in message
    assert "secret" not in message
    return message


def test_errors_at_start_are_one_line_with_a_remedy(tmp_path: Path, postgres_url: str) -> None:
    """They were tracebacks of up to 195 lines, after the server had claimed to be open."""
    assert "is not valid" in start_error("nonsense")
    assert "is not valid" in start_error("mysql://ann:secret@host/name")
    assert "is not valid" in start_error("postgresql://ann:secret@host:port/name")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        down = start_error(f"postgresql://ann:secret@127.0.0.1:{unused.getsockname()[1]}/name")
    assert "start the database" in down
    (tmp_path / "damaged.db").write_bytes(b"This is not a database. " * 100)
    assert "restore a copy" in start_error(f"sqlite:///{tmp_path / 'damaged.db'}")
    assert "create the folder" in start_error(f"sqlite:///{tmp_path / 'missing' / 'games.db'}")
    assert "to write" in start_error(f"{postgres_url}%20-cdefault_transaction_read_only%3Don")
    folder = start_error(f"sqlite:///{tmp_path}")
    assert "it is a folder; name a file in it" in folder
    assert "arguments without effect (mode)" in start_error(f"sqlite:///{tmp_path / 'games.db'}?mode=ro")
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE games (id INTEGER)")
    assert "tables of another program; use another" in start_error(f"sqlite:///{tmp_path / 'other.db'}")
    assert "remove that argument" in start_error("postgresql://127.0.0.1/name?nonsense=1")
    missing = sa.make_url(postgres_url).set(database="missing").render_as_string(hide_password=False)
    assert "create the database" in start_error(missing)
    assert "'not a url' is not valid" in start_error("not a url")
    url = f"sqlite:///{tmp_path / 'games.db'}"
    asyncio.run(database.prepare(replace(SETTINGS, database=url).database_url))
    assert "to write" in start_error(f"sqlite:///file:{tmp_path / 'games.db'}?mode=ro&uri=true")
    with sqlite3.connect(tmp_path / "games.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer version" in start_error(url)


def test_a_start_waits_for_a_locked_file_as_long_as_calls_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waited a minute without a word, whatever the timeout was."""
    timeouts, connect = [], aiosqlite.connect

    def note_timeout(*args: Any, timeout: float, **more: Any) -> aiosqlite.Connection:
        timeouts.append(timeout)
        return connect(*args, timeout=timeout, **more)

    monkeypatch.setattr(aiosqlite, "connect", note_timeout)
    settings = replace(SETTINGS, database=f"sqlite:///{tmp_path / 'games.db'}", database_timeout=0.05)
    asyncio.run(database.prepare(settings.database_url))
    for journal in ("WAL", "DELETE"):
        timeouts.clear()
        with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
            other.execute(f"PRAGMA journal_mode={journal}")
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(database.StartupError, match=r"locked.*stop the other program"):
                asyncio.run(GameService(settings).open())
        assert {*timeouts} == {0.05}


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"TRIPOT_DATABASE": "nonsense"}, "is not valid"),
        ({"TRIPOT_BOT_THREADS": "many"}, "TRIPOT_BOT_THREADS must be a whole number, not 'many'"),
        ({"TRIPOT_ALLOWED_HOSTS": "http://a/b"}, "TRIPOT_ALLOWED_HOSTS has 'http://a/b', which is no host"),
        ({"TRIPOT_SECRET_KEY": "a"}, "TRIPOT_SECRET_KEY has fewer than 16 characters"),
        ({"TRIPOT_TRUSTED_PROXIES": "*"}, "TRIPOT_TRUSTED_PROXIES has '*', which is no address or network"),
    ],
)
def test_the_command_ends_with_one_line_and_status_2(
    tmp_path: Path, variables: dict[str, str], message: str
) -> None:
    assert_refused(serve(tmp_path, **variables), message)


def assert_refused(done: subprocess.CompletedProcess[str], message: str) -> None:
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "open at" not in done.stdout


def test_a_port_in_use_and_an_empty_key_file_are_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert_refused(
            serve(tmp_path, "--port", str(port)), f"cannot listen on 127.0.0.1:{port}: Address already in use"
        )
    (tmp_path / "key").write_text("", encoding="ascii")
    assert_refused(serve(tmp_path), "is empty, so anybody could sign cookies: restore it, or delete it")


def test_a_misspelt_setting_is_in_the_log(tmp_path: Path) -> None:
    done = serve(tmp_path, TRIPOT_ALLOWED_HOST="games.example", TRIPOT_DATABASE="nonsense")
    warning, refusal = done.stderr.strip().splitlines()
    assert json.loads(warning)["name"] == "TRIPOT_ALLOWED_HOST"
    assert json.loads(warning)["similar"] == "TRIPOT_ALLOWED_HOSTS"
    assert "is not valid" in refusal


def test_two_servers_that_start_together_migrate_once(tmp_path: Path, postgres_url: str) -> None:
    """They raced to create the tables, and one of them failed."""
    for url in (f"sqlite:///{tmp_path / 'games.db'}", postgres_url):
        settings = replace(SETTINGS, database=url)

        def prepare(settings: Settings = settings) -> None:
            asyncio.run(database.prepare(settings.database_url, HANG))

        with ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(prepare) for _ in range(4)]:
                done.result()

        async def work(games: GameService) -> None:
            await games.storage.check_writable()

        run_games(work, settings)


def test_a_failed_check_that_nobody_waits_for_is_not_logged_as_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each request for the readiness logged a traceback while the database was silent."""
    monkeypatch.setattr(readiness, "PROBE_SECONDS", 0)

    async def work() -> None:
        forgotten: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: forgotten.append(context))
        failing = asyncio.Event()

        async def check() -> None:
            await failing.wait()
            raise DatabaseUnavailableError

        probe = readiness.ReadinessProbe(check)
        assert not await probe.is_ready()
        assert probe._task is not None
        ended = asyncio.Event()
        probe._task.add_done_callback(lambda _: ended.set())
        failing.set()
        await ended.wait()
        del probe
        gc.collect()
        assert not forgotten

    asyncio.run(work())


# --- Logs ----------------------------------------------------------------------------------------

LOGGING = """
import asyncio, logging, warnings, structlog
from tripot.server.log_config import configure_json_logging
configure_json_logging()
log = structlog.get_logger("tripot")
log.info("open", games=["x"])
logging.getLogger("uvicorn.error").error("Exception in %s", "ASGI", exc_info=ValueError("two\\nlines"))
logging.getLogger("sqlalchemy.pool").error("a connection failed")
warnings.warn("be careful", stacklevel=1)
log.warning("failed", reason="user 0123456789abcdef0123456789abcdef, seed " + "ab" * 32)
log.warning("failed", reason='DETAIL:  Key (user_id)=(ann) already exists.')
log.warning("failed", reason='postgresql://ann:hunter2@host/name')
for number in range(100):
    log.warning("the database failed", number=number)
for number in range(100):
    logging.getLogger("asyncio").error(f"Task-{number} at 0x{number:x} failed\\nafter {number} s")
class Unraisable:
    def __del__(self):
        raise LookupError("in a finalizer")
Unraisable()
raise ZeroDivisionError("at the end")
"""


def test_everything_that_is_logged_is_json_without_secrets_and_limited() -> None:
    """After one failed write, 171 of 173 lines were not JSON; an outage of 20 seconds wrote 8.9 MB."""
    done = subprocess.run(
        [sys.executable, "-c", LOGGING], capture_output=True, text=True, timeout=HANG, check=False
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    events = [line["event"] for line in lines]
    assert events.count("the database failed") == MAX_LINES_PER_KIND
    assert sum(event.startswith("Task-") for event in events) == MAX_LINES_PER_KIND
    assert any("LookupError" in line.get("exception", "") for line in lines), "it was plain text"
    assert {"open", "Exception in ASGI", "a connection failed", "the program failed"} <= {*events}
    assert any("be careful" in event for event in events)
    assert all("timestamp" in line and "level" in line for line in lines)
    for secret in ("0123456789abcdef0123456789abcdef", "ab" * 32, "(ann)", "hunter2"):
        assert secret not in done.stderr


COLD_SERVER = """
from tripot.engine import kernel_cache
if __name__ == "__main__":
    kernel_cache.is_warm = lambda key: False
    from tripot.__main__ import main
    main()
"""


@pytest.mark.service
def test_a_cold_start_and_a_damaged_game_log_json_without_secrets(
    tmp_path: Path, new_client: Callable[[Server], Client]
) -> None:
    """The progress of compiling was plain text. Nothing that is logged is a seed, a token or a user."""
    file = tmp_path / "games.db"
    server = Server(tmp_path, f"sqlite:///{file}", ("-c", COLD_SERVER), NUMBA_DISABLE_JIT="1")
    ann = new_client(server)
    games = [ann.create_game(key, "me", "me") for key in ("triolet", "trippples")]
    token = ann.post(f"/games/{games[0]}/seats/0/link")["token"]
    new_client(server).post(f"/games/{games[0]}/claim", token=token)
    live = ann.live(games[1])
    live.act(live.state["view"]["legal"][0])
    server.stop()
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE events SET seat = 9 WHERE type = 'action'")
        columns = (
            "SELECT seed FROM games",
            "SELECT user_id FROM seat_owners",
            "SELECT token_hash FROM seat_links",
        )
        secrets = {value for query in columns for (value,) in connection.execute(query)} | {token}
    assert len(secrets) == 6
    server.program = ("-m", "tripot")
    server.start()
    client = httpx.Client(base_url=server.url, cookies=ann.http.cookies, timeout=HANG)
    assert client.get(f"/api/v1/games/{games[1]}").status_code == 409
    client.post(f"/api/v1/games/{games[0]}/claim", json={"token": token})
    client.get("/api/v1/me")
    client.close()
    server.stop()
    lines = [json.loads(line) for line in server.log().splitlines()]
    assert {line["event"] for line in lines} >= {"compiling", "open", "a game is damaged", "closed"}
    for secret in secrets:
        assert secret not in server.log()


def test_dropped_messages_are_counted() -> None:
    now = 0.0
    limit = RateLimit(lambda: now)
    for _ in range(MAX_LINES_PER_KIND):
        limit(None, "", {"event": "failed"})
    for _ in range(5):
        with pytest.raises(structlog.DropEvent):
            limit(None, "", {"event": "failed"})
    limit(None, "", {"event": "another"})
    now = WINDOW_SECONDS
    assert limit(None, "", {"event": "failed"})["suppressed"] == 5
