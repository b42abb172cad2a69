"""`serve`: the house on the web, for people and bots."""

from __future__ import annotations

import gc
import socket
import sys
from typing import Annotated, Any

import typer

import tripot
from tripot.cli.compiling import warm_if_cold
from tripot.cli.console import console
from tripot.game import TripotError

# How long one thread may keep the others waiting. Every act passes through the event loop, a thread of
# rules and one of the database; at Python's usual 5 ms each of them waits that long when a server is busy.
GIL_SWITCH_INTERVAL = 0.0005

# Games in memory are many small objects in no cycles: looking through them all, as Python does by
# default every 70,000 objects or so, stops everybody for a tenth of a second.
GC_THRESHOLDS = (20_000, 20, 1000)


class NotInstalled(TripotError):
    """Something that an extra of the package brings."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed: pip install 'tripot[{extra}]'")


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 takes any free one.")] = 8000,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://...; else a file of our own."),
    ] = None,
    think: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0.01, help="How long a bot may think of a move.")
    ] = None,
    bot_threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="How many bots may think at once.")
    ] = None,
) -> None:
    """Serve the games over HTTP and WebSockets until Ctrl-C.

    Other settings come from the environment: TRIPOT_KEY signs the cookies, TRIPOT_ORIGINS lists pages
    of other addresses that may use this server.
    """
    # Here, not above: the web server may not be installed.
    from tripot.server.settings import Settings

    settings = Settings.read(database=database, think=think, bot_threads=bot_threads)
    try:
        import uvicorn

        if settings.database.startswith("postgres"):
            _check_driver()
        from tripot.server.app import log_as_json, make_app
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("tripot"):
            raise  # that is a bug, and nothing to install
        raise NotInstalled("the web server", "server") from None

    class GracefulServer(uvicorn.Server):
        """Says goodbye to everybody who is connected before it closes their connections."""

        async def shutdown(self, sockets: Any = None) -> None:
            await app.state.house.watchers.farewell()
            await super().shutdown(sockets)

    sys.setswitchinterval(GIL_SWITCH_INTERVAL)
    gc.set_threshold(*GC_THRESHOLDS)
    log_as_json()
    app = make_app(settings)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, ws_max_size=16384, timeout_graceful_shutdown=10
    )
    listening = _bind(host, port)  # before compiling: an address that is taken is said at once
    warm_if_cold(tripot.list_games())
    listening.listen()  # a client that reads the address and connects at once is not refused
    console.print(f"Tripot is open at http://{host}:{listening.getsockname()[1]} (Ctrl-C closes it)")
    GracefulServer(config).run([listening])


def _check_driver() -> None:
    """Raise `NotInstalled` without the driver of PostgreSQL, or where its C library is missing."""
    try:
        import psycopg  # noqa: F401 - SQLAlchemy imports it by name
    except ImportError:
        raise NotInstalled("support for PostgreSQL", "postgres") from None


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise TripotError(f"cannot listen at {host}:{port}: {error.strerror}; try another --port") from None
    return listening
