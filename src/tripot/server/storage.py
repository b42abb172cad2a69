"""The database: everything that must survive, and all SQL. Games in memory are a cache of it.

Writes wait in a queue, and all that wait are committed in one transaction. A change of a game is committed
before anybody hears of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias, cast

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy import bindparam, event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from tripot.game import Seat
from tripot.server.tables import (
    EventRow,
    GameRow,
    SeatOwnerRow,
    events,
    games,
    seat_links,
    seat_owners,
    users,
)
from tripot.server.wire import GameStatus

Statement: TypeAlias = tuple[sa.Executable, Mapping[str, Any]]

PRIVATE = 0o600  # permissions of a file that only its owner may read and write
MY_GAMES = 100  # listed for a user
LOBBY_GAMES = 50  # listed per status
LOBBY_SECONDS = 24 * 3600  # older games are not listed

INSERT_USER = sa.insert(users)
INSERT_GAME = sa.insert(games)
INSERT_SEAT_OWNER = sa.insert(seat_owners)
INSERT_EVENT = sa.insert(events)
INSERT_SEAT_LINK = sa.insert(seat_links)
DELETE_SEAT_LINK = sa.delete(seat_links).where(
    seat_links.c.game_id == bindparam("of"), seat_links.c.seat == bindparam("at")
)
RENAME_USER = sa.update(users).where(users.c.id == bindparam("of"))
UPDATE_SEATS = (
    sa.update(games)
    .where(games.c.id == bindparam("of"))
    .values(seats=bindparam("seats"), has_bots=bindparam("has_bots"), status=bindparam("status"))
)
UPDATE_REMATCH = (
    sa.update(games).where(games.c.id == bindparam("of")).values(rematch_id=bindparam("rematch_id"))
)


class Storage:
    """The database of one server."""

    def __init__(self, url: str) -> None:
        self.engine: AsyncEngine = create_async_engine(url)
        self._pending: list[tuple[Sequence[Statement], asyncio.Future[None]]] = []
        self._has_work = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine.sync_engine, "connect", _set_up_sqlite)

    async def open(self) -> None:
        """Migrate the tables, and start the writer."""
        _make_private(self.engine.url)
        async with self.engine.begin() as connection:
            await connection.run_sync(migrate)
        self._connection = await self.engine.connect()  # the writer's own; reopened if it is cut
        self._writer = asyncio.create_task(self._write_all())

    async def close(self) -> None:
        """Finish pending writes."""
        if self._writer:
            while self._pending:
                await asyncio.sleep(0.01)
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
            await self._connection.close()
        await self.engine.dispose()

    async def ping(self) -> None:
        """Raise if the database does not answer."""
        async with self.engine.connect() as connection:
            await connection.execute(sa.text("SELECT 1"))

    # -- games --

    async def game(self, game_id: str) -> GameRow | None:
        """The row of a game."""
        rows = await self._fetch_all(sa.select(games).where(games.c.id == game_id))
        return cast(GameRow, rows[0]) if rows else None

    async def events(self, game_id: str) -> list[EventRow]:
        """All events of a game, in order."""
        query = sa.select(events).where(events.c.game_id == game_id).order_by(events.c.seq)
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

    async def live_games_with_bots(self) -> list[str]:
        """The ids of all running games with a bot, newest first."""
        query = sa.select(games.c.id).where(games.c.status == "live", games.c.has_bots)
        return [row["id"] for row in await self._fetch_all(query.order_by(games.c.created_at.desc()))]

    async def count_created_games(self, user_id: str, unfinished: bool = False) -> int:
        """The number of games that a user has created."""
        query = sa.select(sa.func.count().label("count")).where(games.c.creator_id == user_id)
        if unfinished:
            query = query.where(games.c.status != "over")
        return int((await self._fetch_all(query))[0]["count"])

    async def insert_game(
        self, row: GameRow, owners: Sequence[SeatOwnerRow], first_events: Sequence[EventRow]
    ) -> None:
        """Commit a new game."""
        await self.commit(
            (INSERT_GAME, row),
            *((INSERT_SEAT_OWNER, owner) for owner in owners),
            *((INSERT_EVENT, each) for each in first_events),
        )

    async def append_events(
        self,
        game_id: str,
        new_events: Sequence[EventRow],
        seats: tuple[GameStatus, bool, str] | None = None,
        owner: SeatOwnerRow | None = None,
    ) -> None:
        """Commit events of a game, all or none; IntegrityError if an event has one of these numbers.

        `seats` has the new columns `status`, `has_bots` and `seats` of the game, if they have changed.
        """
        statements: list[Statement] = [(INSERT_EVENT, each) for each in new_events]
        if seats:
            columns = dict(zip(("status", "has_bots", "seats"), seats, strict=True))
            statements.append((UPDATE_SEATS, {"of": game_id} | columns))
        if owner:
            statements.append((INSERT_SEAT_OWNER, owner))
        await self.commit(*statements)

    async def set_rematch(self, game_id: str, rematch_id: str) -> None:
        """Commit the game that follows a game."""
        await self.commit((UPDATE_REMATCH, {"of": game_id, "rematch_id": rematch_id}))

    # -- users and seats --

    async def user_name(self, user_id: str) -> str | None:
        """The name that a user has chosen."""
        rows = await self._fetch_all(sa.select(users.c.name).where(users.c.id == user_id))
        return rows[0]["name"] if rows else None

    async def set_user_name(self, user_id: str, name: str) -> None:
        """Commit the name of a user."""
        try:
            await self.commit((INSERT_USER, {"id": user_id, "name": name, "created_at": time.time()}))
        except IntegrityError:
            await self.commit((RENAME_USER, {"of": user_id, "name": name}))

    async def add_seat_owner(self, owner: SeatOwnerRow) -> None:
        """Commit that a user may play a seat; IntegrityError if that is so already."""
        await self.commit((INSERT_SEAT_OWNER, owner))

    async def replace_seat_link(self, game_id: str, seat: Seat, token_hash: str) -> None:
        """Commit the link of a seat; an older one is no longer valid."""
        await self.commit((DELETE_SEAT_LINK, {"of": game_id, "at": seat}))
        await self.commit((INSERT_SEAT_LINK, {"game_id": game_id, "seat": seat, "token_hash": token_hash}))

    async def seat_of_link(self, game_id: str, token_hash: str) -> Seat | None:
        """The seat that a link transfers; None if it is not valid."""
        query = sa.select(seat_links.c.seat).where(
            seat_links.c.game_id == game_id, seat_links.c.token_hash == token_hash
        )
        rows = await self._fetch_all(query)
        return rows[0]["seat"] if rows else None

    # -- reading and writing --

    async def _fetch_all(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        async with self.engine.connect() as connection:
            return [dict(row) for row in (await connection.execute(query)).mappings()]

    @property
    def pending_writes(self) -> int:
        """The number of writes that are not committed yet."""
        return len(self._pending)

    async def commit(self, *statements: Statement) -> None:
        """Commit statements, all or none; returns when they are committed."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((statements, done))
        self._has_work.set()
        await done

    async def _write_all(self) -> None:
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            batch, self._pending = self._pending, []
            try:
                await self._execute([statements for statements, _ in batch])
                _resolve(batch)
            except Exception:
                for each in batch:  # one of them failed: each in its own transaction, so that only it fails
                    try:
                        await self._execute([each[0]])
                        _resolve([each])
                    except Exception as error:
                        _resolve([each], error)

    async def _execute(self, batch: Sequence[Sequence[Statement]]) -> None:
        """Run a batch in one transaction; the rows of the same statement are sent together."""
        together: dict[int, tuple[sa.Executable, list[Mapping[str, Any]]]] = {}
        for statements in batch:
            for statement, row in statements:
                together.setdefault(id(statement), (statement, []))[1].append(row)
        async with self._connection.begin():
            for statement, rows in together.values():
                await self._connection.execute(statement, rows)


def _resolve(
    batch: Iterable[tuple[Sequence[Statement], asyncio.Future[None]]], error: Exception | None = None
) -> None:
    for _, done in batch:
        if not done.done():
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)


def _make_private(url: sa.URL) -> None:
    """Let only the owner read the file of an SQLite database, which has the seeds of running games.

    SQLite creates its journal with the same permissions.
    """
    if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:":
        file = Path(url.database)
        with suppress(OSError):  # opening the database reports what is wrong
            file.touch(mode=PRIVATE, exist_ok=True)
            if file.stat().st_mode & 0o077:
                file.chmod(PRIVATE)


def _set_up_sqlite(connection: Any, _: object) -> None:
    """With WAL, readers do not wait for the writer, and a killed process loses nothing that was committed."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def migrate(connection: sa.Connection, revision: str = "head") -> None:
    """Bring a database up to a revision, by default the newest; completely or not at all."""
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite" and not driver.in_transaction:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # the driver begins none before ALTER TABLE
    command.upgrade(_alembic_config(connection), revision)


def downgrade(connection: sa.Connection, revision: str) -> None:
    """Bring a database back to an older revision; `base` removes all tables."""
    command.downgrade(_alembic_config(connection), revision)


def _alembic_config(connection: sa.Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", "tripot:server/migrations")
    config.attributes["connection"] = connection
    return config


__all__ = ["IntegrityError", "Storage", "downgrade", "migrate"]
