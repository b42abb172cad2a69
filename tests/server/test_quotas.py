"""What one address may hold of the public games, with the default limits, whatever its cookies are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from tests.server.in_process import ME, SETTINGS, YOU

from tripot.server.app import create_app
from tripot.server.storage import LOBBY_GAMES

Ask = Callable[[FastAPI, httpx.AsyncClient], Coroutine[Any, Any, None]]
EVE, ANN = "203.0.113.9", "198.51.100.7"
SEATS = 28
ALLOWED = 20


def ask_app(tmp_path: Path, ask: Ask) -> None:
    """Ask an app that many addresses use."""

    async def asked() -> None:
        url = f"sqlite:///{tmp_path / 'games.db'}"
        app = create_app(replace(SETTINGS, database=url, trusted_proxies="127.0.0.1"))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as http,
        ):
            await ask(app, http)

    asyncio.run(asked())


async def post(http: httpx.AsyncClient, address: str, path: str, **body: Any) -> httpx.Response:
    """A request of a new visitor of an address."""
    http.cookies.clear()
    return await http.post(f"/api/v1{path}", json=body, headers={"x-forwarded-for": address})


def new_game(public: bool = True) -> dict[str, Any]:
    return {"game_key": "trippples", "seats": [{"kind": "me"}, {"kind": "open"}], "public": public}


def test_one_address_cannot_take_all_public_seats(tmp_path: Path) -> None:
    """One visitor took 28 of 28 seats: without the cookie, the next request was of another user."""

    async def ask(app: FastAPI, http: httpx.AsyncClient) -> None:
        games = app.state.games
        made = [
            (await games.create(f"host{n}", "trippples", {}, [ME, YOU], "", public=True)).id
            for n in range(SEATS)
        ]
        answers = [await post(http, EVE, f"/games/{game}/join") for game in made]
        assert [each.status_code for each in answers] == [200] * ALLOWED + [429] * (SEATS - ALLOWED)
        assert answers[-1].json()["code"] == "rate_limited"
        assert (await post(http, ANN, f"/games/{made[-1]}/join")).status_code == 200
        private = await games.create("host", "trippples", {}, [ME, YOU], "", public=False)
        assert (await post(http, EVE, f"/games/{private.id}/join")).status_code == 200
        await games.act(made[0], "host0", "resign", "", None, None)
        assert (await post(http, EVE, f"/games/{made[-2]}/join")).status_code == 200, "one game is over"
        assert (await post(http, EVE, f"/games/{made[-3]}/join")).status_code == 429

    ask_app(tmp_path, ask)


def test_one_address_cannot_fill_the_list_of_public_games(tmp_path: Path) -> None:
    """Thirty new ones in a minute pushed all others out of it."""

    async def ask(app: FastAPI, http: httpx.AsyncClient) -> None:
        codes = [(await post(http, EVE, "/games", **new_game())).status_code for _ in range(SEATS)]
        assert codes == [201] * ALLOWED + [429] * (SEATS - ALLOWED)
        assert ALLOWED < LOBBY_GAMES / 2
        assert (await post(http, ANN, "/games", **new_game())).status_code == 201
        assert (await post(http, EVE, "/games", **new_game(public=False))).status_code == 201

    ask_app(tmp_path, ask)


def test_people_of_one_address_may_play_with_each_other(tmp_path: Path) -> None:
    async def ask(app: FastAPI, http: httpx.AsyncClient) -> None:
        for _ in range(SEATS):
            created = await post(http, ANN, "/games", **new_game())
            game, creator = created.json()["state"]["game_id"], http.cookies["tripot"]
            assert (await post(http, ANN, f"/games/{game}/join")).status_code == 200
            user = app.state.cookies.identify(creator, ANN)
            await app.state.games.act(game, user.id, "resign", "", None, None)
        rematch = await app.state.games.rematch(game, user.id, ANN)
        assert (await app.state.games.get(rematch)).public

    ask_app(tmp_path, ask)
