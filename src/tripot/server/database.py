"""Engines of the database: connections with timeouts, migrations, and errors that say what is wrong.

Every call has a limit of `Settings.database_timeout` seconds, so that a silent database costs a request an
error and not a hang: SQLite waits no longer for a lock, PostgreSQL cancels a statement after that time, and a
connection that does not answer at all is cut by `postgres.TimedConnection`.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
import structlog
from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool
from sqlalchemy.util import await_only

from tripot.game import TripotError
from tripot.server.errors import DatabaseUnavailableError
from tripot.server.sqlite import Connector
from tripot.server.tables import readiness

log = structlog.get_logger("tripot")

MIGRATION_LOCK: Final = 0x7472_6970_6F74  # "tripot", the key of the advisory lock on PostgreSQL
WAL_RETRY_SECONDS: Final = 0.05
LEAST_CONNECT_SECONDS: Final = 2  # libpq accepts no shorter timeout
FOR_OTHERS: Final = 0o077  # the permissions of everybody but the owner
PRIVATE: Final = 0o600  # permissions of a file that only its owner may read and write


class StartupError(TripotError):
    """The server cannot start with this database; the message says why and what to do."""


# --- Engines -----------------------------------------------------------------------------------


def create_engine(url: str, timeout: float, pooled: bool = True) -> AsyncEngine:
    """An engine whose calls take at most `timeout` seconds. Errors never contain the values of parameters."""
    options: dict[str, Any] = {"hide_parameters": True}
    options |= {"pool_timeout": timeout} if pooled else {"poolclass": NullPool}
    if url.startswith("sqlite"):
        engine = _create_sqlite_engine(url, timeout, **options)
        sa.event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        return engine
    if pooled:
        options["pool_pre_ping"] = True
    from tripot.server.postgres import connect_with_timeout  # its driver may not be installed

    connect_args = {
        "async_creator_fn": connect_with_timeout(timeout),
        "connect_timeout": max(LEAST_CONNECT_SECONDS, int(timeout)),
    }
    return create_async_engine(url, connect_args=connect_args, **options)


def _create_sqlite_engine(url: str, timeout: float, **options: Any) -> AsyncEngine:
    connector = Connector(timeout)
    engine = create_async_engine(url, connect_args={"async_creator_fn": connector.connect}, **options)

    def on_disposed(_: sa.Engine) -> None:
        await_only(connector.close())

    sa.event.listen(engine.sync_engine, "engine_disposed", on_disposed)
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    """In the WAL mode, which `prepare` sets, a killed process loses nothing that was committed."""
    cursor = connection.cursor()
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def is_unavailable(error: BaseException) -> bool:
    """Whether an error is trouble with the database and not with the values that were to be written."""
    if isinstance(error, (IntegrityError, DataError)):
        return False
    return isinstance(error, (DBAPIError, sa.exc.TimeoutError, OSError, TimeoutError, sqlite3.Error))


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn trouble with the database into `DatabaseUnavailableError`, and log it."""
    try:
        yield
    except Exception as error:
        if not is_unavailable(error):
            raise
        log.warning("the database failed", reason=reason_of(error))
        raise DatabaseUnavailableError from error


def reason_of(error: BaseException) -> str:
    """The first line of what the driver says, without the statement and its parameters."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


# --- Migrations --------------------------------------------------------------------------------


def migrate(connection: sa.Connection, revision: str = "head") -> None:
    """Bring a database up to a revision, by default the newest; completely or not at all.

    If several servers start together, one migrates and the others wait for it.
    """
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
    elif not driver.in_transaction:
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


async def prepare(url: str, timeout: float = 5.0) -> None:
    """Migrate a database, however long that takes, and raise `StartupError` if it fails.

    Another program, or server that migrates, may keep an SQLite file locked for `timeout` seconds.
    """
    options: dict[str, Any] = {"poolclass": NullPool, "hide_parameters": True}
    engine: AsyncEngine | None = None
    try:
        if url.startswith("sqlite"):
            _refuse_arguments(sa.make_url(url))
            engine = _create_sqlite_engine(url, timeout, **options)
        else:
            engine = create_async_engine(url, connect_args={"connect_timeout": 5}, **options)
        if engine.dialect.name == "sqlite":
            _make_private(engine.url)
            await _switch_to_wal(engine, timeout)
        async with engine.begin() as connection:
            await connection.run_sync(migrate)
            await connection.execute(sa.delete(readiness))  # fails if the database is read-only
    except (SQLAlchemyError, CommandError, ImportError, OSError, ValueError) as error:
        raise StartupError(_startup_message(url, error)) from error
    finally:
        if engine:
            await engine.dispose()


def _refuse_arguments(url: sa.URL) -> None:
    """Refuse the arguments of an SQLite URL that is a plain file name: they have no effect."""
    if url.query and not sa.util.asbool(url.query.get("uri", "false")):
        names = ", ".join(url.query)
        raise StartupError(
            f"the database URL of an SQLite file has arguments without effect ({names}): write sqlite:///FILE"
        )


def _make_private(url: sa.URL) -> None:
    """Let only the owner read the files of an SQLite database, which have the seeds of running games.

    SQLite creates its journals with the permissions of the database. A server that was killed may have left
    journals with others.
    """
    if not url.database or url.database == ":memory:":
        raise ValueError("a database in memory has one connection, and a server needs several")
    file = Path(url.database)
    with suppress(OSError):  # opening the database reports what is wrong
        file.touch(mode=PRIVATE, exist_ok=True)
    for each in (file, *(file.with_name(file.name + suffix) for suffix in ("-wal", "-shm"))):
        if not _is_open_to_others(each):
            continue
        with suppress(OSError):
            each.chmod(PRIVATE)
        if _is_open_to_others(each):
            raise StartupError(
                f"other users of this machine may read {each}, which has hidden information: "
                "let the user who runs the server own the file, or allow only that user to read it"
            )


def _is_open_to_others(file: Path) -> bool:
    """Whether a file exists that others than its owner may use. Only POSIX has such permissions."""
    try:
        return os.name == "posix" and bool(file.stat().st_mode & FOR_OTHERS)
    except OSError:
        return False


async def _switch_to_wal(engine: AsyncEngine, timeout: float) -> None:
    """With WAL, readers do not wait for the writer. The file keeps the mode.

    SQLite does not wait for a lock here, although it does everywhere else.
    """
    deadline = asyncio.get_running_loop().time() + timeout
    while True:
        try:
            async with engine.connect() as connection:
                await connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            return
        except sa.exc.OperationalError as error:
            if "locked" not in str(error) or asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(WAL_RETRY_SECONDS)


def _startup_message(url: str, error: Exception) -> str:
    """One line: what is wrong with the database, and a remedy."""
    shown = _without_password(url)
    if isinstance(error, (ArgumentError, ImportError, ValueError)):
        return (
            f"the database URL {shown!r} is not valid: "
            "write sqlite:///FILE or postgresql://USER@HOST/NAME for --database or TRIPOT_DATABASE"
        )
    reason = reason_of(error)
    if _is_folder(url):
        return f"cannot open the database {shown} ({reason}): it is a folder; name a file in it"
    if isinstance(error, CommandError):
        return (
            f"the database {shown} was written by a newer version of Tripot or by another program "
            f"({reason}): install that version, or use another database"
        )
    lower = reason.lower()
    if "not a database" in lower or "malformed" in lower:
        remedy = "the file is damaged: restore a copy of it, or move it away to start with an empty database"
    elif "readonly" in lower or "read-only" in lower:
        remedy = "allow the user who runs the server to write the file and its folder"
    elif "already exists" in lower:
        remedy = "it has tables of another program; use another database"
    elif "database" in lower and "does not exist" in lower:
        remedy = "create the database, for example with createdb, or correct --database or TRIPOT_DATABASE"
    elif "invalid connection option" in lower:
        remedy = "remove that argument from --database or TRIPOT_DATABASE"
    elif "authentication failed" in lower or ("role" in lower and "does not exist" in lower):
        remedy = "correct the user or the password in --database or TRIPOT_DATABASE"
    elif "unable to open" in lower:
        remedy = "create the folder of the file, and allow the user who runs the server to write there"
    elif "locked" in lower:
        remedy = (
            "stop the other program that is writing it, or let TRIPOT_DATABASE_TIMEOUT be longer than a "
            "migration by another server takes"
        )
    elif "full" in lower:
        remedy = "free some space"
    else:
        remedy = "start the database, or correct --database or TRIPOT_DATABASE"
    return f"cannot open the database {shown} ({reason}): {remedy}"


def _is_folder(url: str) -> bool:
    """Whether a URL names a folder as the file of an SQLite database."""
    with suppress(ArgumentError, ValueError):
        parsed = sa.make_url(url)
        return parsed.get_backend_name() == "sqlite" and Path(parsed.database or "").is_dir()
    return False


def _without_password(url: str) -> str:
    with suppress(ArgumentError, ValueError):
        return sa.make_url(url).set(drivername=url.partition("://")[0].partition("+")[0]).render_as_string()
    scheme, separator, _ = url.partition("://")
    return f"{scheme if separator else ''}{separator}..." if "@" in url else url
