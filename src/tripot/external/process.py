"""Other programs that play, as processes spoken to in lines of text."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from contextlib import suppress
from types import TracebackType
from typing import Self

from tripot.external.protocol import PROTOCOL, parse_candidate
from tripot.game import AnyGame, Limit, TripotError

EXIT_TIMEOUT = 5.0  # seconds that a program has to end by itself


class EngineProcessError(TripotError):
    """A program that does not start, ends too early, or does not answer as it should."""


class EngineProcess:
    """A process that reads lines and answers in lines. A context manager: it ends with the block.

    It has a session of its own, so Ctrl-C does not reach it; it ends when its input does.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise EngineProcessError(f"{command!r} is no command: {error}") from None
        if not words:
            raise EngineProcessError("a command is needed")
        # It stays open as long as the process: `close` closes both.
        self._stderr = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            self._stderr.close()
            raise EngineProcessError(f"cannot start {command!r}: {error.strerror}") from None

    def write(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self.failure("ended too early") from None

    def read_line(self) -> str:
        """The next line it says, without its end."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise self.failure("ended too early")
        return line.rstrip("\r\n")

    def failure(self, what: str) -> EngineProcessError:
        """The error that it did something wrong, with what it last complained of."""
        if self._process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.2)  # it may be about to say why
        self._stderr.seek(0)
        last = self._stderr.read().strip().splitlines()[-1:]
        return EngineProcessError(" ".join([f"{self.command!r} {what}", *(f"({each})" for each in last)]))

    def close(self) -> None:
        """End it: first by closing its input, and if that does not help by force."""
        assert self._process.stdin
        assert self._process.stdout
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()


class ProtocolEngine(EngineProcess):
    """A program that speaks our protocol, as `tripot engine` does."""

    def __init__(self, command: str, game: AnyGame) -> None:
        super().__init__(command)
        try:
            said = dict(line.partition(" ")[::2] for line in self.send_command("hello")[:-1])
            if said.get("protocol") != str(PROTOCOL):
                raise self.failure(f"speaks protocol {said.get('protocol')}, not {PROTOCOL}")
            if said.get("game") != f"{game.key} {game.version}":
                raise self.failure(f"plays {said.get('game')}, not {game.key} {game.version}")
        except BaseException:
            self.close()
            raise
        self.name = f"{said.get('name', 'engine')} {said.get('version', '')}".strip()

    def send_command(self, command: str) -> list[str]:
        """The lines that a command is answered with; the last one is `ok` or `best`."""
        self.write(command)
        said = []
        while True:
            said.append(line := self.read_line())
            word, _, rest = line.partition(" ")
            if word == "error":
                raise self.failure(f"refused {command[:60]!r}: {rest}")
            if word in ("ok", "best"):
                return said

    def choose(self, limit: Limit) -> str:
        """The action it chooses in the position that it was given."""
        counted = f" simulations {limit.simulations}" if limit.simulations is not None else ""
        answer = self.send_command(
            f"go {'mean' if limit.average else 'seconds'} {limit.seconds:.6f}{counted}"
        )[-1]
        return str(parse_candidate(answer.removeprefix("best ")).action)
