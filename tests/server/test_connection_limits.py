"""Limits of network connections: slow, silent, huge and excess ones end, and others are served meanwhile."""

from __future__ import annotations

import json
import resource
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from bench._server_process import HANG, Server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tripot.server import http_protocol
from tripot.server.http_protocol import ConnectionLimits
from tripot.server.settings import Settings
from tripot.server.ws import CLOSE_POLICY_VIOLATION

CONTINUATION, TEXT, PING, PONG = 0, 1, 9, 10  # types of frames
Visit = Callable[[Any], Any]
PER_ADDRESS = 12


SHORT = "0.2"  # seconds that are always exceeded


@contextmanager
def server_with(paths: pytest.TempPathFactory, **settings: str) -> Iterator[Server]:
    server = Server(paths.mktemp("limited"), **settings)
    yield server
    server.stop()
    assert "Traceback" not in server.log(), server.log()


@pytest.fixture(scope="module")
def limited_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose limits are reached at once, except that of the time of headers: requests get through."""
    with server_with(
        tmp_path_factory,
        TRIPOT_HEADER_SECONDS="1000",
        TRIPOT_BODY_SECONDS=SHORT,
        TRIPOT_HELLO_SECONDS=SHORT,
        TRIPOT_ANSWER_SECONDS=SHORT,
        TRIPOT_MAX_HEADER_BYTES="4096",
        TRIPOT_MESSAGES_PER_SECOND="50",
    ) as server:
        yield server


@pytest.fixture(scope="module")
def impatient_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits hardly any time for headers: on a busy machine good requests are refused too."""
    with server_with(tmp_path_factory, TRIPOT_HEADER_SECONDS=SHORT) as server:
        yield server


def open_socket(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=HANG)


def answer_of(connection: socket.socket) -> bytes:
    """Everything that the server sends until it closes the connection."""
    received = b""
    with suppress(ConnectionResetError):
        while data := connection.recv(65536):
            received += data
    return received


def metrics(server: Server) -> str:
    """The metrics of a server, which may refuse some requests for them."""
    while True:
        with suppress(httpx.TransportError):
            answer = httpx.get(f"{server.url}/metrics", timeout=HANG)
            if answer.status_code == 200:
                return answer.text


def refused(server: Server, reason: str) -> float:
    """How many connections the server has refused for a reason."""
    name = f'tripot_connections_refused_total{{reason="{reason}"}} '
    lines = metrics(server).splitlines()
    return sum(float(line.removeprefix(name)) for line in lines if line.startswith(name))


REQUEST = b"GET /healthz HTTP/1.1\r\nhost: x\r\n"
BODY_BEGUN = b"PUT /api/v1/me HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\n\r\n{"


@pytest.mark.parametrize(
    ("sent", "reason", "status"),
    [
        (b"GET /" + b"x" * 2_000_000, "header_size", b"431"),
        (REQUEST + b"a: b\r\n" * 400_000, "header_size", b"431"),
        (REQUEST + b"a: " + b"b" * 2_000_000, "header_size", b"431"),
        (REQUEST + b"a: " + b"b" * 20_000 + b"\r\n\r\n", "header_size", b"431"),  # complete in one read
        (b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nhost: x\r\n\r\n", "header_size", b"431"),
        (BODY_BEGUN, "body_time", b"408"),
        (
            b"PUT /api/v1/me HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\na: "
            + b"b" * 2_000_000,
            "header_size",
            b"431",
        ),
    ],
)
def test_huge_requests_and_slow_bodies_are_ended(
    limited_server: Server, sent: bytes, reason: str, status: bytes
) -> None:
    """Such connections stayed for minutes, and headers of 150 MB cost 210 MB of memory. Trailers are headers
    too: they had no limit, and the time to parse them was quadratic.
    """
    before = refused(limited_server, reason)
    assert_ended(limited_server, sent, status)
    assert refused(limited_server, reason) == before + 1


@pytest.mark.parametrize("sent", [b"", REQUEST])
def test_slow_headers_are_ended(impatient_server: Server, sent: bytes) -> None:
    before = refused(impatient_server, "header_time")
    assert_ended(impatient_server, sent, b"408")
    assert refused(impatient_server, "header_time") > before


def assert_ended(server: Server, sent: bytes, status: bytes) -> None:
    """Send a part of a request, which the server must answer with a status or with nothing, and close."""
    with open_socket(server) as connection:
        with suppress(OSError):  # it may be closed before all is sent
            connection.sendall(sent)
        answer = answer_of(connection)
    assert not answer or answer.startswith(b"HTTP/1.1 " + status)


def test_a_second_request_has_limits_too(impatient_server: Server) -> None:
    answer = b""
    while not answer.startswith(b"HTTP/1.1 200"):  # the first one may be late itself
        with open_socket(impatient_server) as connection:
            connection.sendall(REQUEST + b"\r\n" + REQUEST)
            answer = answer_of(connection)
    assert b"HTTP/1.1 408" in answer


def test_requests_that_wait_for_an_answer_are_few(limited_server: Server) -> None:
    """One read of the network may have thousands of them, which all waited in memory."""
    before = refused(limited_server, "pipelined_requests")
    with open_socket(limited_server) as connection:
        with suppress(OSError):  # it may be closed before all is sent
            connection.sendall((REQUEST + b"\r\n") * 2000)
        answers = answer_of(connection)
    assert refused(limited_server, "pipelined_requests") == before + 1
    assert b"HTTP/1.1 429" not in answers, "it would be the answer to another request"


def test_an_empty_line_after_a_request_does_not_keep_a_connection(impatient_server: Server) -> None:
    """It stopped the timer of idle connections, and started none."""
    with open_socket(impatient_server) as connection, suppress(OSError):  # the request may be late itself
        connection.sendall(REQUEST + b"\r\n")
        assert connection.recv(1) == b"H"  # it is answered
        connection.sendall(b"\r\n")
        answer_of(connection)  # until it is closed


def test_a_client_that_does_not_read_its_answers_is_cut_off(limited_server: Server) -> None:
    """Its answers waited in memory for ever, and its connection stayed open.

    Requests wait for the last answer: one that is not to the last of them must end too, without a traceback.
    """
    before = refused(limited_server, "answer_time")
    request = b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n"
    with socket.socket() as connection:
        connection.settimeout(HANG)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", limited_server.port))
        with suppress(OSError):  # it may be closed before that is seen
            while refused(limited_server, "answer_time") == before:
                connection.sendall(request)
        answer_of(connection)  # it is closed after what is on its way


def test_a_websocket_that_only_pings_ends(limited_server: Server, new_client: Visit) -> None:
    """The time for the hello started again with every message. It ended without a close frame."""
    game = new_client(limited_server).create_game("trippples", "me", "me")
    address = limited_server.url.replace("http", "ws") + f"/api/v1/games/{game}/ws"
    with connect(address) as live:
        with suppress(ConnectionClosed):
            while True:  # until it is closed
                live.send('{"type": "ping"}')
                live.recv(HANG)
        assert live.close_code == CLOSE_POLICY_VIOLATION


UPGRADE = b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
KEY = b"sec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"


def open_websocket(server: Server, game: str, receive_buffer: int) -> socket.socket:
    """A connection to a game of which every byte can be sent, or not read."""
    connection = socket.socket()
    connection.settimeout(HANG)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.connect(("127.0.0.1", server.port))
    path = f"/api/v1/games/{game}/ws".encode()
    connection.sendall(b"GET " + path + b" HTTP/1.1\r\nhost: x\r\n" + UPGRADE + KEY + b"\r\n")
    assert connection.recv(12) == b"HTTP/1.1 101"
    return connection


def frame(opcode: int, payload: bytes = b"") -> bytes:
    """A frame of a client, masked with zeros."""
    assert len(payload) < 126
    return bytes([0x80 | opcode, 0x80 | len(payload)]) + bytes(4) + payload


def test_a_websocket_that_does_not_read_is_cut_off(limited_server: Server, new_client: Visit) -> None:
    """Sending to it failed after some seconds, but closing it waited for the client, for ever."""
    client = new_client(limited_server)
    game = client.create_game("trigon", "me", "me", "me", "me")
    client.http.close()
    before = refused(limited_server, "answer_time")
    with open_websocket(limited_server, game, receive_buffer=4096) as connection:
        with suppress(OSError):  # it may be closed before that is seen
            while refused(limited_server, "answer_time") == before:
                connection.sendall(frame(TEXT, b'{"type": "hello"}'))
        wait_until_alone(limited_server)


@pytest.mark.parametrize("sent", [PING, PONG, CONTINUATION])
def test_control_frames_and_fragments_have_a_rate(
    limited_server: Server, new_client: Visit, sent: int
) -> None:
    """They were not counted: each ping was answered, and each empty fragment stayed in memory."""
    game = new_client(limited_server).create_game("trippples", "me", "me")
    before = refused(limited_server, "control_frames")
    with open_websocket(limited_server, game, receive_buffer=65536) as connection:
        if sent == CONTINUATION:
            connection.sendall(bytes([TEXT, 0x80]) + bytes(4))  # an empty fragment, not the last one
        frames = frame(sent) if sent != CONTINUATION else bytes([CONTINUATION, 0x80]) + bytes(4)
        with suppress(OSError):  # it may be closed before all is sent
            connection.sendall(frames * 10_000)
        answer_of(connection)  # until it is closed
    assert refused(limited_server, "control_frames") == before + 1


def wait_until_alone(server: Server) -> None:
    """Wait until the server has noticed that all other connections are closed."""
    while "tripot_open_connections 1.0" not in metrics(server):
        pass


def test_an_address_has_a_number_of_connections_and_gets_them_back(
    tmp_path_factory: pytest.TempPathFactory, new_client: Visit
) -> None:
    reason = "connections_per_address"
    with server_with(tmp_path_factory, TRIPOT_MAX_CONNECTIONS_PER_ADDRESS=str(PER_ADDRESS)) as server:
        client = new_client(server)
        game = client.create_game("trippples", "me", "me")
        client.http.close()
        for _ in range(2):  # the connections of the first time are counted no longer
            wait_until_alone(server)
            lives = [client.live(game) for _ in range(PER_ADDRESS)]
            with open_socket(server) as another:
                assert answer_of(another).startswith(b"HTTP/1.1 429")
            for live in lives:
                live.close()
        wait_until_alone(server)
        assert refused(server, reason) == 2
        assert server.log().count(f'"reason": "{reason}"') == 1, "it is logged once a minute"


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
        counted.add("::ffff:10.1.2.3")
    assert counted.refusal("2.2.2.2") == "connections"


def test_an_ipv6_client_is_counted_by_its_network() -> None:
    """It has 2^64 addresses, and used a new one for every connection."""
    counted = limits(max_connections_per_address=2, trusted_proxies="2001:db8::1")
    for address in ("2001:db8::2", "2001:db8::3"):
        counted.add(address)
    assert counted.refusal("2001:db8::4") == "connections_per_address"
    assert counted.refusal("2001:db8::1") is None, "the proxy is one address"
    assert counted.refusal("2001:db8:0:1::4") is None
    counted.remove("2001:db8::2")
    assert counted.refusal("2001:db8::4") is None


def test_a_reserve_of_file_descriptors_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,200 idle connections used all of 1,024 file descriptors, and the server could not even log it."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    assert limits().max_connections == 1024 - http_protocol.RESERVED_FILE_DESCRIPTORS
    assert limits(max_connections=100).max_connections == 100


def test_a_system_without_a_limit_of_file_descriptors_has_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On Windows there is no module `resource`, and the server did not start."""
    monkeypatch.setitem(sys.modules, "resource", None)
    assert limits().max_connections == Settings().max_connections


# --- File descriptors ----------------------------------------------------------------------------

DESCRIPTORS = 256
LIMITED = f"""
import os, resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({DESCRIPTORS}, {DESCRIPTORS}))
"""
HOARDING_SERVER = f"""{LIMITED}
held = [os.open(os.devnull, os.O_RDONLY) for _ in range({http_protocol.RESERVED_FILE_DESCRIPTORS})]
from tripot.__main__ import main
main()
"""


def test_connections_that_touch_the_reserve_are_refused_and_logged(tmp_path: Path) -> None:
    """The server waited for an error of its event loop, and uvloop reports none."""
    server = Server(tmp_path, program=("-c", HOARDING_SERVER), TRIPOT_HEADER_SECONDS="1000")
    with ExitStack() as stack:
        answers = b""
        while not answers:
            connection = stack.enter_context(open_socket(server))
            connection.sendall(REQUEST + b"\r\n")
            answers = answer_of(connection) if connection.recv(12, socket.MSG_PEEK).endswith(b"503") else b""
    assert answers.startswith(b"HTTP/1.1 503")
    wait_until_alone(server)
    assert refused(server, "file_descriptors") >= 1
    assert float(metrics(server).partition("\ntripot_file_descriptor_shortages_total ")[2].split()[0]) >= 1
    assert server.log().count("file descriptors run short") == 1, "it is logged once a minute"
    server.stop()
    assert "Traceback" not in server.log()


CHECK = f"""{LIMITED}
from tripot.server.http_protocol import ConnectionLimits, FEWEST_FREE_FILE_DESCRIPTORS
from tripot.server.log_config import configure_json_logging
from tripot.server.metrics import FILE_DESCRIPTOR_SHORTAGES
from tripot.server.settings import Settings
configure_json_logging()
limits, held, counts = ConnectionLimits(Settings()), [], []
limits.check_file_descriptors()
counts.append(FILE_DESCRIPTOR_SHORTAGES._value.get())
while True:
    try:
        held.append(os.dup(1))
    except OSError:
        break
limits.check_file_descriptors()
counts.append(FILE_DESCRIPTOR_SHORTAGES._value.get())
os.close(held.pop())
limits.check_file_descriptors()
counts.append(FILE_DESCRIPTOR_SHORTAGES._value.get())
for _ in range(FEWEST_FREE_FILE_DESCRIPTORS):
    os.close(held.pop())
limits.check_file_descriptors()
counts.append(FILE_DESCRIPTOR_SHORTAGES._value.get())
print(counts)
"""


def test_a_shortage_is_noticed_without_a_connection() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHECK], capture_output=True, text=True, timeout=HANG, check=True
    )
    assert json.loads(done.stdout) == [0, 1, 2, 2]
    assert len(done.stderr.splitlines()) == 1
    assert json.loads(done.stderr)["event"] == "file descriptors run short"
