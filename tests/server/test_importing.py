"""Records that users import: the game is the one of the record, to replay, to analyse and to play on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from tests.server.conftest import Client
from tests.server.in_process import SETTINGS, Work, run_games
from tests.shared_server import RunningServer

import tripot
from tripot import fairness
from tripot.game import AnyGame, Chance
from tripot.record import Record, RecordError
from tripot.server.errors import RequestError, UnreadableGameError
from tripot.server.game_service import GameService
from tripot.server.lobby import LobbyService
from tripot.server.rate_limits import RateLimits
from tripot.table import Player, Table

FOLDER = Path(__file__).parent.parent / "data" / "records-0.2.0"
REFUSED = FOLDER / "triggery-unfinished.txt"  # its options have other rules now: bonuses by hand
RECORDS = sorted({*FOLDER.glob("*.txt")} - {REFUSED})


def with_games(sqlite_url: str, work: Work) -> None:
    run_games(work, replace(SETTINGS, database=sqlite_url))


def short_game(game: AnyGame, seed: str, actions: int = 6) -> Record:
    """A record of a game whose chance follows from a seed, resigned by the second seat."""
    options = game.Options.parse("players=2")
    table = Table(game, options, [Player("Ann", person_id="1"), Player("Bob", person_id="2")])
    rng = Random(7)
    for _ in range(actions):
        if isinstance(table.to_act, Chance):
            table.apply_chance(table.state.sample_chance(fairness.chance_rng(seed, table.action_count)))
        else:
            assert table.to_act is not None
            table.act(table.to_act, rng.choice(table.state.legal_actions()))
    table.resign(1)
    return replace(table.record(), seed=seed)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_becomes_a_game_of_the_user(sqlite_url: str, path: Path) -> None:
    record = Record.load(path)

    async def work(games: GameService) -> None:
        live = await games.import_record("ann", path.read_text("utf-8"))
        length = len(record.actions)
        assert live.state_after(length) == record.final_state
        assert tuple(player.name for player in live.table.players) == record.seats
        assert live.seats_of("ann") == [*range(len(record.seats))]
        assert (live.table.outcome is None) == (record.outcome is None)
        assert live.table.termination == record.termination
        rebuilt = await games.load_from_rows(live.id)
        assert rebuilt.table.state == live.table.state

    with_games(sqlite_url, work)


@pytest.mark.parametrize("game", tripot.list_games(), ids=lambda game: game.key)
def test_the_seed_is_kept_if_the_chance_of_the_record_follows_from_it(sqlite_url: str, game: AnyGame) -> None:
    record = short_game(game, "ab" * 32)

    async def work(games: GameService) -> None:
        live = await games.import_record("ann", record.to_text())
        assert live.record(record.date) == record
        foreign = await games.import_record("ann", replace(record, seed="cd" * 32).to_text())
        has_chance = any(isinstance(state.to_act, Chance) for state in record.states())
        assert (foreign.seed, foreign.seed_commitment == "") == ("" if has_chance else "cd" * 32, has_chance)
        again = await games.get(await games.repeat(live.id, "ann"))
        assert again.seed == live.seed

    with_games(sqlite_url, work)


def test_an_unfinished_record_is_played_on_and_its_record_claims_no_seed(sqlite_url: str) -> None:
    game = tripot.get_game("triolet")
    record = replace(short_game(game, "ab" * 32), termination="", seed="")

    async def work(games: GameService) -> None:
        live = await games.import_record("ann", record.to_text())
        assert isinstance(live.to_act, int)
        action = str(live.table.state.legal_actions()[0])
        await games.act(live.id, "ann", "action", action, None, None, live.to_act)
        await games.act(live.id, "ann", "resign", "", None, None, 0)
        assert live.seed
        played = live.record("2026-11-15")
        assert played.seed == ""
        assert played.actions[: len(record.actions)] == record.actions

    with_games(sqlite_url, work)


def test_a_repetition_of_a_game_without_a_seed_draws_a_new_one(sqlite_url: str) -> None:
    record = replace(short_game(tripot.get_game("triolet"), "ab" * 32), seed="")

    async def work(games: GameService) -> None:
        live = await games.import_record("ann", record.to_text())
        assert live.seed == ""
        assert (await games.get(await games.repeat(live.id, "ann"))).seed != ""

    with_games(sqlite_url, work)


def test_a_record_and_a_stored_game_of_changed_rules_are_refused_with_the_reason(sqlite_url: str) -> None:
    """Of version 1 of Triggery only games with bonuses by hand went differently."""

    async def work(games: GameService) -> None:
        with pytest.raises(RecordError, match="version 1 of the rules, and in version 2 a turn with bonuses"):
            await games.import_record("ann", REFUSED.read_text("utf-8"))
        for options, is_readable in (("players=1", True), ("players=1 bonus=by-hand", False)):
            game = tripot.get_game("triggery")
            start = Record(game, game.Options.parse(options), ("Ann",), "2026-01-31", ())
            live = await games.import_record("ann", start.to_text())
            await games.storage.commit((sa.text(f"UPDATE games SET version = 1 WHERE id = '{live.id}'"), {}))
            games.live_games.evict(live)
            lobby = LobbyService(games, RateLimits(games.settings))
            listed = {summary.game_id: summary for summary in (await lobby.profile("ann")).games}
            assert listed[live.id].is_readable == is_readable
            if is_readable:
                assert (await games.get(live.id)).table.options == start.options
                continue
            with pytest.raises(UnreadableGameError, match="by hand no longer ends by itself"):
                await games.get(live.id)

    with_games(sqlite_url, work)


def test_a_faulty_record_is_refused_with_its_line(sqlite_url: str) -> None:
    text = short_game(tripot.get_game("trippples"), "ab" * 32).to_text()

    async def work(games: GameService) -> None:
        with pytest.raises(RecordError, match="line 1: a record begins with"):
            await games.import_record("ann", "hello")
        with pytest.raises(RecordError, match="line 11"):
            await games.import_record("ann", text.replace("\n2. ", "\n2. a1 "))
        assert await games.storage.games_of_user("ann") == []

    with_games(sqlite_url, work)


def test_the_interface_opens_a_record_and_refuses_others(
    shared_server: RunningServer, new_client: Callable[[RunningServer], Client]
) -> None:
    ann = new_client(shared_server)
    state = ann.post("/records", record=RECORDS[0].read_text("utf-8"))["state"]
    assert {seat["kind"] for seat in state["seats"]} == {"human"}
    assert state["game_id"] in {game["game_id"] for game in ann.get("/me")["games"]}
    refusal = ann.expect_error("/records", record="hello")
    assert (refusal["code"], refusal["status"]) == ("invalid_record", 400)
    assert ann.expect_error("/records", record="x" * 60_001)["status"] == 422


def test_an_imported_game_counts_as_an_unfinished_one(sqlite_url: str) -> None:
    record = replace(short_game(tripot.get_game("trippples"), "ab" * 32), termination="", seed="")

    async def work(games: GameService) -> None:
        await games.import_record("ann", record.to_text())
        with pytest.raises(RequestError, match="unfinished"):
            await games.import_record("ann", record.to_text())

    run_games(work, replace(SETTINGS, database=sqlite_url, max_unfinished_games=1))
