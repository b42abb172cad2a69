"""A notice while the kernels of one engine are compiled: a live line in a terminal, plain lines elsewhere.

Numba compiles an engine when it is first needed, which takes about a minute per game. The compiled code is
kept on disk, so nothing is shown the second time. The notice goes to stderr.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final

from tripot.cli.console import errors
from tripot.engine import kernel_cache
from tripot.game import AnyGame

if TYPE_CHECKING:
    from rich.status import Status

LINE_INTERVAL: Final = 10.0
"""Seconds between two plain lines, so that a log shows that the program is still working."""


@contextmanager
def compiling(game: AnyGame, status: Status | None = None) -> Iterator[None]:
    """Show a notice if kernels are compiled in this block; it replaces `status`, a display on stdout."""
    notice = _Notice(game.title, status)
    kernel_cache.listeners.append(notice.on_compile)
    try:
        yield
    finally:
        kernel_cache.listeners.remove(notice.on_compile)
        notice.close()


class _Notice:
    """Appears with the first function that is compiled."""

    def __init__(self, title: str, status: Status | None) -> None:
        self.text = f"Compiling the engine of {title} (about a minute, once)"
        self.status, self.functions = status, 0
        self.started = self.printed = 0.0
        self.display = ExitStack()

    def on_compile(self, _function: str) -> None:
        """Count one more function, and show the count."""
        self.functions += 1
        now = time.monotonic()
        if self.functions == 1:
            self.started = self.printed = now
            self._open()
        count = function_count_text(self.functions)
        if errors.is_terminal:
            self.bar.update(self.task, description=f"{self.text}: {count}")
        elif now - self.printed >= LINE_INTERVAL:
            self.printed = now
            print_line(f"{self.text}: {count}, {now - self.started:.0f} s")

    def _open(self) -> None:
        if not errors.is_terminal:
            print_line(self.text)
            return
        from rich.progress import Progress, TextColumn, TimeElapsedColumn

        if self.status:
            self.status.stop()
        columns = (TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
        self.bar = self.display.enter_context(Progress(*columns, console=errors, transient=True))
        self.task = self.bar.add_task(self.text, total=None)

    def close(self) -> None:
        """Remove the bar; plain lines stay."""
        self.display.close()


def function_count_text(functions: int) -> str:
    """Return a number of functions as text, in the singular or the plural."""
    return "1 function" if functions == 1 else f"{functions} functions"


def print_line(line: str) -> None:
    """Print a plain line on stderr."""
    errors.print(line, markup=False, soft_wrap=True)
