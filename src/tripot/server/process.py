"""The process of the server: settings of the interpreter, and Uvicorn."""

from __future__ import annotations

import asyncio
import gc
import sys
from socket import socket
from typing import Final

import uvicorn

from tripot.server.app import create_app
from tripot.server.http_protocol import ConnectionLimits, limited_protocol
from tripot.server.log_config import configure_json_logging
from tripot.server.settings import Settings
from tripot.server.ws_protocol import limited_ws_protocol

GIL_SWITCH_INTERVAL: Final = 0.0005
"""Seconds after which a thread gives up the GIL if another one waits for it.

Every action passes through the event loop, a rules thread and a database thread. With the default of 5 ms
each of them waits that long on a busy server.
"""

GC_THRESHOLDS: Final = (20_000, 20, 1000)
"""Thresholds of the garbage collector.

Games in memory are many small objects without cycles. A full collection, which the defaults start every
70,000 objects or so, stops the server for a tenth of a second.
"""


class GracefulServer(uvicorn.Server):
    """The web server of some settings.

    It informs all clients before it closes their connections, and watches file descriptors.
    """

    def __init__(self, settings: Settings) -> None:
        self._app = create_app(settings)
        self._limits = ConnectionLimits(settings)
        super().__init__(
            uvicorn.Config(
                self._app,
                log_config=None,  # as `configure_json_logging` has set it up
                http=limited_protocol(self._limits),
                ws=limited_ws_protocol(self._limits),
                proxy_headers=False,  # the app does that, for the trusted proxies
                access_log=False,
                ws_max_size=16384,
                timeout_graceful_shutdown=10,
            )
        )

    async def startup(self, sockets: list[socket] | None = None) -> None:
        self._limits.watch_file_descriptors(asyncio.get_running_loop())
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        await self._app.state.games.connections.shut_down()
        await super().shutdown(sockets)


def new_server(settings: Settings) -> GracefulServer:
    """Return a server, in a process that is set up for it; `GracefulServer.run` starts it."""
    sys.setswitchinterval(GIL_SWITCH_INTERVAL)
    gc.set_threshold(*GC_THRESHOLDS)
    configure_json_logging()
    return GracefulServer(settings)
