"""Bots are kept while their game is in memory, in bounded number, and closed when they are not needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.server.in_process import (
    ME,
    SETTINGS,
    YOU,
    Gate,
    Work,
    acts,
    bot,
    run_games,
    until,
    until_bots_are_done,
)

import tripot
from tripot.bot import Bot
from tripot.game import Analysis, AnyGame, AnyState, Candidate, Engine, Limit, Rng
from tripot.server.bots import NOBODY, client_of
from tripot.server.events import Event
from tripot.server.game_service import GameService
from tripot.server.live_game import LiveGame
from tripot.server.wire import SeatRequest

GAME = next(
    game for game in tripot.list_games() if game.draw_clause
)  # seats alternate, chance acts first only
TWO = {"players": "2"}


class Recorder(Engine):
    """Plays the first legal action, behind a gate, and records the positions."""

    def __init__(self, level: int, gate: Gate | None) -> None:
        super().__init__()
        self.level, self.gate = level, gate
        self.views: list[AnyState] = []

    @property
    def moves(self) -> int:
        return len(self.views)

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        if self.gate:
            self.gate.wait()
        self.views.append(view)
        return Candidate(view.legal_actions()[0], 0.0)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        return Analysis((self._choose(view, limit, rng),))


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> list[Recorder]:
    """The engines that were created so far."""
    created: list[Recorder] = []
    _record(monkeypatch, created)
    return created


@pytest.fixture
def gated(monkeypatch: pytest.MonkeyPatch) -> tuple[Gate, list[Recorder]]:
    """The same, behind a gate."""
    gate, created = Gate(), list[Recorder]()
    _record(monkeypatch, created, gate)
    return gate, created


def _record(monkeypatch: pytest.MonkeyPatch, created: list[Recorder], gate: Gate | None = None) -> None:
    def engine(_game: AnyGame, level: int) -> Engine:
        created.append(Recorder(level, gate))
        return created[-1]

    monkeypatch.setattr(type(GAME), "engine", engine)


def keeping(work: Work, database: str, bots: int = 4, threads: int = 2) -> None:
    """Run a seeded server that keeps some bots, as servers without a seed do."""

    async def keep(games: GameService) -> None:
        games.bots.max_kept = bots
        await work(games)

    run_games(keep, replace(SETTINGS, database=database, bot_threads=threads))


async def new_game(games: GameService, *seats: SeatRequest) -> LiveGame:
    return await games.create("ann", GAME.key, TWO, seats, "Ann")


def moves(count: int) -> Callable[[LiveGame], bool]:
    return lambda live: acts(live) >= count or live.table.outcome is not None


async def move(games: GameService, live: LiveGame) -> None:
    """Ann plays the first legal action, and the bot answers."""
    await games.act(live.id, "ann", "action", str(live.table.state.legal_actions()[0]), None, None)
    await until_bots_are_done(games)


def test_games_that_everybody_has_left_have_one_turn_together(
    sqlite_url: str, gated: tuple[Gate, list[Recorder]]
) -> None:
    """With a new cookie for each, one visitor created many, left them, and the bots of others had no time."""
    gate, _ = gated

    async def work(games: GameService) -> None:
        for number in range(8):
            await games.create(f"eve{number}", GAME.key, TWO, [bot(1), bot(1)], "Eve")
        while games.bots.queue.length < 8:
            await asyncio.to_thread(int)
        live = await new_game(games, ME, bot(1))
        assert games.bots.limit(live).seconds == SETTINGS.bot_seconds
        gate.open()

    run_games(work, replace(SETTINGS, database=sqlite_url, bot_threads=2))


@pytest.mark.kernel
def test_the_bots_of_a_game_search_for_nobody_once_its_people_have_left(sqlite_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {"players": "3"}, [ME, bot(1), bot(1)], "Ann")
        assert client_of(live) == "ann"
        await games.act(live.id, "ann", "resign", "", None, None, 0)
        assert client_of(live) == NOBODY

    run_games(work, replace(SETTINGS, database=sqlite_url))


def kept(games: GameService) -> list[Bot]:
    return [*games.bots._bots.values()]


def test_one_engine_per_seat_plays_the_whole_game(sqlite_url: str, engines: list[Recorder]) -> None:
    async def work(games: GameService) -> None:
        live = await new_game(games, bot(1), bot(2))
        await until(games, live, moves(8))
        await until_bots_are_done(games)
        assert sum(engine.moves for engine in engines) >= 8
        assert {engine.level for engine in engines} == {1, 2}

    keeping(work, sqlite_url)
    assert len(engines) == 2


def test_a_kept_bot_decides_in_positions_as_its_seat_sees_them(
    sqlite_url: str, engines: list[Recorder]
) -> None:
    async def work(games: GameService) -> None:
        live = await new_game(games, bot(1), bot(1))
        await until(games, live, moves(6))
        await until_bots_are_done(games)
        positions = [live.table.state_after(index) for index in range(live.table.action_count + 1)]
        for seat in (0, 1):
            (engine,) = (engine for engine in engines if engine.views[0].to_act == seat)
            views = [state.view(seat) for state in positions if state.to_act == seat]
            assert engine.views == views[: len(engine.views)]

    keeping(work, sqlite_url)


def test_a_bot_is_closed_at_the_end_and_when_its_game_leaves_memory(
    sqlite_url: str, engines: list[Recorder]
) -> None:
    async def work(games: GameService) -> None:
        live = await new_game(games, ME, bot(1))
        await move(games, live)
        (ended,) = kept(games)
        await games.act(live.id, "ann", "resign", "", None, None)
        assert kept(games) == []
        games.bots._closer.submit(lambda: None).result()
        assert ended._engine is None

        live = await new_game(games, ME, bot(1))
        await move(games, live)
        games.live_games.evict(live)
        assert kept(games) == []

    keeping(work, sqlite_url)
    assert len(engines) == 2


def test_a_bot_is_closed_when_another_player_takes_its_seat(sqlite_url: str, engines: list[Recorder]) -> None:
    async def work(games: GameService) -> None:
        live = await new_game(games, ME, bot(1))
        await move(games, live)
        live.table.set_player(1, replace(live.table.players[1], level=2))
        games.bots.update(live)
        assert kept(games) == []
        await move(games, live)

    keeping(work, sqlite_url)
    assert [engine.level for engine in engines] == [1, 2]


def test_only_the_bots_that_moved_last_are_kept(sqlite_url: str, engines: list[Recorder]) -> None:
    async def work(games: GameService) -> None:
        live_games = [await new_game(games, ME, bot(1)) for _ in range(4)]
        for live in live_games:
            await move(games, live)
        assert [*games.bots._bots] == [(live.id, 1) for live in live_games[-2:]]
        await move(games, live_games[-1])
        await move(games, live_games[0])

    keeping(work, sqlite_url, bots=2)
    assert [engine.moves for engine in engines] == [1, 1, 1, 2, 1]


def test_on_a_seeded_server_no_bot_is_kept(sqlite_url: str, engines: list[Recorder]) -> None:
    assert GameService(replace(SETTINGS, seed="", database=sqlite_url, max_cached_bots=3)).bots.max_kept == 3

    async def work(games: GameService) -> None:
        live = await new_game(games, bot(1), bot(1))
        await until(games, live, moves(4))
        await until_bots_are_done(games)
        assert kept(games) == []

    run_games(work, replace(SETTINGS, database=sqlite_url))
    assert len(engines) == sum(engine.moves for engine in engines)


def test_after_an_undo_while_it_searches_another_bot_plays_on(
    sqlite_url: str, gated: tuple[Gate, list[Recorder]]
) -> None:
    """The search of the position before the undo still runs, so its engine cannot be asked again."""
    gate, engines = gated

    async def work(games: GameService) -> None:
        live = await new_game(games, ME, bot(1))
        first, *_, last = map(str, live.table.state.legal_actions())
        await games.act(live.id, "ann", "action", first, None, None)
        await gate.asked()
        try:
            await games.act(live.id, "ann", "undo", "", None, None)
            await games.act(live.id, "ann", "action", last, None, None)
        finally:
            gate.open()
        await until_bots_are_done(games)
        assert acts(live) == 3
        assert [event.text for event in live.events if '"failed"' in event.text] == []

    keeping(work, sqlite_url)
    assert len(engines) == 2


def test_a_bot_is_not_asked_while_the_rules_change_its_game(
    sqlite_url: str, gated: tuple[Gate, list[Recorder]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table had no bot to act any more, and the number of the event was still the old one."""
    search, _ = gated
    rules = Gate()
    apply = LiveGame._apply

    def apply_and_wait(live: LiveGame, event: Event) -> None:
        apply(live, event)
        if event.type == "undo":
            rules.wait()

    monkeypatch.setattr(LiveGame, "_apply", apply_and_wait)

    async def work(games: GameService) -> None:
        live = await new_game(games, ME, bot(1))
        seq = (
            await games.act(live.id, "ann", "action", str(live.table.state.legal_actions()[0]), None, None)
        )[1]
        await search.asked()
        undo = asyncio.create_task(games.act(live.id, "ann", "undo", "", None, None))
        await rules.asked()
        question = asyncio.create_task(games.bots.choose_changes(live, seq))
        await asyncio.sleep(0)  # it begins
        rules.open()
        search.open()
        await undo
        assert await question == []

    keeping(work, sqlite_url)


def test_a_game_that_is_dropped_while_its_bot_waits_leaves_no_bot_behind(
    sqlite_url: str, gated: tuple[Gate, list[Recorder]]
) -> None:
    """The bot was closed, so its choice failed, and another one was made for the game that was gone."""
    gate, engines = gated

    async def work(games: GameService) -> None:
        await new_game(games, bot(1), ME)
        await gate.asked()
        waiting = await new_game(games, bot(1), ME)
        while games.bots.queue.length < 2:  # until it waits for the only thread
            await asyncio.to_thread(int)
        not_asked_yet = await new_game(games, bot(1), ME)
        for live in (waiting, not_asked_yet):
            games.live_games.evict(live)
        gate.open()
        await until_bots_are_done(games)
        assert not {waiting.id, not_asked_yet.id} & {game for game, _ in games.bots._bots}
        assert acts(waiting) == acts(not_asked_yet) == 0

    keeping(work, sqlite_url, threads=1)
    assert len(engines) == 1


def test_after_a_restart_a_new_bot_plays_on(sqlite_url: str, engines: list[Recorder]) -> None:
    game_ids: list[str] = []

    async def begin(games: GameService) -> None:
        live = await new_game(games, ME, YOU)
        await games.add_bot(live.id, "ann", 1, 1)
        game_ids.append(live.id)
        await move(games, live)

    async def go_on(games: GameService) -> None:
        await move(games, await games.get(game_ids[0]))

    keeping(begin, sqlite_url)
    keeping(go_on, sqlite_url)
    assert [engine.moves for engine in engines] == [1, 1]
