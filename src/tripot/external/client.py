"""A client of the engine protocol: drives an engine that runs as a child process."""

from __future__ import annotations

from tripot.external.process import EngineProcess
from tripot.external.protocol import PROTOCOL_VERSION, limit_text, parse_candidate
from tripot.game import AnyGame, Limit


class ProtocolEngine(EngineProcess):
    """A program that speaks the engine protocol, as `tripot engine` does.

    The constructor starts the program and checks its protocol version and its game. `name` is the name and
    version that the program reports.
    """

    def __init__(self, command: str, game: AnyGame) -> None:
        super().__init__(command)
        try:
            with self.handshake():
                answers = self._hello()
            if (version := answers.get("protocol")) != str(PROTOCOL_VERSION):
                raise self.failure(
                    f"speaks version {version} of the engine protocol; version {PROTOCOL_VERSION} is needed"
                )
            if answers.get("game") != f"{game.key} {game.version}":
                raise self.failure(f"plays {answers.get('game')}, not {game.key} {game.version}")
        except BaseException:
            self.close()
            raise
        self.name = f"{answers.get('name', 'engine')} {answers.get('version', '')}".strip()

    def _hello(self) -> dict[str, str]:
        """Return the lines of its answer to `hello`, by their first word. The first has to be `protocol`."""
        self.write("hello")
        first = self.read_line()
        if first.partition(" ")[0] not in ("protocol", "error"):
            raise self.failure(
                f"answered {first[:60]!r} to hello; expected 'protocol {PROTOCOL_VERSION}'. "
                "For a GTP program write gtp:..."
            )
        return dict(line.partition(" ")[::2] for line in self._read_answer("hello", first)[:-1])

    def send_command(self, command: str) -> list[str]:
        """Send a command and return the lines of its answer; the last one begins with `ok` or `best`."""
        self.write(command)
        return self._read_answer(command, self.read_line())

    def _read_answer(self, command: str, line: str) -> list[str]:
        """Return the lines of an answer, of which the first was read already."""
        lines = [line]
        while (word := lines[-1].partition(" ")[0]) not in ("ok", "best"):
            if word == "error":
                raise self.failure(f"refused {command[:60]!r}: {lines[-1].partition(' ')[2]}")
            lines.append(self.read_line())
        return lines

    def choose(self, limit: Limit) -> str:
        """Return the text of the action that the engine chooses in the position that was sent before."""
        answer = self.send_command(f"go {limit_text(limit)}")[-1]
        return str(parse_candidate(answer.removeprefix("best ")).action)
