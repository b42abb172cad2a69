"""`engine`: a game's engine as a process, for other programs."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from queue import SimpleQueue
from threading import Event, Thread
from typing import TextIO

import tripot
from tripot.cli.arguments import GameKey
from tripot.cli.compiling import compiling
from tripot.external.protocol import EngineServer

SEARCH_COMMANDS = ("go", "analyse")  # the commands that `stop` is for


def engine(game: GameKey) -> None:
    """Speak the engine protocol on standard input and output, one command per line.

    hello, option, new, position, go, analyse, stop, quit; docs/engine-protocol.md describes them.
    """
    found = tripot.get_game(game)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # no byte may end the sitting
    serve(EngineServer(found, lambda line: print(line, flush=True)), sys.stdin)


def serve(session: EngineServer, lines: TextIO) -> None:
    """Answer line after line, until `quit` or the end of the input.

    A thread of its own reads, so that a `stop` is heard during thought. It belongs to the last thought
    that was asked for, begun or not: so none is lost, and none stops a later one.
    """
    asked: SimpleQueue[tuple[str, Event] | None] = SimpleQueue()

    def read() -> None:
        last = Event()
        try:
            for line in lines:
                command = line.split(maxsplit=1)[:1]
                if command == ["stop"]:
                    last.set()
                last = Event() if command and command[0] in SEARCH_COMMANDS else last
                asked.put((line, last))
        finally:
            asked.put(None)

    Thread(target=read, name="commands", daemon=True).start()
    while not session.has_quit and (next_one := asked.get()):
        line, stopped = next_one
        with compiling(session.game):
            session.handle(line, stopped.is_set)
