"""Limits of network connections: slow, silent, huge and excess ones end, and others are served meanwhile."""

from __future__ import annotations

import asyncio
import errno
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest
from bench._server_process import HANG, Server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tripot.server import http_protocol
from tripot.server.http_protocol import ConnectionLimits
from tripot.server.metrics import CONNECTIONS_REFUSED
from tripot.server.settings import Settings

Visit = Callable[[Any], Any]
PER_ADDRESS = 12


@pytest.fixture(scope="module")
def limited_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose limits are reached at once."""
    server = Server(
        tmp_path_factory.mktemp("limited"),
        TRIPOT_HEADER_SECONDS="0.2",
        TRIPOT_BODY_SECONDS="0.2",
        TRIPOT_HELLO_SECONDS="0.2",
        TRIPOT_MAX_HEADER_BYTES="4096",
        TRIPOT_MAX_CONNECTIONS_PER_ADDRESS=str(PER_ADDRESS),
    )
    yield server
    server.stop()
    assert "Traceback" not in server.log(), server.log()


def open_socket(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=HANG)


def answer_of(connection: socket.socket) -> bytes:
    """Everything that the server sends until it closes the connection."""
    received = b""
    with suppress(ConnectionResetError):
        while data := connection.recv(65536):
            received += data
    return received


def refused(server: Server, reason: str) -> float:
    """How many connections the server has refused for a reason."""
    text = httpx.get(f"{server.url}/metrics").text
    name = f'tripot_connections_refused_total{{reason="{reason}"}} '
    return sum(float(line.removeprefix(name)) for line in text.splitlines() if line.startswith(name))


REQUEST = b"GET /healthz HTTP/1.1\r\nhost: x\r\n"


@pytest.mark.parametrize(
    ("sent", "reason", "status"),
    [
        (b"", "header_time", b"408"),
        (REQUEST, "header_time", b"408"),
        (b"GET /" + b"x" * 2_000_000, "header_size", b"431"),
        (REQUEST + b"a: b\r\n" * 400_000, "header_size", b"431"),
        (REQUEST + b"a: " + b"b" * 2_000_000, "header_size", b"431"),
        (
            b"PUT /api/v1/me HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\n\r\n{",
            "body_time",
            b"408",
        ),
    ],
)
def test_slow_and_huge_requests_are_ended(
    limited_server: Server, sent: bytes, reason: str, status: bytes
) -> None:
    """Such connections stayed for minutes, and headers of 150 MB cost 210 MB of memory."""
    before = refused(limited_server, reason)
    with open_socket(limited_server) as connection:
        with suppress(OSError):  # it may be closed before all is sent
            connection.sendall(sent)
        answer = answer_of(connection)
    assert not answer or answer.startswith(b"HTTP/1.1 " + status)
    assert refused(limited_server, reason) == before + 1


def test_a_second_request_has_limits_too(limited_server: Server) -> None:
    with open_socket(limited_server) as connection:
        connection.sendall(REQUEST + b"\r\n" + REQUEST)
        answer = answer_of(connection)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"HTTP/1.1 408" in answer


def test_a_websocket_that_only_pings_ends(limited_server: Server, new_client: Visit) -> None:
    """The time for the hello began anew with every message."""
    game = new_client(limited_server).create_game("trippples", "me", "me")
    address = limited_server.url.replace("http", "ws") + f"/api/v1/games/{game}/ws"
    with connect(address) as live, suppress(ConnectionClosed):
        while True:  # until it is closed
            live.send('{"type": "ping"}')
            live.recv(HANG)


def wait_until_alone(server: Server) -> None:
    """Wait until the server has noticed that all other connections are closed."""
    while "tripot_open_connections 1.0" not in httpx.get(f"{server.url}/metrics").text:
        pass


def test_an_address_has_a_number_of_connections_and_gets_them_back(
    limited_server: Server, new_client: Visit
) -> None:
    client = new_client(limited_server)
    game = client.create_game("trippples", "me", "me")
    client.http.close()
    reason = "connections_per_address"
    before = refused(limited_server, reason)
    for _ in range(2):  # the connections of the first time are counted no longer
        wait_until_alone(limited_server)
        lives = [client.live(game) for _ in range(PER_ADDRESS)]
        with open_socket(limited_server) as another:
            assert answer_of(another).startswith(b"HTTP/1.1 429")
        for live in lives:
            live.close()
    wait_until_alone(limited_server)
    assert refused(limited_server, reason) == before + 2
    assert limited_server.log().count(f'"reason": "{reason}"') == 1, "it is logged once a minute"


# --- The count of connections, without a network -----------------------------------------------


def limits(**settings: Any) -> ConnectionLimits:
    return ConnectionLimits(replace(Settings(), **settings))


def test_connections_are_counted_in_total_and_by_address() -> None:
    counted = limits(max_connections=3, max_connections_per_address=2, trusted_proxies="10.0.0.0/8")
    for address in ("1.1.1.1", "1.1.1.1"):
        counted.add(address)
    assert counted.refusal("1.1.1.1") == "connections_per_address"
    assert counted.refusal("2.2.2.2") is None
    counted.remove("1.1.1.1")
    assert counted.refusal("1.1.1.1") is None
    for _ in range(2):
        assert counted.refusal("10.1.2.3") is None, "a trusted proxy has connections of many addresses"
        counted.add("10.1.2.3")
    assert counted.refusal("2.2.2.2") == "connections"


def test_a_reserve_of_file_descriptors_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,200 idle connections used all of 1,024 file descriptors, and the server could not even log it."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    assert limits().max_connections == 1024 - http_protocol.RESERVED_FILE_DESCRIPTORS
    assert limits(max_connections=100).max_connections == 100


def test_connections_that_cannot_be_accepted_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        counted, counter = limits(), CONNECTIONS_REFUSED.labels("file_descriptors")
        counted.watch_accept_errors(loop)
        before = counter._value.get()
        for _ in range(5):
            loop.call_exception_handler(
                {"message": "socket.accept()", "exception": OSError(errno.EMFILE, "Too many open files")}
            )
        assert counter._value.get() == before + 5

    asyncio.run(run())
    assert capsys.readouterr().out.count("file_descriptors") == 1, "it is logged once a minute"
