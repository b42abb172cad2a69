"""The database: everything that must survive, and all SQL. Games in memory are a cache of it.

A change of a game is committed before anybody hears of it. Trouble with the database is a
`DatabaseUnavailableError`; IntegrityError means that another server has written the same event.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from tripot.game import Seat
from tripot.server import database
from tripot.server.errors import DatabaseUnavailableError
from tripot.server.tables import (
    EventRow,
    GameRow,
    SeatOwnerRow,
    events,
    games,
    readiness,
    seat_links,
    seat_owners,
    users,
)
from tripot.server.wire import GameStatus
from tripot.server.writer import BatchWriter, Statement

Result = TypeVar("Result")

MY_GAMES = 100  # listed for a user
LOBBY_GAMES = 50  # listed per status
LOBBY_SECONDS = 24 * 3600  # older games are not listed

READINESS_ID = 1

INSERT_GAME = sa.insert(games)
INSERT_SEAT_OWNER = sa.insert(seat_owners)
INSERT_EVENT = sa.insert(events)
UPDATE_SEATS = (
    sa.update(games)
    .where(games.c.id == bindparam("of"))
    .values(seats=bindparam("seats"), has_bots=bindparam("has_bots"), status=bindparam("status"))
)
UPDATE_REMATCH = (
    sa.update(games).where(games.c.id == bindparam("of")).values(rematch_id=bindparam("rematch_id"))
)
EVENT_COLUMNS = [events.c[name] for name in EventRow.__annotations__]


class Storage:
    """The database of one server. A call takes about `timeout` seconds at most, twice that to reconnect."""

    def __init__(self, url: str, timeout: float = 5.0) -> None:
        self._url, self._timeout = url, timeout
        self.engine = database.create_engine(url, timeout)
        self._unpooled = database.create_engine(url, timeout, pooled=False)
        self._writer = BatchWriter(self.engine)
        self._calls: set[asyncio.Task[Any]] = set()  # reads that have not ended
        self._is_closing = False
        insert = sqlite.insert if self.engine.dialect.name == "sqlite" else postgresql.insert
        self._upsert_user = _upsert(insert(users), "name")
        self._upsert_seat_link = _upsert(insert(seat_links), "token_hash")
        self._upsert_readiness = _upsert(insert(readiness), "checked_at")
        self._add_seat_owner = insert(seat_owners).on_conflict_do_nothing()

    async def open(self) -> None:
        """Migrate the tables, and start the writer."""
        await database.prepare(self._url, self._timeout)
        self._writer.open()

    async def close(self) -> None:
        """Finish pending writes, and wait for the calls that have not ended. Later calls are refused."""
        self._is_closing = True
        await self._writer.close()
        await asyncio.gather(*self._calls, return_exceptions=True)
        await self._unpooled.dispose()
        await self.engine.dispose()

    async def check_writable(self) -> None:
        """Raise `DatabaseUnavailableError` unless games can be read and written.

        It reads over a new connection: an old one may not notice that its file was replaced or damaged.
        """
        await self._complete(self._check_readable())
        await self.commit((self._upsert_readiness, {"id": READINESS_ID, "checked_at": time.time()}))

    # -- games --

    async def game(self, game_id: str) -> GameRow | None:
        """The row of a game."""
        rows = await self._fetch_all(sa.select(games).where(games.c.id == game_id))
        return cast(GameRow, rows[0]) if rows else None

    async def events(self, game_id: str) -> list[EventRow]:
        """All events of a game, in order."""
        query = sa.select(*EVENT_COLUMNS).where(events.c.game_id == game_id).order_by(events.c.seq)
        return cast(list[EventRow], await self._fetch_all(query))

    async def seat_owners(self, game_id: str) -> list[SeatOwnerRow]:
        """The users who may play the seats of a game."""
        query = sa.select(seat_owners).where(seat_owners.c.game_id == game_id)
        return cast(list[SeatOwnerRow], await self._fetch_all(query))

    async def games_of_user(self, user_id: str) -> list[GameRow]:
        """The newest games in which a user has a seat, newest first."""
        own = sa.select(seat_owners.c.game_id).where(seat_owners.c.user_id == user_id)
        query = sa.select(games).where(games.c.id.in_(own)).order_by(games.c.created_at.desc())
        return cast(list[GameRow], await self._fetch_all(query.limit(MY_GAMES)))

    async def public_games(self, status: GameStatus) -> list[GameRow]:
        """The newest public games of a status, newest first."""
        since = time.time() - LOBBY_SECONDS
        query = sa.select(games).where(games.c.status == status, games.c.public, games.c.created_at > since)
        rows = await self._fetch_all(query.order_by(games.c.created_at.desc()).limit(LOBBY_GAMES))
        return cast(list[GameRow], rows)

    async def games_to_resume(self) -> list[str]:
        """The ids of all running games with a bot or a clock, newest first."""
        has_clock = games.c.clock != ""
        query = sa.select(games.c.id).where(games.c.status == "live", games.c.has_bots | has_clock)
        return [row["id"] for row in await self._fetch_all(query.order_by(games.c.created_at.desc()))]

    async def count_created_games(self, user_id: str, unfinished: bool = False) -> int:
        """The number of games that a user has created."""
        query = sa.select(sa.func.count().label("count")).where(games.c.creator_id == user_id)
        if unfinished:
            query = query.where(games.c.status != "over")
        return int((await self._fetch_all(query))[0]["count"])

    async def count_unfinished_seats(self, user_id: str) -> int:
        """The number of seats that a user has in unfinished games of others."""
        query = (
            sa.select(sa.func.count().label("count"))
            .select_from(seat_owners.join(games, games.c.id == seat_owners.c.game_id))
            .where(seat_owners.c.user_id == user_id, games.c.creator_id != user_id, games.c.status != "over")
        )
        return int((await self._fetch_all(query))[0]["count"])

    async def unfinished_games(self, game_ids: Sequence[str]) -> set[str]:
        """Those of some games that are not finished."""
        query = sa.select(games.c.id).where(games.c.id.in_(game_ids), games.c.status != "over")
        return {row["id"] for row in await self._fetch_all(query)}

    async def insert_game(
        self,
        row: GameRow,
        owners: Sequence[SeatOwnerRow],
        first_events: Sequence[EventRow],
        rematch_of: str | None = None,
    ) -> None:
        """Commit a new game, and that it is the rematch of another one."""
        statements: list[Statement] = [
            (INSERT_GAME, row),
            *((INSERT_SEAT_OWNER, owner) for owner in owners),
            *((INSERT_EVENT, event) for event in first_events),
        ]
        if rematch_of:
            statements.append((UPDATE_REMATCH, {"of": rematch_of, "rematch_id": row["id"]}))
        try:
            await self.commit(*statements)
        except IntegrityError:
            if await self.game(row["id"]) is None:  # otherwise the connection was cut after the commit
                raise

    async def append_events(
        self,
        game_id: str,
        new_events: Sequence[EventRow],
        seats: tuple[GameStatus, bool, str] | None = None,
        owner: SeatOwnerRow | None = None,
    ) -> None:
        """Commit events of a game, all or none.

        IntegrityError if another event has one of these numbers, or if there is none before the first.
        `seats` has the new columns `status`, `has_bots` and `seats` of the game, if they have changed.
        """
        statements: list[Statement] = [(INSERT_EVENT, event) for event in new_events]
        if seats:
            columns = dict(zip(("status", "has_bots", "seats"), seats, strict=True))
            statements.append((UPDATE_SEATS, {"of": game_id} | columns))
        if owner:
            statements.append((INSERT_SEAT_OWNER, owner))
        try:
            await self.commit(*statements)
        except IntegrityError:
            first, last = new_events[0]["seq"], new_events[-1]["seq"]
            stored = [event for event in await self.events(game_id) if first <= event["seq"] <= last]
            if stored != [*new_events]:  # otherwise the connection was cut after the commit
                raise

    # -- users and seats --

    async def user_name(self, user_id: str) -> str | None:
        """The name that a user has chosen."""
        rows = await self._fetch_all(sa.select(users.c.name).where(users.c.id == user_id))
        return rows[0]["name"] if rows else None

    async def set_user_name(self, user_id: str, name: str) -> None:
        """Commit the name of a user."""
        await self.commit((self._upsert_user, {"id": user_id, "name": name, "created_at": time.time()}))

    async def add_seat_owner(self, owner: SeatOwnerRow) -> None:
        """Commit that a user may play a seat, if that is not so already."""
        await self.commit((self._add_seat_owner, owner))

    async def replace_seat_link(self, game_id: str, seat: Seat, token_hash: str) -> None:
        """Commit the link of a seat; an older one is no longer valid."""
        row = {"game_id": game_id, "seat": seat, "token_hash": token_hash}
        await self.commit((self._upsert_seat_link, row))

    async def seat_of_link(self, game_id: str, token_hash: str) -> Seat | None:
        """The seat that a link shares; None if it is not valid."""
        query = sa.select(seat_links.c.seat).where(
            seat_links.c.game_id == game_id, seat_links.c.token_hash == token_hash
        )
        rows = await self._fetch_all(query)
        return rows[0]["seat"] if rows else None

    # -- reading and writing --

    async def _fetch_all(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        return await self._complete(self._fetch(query))

    async def _complete(self, call: Coroutine[Any, Any, Result]) -> Result:
        """Run a call to its end, which comes in time, even if the caller is cancelled.

        A call that is cut off would leave a connection in an unknown state, and its thread behind.
        """
        if self._is_closing:
            call.close()
            raise DatabaseUnavailableError
        task = asyncio.create_task(call)
        self._calls.add(task)
        task.add_done_callback(self._forget_call)
        return await asyncio.shield(task)

    def _forget_call(self, call: asyncio.Task[Any]) -> None:
        self._calls.discard(call)
        if not call.cancelled():
            call.exception()  # read it, in case the caller was cancelled

    async def _fetch(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        with database.translated_errors():
            async with self.engine.connect() as connection:
                return [dict(row) for row in (await connection.execute(query)).mappings()]

    async def _check_readable(self) -> None:
        with database.translated_errors():
            async with self._unpooled.connect() as connection:
                await connection.execute(sa.select(games.c.id).limit(1))
                await connection.execute(sa.select(events.c.seq).limit(1))

    @property
    def pending_writes(self) -> int:
        """The number of writes that have not begun yet."""
        return self._writer.pending

    async def commit(self, *statements: Statement) -> None:
        """Commit statements, all or none; returns when they are committed."""
        with database.translated_errors():
            await self._writer.commit(*statements)


def _upsert(insert: sqlite.Insert | postgresql.Insert, column: str) -> sa.Executable:
    """Insert a row, or change one column of the row that has its primary key."""
    key = [key_column.name for key_column in insert.table.primary_key]
    return insert.on_conflict_do_update(index_elements=key, set_={column: insert.excluded[column]})


__all__ = ["IntegrityError", "Storage"]
