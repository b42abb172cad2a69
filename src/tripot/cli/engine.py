"""The command `engine`: runs an engine as a process for other programs."""

from __future__ import annotations

import sys
from contextlib import closing
from io import TextIOWrapper
from queue import SimpleQueue
from threading import Event, Thread
from typing import Final, TextIO

import tripot
from tripot.cli.arguments import GameKey
from tripot.cli.compiling import compiling
from tripot.external.server import EngineServer

SEARCH_COMMANDS: Final = ("go", "analyse")
"""The commands that `stop` ends."""


def engine(game_key: GameKey) -> None:
    """Speak the engine protocol on standard input and output, one command per line.

    Commands: hello, option, new, position, go, analyse, stop, quit, help. They are described in
    docs/engine/protocol.md.
    """
    game = tripot.get_game(game_key)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # invalid bytes must not end the session
    with closing(EngineServer(game, lambda line: print(line, flush=True))) as server:
        serve(server, sys.stdin)


def serve(server: EngineServer, lines: TextIO) -> None:
    """Answer one line after the other, until `quit` or the end of the input.

    A separate thread reads, so that a `stop` arrives during a search. It is meant for the last search that
    was requested before it, whether that has started or not: no `stop` is lost, and none ends a later search.
    """
    queue: SimpleQueue[tuple[str, Event] | None] = SimpleQueue()

    def read() -> None:
        stop = Event()  # of the last search that was requested
        try:
            for line in lines:
                command = line.split(maxsplit=1)[:1]
                if command == ["stop"]:
                    stop.set()
                if command and command[0] in SEARCH_COMMANDS:
                    stop = Event()
                queue.put((line, stop))
        finally:
            queue.put(None)

    Thread(target=read, name="commands", daemon=True).start()
    while not server.has_quit and (entry := queue.get()):
        line, stop = entry
        with compiling(server.game):
            server.handle(line, stop.is_set)
