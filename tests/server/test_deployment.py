"""Behind a proxy and on a public host: addresses, hosts, origins, metrics, caches and files."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from tests.server.in_process import SETTINGS

from tripot.cli import serve
from tripot.game import TripotError
from tripot.server import app as app_module
from tripot.server import database
from tripot.server.app import create_app
from tripot.server.middleware import cache_control

Ask = Callable[[FastAPI, httpx.AsyncClient], Coroutine[Any, Any, None]]


def ask_app(tmp_path: Path, ask: Ask, client: str = "127.0.0.1", **settings: Any) -> None:
    """Ask an app with some settings, from an address."""

    async def asked() -> None:
        url = f"sqlite:///{tmp_path / 'games.db'}"
        app = create_app(replace(SETTINGS, database=url, **settings))
        network = httpx.ASGITransport(app, client=(client, 1))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=network, base_url="http://tripot.example") as http,
        ):
            await ask(app, http)

    asyncio.run(asked())


FORWARDED = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}


def test_a_trusted_proxy_tells_the_address_and_that_the_page_is_secure(tmp_path: Path) -> None:
    async def ask(app: FastAPI, http: httpx.AsyncClient) -> None:
        seen: list[str] = []
        app.state.rate_limits.check_request = lambda user: seen.append(user.address)
        answer = await http.get("/api/v1/me", headers=FORWARDED)
        assert "; Secure" in answer.headers["set-cookie"]
        assert "; Secure" not in (await http.get("/api/v1/me")).headers.get("set-cookie", "")
        assert seen == ["203.0.113.9", "10.1.2.3"]

    ask_app(tmp_path, ask, client="10.1.2.3", trusted_proxies="10.0.0.0/8 127.0.0.1")


@pytest.mark.parametrize(
    ("client", "forwarded", "counted"),
    [
        ("::ffff:10.1.2.3", "203.0.113.9", "203.0.113.9"),
        ("::ffff:10.1.2.3", "::ffff:203.0.113.9", "203.0.113.9"),
        ("10.1.2.3", "2001:db8::1:2:3:4", "2001:db8::/64"),
        ("::ffff:192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("2001:db8::5", "203.0.113.9", "2001:db8::/64"),
    ],
)
def test_addresses_are_compared_and_counted_alike_over_ipv6(
    tmp_path: Path, client: str, forwarded: str, counted: str
) -> None:
    """On a server that listens on `::`, no IPv4 proxy was trusted. Every IPv6 address had its own limits."""

    async def ask(app: FastAPI, http: httpx.AsyncClient) -> None:
        seen: list[str] = []
        app.state.rate_limits.check_request = lambda user: seen.append(user.address)
        await http.get("/api/v1/me", headers={"x-forwarded-for": forwarded})
        assert seen == [counted]

    ask_app(tmp_path, ask, client=client, trusted_proxies="10.0.0.0/8")


@pytest.mark.parametrize("proxies", ["", "10.0.0.1"])
def test_anybody_else_cannot_choose_an_address(tmp_path: Path, proxies: str) -> None:
    async def ask(app: FastAPI, http: httpx.AsyncClient) -> None:
        seen: list[str] = []
        app.state.rate_limits.check_request = lambda user: seen.append(user.address)
        answer = await http.get("/api/v1/me", headers=FORWARDED)
        assert "; Secure" not in answer.headers["set-cookie"]
        assert seen == ["127.0.0.1"]

    ask_app(tmp_path, ask, trusted_proxies=proxies)


def test_only_the_allowed_hosts_are_answered(tmp_path: Path) -> None:
    async def ask(_: FastAPI, http: httpx.AsyncClient) -> None:
        for host, status in (
            ("tripot.example", 200),
            ("TRIPOT.example:8000", 200),
            ("TRIPOT.EXAMPLE.", 200),  # the same name, which was refused
            ("tripot.example.:8000", 200),
            (".", 421),
            ("evil.example", 421),
            ("tripot.example.evil.example", 421),
            ("", 421),
        ):
            answer = await http.get("/api/v1/me", headers={"host": host})
            assert answer.status_code == status, host
        assert answer.json()["code"] == "unknown_host"
        for probe in ("/healthz", "/readyz", "/metrics"):
            assert (await http.get(probe, headers={"host": "127.0.0.1:8000"})).status_code == 200, probe

    ask_app(tmp_path, ask, allowed_hosts="tripot.example localhost")


def test_pages_of_the_allowed_origins_may_read_answers(tmp_path: Path) -> None:
    """Their requests were accepted, but browsers did not show them the answers."""
    origin = "https://club.example"

    async def ask(_: FastAPI, http: httpx.AsyncClient) -> None:
        asks = {"origin": origin, "access-control-request-method": "PUT"}
        asks["access-control-request-headers"] = "content-type"
        allowed = await http.options("/api/v1/me", headers=asks)
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == origin
        assert allowed.headers["access-control-allow-credentials"] == "true"
        answer = await http.put("/api/v1/me", json={"name": "Ann"}, headers={"origin": origin})
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, origin)
        foreign = await http.get("/api/v1/me", headers={"origin": "https://evil.example"})
        assert "access-control-allow-origin" not in foreign.headers
        asks["origin"] = "https://evil.example"
        assert (await http.options("/api/v1/me", headers=asks)).status_code == 400

    ask_app(tmp_path, ask, allowed_origins=f"{origin} https://other.example")


@pytest.mark.parametrize(
    ("address", "headers", "settings", "status"),
    [
        ("127.0.0.1", {}, {}, 200),
        ("::1", {}, {}, 200),
        ("::ffff:127.0.0.1", {}, {}, 200),
        ("192.0.2.1", {}, {}, 403),
        ("127.0.0.1", FORWARDED, {}, 403),
        ("127.0.0.1", FORWARDED, {"trusted_proxies": "127.0.0.1"}, 403),
        ("192.0.2.1", {}, {"metrics_addresses": "192.0.2.0/24"}, 200),
        ("127.0.0.1", {}, {"metrics_addresses": ""}, 403),
    ],
)
def test_metrics_are_for_configured_addresses(
    tmp_path: Path, address: str, headers: dict[str, str], settings: dict[str, str], status: int
) -> None:
    async def ask(_: FastAPI, http: httpx.AsyncClient) -> None:
        assert (await http.get("/metrics", headers=headers)).status_code == status

    ask_app(tmp_path, ask, client=address, **settings)


def test_every_answer_says_how_long_it_may_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html>", encoding="utf-8")
    (page / "assets" / "index-1a2b.js").write_text("", encoding="utf-8")
    monkeypatch.setattr(app_module, "PAGE", page)

    async def ask(_: FastAPI, http: httpx.AsyncClient) -> None:
        for path, expected in (
            ("/", "no-cache"),
            ("/index.html", "no-cache"),
            ("/assets/index-1a2b.js", "public, max-age=31536000, immutable"),
            ("/assets/missing.js", "no-store"),
            ("/api/v1/me", "no-store"),
            ("/api/v1/games/0123456789abcdef", "no-store"),
            ("/healthz", "no-store"),
            ("/metrics", "no-store"),
            ("/missing", "no-store"),
        ):
            assert (await http.get(path)).headers["cache-control"] == expected, path

    ask_app(tmp_path, ask)
    assert cache_control("/assets/index-1a2b.js", 304).endswith("immutable")


def test_only_the_owner_can_read_the_database(tmp_path: Path) -> None:
    """It has the seeds of running games. A file of an older version is protected too."""
    file = tmp_path / "games.db"
    file.touch()
    file.chmod(0o644)

    async def ask(_: FastAPI, http: httpx.AsyncClient) -> None:
        await http.put("/api/v1/me", json={"name": "Ann"})
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("games.db*")}
        assert "games.db-wal" in modes
        assert {*modes.values()} == {0o600}

    ask_app(tmp_path, ask)


def test_only_the_owner_can_read_the_journals_of_a_database(tmp_path: Path) -> None:
    """Those that were there already, as of a server that was killed, kept their permissions."""
    with closing(sqlite3.connect(tmp_path / "games.db")) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE anything (id INTEGER)")
        files = [tmp_path / f"games.db{suffix}" for suffix in ("", "-wal", "-shm")]
        for file in files:
            file.chmod(0o644)
        asyncio.run(database.prepare(f"sqlite+aiosqlite:///{files[0]}"))
        assert [file.stat().st_mode & 0o777 for file in files] == [0o600] * 3


@pytest.mark.parametrize("name", ["games.db", "games.db-wal"])
def test_a_database_that_stays_readable_for_others_is_refused(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server started, and nobody noticed that its permissions could not be changed."""
    file = tmp_path / name
    file.touch()
    file.chmod(0o644)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(database.StartupError, match=f"may read {file}, .* allow only that user to read it"):
        asyncio.run(database.prepare(f"sqlite+aiosqlite:///{tmp_path / 'games.db'}"))


def test_a_database_in_memory_is_refused() -> None:
    """Its tables were those of one connection only."""
    with pytest.raises(database.StartupError, match="write sqlite:///FILE"):
        asyncio.run(database.prepare("sqlite+aiosqlite:///:memory:"))


def test_no_call_waits_longer_for_a_connection_than_for_the_database(tmp_path: Path) -> None:
    """With SQLite it could wait for 30 seconds, the default of the pool."""

    async def work() -> None:
        for url in (f"sqlite+aiosqlite:///{tmp_path / 'games.db'}", "postgresql+psycopg://x@127.0.0.1/x"):
            engine = database.create_engine(url, timeout=3.5)
            assert isinstance(engine.pool, sa.pool.QueuePool)
            assert engine.pool.timeout() == 3.5
            await engine.dispose()

    asyncio.run(work())


def test_a_port_that_another_server_was_first_to_use_is_one_clear_line() -> None:
    """Two servers that start together may both bind a port; the second one to listen printed a bare errno."""
    with serve._bind("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with serve._bind("127.0.0.1", port) as second:
            serve._listen(first, "127.0.0.1", port)
            with pytest.raises(
                TripotError, match=f"cannot listen on 127.0.0.1:{port}: .*; try another --port"
            ):
                serve._listen(second, "127.0.0.1", port)


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid", "a..b"])
def test_a_host_of_another_machine_is_not_blamed_on_the_port(host: str) -> None:
    with pytest.raises(TripotError, match=f"cannot listen on {host}:0: .*; let --host be an address of this"):
        serve._bind(host, 0)


def test_an_ipv6_address_has_brackets_in_a_url() -> None:
    """The printed address was http://:::8000."""
    assert serve._host_and_port("::", 8000) == "[::]:8000"
    assert serve._host_and_port("127.0.0.1", 8000) == "127.0.0.1:8000"
