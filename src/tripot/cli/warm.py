"""The command `warm`: compiles the kernels of all games, one process per game, and shows the progress."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from queue import Empty
from typing import TYPE_CHECKING, Any

import tripot
from tripot.cli import compiling
from tripot.cli.compiling import function_count_text, print_line
from tripot.cli.console import console, errors
from tripot.engine import kernel_cache
from tripot.game import AnyGame

if TYPE_CHECKING:
    from tripot.engine.entry_points import EntryPoint


def warm() -> None:
    """Compile all engines now, so that no player has to wait.

    The compiled code is kept on disk, so the command returns quickly the second time.
    """
    games = tripot.list_games()
    if kernel_cache.is_disabled():
        console.print("NUMBA_DISABLE_JIT is set: nothing is compiled.")
        return
    warm_games(games)
    console.print(f"Ready: {', '.join(game.title for game in games)}.")


def warm_if_cold(games: Sequence[AnyGame], print_line: Callable[[str], None] = print_line) -> None:
    """Compile the kernels of those games that have not been compiled yet.

    Where there is no terminal, each line about the progress is given to `print_line`.
    """
    if cold := [game for game in games if not kernel_cache.is_warm(game.key)]:
        warm_games(cold, print_line)


# --- One game ----------------------------------------------------------------------------------


def _ignore_step(_done: int, _total: int) -> None:
    """Do nothing."""


def compile_game(key: str, on_step: Callable[[int, int], None] = _ignore_step) -> None:
    """Compile all kernels of a game that Python code calls, and with them the kernels that these call.

    `on_step` is called at the start and after each entry point, with the number of entry points done and the
    number of all.
    """
    points = entry_points(tripot.get_game(key))
    on_step(0, len(points))
    for done, point in enumerate(points, 1):
        if not kernel_cache.is_disabled():
            point.compile()
        on_step(done, len(points))


def entry_points(game: AnyGame) -> tuple[EntryPoint, ...]:
    """The list in the module `entry_points` of a game; imports Numba."""
    points: tuple[EntryPoint, ...] = import_module(f"{type(game).__module__}.entry_points").ENTRY_POINTS
    return points


# --- All games at once -------------------------------------------------------------------------

_reports: Any = None
"""In a child process: the queue to the process that shows the progress."""


def warm_games(games: Sequence[AnyGame], print_line: Callable[[str], None] = print_line) -> None:
    """Compile all kernels of some games side by side, and show the progress of each.

    Each game is compiled in a process of its own, as many at once as there are cores. A game is not divided
    between processes: two processes that compile one function for different types would overwrite each
    other's entries in the index of Numba's cache. The processes are spawned, not forked, because the progress
    bar has a thread.
    """
    from multiprocessing import get_context

    spawn = get_context("spawn")
    reports = spawn.Queue()
    with (
        _exit_on_sigterm(),
        _progress(games, print_line) as progress,
        spawn.Pool(initializer=_start_child, initargs=(reports,)) as pool,
    ):
        results = [pool.apply_async(_warm_in_child, (game.key,)) for game in games]
        pool.close()
        unfinished = {game.key for game in games}
        while unfinished:
            try:
                key, done, total, functions = reports.get(timeout=1.0)
            except Empty:
                progress.wait()
                for result in results:
                    if result.ready():
                        result.get()  # raises the exception of the child
                continue
            progress.report(key, done, total, functions)
            if done == total:
                unfinished.remove(key)
        for result in results:
            result.get()  # the child may have failed after its last report


@contextmanager
def _exit_on_sigterm() -> Iterator[None]:
    """Exit by an exception on SIGTERM, so that the pool ends its processes and frees its semaphores."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may handle signals
        return

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _start_child(reports: Any) -> None:
    global _reports  # noqa: PLW0603 - a pool gives its processes their queue no other way
    _reports = reports
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its children


def _warm_in_child(key: str) -> None:
    functions, done, total = 0, 0, 1

    def on_compile(_function: str) -> None:
        nonlocal functions
        functions += 1
        _reports.put((key, done, total, functions))

    def on_step(now_done: int, now_total: int) -> None:
        nonlocal done, total
        done, total = now_done, now_total
        _reports.put((key, done, total, functions))

    kernel_cache.listeners.append(on_compile)
    try:
        compile_game(key, on_step)
    finally:
        kernel_cache.listeners.remove(on_compile)  # the process may go on with another game
    kernel_cache.mark_warm(key)


class _Lines:
    """The progress as plain lines for a log: at the start, at intervals, and when a game is finished."""

    def __init__(self, games: Sequence[AnyGame], print_line: Callable[[str], None]) -> None:
        self.print_line = print_line
        self.titles = {game.key: game.title for game in games}
        self.latest = dict.fromkeys(self.titles, "waiting")
        self.started = self.printed = time.monotonic()
        titles = ", ".join(self.titles.values())
        print_line(f"Compiling the engines of {titles} (about a minute each, once)")

    def report(self, key: str, done: int, total: int, functions: int) -> None:
        """Take note of the progress of a game."""
        if done == total:
            del self.latest[key]
            title = self.titles[key]
            if functions:
                self.print_line(f"Compiled {title}: {function_count_text(functions)}, {self._elapsed()}")
            else:
                self.print_line(f"{title} was already compiled")
        else:
            self.latest[key] = f"entry point {done + 1} of {total}, {function_count_text(functions)}"
            self.wait()

    def wait(self) -> None:
        """Print a line if the last one is old enough."""
        if self.latest and time.monotonic() - self.printed >= compiling.LINE_INTERVAL:
            self.printed = time.monotonic()
            unfinished = "; ".join(f"{self.titles[key]} {text}" for key, text in self.latest.items())
            self.print_line(f"Compiling, {self._elapsed()}: {unfinished}")

    def _elapsed(self) -> str:
        return f"{time.monotonic() - self.started:.0f} s"


class _Bars:
    """The progress as one bar per game."""

    def __init__(self, bar: Any, games: Sequence[AnyGame]) -> None:
        self.bar = bar
        self.tasks = {game.key: bar.add_task(f"Compiling {game.title}", functions=0) for game in games}

    def report(self, key: str, done: int, total: int, functions: int) -> None:
        """Show the progress of a game."""
        self.bar.update(self.tasks[key], completed=done, total=total, functions=functions)

    def wait(self) -> None:
        """Do nothing: the bars update their clocks themselves."""


@contextmanager
def _progress(
    games: Sequence[AnyGame], print_line: Callable[[str], None] = print_line
) -> Iterator[_Lines | _Bars]:
    if not errors.is_terminal:
        yield _Lines(games, print_line)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[functions]} functions"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=errors, transient=True) as bar:
        yield _Bars(bar, games)
