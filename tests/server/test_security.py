"""Requests that the server refuses: from foreign pages, too many, too large; errors without stack traces."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from bench._server_process import HANG
from fastapi import FastAPI
from tests.server.in_process import ME, SETTINGS, YOU, websocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tripot.server.app import create_app
from tripot.server.errors import DatabaseUnavailableError
from tripot.server.identity import COOKIE

Visit = Callable[[Any], Any]


def test_every_answer_has_the_usual_headers(shared_server: Any) -> None:
    for path in ("/api/v1/game-types", "/healthz", "/api/v1/games/zzz", "/nowhere"):
        headers = httpx.get(shared_server.url + path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_pages_of_other_sites_cannot_act(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    foreign = {"origin": "https://evil.example"}
    body = {"game_key": "triolet", "seats": [{"kind": "me"}, {"kind": "bot"}]}
    assert ann.http.post("/api/v1/games", json=body, headers=foreign).json()["code"] == "forbidden_origin"
    own = {"origin": shared_server.url}
    game = ann.http.post("/api/v1/games", json=body, headers=own).json()["state"]["game_id"]
    address = shared_server.url.replace("http", "ws") + f"/api/v1/games/{game}/ws"
    with pytest.raises(InvalidStatus), connect(address, additional_headers=foreign) as socket:
        socket.recv()


@pytest.mark.parametrize("origin", ["http://[", "null", "", "http://a@b:c", "//", "x" * 3000])
def test_an_origin_that_is_no_url_is_foreign(shared_server: Any, origin: str) -> None:
    """`Origin: http://[` was answered with an internal error."""
    headers = {"origin": origin}
    answer = httpx.put(f"{shared_server.url}/api/v1/me", json={"name": "Eve"}, headers=headers)
    assert answer.json()["code"] == "forbidden_origin"
    assert httpx.get(f"{shared_server.url}/api/v1/me", headers=headers).status_code == 200


def test_every_error_is_json_with_a_code_and_no_stack_trace(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    for response in (
        ann.http.get("/nowhere"),
        ann.http.delete("/api/v1/games"),
        ann.http.get("/api/v1/games/0123456789abcdef"),
        ann.http.get("/api/v1/games/xyz"),
        ann.http.post("/api/v1/games", content=b"{"),
        ann.http.post("/api/v1/games", json={"game_key": "chess", "seats": [{"kind": "me"}]}),
        ann.http.post("/api/v1/games", json={"game_key": "triolet", "seats": [{"kind": "me"}], "x": 1}),
        ann.http.post("/api/v1/games", content=b"x" * 100_000),
        ann.http.get("/api/v1/game-types/chess"),
    ):
        assert response.status_code in (400, 403, 404, 405, 409, 413, 422), response.text
        assert response.json()["code"]
        assert "Traceback" not in response.text


# --- Limits, on a server for which no time passes: what was refused stays refused -------------------


Ask = Callable[[FastAPI, httpx.AsyncClient, httpx.AsyncClient], Coroutine[Any, Any, None]]
BODY = {"game_key": "trippples", "seats": [{"kind": "me"}, {"kind": "me"}]}


@pytest.fixture
def strict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Ask], None]:
    """Two visitors ask a server with small limits."""
    now = time.time()
    stopped = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("tripot.server.rate_limits.time", stopped)
    sqlite_url = f"sqlite:///{tmp_path / 'games.db'}"
    limits: dict[str, Any] = {"games_per_minute": 3, "joins_per_minute": 3, "messages_per_second": 2}
    limits |= {"trusted_proxies": "127.0.0.1", "max_connections_per_address": 2}
    limits |= {"analysis_seconds": 1.0, "analysis_seconds_per_address": 1.5}

    def run(ask: Ask) -> None:
        async def asked() -> None:
            app = create_app(replace(SETTINGS, database=sqlite_url, **limits))
            network = httpx.ASGITransport(app)
            async with (
                app.router.lifespan_context(app),
                httpx.AsyncClient(transport=network, base_url="http://test") as ann,
                httpx.AsyncClient(transport=network, base_url="http://test") as eve,
            ):
                for client in (ann, eve):
                    assert (await client.get("/api/v1/me")).status_code == 200
                await ask(app, ann, eve)

        asyncio.run(asked())

    return run


def test_floods_of_requests_are_refused(strict: Callable[[Ask], None]) -> None:
    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        codes = [(await ann.post("/api/v1/games", json=BODY)).status_code for _ in range(5)]
        assert codes == [201, 201, 201, 429, 429]
        codes = [(await eve.get("/api/v1/me")).status_code for _ in range(25)]
        assert codes == [200] * 20 + [429] * 5, "two a second for ten seconds"

    strict(ask)


def test_users_without_a_cookie_count_by_address(strict: Callable[[Ask], None]) -> None:
    """Every request without a cookie was one of a new user: 150 of them stored 150 names."""

    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        codes = []
        for _ in range(25):
            eve.cookies.clear()
            codes.append((await eve.put("/api/v1/me", json={"name": "Eve"})).status_code)
        assert codes == [200] * 18 + [429] * 7, "two had come without a cookie before"
        assert (await ann.get("/api/v1/me")).status_code == 200

    strict(ask)


def test_many_users_of_one_address_are_limited_together(
    strict: Callable[[Ask], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each cookie had requests of its own without end, and some requests were not counted at all."""
    monkeypatch.setattr("tripot.server.rate_limits.USERS_PER_ADDRESS", 2)

    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        game = (await ann.post("/api/v1/games", json=BODY)).json()["state"]["game_id"]
        for path in ("/games", f"/games/{game}/record.txt", "/game-types", "/game-types/trigon/rulebook"):
            codes = [(await eve.get(f"/api/v1{path}")).status_code for _ in range(9)]
            assert 429 not in codes, path
        async with websocket(
            app, f"/api/v1/games/{game}/ws", ""
        ) as live:  # the 40th, of forty in ten seconds
            live.send(type="ping")
            assert (await live.receive())["error"]["code"] == "rate_limited"
        assert (await ann.get("/api/v1/me")).status_code == 429
        assert (await ann.get("/healthz")).status_code == 200

    strict(ask)


def test_the_seats_that_an_address_takes_are_limited(strict: Callable[[Ask], None]) -> None:
    """One visitor took 28 of 28 public seats."""

    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        games = app.state.games
        made = [(await games.create("bob", "trippples", {}, [ME, YOU], "Bob")).id for _ in range(5)]
        joins = [(await eve.post(f"/api/v1/games/{id_}/join", json={})).status_code for id_ in made]
        assert joins == [200] * 3 + [429] * 2

    strict(ask)


def test_claims_of_seats_count_as_joined_games(strict: Callable[[Ask], None]) -> None:
    """They had no limit of their own."""

    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        game = (await ann.post("/api/v1/games", json=BODY)).json()["state"]["game_id"]
        token = {"token": "q2wZ0eXampleToken_1"}
        claims = [(await eve.post(f"/api/v1/games/{game}/claim", json=token)).status_code for _ in range(4)]
        assert claims == [403] * 3 + [429]

    strict(ask)


def test_a_rematch_counts_as_a_new_game(strict: Callable[[Ask], None]) -> None:
    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        game, codes = (await ann.post("/api/v1/games", json=BODY)).json()["state"]["game_id"], []
        for _ in range(3):
            await ann.post(f"/api/v1/games/{game}/actions", json={"type": "resign"})
            answer = await ann.post(f"/api/v1/games/{game}/rematch")
            codes.append(answer.status_code)
            game = answer.json().get("game_id", game)
        assert codes == [200, 200, 429]

    strict(ask)


def test_a_connection_that_floods_gets_an_error(strict: Callable[[Ask], None]) -> None:
    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        game = (await ann.post("/api/v1/games", json=BODY)).json()["state"]["game_id"]
        cookie = f"{COOKIE}={ann.cookies[COOKIE]}"
        async with websocket(app, f"/api/v1/games/{game}/ws", cookie) as live:
            for _ in range(22):
                live.send(type="ping")
            heard = [await live.receive() for _ in range(22)]
        assert [each["type"] for each in heard] == ["pong"] * 20 + ["error"] * 2
        assert heard[-1]["error"]["code"] == "rate_limited"

    strict(ask)


@pytest.mark.kernel
def test_engine_time_is_limited_per_user(strict: Callable[[Ask], None]) -> None:
    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        game = (await ann.post("/api/v1/games", json=BODY)).json()["state"]["game_id"]
        hint = f"/api/v1/games/{game}/hint?seconds=0.6"
        assert [(await ann.get(hint)).status_code for _ in range(3)] == [200, 429, 429]

    strict(ask)


@pytest.mark.kernel
def test_engine_time_is_limited_per_address_too(strict: Callable[[Ask], None]) -> None:
    """A request without a cookie was a new user each time, with engine seconds of its own."""

    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        game = (await ann.post("/api/v1/games", json=BODY)).json()["state"]["game_id"]
        await ann.post(f"/api/v1/games/{game}/actions", json={"type": "resign"})
        analysis = f"/api/v1/games/{game}/analysis?seconds=0.6&action_index=1"
        codes = []
        for _ in range(3):
            eve.cookies.clear()
            codes.append((answer := await eve.get(analysis)).status_code)
        assert codes == [200, 429, 429]
        assert int(answer.headers["retry-after"]) == answer.json()["retry_after"] > 0
        codes = []
        for _ in range(3):  # each with a cookie of its own
            eve.cookies.clear()
            await eve.get("/api/v1/me")
            codes.append((await eve.get(analysis)).status_code)
        assert codes == [200, 429, 429], "the seconds of the address are used up"

    strict(ask)


def test_a_question_that_finds_the_engines_busy_costs_no_engine_time(
    strict: Callable[[Ask], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        game = (await ann.post("/api/v1/games", json=BODY)).json()["state"]["game_id"]
        queue, charged = app.state.games.bots.queue, []
        monkeypatch.setattr(app.state.rate_limits, "check_engine_time", lambda *_: charged.append(True))
        monkeypatch.setattr(queue, "max_questions", 0)
        refused = await ann.get(f"/api/v1/games/{game}/hint?seconds=0.6")
        assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        assert not charged

    strict(ask)


# --- WebSockets -------------------------------------------------------------------------------------


async def new_game(ann: httpx.AsyncClient) -> str:
    made: str = (await ann.post("/api/v1/games", json=BODY)).json()["state"]["game_id"]
    return f"/api/v1/games/{made}/ws"


def test_a_database_that_does_not_answer_is_not_a_game_that_is_gone(
    strict: Callable[[Ask], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page gave up a game for good when it connected during an outage."""

    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        games, path = app.state.games, await new_game(ann)
        async with websocket(app, "/api/v1/games/0123456789abcdef/ws", "") as unknown:
            assert await unknown.closed() == 4404
        (live,) = games.live_games.all()

        async def fail(_: str) -> None:
            raise DatabaseUnavailableError

        games.live_games.evict(live)
        with monkeypatch.context() as outage:
            outage.setattr(games.storage, "game", fail)
            async with websocket(app, path, "") as refused:
                assert (await refused.receive())["error"]["code"] == "database_unavailable"
                assert await refused.closed() == 1013
        await games.storage.commit((sa.text(f"UPDATE games SET version = 999 WHERE id = '{live.id}'"), {}))
        async with websocket(app, path, "") as unreadable:
            assert await unreadable.closed() == 4404

    strict(ask)


def test_a_connection_to_which_nothing_can_be_sent_ends(strict: Callable[[Ask], None]) -> None:
    """It was still listened to, and its player counted as present."""

    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        path, ended = await new_game(ann), asyncio.Event()

        async def without_answers(scope: Any, receive: Any, send: Any) -> None:
            async def send_or_fail(message: Any) -> None:
                if message["type"] == "websocket.send":
                    raise OSError("the client is gone")
                await send(message)

            await app(scope, receive, send_or_fail)
            ended.set()

        async with websocket(without_answers, path, "") as live:
            live.send(type="hello")
            async with asyncio.timeout(HANG):
                await ended.wait()

    strict(ask)


def test_an_address_has_a_number_of_websockets_also_behind_a_proxy(strict: Callable[[Ask], None]) -> None:
    """A trusted proxy may open any number of connections, and so could each of its visitors."""

    async def ask(app: FastAPI, ann: httpx.AsyncClient, eve: httpx.AsyncClient) -> None:
        path = await new_game(ann)
        eves, anns = ({"x-forwarded-for": address} for address in ("9.9.9.9", "8.8.8.8"))
        for _ in range(2):  # they are counted no longer when they are closed
            async with websocket(app, path, "", eves), websocket(app, path, "", eves):
                async with websocket(app, path, "", eves) as third:
                    assert (await third.receive())["error"]["code"] == "rate_limited"
                    assert await third.closed() == 1013
                async with websocket(app, path, "", anns) as other:
                    other.send(type="ping")
                    assert (await other.receive())["type"] == "pong"

    strict(ask)


# --- Everything else --------------------------------------------------------------------------------


def test_metrics_count_games_and_actions(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    ann.create_game("triolet", "me", "me")
    text = ann.http.get("/metrics").text
    for name in (
        "tripot_games_created_total",
        "tripot_events_committed_total",
        "tripot_bot_queue_length",
        "tripot_action_duration_seconds",
    ):
        assert name in text


def test_the_logs_are_json_without_secrets(shared_server: Any) -> None:
    lines = [line for line in shared_server.log().splitlines() if line.strip()]
    assert lines
    assert all(json.loads(line)["event"] for line in lines)


SOAK_EXAMPLES = 50  # per operation; `make soak` draws other ones each time


def prepared_requests(ann: Any, bob: Any) -> dict[str, Any]:
    """A good request for each operation whose good requests are hard to find."""
    own, ended, invited = (ann.create_game("trippples", "me", "me") for _ in range(3))
    joined, given = (bob.create_game("trippples", "me", "open") for _ in range(2))
    mine = ann.create_game("trippples", "me", "open")
    ann.post(f"/games/{ended}/actions", type="resign")
    legal = ann.get(f"/games/{own}")["state"]["view"]["legal"][0]
    record = ann.http.get(f"/api/v1/games/{ended}/record.txt").text
    token = bob.post(f"/games/{given}/seats/0/link")["token"]
    games = "/api/v1/games/{game_id}"
    return {
        "POST /api/v1/records": {"path": {}, "body": {"record": record}},
        f"POST {games}/join": {"path": {"game_id": joined}, "body": {"seat": 1, "name": "Ann"}},
        f"POST {games}/bots": {"path": {"game_id": mine}, "body": {"level": 1}},
        f"POST {games}/actions": {"path": {"game_id": own}, "body": {"action": legal}},
        f"POST {games}/preview": {"path": {"game_id": invited}, "body": {"action": legal}},
        f"POST {games}/seats/{{seat}}/link": {"path": {"game_id": invited, "seat": 0}},
        f"POST {games}/claim": {"path": {"game_id": given}, "body": {"token": token}},
        f"POST {games}/rematch": {"path": {"game_id": ended}},
        f"GET {games}/record.txt": {"path": {"game_id": ended}},
        f"GET {games}/positions/{{action_index}}": {"path": {"game_id": own, "action_index": 0}},
    }


@pytest.mark.parametrize("examples", [1, pytest.param(SOAK_EXAMPLES, marks=pytest.mark.soak)])
def test_no_request_that_the_schema_allows_or_forbids_makes_the_server_fail(
    shared_server: Any, new_client: Visit, tmp_path: Path, examples: int
) -> None:
    """Schemathesis asks everything that the OpenAPI description can say, and much that it cannot.

    It plays real games, its own, against people and bots, and one that is over. Besides the limits of every
    parameter it asks some random requests for each operation. Every operation succeeds at least once.
    """
    ann, bob = new_client(shared_server), new_client(shared_server)
    games = [
        ann.create_game("triolet", "me", "me"),
        ann.create_game("trippples", "me", "open"),
        ann.create_game("trippples", "me", "me"),
    ]
    ann.post(f"/games/{games[2]}/actions", type="resign")
    prepared, answers = tmp_path / "prepared.json", tmp_path / "answers.txt"
    requests = prepared_requests(ann, bob)
    prepared.write_text(json.dumps({"games": games, "requests": requests}), encoding="utf-8")
    config = tmp_path / "schemathesis.toml"
    config.write_text(
        f'hooks = "{Path(__file__).with_name("schemathesis_hooks.py")}"\n'
        '[parameters]\n"query.seconds" = 0.05\n',
        encoding="utf-8",
    )
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    done = subprocess.run(
        [
            *(str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(config)),
            *("run", f"{shared_server.url}/api/v1/openapi.json", "--checks", checks),
            *("--max-examples", str(examples), "--phases", "examples,coverage,fuzzing"),
            *("--request-timeout", "60", *(() if examples == SOAK_EXAMPLES else ("--seed", "1"))),
            *("--header", f"Cookie: tripot={ann.http.cookies['tripot']}"),
        ],
        env=os.environ | {"TRIPOT_PREPARED": str(prepared), "TRIPOT_ANSWERS": str(answers)},
        capture_output=True,
        text=True,
        timeout=HANG * examples,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "operations repeatedly returned 404" not in done.stdout, done.stdout[-6000:]
    described = httpx.get(f"{shared_server.url}/api/v1/openapi.json").json()["paths"]
    operations = {f"{method.upper()} {path}" for path, item in described.items() for method in item}
    answered = [line.rsplit(" ", 1) for line in answers.read_text("utf-8").splitlines()]
    assert {name for name, status in answered if status.startswith("2")} >= operations
