"""Whole games of every kind over real HTTP and WebSockets, on every database."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from bench._server_process import HANG
from tests.server.databases import EVERY_GAME

from tripot import fairness
from tripot.record import Record

LONGEST = 120  # acts of people; then somebody resigns


def play(players: list[Any], rng: Random) -> None:
    """People act at random until the game is over; each of them hears of everything, in order."""
    for _ in range(LONGEST):
        state = max((player.state for player in players), key=lambda each: each["seq"])
        if state["status"] == "over":
            break
        mover = next(player for player in players if player.state["viewer"] == state["to_act"])
        while mover.state["seq"] < state["seq"]:
            mover.receive()
        assert mover.act(rng.choice(mover.state["view"]["legal"]))["type"] == "ack"
        settle(players)
    else:
        players[0].send(type="command", request_id="resigning", command="resign")
        assert players[0].wait("ack", "error")["type"] == "ack"
        settle(players)


def settle(players: list[Any]) -> None:
    """Everybody has heard of the last event, and the state came with it."""
    players[0].send(type="ping")
    players[0].wait("pong")
    last = players[0].state["seq"]
    for player in players:
        while player.state["seq"] < last:
            player.receive()


@EVERY_GAME
def test_two_people_play_a_whole_game(shared_server: Any, new_client: Callable[[Any], Any], key: str) -> None:
    ann, bob, eve = new_client(shared_server), new_client(shared_server), new_client(shared_server)
    game = ann.create_game(key, "me", "open", name="Ann")
    assert ann.get(f"/games/{game}")["state"]["status"] == "open"
    bob.post(f"/games/{game}/join", name="Bob")
    players = [ann.live(game), bob.live(game)]
    spectator = eve.live(game)
    begun = players[0].state["seq"]
    commitment = players[0].state["seed_commitment"]
    play(players, Random(key))
    last = players[0].state["seq"]
    while spectator.state["seq"] < last:
        spectator.receive()
    for live in (*players, spectator):
        assert live.seen == [*range(begun + 1, last + 1)], "numbers are contiguous for every viewer"
        assert live.state["status"] == "over"
    text = ann.http.get(f"/api/v1/games/{game}/record.txt").text
    record = Record.parse(text)
    assert record.seats == ("Ann", "Bob")
    assert fairness.commitment(record.seed) == commitment == fairness.commitment(players[1].state["seed"])
    fairness.verify_chance(record)


@EVERY_GAME
def test_a_person_plays_a_bot_over_http(
    shared_server: Any, new_client: Callable[[Any], Any], key: str
) -> None:
    """Some moves; the bot answers by itself, and the live connection tells of it."""
    ann, rng = new_client(shared_server), Random(key)
    game = ann.create_game(key, "me", "bot1")
    live = ann.live(game)
    for _ in range(6):
        while live.state["to_act"] != 0 and live.state["status"] == "live":
            live.receive()
        if live.state["status"] == "over":
            break
        action = rng.choice(live.state["view"]["legal"])
        done = ann.post(
            f"/games/{game}/actions",
            action=action,
            seq=live.state["seq"],
            request_id=uuid4().hex,
        )
        while live.state["seq"] < done["seq"]:
            live.receive()


def test_a_game_for_one_and_one_for_four(shared_server: Any, new_client: Callable[[Any], Any]) -> None:
    """Whatever the kinds allow, bots fill the rest."""
    ann = new_client(shared_server)
    for kind in ann.get("/game-types"):
        choices = next(each["choices"] for each in kind["options"] if each["name"] == "players")
        for players in {choices[0]["value"], choices[-1]["value"]}:
            seats = ["me"] + ["bot1"] * (int(players) - 1)
            game = ann.create_game(kind["key"], *seats, options={"players": players})
            assert len(ann.get(f"/games/{game}")["state"]["seats"]) == int(players)


PRELOADING_SERVER = """
import threading, uvicorn
from tripot.__main__ import main
from tripot.games.trippples import perfect_play

def run(self, sockets):
    for thread in threading.enumerate():
        if thread.name == "preload":
            thread.join()
    for each in sockets:
        each.close()
    print(perfect_play._plies.__module__)

if __name__ == "__main__":
    uvicorn.Server.run = run
    main()
"""


@pytest.mark.kernel
def test_a_server_judges_repetitions_with_the_compiled_solver(tmp_path: Path) -> None:
    """The plain one needs 35 to 65 ms for a layout, which others had to wait for."""
    done = subprocess.run(
        [sys.executable, "-c", PRELOADING_SERVER, "serve", "--port", "0"],
        env=os.environ | {"TRIPOT_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "tripot.games.trippples.engine"
