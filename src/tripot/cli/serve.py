"""The command `serve`: runs the web server."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Annotated, Final

import typer

import tripot
from tripot.__main__ import INTERRUPTED
from tripot.cli.console import console
from tripot.cli.warm import warm_if_cold
from tripot.game import TripotError

PORT_ERRORS: Final = (errno.EADDRINUSE, errno.EACCES)  # another address would not help


class NotInstalledError(TripotError):
    """A package is missing that an extra of Tripot installs."""

    def __init__(self, component: str, extra: str) -> None:
        super().__init__(f"{component} is not installed: run pip install 'tripot[{extra}]'")


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 accepts other machines.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 chooses a free one.")
    ] = 8000,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://...; by default an SQLite file."),
    ] = None,
    bot_seconds: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0.01, help="Time limit of a bot per move.")
    ] = None,
    bot_threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Maximum number of bots that search at once.")
    ] = None,
) -> None:
    """Serve the games over HTTP and WebSockets until Ctrl-C.

    Other settings come from the environment: TRIPOT_SECRET_KEY signs the cookies, TRIPOT_ALLOWED_ORIGINS
    lists pages from other addresses that may use this server.
    """
    try:  # imported here, because the web server may not be installed
        import structlog

        from tripot.server.settings import Settings

        settings = Settings.from_env(database=database, bot_seconds=bot_seconds, bot_threads=bot_threads)
        if settings.database.startswith("postgres"):
            _check_driver()
        from tripot.server import database as server_database
        from tripot.server.process import new_server
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("tripot"):
            raise  # a bug, not a missing package
        raise NotInstalledError("the web server", "server") from None

    server = new_server(settings)
    log = structlog.get_logger("tripot")
    listening = _bind(host, port)  # before compiling, so that an address in use is reported at once
    # before the address is printed, so that errors of the database are reported at once
    asyncio.run(server_database.prepare(settings.database_url, settings.database_timeout))
    warm_if_cold(tripot.list_games(), lambda line: log.info("compiling", progress=line))
    _listen(listening, host, port)  # before the address is printed, so that a client may connect at once
    Thread(target=_preload, name="preload", daemon=True).start()
    address = _host_and_port(host, listening.getsockname()[1])
    console.print(f"Tripot is open at http://{address} (Ctrl-C closes it)")
    try:
        server.run([listening])
    except KeyboardInterrupt:  # raised again once the server has closed and said so
        raise typer.Exit(INTERRUPTED) from None


def _preload() -> None:
    """Make the rules of all games faster; until then they work as well, but slower."""
    for game in tripot.list_games():
        game.preload()


def _check_driver() -> None:
    """Raise `NotInstalledError` if the driver of PostgreSQL or its C library is missing."""
    try:
        import psycopg  # noqa: F401 - SQLAlchemy imports it by name
    except ImportError:
        raise NotInstalledError("support for PostgreSQL", "postgres") from None


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    with _closed_on_error(listening, host, port):
        listening.bind((host, port))
    return listening


def _listen(listening: socket.socket, host: str, port: int) -> None:
    """Accept connections. Another server that was bound at the same time may have been the first."""
    with _closed_on_error(listening, host, port):
        listening.listen()


@contextmanager
def _closed_on_error(listening: socket.socket, host: str, port: int) -> Iterator[None]:
    try:
        yield
    except (OSError, UnicodeError) as error:
        listening.close()
        is_port = isinstance(error, OSError) and error.errno in PORT_ERRORS
        remedy = "try another --port" if is_port else "let --host be an address of this machine, or 0.0.0.0"
        reason = error.strerror if isinstance(error, OSError) else "it is no host name"
        raise TripotError(f"cannot listen on {_host_and_port(host, port)}: {reason}; {remedy}") from None


def _host_and_port(host: str, port: int) -> str:
    """An address as in a URL, where IPv6 has brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
