"""A server with a seed is reproducible, and one without is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.in_process import ME, SETTINGS, bot, run_games, until
from tests.shared_server import RunningServer

import tripot
from tripot.game import AnyGame
from tripot.server.game_service import GameService

EVENTS = 8  # enough for the deal and for both bots to move


def events_of_a_game(folder: Path, game: AnyGame, earlier_games: int = 0) -> list[str]:
    """The first events of a game between two bots, on a seeded server of its own."""
    events: list[str] = []

    async def work(games: GameService) -> None:
        for number in range(earlier_games):
            await games.create(f"visitor {number}", game.key, {"players": "2"}, [ME, ME], "Ann")
        seats = [bot(game.levels[-1]), bot(game.levels[0])]
        live = await games.create("ann", game.key, {"players": "2"}, seats, "Ann")
        await until(games, live, lambda live: live.seq >= EVENTS or live.table.outcome is not None)
        events.extend(event.text for event in live.events[:EVENTS])

    folder.mkdir()
    run_games(work, replace(SETTINGS, database=f"sqlite:///{folder / 'games.db'}"))
    return events


@pytest.mark.kernel
@pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in tripot.list_games()])
def test_two_servers_with_the_same_seed_play_the_same_game(game: AnyGame, tmp_path: Path) -> None:
    one = events_of_a_game(tmp_path / "one", game)
    two = events_of_a_game(tmp_path / "two", game, earlier_games=3)
    assert one == two, "and the games of other users change nothing"


def test_without_a_seed_games_have_different_chance(tmp_path: Path) -> None:
    async def work(games: GameService) -> None:
        key = tripot.list_games()[0].key
        created = [await games.create("ann", key, {"players": "2"}, [ME, ME], "Ann") for _ in range(3)]
        seeds.extend(live.seed for live in created)

    seeds: list[str] = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        run_games(work, replace(SETTINGS, seed="", database=f"sqlite:///{tmp_path / folder / 'games.db'}"))
    assert len({*seeds}) == len(seeds) == 6, "chance follows from the seed of a game"


def test_the_games_of_one_user_on_a_seeded_server_differ(tmp_path: Path) -> None:
    async def work(games: GameService) -> None:
        key = tripot.list_games()[0].key
        created = [await games.create("ann", key, {"players": "2"}, [ME, ME], "Ann") for _ in range(3)]
        assert len({live.seed for live in created}) == 3

    run_games(work, replace(SETTINGS, database=f"sqlite:///{tmp_path / 'games.db'}"))


def test_a_seeded_server_warns_its_host(shared_server: RunningServer) -> None:
    assert "chance is predictable because TRIPOT_SEED is set" in shared_server.log()
