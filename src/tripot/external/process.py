"""Child processes that read and write lines of text."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from types import TracebackType
from typing import Final, Self

from tripot.game import TripotError

EXIT_TIMEOUT: Final = 5.0
"""Seconds that a process has to exit after its input was closed, before it is killed."""

HANDSHAKE_TIMEOUT: Final = 30.0
"""Seconds that a program has after its start to say what it is, before it is killed. A slow one, such as
Tripot itself on a busy machine, needs a few."""

STDERR_TIMEOUT: Final = 0.2
"""Seconds to wait for the last error message of a process that is about to exit."""


class EngineProcessError(TripotError):
    """An engine process did not start, exited too early, or sent an unexpected answer."""


class EngineProcess:
    """A child process that reads commands and writes answers, one per line.

    It is a context manager, which closes the process at the end of the block. The process has its own
    session, so Ctrl-C in the terminal does not reach it; it exits when its input is closed.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        self._last_command = ""
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise EngineProcessError(f"cannot parse the command {command!r}: {error}") from None
        if not words:
            raise EngineProcessError("the command of an engine is empty; give a program and its arguments")
        self._stderr = tempfile.TemporaryFile(  # noqa: SIM115 - `close` closes it with the process
            "w+", encoding="utf-8", errors="replace"
        )
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
        """Send one line."""
        assert self._process.stdin
        self._last_command = line
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self.failure("exited too early") from None

    def read_line(self) -> str:
        """Return the next line of its output, without the line end."""
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise self.failure("exited too early")
        return line.rstrip("\r\n")

    @contextmanager
    def handshake(self) -> Iterator[None]:
        """Kill the process if the block, which asks it what it is, takes longer than `HANDSHAKE_TIMEOUT`."""
        seconds, expired = HANDSHAKE_TIMEOUT, False

        def expire() -> None:
            nonlocal expired
            expired = True
            self._kill()

        timer = Timer(seconds, expire)
        timer.daemon = True
        timer.start()
        try:
            yield
        except EngineProcessError:
            if not expired:
                raise
            raise self.failure(
                f"did not answer {self._last_command!r} within {seconds:g} seconds; "
                "does it speak this protocol?"
            ) from None
        finally:
            timer.cancel()

    def _kill(self) -> None:
        """End the process at once, with its own child processes, which would keep its output open."""
        if self._process.poll() is not None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (OSError, AttributeError):  # it has just ended, or this system has no process groups
            self._process.kill()

    def failure(self, problem: str) -> EngineProcessError:
        """Return an error with the command, the problem, and the last line of the standard error output."""
        if self._process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STDERR_TIMEOUT)
        self._stderr.seek(0)
        last_line = self._stderr.read().strip().splitlines()[-1:]
        return EngineProcessError(" ".join([f"{self.command!r} {problem}", *(f"({it})" for it in last_line)]))

    def close(self) -> None:
        """End the process: close its input, and kill it if it does not exit within `EXIT_TIMEOUT`."""
        assert self._process.stdin
        assert self._process.stdout
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()
        self._process.stdout.close()
        self._stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()
