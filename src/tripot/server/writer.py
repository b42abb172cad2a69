"""The only writer of a server. Writes wait in a queue, and all that wait are committed in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from tripot.server.database import is_unavailable
from tripot.server.errors import DatabaseUnavailableError

Statement: TypeAlias = tuple[sa.Executable, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """Statements that are committed together or not at all, and the future that tells when."""

    statements: Sequence[Statement]
    done: asyncio.Future[None]

    def resolve(self, error: Exception | None = None) -> None:
        """Tell the caller how the write ended."""
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class BatchWriter:
    """Commits writes in the order in which they were asked for."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None  # kept open between the batches
        self._pending: list[Write] = []
        self._has_work = asyncio.Event()
        self._is_closing = False
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start to write."""
        self._task = asyncio.create_task(self._write_all())

    async def close(self) -> None:
        """Finish pending writes."""
        self._is_closing = True
        self._has_work.set()
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)
        await self._drop_connection()

    @property
    def pending(self) -> int:
        """The number of writes that have not begun yet."""
        return len(self._pending)

    async def commit(self, *statements: Statement) -> None:
        """Commit statements, all or none; returns when they are committed.

        If the caller is cancelled, the write goes on. The cancellation waits for its end, so that the caller
        releases the lock of a game only when nothing about it is on its way to the database. After the writer
        was closed, writes are refused.
        """
        if self._task is None or self._task.done():
            raise DatabaseUnavailableError
        write = Write(statements, asyncio.get_running_loop().create_future())
        self._pending.append(write)
        self._has_work.set()
        try:
            await asyncio.shield(write.done)
        except asyncio.CancelledError:
            await asyncio.wait([write.done])
            write.done.exception()  # read it: the caller was cancelled
            raise

    async def _write_all(self) -> None:
        while self._pending or not self._is_closing:
            await self._has_work.wait()
            if not self._is_closing:
                self._has_work.clear()
            batch, self._pending = self._pending, []
            if batch:
                await self._write(batch)

    async def _write(self, batch: Sequence[Write]) -> None:
        """Write a batch in one transaction, and if that fails because of one write, all the others."""
        try:
            await self._write_together(batch)
        except Exception as error:  # whatever it is, the writer goes on
            was_cut = isinstance(error, DBAPIError) and error.connection_invalidated
            if is_unavailable(error):
                await self._drop_connection()
            if was_cut or not is_unavailable(error):
                await self._write_separately(batch)
            else:
                _resolve(batch, error)
        else:
            _resolve(batch)

    async def _write_together(self, batch: Sequence[Write]) -> None:
        """Run a batch in one transaction; the rows of the same statement are sent together."""
        together: dict[int, tuple[sa.Executable, list[Mapping[str, Any]]]] = {}
        for write in batch:
            for statement, row in write.statements:
                together.setdefault(id(statement), (statement, []))[1].append(row)
        connection = await self._connected()
        async with connection.begin():
            for statement, rows in together.values():
                await connection.execute(statement, rows)

    async def _write_separately(self, batch: Sequence[Write]) -> None:
        """Run a batch in one transaction with savepoints, so that a bad write undoes only itself."""
        errors: dict[Write, Exception] = {}
        try:
            connection = await self._connected()
            async with connection.begin():
                if connection.dialect.name == "sqlite":  # the driver begins none before a savepoint
                    await connection.exec_driver_sql("BEGIN IMMEDIATE")
                for write in batch:
                    try:
                        async with connection.begin_nested():
                            for statement, row in write.statements:
                                await connection.execute(statement, [row])
                    except Exception as error:
                        if is_unavailable(error):
                            raise
                        errors[write] = error
        except Exception as error:
            await self._drop_connection()
            _resolve(batch, error)
        else:
            for write in batch:
                write.resolve(errors.get(write))

    async def _connected(self) -> AsyncConnection:
        if self._connection is None:
            self._connection = await self._engine.connect()
        return self._connection

    async def _drop_connection(self) -> None:
        """Close the connection, which may be cut or in an unknown state; the next write opens another one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.invalidate()
            with suppress(Exception):
                await connection.close()


def _resolve(batch: Sequence[Write], error: Exception | None = None) -> None:
    for write in batch:
        write.resolve(error)
