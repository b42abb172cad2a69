"""A server with a seed is reproducible, and one without is not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import tripot
from tripot.game import AnyGame
from tripot.server.house import House
from tripot.server.settings import Settings

EVENTS = 8  # enough for the deal and for both bots to move


def events_of_a_game(folder: Path, game: AnyGame, earlier_games: int = 0, **settings: Any) -> list[str]:
    """The first events of a game between two bots, on a server of its own."""

    async def run() -> list[str]:
        folder.mkdir()
        house = House(Settings(database=f"sqlite:///{folder / 'games.db'}", key="x" * 32, **settings))
        await house.open()
        try:
            for number in range(earlier_games):
                await house.create(
                    f"visitor {number}", game.key, {"players": "2"}, [{"kind": "me"}] * 2, "Ann"
                )
            bots = [{"kind": "bot", "level": level} for level in (game.levels[-1], game.levels[0])]
            live = await house.create("ann", game.key, {"players": "2"}, bots, "Ann")
            while live.seq < EVENTS and not live.table.outcome:
                await asyncio.sleep(0)
            return [event.text for event in live.events[:EVENTS]]
        finally:
            await house.close()

    return asyncio.run(run())


@pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in tripot.found()])
def test_two_servers_with_the_same_seed_play_the_same_game(game: AnyGame, tmp_path: Path) -> None:
    seeded = {"seed": "a seed for tests", "bot_simulations": 20}
    one = events_of_a_game(tmp_path / "one", game, **seeded)
    two = events_of_a_game(tmp_path / "two", game, earlier_games=3, **seeded)
    assert one == two, "and the games of other users change nothing"


def test_without_a_seed_no_two_games_are_dealt_alike(tmp_path: Path) -> None:
    game = next(game for game in tripot.found() if game.start(game.Options()).chances() == ())
    one = events_of_a_game(tmp_path / "one", game, bot_simulations=20)
    two = events_of_a_game(tmp_path / "two", game, bot_simulations=20)
    assert one != two


def test_the_games_of_one_user_on_a_seeded_server_differ(tmp_path: Path) -> None:
    async def run() -> set[str]:
        house = House(Settings(database=f"sqlite:///{tmp_path / 'games.db'}", key="x" * 32, seed="a seed"))
        await house.open()
        try:
            key = tripot.found()[0].key
            me: list[dict[str, Any]] = [{"kind": "me"}] * 2
            return {(await house.create("ann", key, {"players": "2"}, me, "Ann")).seed for _ in range(3)}
        finally:
            await house.close()

    assert len(asyncio.run(run())) == 3
