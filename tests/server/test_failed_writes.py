"""Failed writes: the stored game is complete, and agrees with the messages that clients received."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.conftest import fresh_database
from tests.server.in_process import ME, SETTINGS, YOU, FakeTime, Spectator, bot, run_games, until, watch
from tests.server.test_game_service import same

from tripot.server import render, storage, wire
from tripot.server.errors import DatabaseUnavailableError, RulesTimeoutError, UnreadableGameError
from tripot.server.game_service import GameService
from tripot.server.live_game import LiveGame
from tripot.server.lobby import LobbyService
from tripot.server.rate_limits import RateLimits
from tripot.server.render import Viewer
from tripot.server.wire import PlayerChange
from tripot.server.writer import BatchWriter

DISK_FULL = sa.exc.OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with fresh_database(request.param, tmp_path) as url:
        yield url


RECORD = Path(__file__).parent.parent / "data" / "records-0.2.0" / "trippples-unfinished.txt"


class FailingDatabase:
    """Lets a transaction fail: in a statement, at its commit, or by a cut connection after its commit."""

    def __init__(self, games: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
        self.statements_until_failure, self.fails_at_commit, self.is_cut_after_commit = -1, False, False
        self.statements = 0
        engine = games.storage.engine.sync_engine
        commit, is_disconnect = engine.dialect.do_commit, engine.dialect.is_disconnect
        cut = engine.dialect.loaded_dbapi.OperationalError("the connection was cut")

        @sa.event.listens_for(engine, "before_cursor_execute")
        def on_statement(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if not statement.lstrip().startswith(("INSERT", "UPDATE", "DELETE")):
                return
            self.statements += 1
            self.statements_until_failure -= 1
            if self.statements_until_failure == -1:
                raise DISK_FULL

        def do_commit(connection: Any) -> None:
            if self.fails_at_commit:
                self.fails_at_commit = False
                raise DISK_FULL
            commit(connection)
            if self.is_cut_after_commit:
                self.is_cut_after_commit = False
                raise cut

        monkeypatch.setattr(engine.dialect, "do_commit", do_commit)
        monkeypatch.setattr(
            engine.dialect, "is_disconnect", lambda error, *rest: error is cut or is_disconnect(error, *rest)
        )


class FailingWriter:
    """Lets one write of a server fail, before or after its commit."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: BaseException = DISK_FULL) -> None:
        self.error, self.fails_after_commit, self.writes_until_failure = error, False, -1
        commit = BatchWriter.commit

        async def commit_or_fail(writer: BatchWriter, *statements: Any) -> None:
            self.writes_until_failure -= 1
            is_failing = self.writes_until_failure == -1
            if is_failing and not self.fails_after_commit:
                raise self.error
            await commit(writer, *statements)
            if is_failing:
                raise self.error

        monkeypatch.setattr(BatchWriter, "commit", commit_or_fail)

    def fail(self, after_commit: bool, skip: int = 0) -> None:
        self.fails_after_commit, self.writes_until_failure = after_commit, skip


async def play(games: GameService, live: LiveGame) -> None:
    live = await games.get(live.id)
    action = str(live.table.state.legal_actions()[0])
    await games.act(live.id, "ann" if live.to_act == 0 else "bob", "action", action, live.seq, None)


async def game_of_two(games: GameService) -> LiveGame:
    live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann")
    await games.join(live.id, "bob", "Bob")
    await play(games, live)
    return live


async def three_people(games: GameService) -> LiveGame:
    live = await games.create("ann", "triolet", {"players": "3"}, [ME, YOU, YOU], "Ann")
    await games.join(live.id, "bob", "Bob")
    await games.join(live.id, "eve", "Eve")
    return live


async def open_game(games: GameService) -> LiveGame:
    return await games.create("ann", "trippples", {}, [ME, YOU], "Ann")


async def game_with_offer(games: GameService) -> LiveGame:
    live = await game_of_two(games)
    await games.act(live.id, "ann", "offer_draw", "", None, None)
    return live


async def finished_game(games: GameService) -> LiveGame:
    live = await game_of_two(games)
    await games.act(live.id, "ann", "resign", "", None, None)
    return live


async def hot_seat(games: GameService) -> LiveGame:
    live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
    await games.act(live.id, "ann", "action", str(live.table.state.legal_actions()[0]), None, None)
    return live


async def decline(games: GameService, live: LiveGame) -> None:
    await games.act(live.id, "bob", "decline", "", None, None, offer_seq=(await games.get(live.id)).offer_seq)


async def accept(games: GameService, live: LiveGame) -> None:
    await games.act(live.id, "bob", "accept", "", None, None, offer_seq=(await games.get(live.id)).offer_seq)


async def finished_solo(games: GameService) -> LiveGame:
    live = await hot_seat(games)
    await games.act(live.id, "ann", "resign", "", None, None, 0)
    return live


async def time_out(games: GameService, live: LiveGame) -> None:
    async with games.locked(live.id) as current:
        await games.apply_timeout(current)


async def game_with_clock(games: GameService) -> LiveGame:
    live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann", clock="300+5")
    await games.join(live.id, "bob", "Bob")
    return live


async def claim(games: GameService, live: LiveGame) -> None:
    token = await games.create_seat_link(live.id, "ann", 0)
    await games.claim_seat(live.id, "phone", token)


Operation = Callable[[GameService, LiveGame], Coroutine[Any, Any, Any]]
Start = Callable[[GameService], Coroutine[Any, Any, LiveGame]]
OPERATIONS: dict[str, tuple[Start, Operation, int]] = {  # with the number of writes
    "create": (open_game, lambda games, _: open_game(games), 1),
    "join": (open_game, lambda games, live: games.join(live.id, "bob", "Bob"), 1),
    "add bot": (open_game, lambda games, live: games.add_bot(live.id, "ann", None, 1), 1),
    "act": (game_of_two, play, 1),
    "resign": (game_of_two, lambda games, live: games.act(live.id, "bob", "resign", "", None, None), 1),
    "leave": (three_people, lambda games, live: games.act(live.id, "bob", "resign", "", None, None, 1), 1),
    "offer": (game_of_two, lambda games, live: games.act(live.id, "ann", "offer_draw", "", None, None), 1),
    "decline": (game_with_offer, decline, 1),
    "accept": (game_with_offer, accept, 1),
    "timeout": (game_with_clock, time_out, 1),
    "undo": (hot_seat, lambda games, live: games.act(live.id, "ann", "undo", "", None, None), 1),
    "link": (open_game, claim, 2),
    "rename": (
        open_game,
        lambda games, _: LobbyService(games, RateLimits(games.settings)).rename("ann", "Ann Lee"),
        1,
    ),
    "rematch": (finished_game, lambda games, live: games.rematch(live.id, "ann"), 1),
    "repeat": (finished_solo, lambda games, live: games.repeat(live.id, "ann"), 1),
    "import": (open_game, lambda games, _: games.import_record("ann", RECORD.read_text("utf-8")), 1),
}


async def check(games: GameService, live: LiveGame, spectator: Spectator | None = None) -> None:
    """The rows are whole, memory equals them, and a spectator has received every event as it is stored."""
    current = await games.get(live.id)
    async with games.locked(live.id):
        rebuilt = await games.load_from_rows(live.id)
        same(current, rebuilt)
        assert current.seat_owners == rebuilt.seat_owners
        assert current.rematch_id == rebuilt.rematch_id
        rows = await games.storage.events(live.id)
        assert [row["seq"] for row in rows] == [*range(1, len(rows) + 1)]
        if spectator and (events := spectator.events()):
            viewer = Viewer(None, "en")
            stored = [render.event(rebuilt, event, viewer) for event in rebuilt.events]
            assert events == json.loads(wire.encode(stored[events[0]["seq"] - 1 :]))


@pytest.mark.parametrize("after_commit", [False, True], ids=["before-commit", "after-commit"])
@pytest.mark.parametrize("cancelled", [False, True], ids=["error", "cancelled"])
def test_every_write_of_every_operation_may_fail(
    database_url: str, after_commit: bool, cancelled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed write left memory ahead of the rows, and the next event of such a game made a gap."""
    error: BaseException = asyncio.CancelledError() if cancelled else DISK_FULL
    failing = FailingWriter(monkeypatch, error)

    async def work(games: GameService) -> None:
        for start, operation, writes in OPERATIONS.values():
            for skip in range(writes):
                live = await start(games)
                spectator = await watch(games, live)
                failing.fail(after_commit, skip)
                with pytest.raises((DatabaseUnavailableError, asyncio.CancelledError)):
                    await operation(games, live)
                assert failing.writes_until_failure < 0, "the write that was to fail was reached"
                await check(games, live, spectator)
                if not after_commit:
                    await operation(games, live)
                    await check(games, live, spectator)
                games.unsubscribe(live, spectator.connection)

    run_games(work, replace(SETTINGS, database=database_url))


def test_every_statement_of_every_operation_may_fail(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that is cut after the commit costs nothing: the write is tried again, and found."""

    async def fail_everywhere(
        games: GameService, failing: FailingDatabase, start: Start, operation: Operation
    ) -> None:
        live = await start(games)
        before = failing.statements
        await operation(games, live)
        statements = failing.statements - before
        assert statements
        for statement in range(statements + 1):
            live = await start(games)
            spectator = await watch(games, live)
            if statement < statements:
                failing.statements_until_failure = statement
            else:
                failing.fails_at_commit = True
            with pytest.raises(DatabaseUnavailableError):
                await operation(games, live)
            await check(games, live, spectator)
            await operation(games, live)
            await check(games, live, spectator)
        live = await start(games)
        spectator = await watch(games, live)
        failing.is_cut_after_commit = True
        await operation(games, live)
        assert not failing.is_cut_after_commit
        await check(games, live, spectator)

    async def work(games: GameService) -> None:
        failing = FailingDatabase(games, monkeypatch)
        for start, operation, _ in OPERATIONS.values():
            await fail_everywhere(games, failing, start, operation)

    run_games(work, replace(SETTINGS, database=database_url, max_unfinished_seats=1000))


def test_the_rematch_of_a_failed_write_is_found_and_not_made_twice(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = FailingWriter(monkeypatch)

    async def work(games: GameService) -> None:
        live = await finished_game(games)
        spectator = await watch(games, live)
        failing.fail(after_commit=True)
        with pytest.raises(DatabaseUnavailableError):
            await games.rematch(live.id, "ann")
        again = await games.rematch(live.id, "ann")
        assert spectator.messages("rematch") == [{"type": "rematch", "game_id": again}], "it was never told"
        assert await games.storage.count_created_games("ann") == 2
        assert (await games.get(again)).table.players[0].name == "Bob"

    run_games(work, replace(SETTINGS, database=database_url))


def test_a_seat_of_a_failed_write_is_kept_and_no_second_one_taken(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client sent the request again, without a seat, and got another one too."""
    failing = FailingWriter(monkeypatch)

    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {"players": "3"}, [ME, YOU, YOU], "Ann")
        failing.fail(after_commit=True)
        with pytest.raises(DatabaseUnavailableError):
            await games.join(live.id, "bob", "Bob")
        assert await games.join(live.id, "bob", "Bob") == 1
        assert await games.join(live.id, "bob", "Bob", 1) == 1
        assert (await games.get(live.id)).open_seats == [2]
        assert await games.join(live.id, "bob", "Bob", 2) == 2, "it was asked for"

    run_games(work, replace(SETTINGS, database=database_url))


def test_requests_that_waited_for_the_lock_of_an_evicted_game_use_the_new_one(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An action and a resignation came together; the action failed, and the rows were 1, 2, 3, 5."""

    async def work(games: GameService) -> None:
        live = await game_of_two(games)
        failing = FailingWriter(monkeypatch)
        failing.fail(after_commit=False)
        results = await asyncio.gather(
            play(games, live),
            games.act(live.id, "bob", "resign", "", None, None),
            return_exceptions=True,
        )
        assert isinstance(results[0], DatabaseUnavailableError)
        assert not isinstance(results[1], BaseException)
        await check(games, live)
        assert (await games.get(live.id)).table.outcome is not None

    run_games(work, replace(SETTINGS, database=sqlite_url))


def test_a_locked_file_costs_an_error_and_no_game(tmp_path: Path) -> None:
    """A backup held the write lock: an action failed, the resignation after it did not, the game was lost."""
    file = tmp_path / "games.db"

    async def work(games: GameService) -> None:
        live = await game_of_two(games)
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseUnavailableError):
            await play(games, live)
        other.execute("ROLLBACK")
        other.close()
        await games.act(live.id, "bob", "resign", "", None, None)
        await check(games, live)

    run_games(work, replace(SETTINGS, database=f"sqlite:///{file}", database_timeout=0.05))


def test_a_gap_in_the_numbers_is_refused_by_the_database(database_url: str) -> None:
    async def work(games: GameService) -> None:
        live = await game_of_two(games)
        for seq in (live.seq + 2, 0, -1):
            row = {**live.events[-1].row(live.id), "seq": seq, "request_id": None}
            with pytest.raises(storage.IntegrityError):
                await games.storage.commit((storage.INSERT_EVENT, row))

    run_games(work, replace(SETTINGS, database=database_url))


def test_a_cancelled_request_waits_until_its_write_has_ended(sqlite_url: str) -> None:
    """Otherwise the next request would load the game without an event that is about to be stored."""

    async def work(games: GameService) -> None:
        live = await game_of_two(games)
        seq = live.seq
        request = asyncio.create_task(play(games, live))
        while not games.storage.pending_writes and not request.done():
            await asyncio.sleep(0)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        assert len(await games.storage.events(live.id)) == seq + 1
        await check(games, live)

    run_games(work, replace(SETTINGS, database=sqlite_url))


def test_one_bad_write_does_not_undo_the_others_of_its_batch(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are committed in a second transaction, and not in one of their own each."""
    transactions: list[int] = []
    separately = BatchWriter._write_separately

    async def counted(writer: BatchWriter, batch: Any) -> None:
        transactions.append(len(batch))
        await separately(writer, batch)

    monkeypatch.setattr(BatchWriter, "_write_separately", counted)

    async def work(games: GameService) -> None:
        lives = [await game_of_two(games) for _ in range(6)]
        rows = [{**live.events[-1].row(live.id), "seq": live.seq + 1} for live in lives]
        rows[2]["seq"] = 1  # is there already
        results = await asyncio.gather(
            *(games.storage.commit((storage.INSERT_EVENT, row)) for row in rows), return_exceptions=True
        )
        assert [isinstance(each, storage.IntegrityError) for each in results] == [
            index == 2 for index in range(6)
        ]
        assert [len(await games.storage.events(live.id)) for live in lives] == [
            live.seq + (index != 2) for index, live in enumerate(lives)
        ]
        assert transactions == [6]

    run_games(work, replace(SETTINGS, database=database_url))


def test_renaming_and_linking_at_once_never_fails_a_batch(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Renames were inserts that failed, and three of four requests for seat links got an error."""

    async def never(*_: Any) -> None:
        raise AssertionError("a write of the batch failed")

    monkeypatch.setattr(BatchWriter, "_write_separately", never)

    async def work(games: GameService) -> None:
        live, lobby = await game_of_two(games), LobbyService(games, RateLimits(games.settings))
        await asyncio.gather(*(lobby.rename("ann", f"Ann {number}") for number in range(8)))
        assert await lobby.name_of("ann") == "Ann 7"
        tokens = await asyncio.gather(*(games.create_seat_link(live.id, "ann", 0) for _ in range(4)))
        assert await games.claim_seat(live.id, "phone", tokens[-1]) == 0
        assert await games.claim_seat(live.id, "phone", tokens[-1]) == 0

    run_games(work, replace(SETTINGS, database=database_url))


# --- Bots and clocks after a failed write -------------------------------------------------------


def test_a_bot_goes_on_by_itself_after_failed_writes(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an outage, games with bots stood still until somebody sent a request."""
    failing = FailingWriter(monkeypatch)

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, bot(1)], "Ann")
        spectator = await watch(games, live)
        failing.fail(after_commit=False, skip=1)
        await games.act(live.id, "ann", "action", str(live.table.state.legal_actions()[0]), None, None)
        await spectator.until(lambda: len(spectator.seen()) == 2)
        assert failing.writes_until_failure < -1
        await check(games, live, spectator)

    run_games(work, replace(SETTINGS, database=database_url))


def test_the_bot_of_a_new_game_plays_although_its_creation_failed_after_the_commit(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game was in the list of its creator, and its bot never moved."""
    failing = FailingWriter(monkeypatch)

    async def work(games: GameService) -> None:
        failing.fail(after_commit=True)
        with pytest.raises(DatabaseUnavailableError):
            await games.create("ann", "trippples", {}, [bot(1), ME], "Ann")
        (row,) = await games.storage.games_of_user("ann")
        while games.live_games.find(row["id"]) is None:  # it is loaded without a request
            await asyncio.sleep(0)
        await until(games, await games.get(row["id"]), lambda live: live.table.action_count > 0)

    run_games(work, replace(SETTINGS, database=sqlite_url), FakeTime())


@pytest.mark.parametrize("failures", [0, 1, 3])
def test_a_flag_falls_although_writes_fail(
    sqlite_url: str, failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failed write the flag never fell, and the clock started again with all its time."""
    time, failing = FakeTime(), FailingWriter(monkeypatch)

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann", clock="300+0")
        await games.join(live.id, "bob", "Bob")
        for number in range(failures):
            time.advance(50)
            failing.fail(after_commit=False)
            with pytest.raises(DatabaseUnavailableError):
                await play(games, live)
            current = await games.get(live.id)
            assert current.clock.remaining(time.now()) == pytest.approx(300 - 50 * (number + 1))
        late = (await games.get(live.id)).to_act
        assert isinstance(late, int)
        spectator = await watch(games, live)
        failing.fail(after_commit=False)
        time.advance(299 - 50 * failures)
        assert (await games.get(live.id)).table.outcome is None
        time.advance(1)
        while True:
            async with games.locked(live.id) as current:
                if current.table.outcome:
                    break
            time.advance(1)
            await asyncio.sleep(0)
        assert current.events[-1].type == "timeout"
        assert current.table.outcome.scores[late] == -1
        assert failing.writes_until_failure < -1
        games.unsubscribe(live, spectator.connection)

    run_games(work, replace(SETTINGS, database=sqlite_url), time)


def test_the_timer_of_an_old_event_does_not_make_the_next_player_lose(sqlite_url: str) -> None:
    """A timer that was due while the lock was held fired after the move, and the wrong player lost."""
    time = FakeTime()

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann", clock="60+0")
        await games.join(live.id, "bob", "Bob")
        old_seq = live.seq
        await play(games, live)
        seq = live.seq
        live.clock.remaining_seconds[:] = [0.0, 0.0]  # so that only the number of the event decides
        await games.scheduler._on_flag(live.id, old_seq)  # its timer was due before it was cancelled
        assert live.table.outcome is None
        assert live.seq == seq

    run_games(work, replace(SETTINGS, database=sqlite_url), time)


def test_a_step_of_the_wall_clock_loses_no_game(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A correction by 600 seconds lost a game of 300 seconds."""
    import time

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann", clock="300+0")
        await games.join(live.id, "bob", "Bob")
        wall = time.time
        monkeypatch.setattr(time, "time", lambda: wall() + 600)
        await play(games, live)
        assert live.table.outcome is None
        assert min(live.clock.remaining_seconds) > 0
        same(live, await games.load_from_rows(live.id))

    run_games(work, replace(SETTINGS, database=sqlite_url))


@pytest.mark.parametrize("pause", [10_000.0, -10_000.0], ids=["later", "earlier"])
def test_the_time_in_which_the_server_was_down_never_counts(sqlite_url: str, pause: float) -> None:
    """It did count when the game was loaded for the second time after the restart."""
    first, game_ids = FakeTime(), []

    async def begin(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, YOU], "Ann", clock="300+0")
        await games.join(live.id, "bob", "Bob")
        first.advance(20)
        await play(games, live)
        game_ids.append(live.id)

    second = FakeTime(first.now() + 20 + pause)

    async def go_on(games: GameService) -> None:
        live = await games.get(game_ids[0])
        second.advance(30)
        await play(games, live)
        assert sorted(live.clock.remaining_seconds) == pytest.approx([270, 280])
        rebuilt = await games.load_from_rows(live.id)
        assert sorted(rebuilt.clock.remaining_seconds) == pytest.approx([270, 280])

    run_games(begin, replace(SETTINGS, database=sqlite_url), first)
    run_games(go_on, replace(SETTINGS, database=sqlite_url), second)


@pytest.mark.parametrize("change", ["action", "resign"])
def test_lists_of_games_show_what_is_stored(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, change: PlayerChange
) -> None:
    """They showed a move that was still being written, and whose write failed."""

    async def work(games: GameService) -> None:
        live = await game_of_two(games)
        row = await games.storage.game(live.id)
        assert row is not None
        user_id = "ann" if live.to_act == 0 else "bob"
        text = str(live.table.state.legal_actions()[0]) if change == "action" else ""
        lobby = LobbyService(games, RateLimits(games.settings))
        is_writing, may_fail = asyncio.Event(), asyncio.Event()

        async def fail_later(*_: Any) -> None:
            is_writing.set()
            await may_fail.wait()
            raise DatabaseUnavailableError

        with monkeypatch.context() as patch:
            patch.setattr(games.storage, "append_events", fail_later)
            request = asyncio.create_task(games.act(live.id, user_id, change, text, None, None))
            await is_writing.wait()
            turn = asyncio.create_task(lobby._with_turn(lobby._summary(row), user_id))
            result = asyncio.create_task(lobby._with_result(lobby._summary(row), user_id))
            await asyncio.sleep(0)  # both begin
            may_fail.set()
            with pytest.raises(DatabaseUnavailableError):
                await request
        assert (await turn).my_turn
        assert (await result).result is None

    run_games(work, replace(SETTINGS, database=sqlite_url))


# --- Games that cannot be read ------------------------------------------------------------------


def test_the_refusal_of_a_damaged_game_reveals_no_event(sqlite_url: str) -> None:
    """It had the text of the event, with the tokens that another player had drawn."""

    async def work(games: GameService) -> None:
        live = await games.create("ann", "triolet", {}, [ME, ME], "Ann")
        (draw, *_) = (event for event in live.events if event.text.startswith("draw"))
        damage = f"UPDATE events SET text = '{draw.text}x' WHERE seq = {draw.seq}"
        await games.storage.commit((sa.text(damage), {}))
        games.live_games.evict(live)
        with pytest.raises(UnreadableGameError) as refused:
            await games.get(live.id)
        assert draw.text not in str(refused.value)

    run_games(work, replace(SETTINGS, database=sqlite_url))


def test_a_game_whose_rules_do_not_answer_is_listed_as_unreadable(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It made the whole list of its players fail, each time."""

    def time_out(*_: Any) -> None:
        raise RulesTimeoutError(1)

    async def work(games: GameService) -> None:
        running, over = await game_of_two(games), await finished_game(games)
        monkeypatch.setattr(render, "is_turn_of", time_out)
        monkeypatch.setattr(render, "summary_result", time_out)
        profile = await LobbyService(games, RateLimits(games.settings)).profile("ann")
        readable = {game.game_id: game.is_readable for game in profile.games}
        assert readable == {running.id: False, over.id: False}

    run_games(work, replace(SETTINGS, database=sqlite_url))


def test_unreadable_games_are_listed_as_such_and_the_others_as_usual(database_url: str) -> None:
    """One game of another version of the rules made the whole list of a user fail."""

    async def work(games: GameService) -> None:
        lives = [await game_of_two(games) for _ in range(4)]
        damage = [
            f"UPDATE games SET version = 999 WHERE id = '{lives[0].id}'",
            f"UPDATE events SET text = 'nonsense' WHERE type = 'action' AND game_id = '{lives[1].id}'",
            f"UPDATE events SET text = '{{}}' WHERE type = 'join' AND game_id = '{lives[2].id}'",
        ]
        for statement in damage:
            await games.storage.commit((sa.text(statement), {}))
        for live in lives:
            games.live_games.evict(live)
        profile = await LobbyService(games, RateLimits(games.settings)).profile("ann")
        readable = {game.game_id: game.is_readable for game in profile.games}
        assert readable == {live.id: index == 3 for index, live in enumerate(lives)}
        for live in lives[:3]:
            with pytest.raises(Exception, match="cannot be read"):
                await games.get(live.id)

    run_games(work, replace(SETTINGS, database=database_url))
