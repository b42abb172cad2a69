"""Progress while kernels are compiled: on stderr, a bar in a terminal and plain lines elsewhere.

Numba compiles an engine when it is first needed, which takes about a minute per game. The compiled code is
kept on disk, so nothing is shown the second time.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from queue import Empty
from typing import TYPE_CHECKING, Any, Final

from tripot.cli import console
from tripot.engine import kernel_cache
from tripot.game import AnyGame

if TYPE_CHECKING:
    from rich.status import Status

LINE_INTERVAL: Final = 10.0
"""Seconds between two plain lines, so that a log shows that the program is still working."""


# --- One engine, when it is needed -------------------------------------------------------------


@contextmanager
def compiling(game: AnyGame, status: Status | None = None) -> Iterator[None]:
    """Show that kernels are compiled, if any are; `status` is a display on stdout that makes room for it."""
    notice = _Notice(game.title, status)
    kernel_cache.listeners.append(notice.compile)
    try:
        yield
    finally:
        kernel_cache.listeners.remove(notice.compile)
        notice.close()


class _Notice:
    """What is shown from the first function that is compiled."""

    def __init__(self, title: str, status: Status | None) -> None:
        self.said = f"Compiling the engine of {title} (about a minute, once)"
        self.status, self.functions = status, 0
        self.began = self.told = 0.0
        self.display = ExitStack()

    def compile(self, _function: str) -> None:
        """One more function."""
        self.functions += 1
        now = time.monotonic()
        if self.functions == 1:
            self.began = self.told = now
            self._begin()
        counted = _count(self.functions)
        if console.errors.is_terminal:
            self.bar.update(self.task, description=f"{self.said}: {counted}")
        elif now - self.told >= LINE_INTERVAL:
            self.told = now
            _print(f"{self.said}: {counted}, {now - self.began:.0f} s")

    def _begin(self) -> None:
        if not console.errors.is_terminal:
            _print(self.said)
            return
        from rich.progress import Progress, TextColumn, TimeElapsedColumn

        if self.status:
            self.status.stop()
        columns = (TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
        self.bar = self.display.enter_context(Progress(*columns, console=console.errors, transient=True))
        self.task = self.bar.add_task(self.said, total=None)

    def close(self) -> None:
        """The display goes away; plain lines stay."""
        self.display.close()


def _count(functions: int) -> str:
    return "1 function" if functions == 1 else f"{functions} functions"


def _print(line: str) -> None:
    console.errors.print(line, markup=False, soft_wrap=True)


# --- All engines at once -----------------------------------------------------------------------

_reports: Any = None  # in a child process: the queue to the one that shows the progress


def warm(games: Sequence[AnyGame]) -> None:
    """Compile all kernels of some games side by side, and show how far each one is.

    One process per game, because compiling keeps one core busy. The processes are spawned, not forked,
    because the progress bar has a thread.
    """
    from multiprocessing import get_context

    spawn = get_context("spawn")
    reports = spawn.Queue()
    with _progress(games) as progress, spawn.Pool(initializer=_start_child, initargs=(reports,)) as pool:
        results = [pool.apply_async(_warm_in_child, (game.key,)) for game in games]
        pool.close()
        under_way = {game.key for game in games}
        while under_way:
            try:
                key, step, steps, functions = reports.get(timeout=1.0)
            except Empty:
                progress.wait()
                for result in results:
                    if result.ready():
                        result.get()  # raises what the child raised
                continue
            progress.report(key, step, steps, functions)
            if step == steps:
                under_way.remove(key)
        for result in results:
            result.get()  # the last thing that a child does is not reported


def warm_if_cold(games: Sequence[AnyGame]) -> None:
    """Compile the kernels of those games that have not been compiled yet."""
    if cold := [game for game in games if not kernel_cache.is_warm(game.key)]:
        warm(cold)


def _start_child(reports: Any) -> None:
    global _reports  # noqa: PLW0603 - a pool gives its processes their queue no other way
    _reports = reports
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its children


def _warm_in_child(key: str) -> None:
    from tripot.cli.info import compile_game

    functions, step, steps = 0, 0, 1

    def compile_one(_function: str) -> None:
        nonlocal functions
        functions += 1
        _reports.put((key, step, steps, functions))

    def tell(done: int, of: int) -> None:
        nonlocal step, steps
        step, steps = done, of
        _reports.put((key, step, steps, functions))

    kernel_cache.listeners.append(compile_one)
    try:
        compile_game(key, tell)
    finally:
        kernel_cache.listeners.remove(compile_one)  # the process may go on with another game
    kernel_cache.mark_warm(key)


class _Lines:
    """The progress as plain lines, for a log: every ten seconds, and when a game is done."""

    def __init__(self, games: Sequence[AnyGame]) -> None:
        self.titles = {game.key: game.title for game in games}
        self.latest = dict.fromkeys(self.titles, "waiting")
        self.began = self.told = time.monotonic()

    def report(self, key: str, step: int, steps: int, functions: int) -> None:
        """How far a game is."""
        if step == steps:
            del self.latest[key]
            title = self.titles[key]
            if functions:
                _print(f"Compiled {title}: {_count(functions)}, {self._elapsed()}")
            else:
                _print(f"{title} was already compiled")
        else:
            self.latest[key] = f"step {step + 1} of {steps}, {_count(functions)}"
            self.wait()

    def wait(self) -> None:
        """Nothing new, but perhaps it is time to say so."""
        if self.latest and time.monotonic() - self.told >= LINE_INTERVAL:
            self.told = time.monotonic()
            under_way = "; ".join(f"{self.titles[key]} {said}" for key, said in self.latest.items())
            _print(f"Compiling, {self._elapsed()}: {under_way}")

    def _elapsed(self) -> str:
        return f"{time.monotonic() - self.began:.0f} s"


class _Bars:
    """The progress as a bar for each game."""

    def __init__(self, bar: Any, games: Sequence[AnyGame]) -> None:
        self.bar = bar
        self.tasks = {game.key: bar.add_task(f"Compiling {game.title}", functions=0) for game in games}

    def report(self, key: str, step: int, steps: int, functions: int) -> None:
        """How far a game is."""
        self.bar.update(self.tasks[key], completed=step, total=steps, functions=functions)

    def wait(self) -> None:
        """Nothing new; the clock of each bar runs by itself."""


@contextmanager
def _progress(games: Sequence[AnyGame]) -> Iterator[_Lines | _Bars]:
    if not console.errors.is_terminal:
        yield _Lines(games)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[functions]} functions"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console.errors, transient=True) as bar:
        yield _Bars(bar, games)
