"""The database: all that must survive. Live tables are a cache of it.

`players`  who visited; `games` a row a game; `holders` who may play which seat; `links` hashed seat links
`actions`  a row an action, and a row for all else that changes a game: the record of everything

Rows are only added to `actions`, never changed. A row is written before anybody is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Text, bindparam, event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

metadata = sa.MetaData()

players = sa.Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("created", Float, nullable=False),
)

games = sa.Table(
    "games",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("clock", String(32), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("creator", String(32), nullable=False),
    Column("created", Float, nullable=False),
    Column("status", String(8), nullable=False),  # open, live, over
    Column("bots", Boolean, nullable=False),
    Column("seats", Text, nullable=False),  # what lists show of them, as JSON
    Column("rematch", String(16), nullable=False),
    Index("games_by_status", "status", "public", "created"),
    Index("games_by_creator", "creator", "status"),
)

holders = sa.Table(
    "holders",
    metadata,
    Column("game", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", String(32), primary_key=True),
    Index("holders_by_player", "player"),
)

links = sa.Table(
    "links",
    metadata,
    Column("game", String(16), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("digest", String(64), nullable=False),
)

actions = sa.Table(
    "actions",
    metadata,
    Column("game", String(16), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("seat", Integer),
    Column("kind", String(8), nullable=False),
    Column("text", Text, nullable=False),
    Column("client", String(64)),
    Column("time", Float, nullable=False),
    Index("actions_by_client", "game", "client", unique=True),
)

Row: TypeAlias = Mapping[str, Any]
Statement: TypeAlias = tuple[sa.Executable, Row]

ADD_PLAYER = sa.insert(players)
ADD_GAME = sa.insert(games)
ADD_HOLDER = sa.insert(holders)
ADD_ACTION = sa.insert(actions)
ADD_LINK = sa.insert(links)
DROP_LINK = sa.delete(links).where(links.c.game == bindparam("of"), links.c.seat == bindparam("at"))
NAME_PLAYER = sa.update(players).where(players.c.id == bindparam("of"))
SET_SEATS = (
    sa.update(games)
    .where(games.c.id == bindparam("of"))
    .values(seats=bindparam("seats"), bots=bindparam("bots"), status=bindparam("status"))
)
SET_REMATCH = sa.update(games).where(games.c.id == bindparam("of")).values(rematch=bindparam("rematch"))


class Storage:
    """The database of one server. Writes of many games share a transaction when they come at once."""

    def __init__(self, url: str) -> None:
        self.engine: AsyncEngine = create_async_engine(url)
        self._waiting: list[tuple[Sequence[Statement], asyncio.Future[None]]] = []
        self._due = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine.sync_engine, "connect", _set_up_sqlite)

    async def open(self) -> None:
        """Bring the tables up to date, and be ready to write."""
        async with self.engine.begin() as connection:
            await connection.run_sync(migrate)
        self._connection = await self.engine.connect()  # the writer's own; it comes back if it is cut
        self._writer = asyncio.create_task(self._write_all())

    async def close(self) -> None:
        """Finish what is being written."""
        if self._writer:
            while self._waiting:
                await asyncio.sleep(0.01)
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
            await self._connection.close()
        await self.engine.dispose()

    @property
    def waiting(self) -> int:
        """How many writes have not been committed yet."""
        return len(self._waiting)

    # -- writing --

    async def write(self, *statements: Statement) -> None:
        """Commit some rows, all or none; returns once they are safe. IntegrityError if one was there."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((statements, done))
        self._due.set()
        await done

    async def _write_all(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            batch, self._waiting = self._waiting, []
            try:
                await self._commit([statements for statements, _ in batch])
                _settle(batch)
            except Exception:
                for each in batch:  # one is at fault: each for itself, so that it alone fails
                    try:
                        await self._commit([each[0]])
                        _settle([each])
                    except Exception as error:
                        _settle([each], error)

    async def _commit(self, batch: Sequence[Sequence[Statement]]) -> None:
        """One transaction; the rows of the same statement go together."""
        together: dict[int, tuple[sa.Executable, list[Row]]] = {}
        for statements in batch:
            for statement, row in statements:
                together.setdefault(id(statement), (statement, []))[1].append(row)
        async with self._connection.begin():
            for statement, rows in together.values():
                await self._connection.execute(statement, rows)

    # -- reading --

    async def ping(self) -> None:
        """Raises if the database does not answer."""
        async with self.engine.connect() as connection:
            await connection.execute(sa.text("SELECT 1"))

    async def rows(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        """All rows of a query."""
        async with self.engine.connect() as connection:
            return [dict(row) for row in (await connection.execute(query)).mappings()]

    async def row(self, query: sa.Select[Any]) -> dict[str, Any] | None:
        """The first row of a query, if there is one."""
        found = await self.rows(query.limit(1))
        return found[0] if found else None

    async def count(self, table: sa.Table, *conditions: sa.ColumnElement[bool]) -> int:
        """How many rows there are."""
        found = await self.row(
            sa.select(sa.func.count().label("count")).select_from(table).where(*conditions)
        )
        return int(found["count"]) if found else 0


def _settle(
    batch: Iterable[tuple[Sequence[Statement], asyncio.Future[None]]], error: Exception | None = None
) -> None:
    for _, done in batch:
        if not done.done():
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)


def _set_up_sqlite(connection: Any, _: object) -> None:
    """Readers do not wait for the writer, and a killed process loses nothing that was committed."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def migrate(connection: sa.Connection, to: str = "head") -> None:
    """Bring a database to a revision, by default the newest."""
    config = Config()
    config.set_main_option("script_location", "tripot:server/migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, to) if to != "base" else command.downgrade(config, to)


__all__ = ["IntegrityError", "Storage", "migrate"]
