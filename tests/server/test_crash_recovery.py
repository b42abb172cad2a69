"""A server that is killed in the middle of many games loses no acknowledged action."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event
from typing import Any

import pytest
from bench._server_process import HANG
from tests.server.databases import SQLITE_FIRST
from websockets.exceptions import ConnectionClosed

Visit = Callable[[Any], Any]


def test_after_a_kill_every_acknowledged_action_is_there_once(
    restartable_server: Any, new_client: Visit
) -> None:
    ann = new_client(restartable_server)
    games = [ann.create_game(key, "me", "me") for key in ("trippples", "triolet", "triggery") * 4]
    acknowledged: dict[str, list[tuple[int, str]]] = {game: [] for game in games}
    enough = Event()

    def play(game: str, live: Any) -> None:
        rng = Random(game)
        try:
            while live.state["status"] != "over":
                seat = live.state["to_act"]
                if seat != live.state["viewer"]:
                    live.hello(seat=seat)
                action = rng.choice(live.state["view"]["legal"])
                answer = live.act(action)
                assert answer["type"] == "ack", answer
                acknowledged[game].append((answer["seq"], action))
                if sum(map(len, acknowledged.values())) > 60:
                    enough.set()
                while live.state["seq"] < answer["seq"]:
                    live.receive()
        except (ConnectionClosed, OSError, TimeoutError):
            pass

    with ThreadPoolExecutor(len(games)) as pool:
        tables = [ann.live(game) for game in games]  # every connection is open when the server is killed
        playing = [pool.submit(play, *each) for each in zip(games, tables, strict=True)]
        assert enough.wait(HANG)
        restartable_server.stop(signal.SIGKILL)
        for played in playing:
            played.result()
    restartable_server.start()
    ann.http.base_url = restartable_server.url
    for game in games:
        log = {each["seq"]: each for each in ann.get(f"/games/{game}")["log"]}
        assert [*log] == [*range(1, len(log) + 1)]
        for seq, action in acknowledged[game]:
            event = log[seq]
            assert event["type"] == "action"
            if "?" not in event["text"]:
                assert event["text"] == action
    assert sum(map(len, acknowledged.values())) > 60


@pytest.mark.parametrize("restartable_server", SQLITE_FIRST, indirect=True)
def test_after_a_restart_bots_go_on_by_themselves_and_clients_are_told(
    restartable_server: Any, new_client: Visit
) -> None:
    """Bots alone play on after a person has left; so they do after a restart, without a connection."""
    ann = new_client(restartable_server)
    game = ann.create_game("triolet", "me", "bot1", "bot1")
    ann.post(f"/games/{game}/actions", type="resign")
    spectator = ann.live(game)
    while len(spectator.seen) < 3:
        spectator.receive()
    restartable_server.stop()
    types = []
    try:
        while True:
            types.append(spectator.receive()["type"])
    except ConnectionClosed:
        pass
    assert "closing" in types
    restartable_server.start()
    ann.http.base_url = restartable_server.url
    before = max(spectator.seen)
    again = ann.live(game)
    while again.state["seq"] <= before + 2 and again.state["status"] != "over":
        again.receive()
