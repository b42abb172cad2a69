"""The WebSocket of a game: reconnecting, repeated and simultaneous requests, slow and faulty clients."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.databases import BOTH_DATABASES
from websockets.sync.client import connect

Visit = Callable[[Any], Any]


@BOTH_DATABASES
def test_hello_is_answered_with_missed_events_or_a_snapshot(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("trippples", "me", "me")
    live = ann.live(game)
    seen = live.state["seq"]
    live.close()
    ann.post(f"/games/{game}/actions", action=live.state["view"]["legal"][0])
    again = ann.live(game, seq=seen)
    assert again.seen == [seen + 1]
    assert again.state["seq"] == seen + 1
    assert ann.live(game).hello(seq=10_000)["type"] == "snapshot", "a number from the future"
    assert ann.live(game).hello()["type"] == "snapshot"


@BOTH_DATABASES
def test_an_action_sent_twice_is_applied_once(shared_server: Any, new_client: Visit) -> None:
    """Over the same connection, over another one, and over HTTP: the id decides."""
    ann = new_client(shared_server)
    game = ann.create_game("trippples", "me", "me")
    live = ann.live(game)
    action, seq = live.state["view"]["legal"][0], live.state["seq"]
    first = live.act(action, request_id="the-same-one")
    assert live.act(action, seq=seq, request_id="the-same-one") == first
    assert ann.live(game).act(action, seq=seq, request_id="the-same-one") == first
    done = ann.post(f"/games/{game}/actions", action=action, seq=seq, request_id="the-same-one")
    assert done["seq"] == first["seq"]
    assert ann.get(f"/games/{game}")["state"]["seq"] == seq + 1


@BOTH_DATABASES
def test_a_request_id_counts_for_its_user_only(shared_server: Any, new_client: Visit) -> None:
    """The move of a player was acknowledged with an event of the opponent, who had sent the same id."""
    ann, bob = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "open")
    bob.post(f"/games/{game}/join", seat=1)
    for is_live in (False, True):
        for player in (ann, bob):
            live = player.live(game)
            action, seq = live.state["view"]["legal"][0], live.state["seq"]
            sent = {"action": action, "seq": seq, "request_id": f"request-{is_live}"}
            done = live.act(**sent) if is_live else player.post(f"/games/{game}/actions", **sent)
            assert done["seq"] == seq + 1, done
            assert player.get(f"/games/{game}")["state"]["seq"] == seq + 1


@BOTH_DATABASES
def test_another_request_with_the_same_id_is_refused(shared_server: Any, new_client: Visit) -> None:
    """It was acknowledged as if it had been applied."""
    ann = new_client(shared_server)
    game = ann.create_game("trippples", "me", "me")
    live, actions = ann.live(game), f"/games/{game}/actions"
    first = live.act(live.state["view"]["legal"][0], request_id="req00001")
    state = ann.get(f"/games/{game}")["state"]
    other = state["view"]["legal"][0]
    refused = ann.expect_error(actions, action=other, request_id="req00001")
    assert (refused["status"], refused["code"]) == (409, "request_id_reused")
    assert ann.expect_error(actions, type="resign", request_id="req00001")["code"] == "request_id_reused"
    assert live.act(other, seq=state["seq"], request_id="req00001")["error"]["code"] == "request_id_reused"
    live.send(type="command", request_id="req00001", command="undo")
    assert live.wait("ack", "error")["error"]["code"] == "request_id_reused"
    assert ann.get(f"/games/{game}")["state"]["seq"] == first["seq"]


@BOTH_DATABASES
def test_a_stale_action_is_answered_with_the_current_state(shared_server: Any, new_client: Visit) -> None:
    ann = new_client(shared_server)
    game = ann.create_game("trippples", "me", "me")
    live, tab = ann.live(game), ann.live(game)
    action, seq = live.state["view"]["legal"][0], live.state["seq"]
    live.act(action)
    refused = tab.act(action, seq=seq)
    assert refused["error"]["code"] == "stale"
    assert refused["resync"]
    stale = ann.expect_error(f"/games/{game}/actions", action=action, seq=seq)
    assert stale["status"] == 409
    assert stale["current"]["state"]["seq"] == seq + 1


@BOTH_DATABASES
def test_of_two_actions_for_one_turn_one_is_accepted(shared_server: Any, new_client: Visit) -> None:
    ann, phone = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "me")
    for seat in (0, 1):
        token = ann.post(f"/games/{game}/seats/{seat}/link")["token"]
        phone.post(f"/games/{game}/claim", token=token)
    rng = Random(1)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(20):
            state = ann.get(f"/games/{game}")["state"]
            if state["status"] == "over":
                break
            legal = rng.choice(state["view"]["legal"])
            body = {"action": legal, "seq": state["seq"]}
            sent = [
                pool.submit(each.http.post, f"/api/v1/games/{game}/actions", json=body)
                for each in (ann, phone)
            ]
            codes = sorted(each.result().status_code for each in sent)
            assert codes == [200, 409]
            assert ann.get(f"/games/{game}")["state"]["seq"] == state["seq"] + 1


def test_presence_lists_the_connected_seats(shared_server: Any, new_client: Visit) -> None:
    ann, eve = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "bot1")
    live = ann.live(game)
    spectator = eve.live(game)
    while live.wait("presence")["spectators"] != 1:
        pass
    spectator.close()
    while (there := live.wait("presence"))["spectators"] != 0:
        pass
    assert there["present_seats"] == [0]


def test_a_client_that_never_reads_does_not_delay_others(shared_server: Any, new_client: Visit) -> None:
    """It asks and asks and takes no answer; the others play on."""
    ann, eve = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("trippples", "me", "me")
    deaf = eve.live(game)
    for _ in range(300):
        deaf.send(type="hello")
    live = ann.live(game)
    for _ in range(10):
        if live.state["status"] == "over":
            break
        assert live.act(live.state["view"]["legal"][0])["type"] == "ack"


def test_the_view_of_another_seat_is_refused(shared_server: Any, new_client: Visit) -> None:
    ann, eve = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("triolet", "me", "bot1")
    spy = eve.live(game)
    spy.send(type="hello", seat=0)
    assert spy.wait("error")["error"]["key"] == "not_yours"
    assert eve.http.get(f"/api/v1/games/{game}?seat=0").status_code == 409
    assert eve.http.get(f"/api/v1/games/{game}/board.svg?seat=0").status_code == 409


@BOTH_DATABASES
@pytest.mark.parametrize("game_id", ["%00", "0123456789abcde%00", "0123456789abcdef", "x" * 500])
def test_an_id_that_cannot_exist_is_not_found(shared_server: Any, new_client: Visit, game_id: str) -> None:
    """PostgreSQL stores no NUL, and the server answered with a traceback in its log."""
    address = shared_server.url.replace("http", "ws") + f"/api/v1/games/{game_id}/ws"
    with connect(address) as socket:
        assert json.loads(socket.recv())["error"]["code"] == "game_not_found"
    assert new_client(shared_server).http.get(f"/api/v1/games/{game_id}").status_code in (404, 422)


MESSAGES = st.one_of(
    st.text(max_size=200),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=12,
    ).map(json.dumps),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["hello", "action", "command", "ping", "x"])},
        optional={
            "request_id": st.text(max_size=70),
            "seq": st.integers(),
            "seat": st.integers(-3, 20) | st.text(max_size=3),
            "action": st.text(max_size=60),
            "command": st.sampled_from(["resign", "offer_draw", "undo", "accept", "decline", "win"]),
            "lang": st.text(max_size=10),
            "offer_seq": st.integers(),
        },
    ).map(json.dumps),
)


@pytest.mark.parametrize("examples", [150, pytest.param(5000, marks=pytest.mark.soak)])
def test_fuzzed_messages_are_answered(shared_server: Any, new_client: Visit, examples: int) -> None:
    ann, eve = new_client(shared_server), new_client(shared_server)
    game = ann.create_game("triolet", "me", "bot1")
    live = eve.live(game)

    @settings(max_examples=examples)
    @given(message=MESSAGES)
    def fuzz(message: str) -> None:
        live.socket.send(message)
        live.send(type="ping")
        live.wait("pong")

    before = ann.get(f"/games/{game}")["state"]["view"]["board"]
    fuzz()
    assert ann.get(f"/games/{game}")["my_seats"] == [0]
    assert before is not None
    live.socket.send("x" * 20_000)
    assert ann.http.get("/healthz").status_code == 200


@pytest.mark.parametrize(("action", "code"), [("x" * 4001, "parse_error"), ("x" * 9000, "payload_too_large")])
def test_a_request_that_is_too_long_is_refused_by_its_id(
    shared_server: Any, new_client: Visit, action: str, code: str
) -> None:
    """Without the id the page did not know what was refused, and sent it again for ever."""
    ann = new_client(shared_server)
    game = ann.create_game("trippples", "me", "bot1")
    live = ann.live(game)
    live.send(type="action", request_id="a-long-one", seq=live.state["seq"], action=action)
    answer = live.wait("error")
    assert (answer["request_id"], answer["error"]["code"]) == ("a-long-one", code)
    live.send(type="action", request_id="no id: it has spaces", seq=live.state["seq"], action="d4")
    assert live.wait("error").get("request_id") is None
