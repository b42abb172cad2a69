"""The command `warm`: compiles the kernels of all games, one process per game, and shows the progress."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty
from random import Random
from typing import Any

import tripot
from tripot.cli import compiling
from tripot.cli.compiling import function_count_text, print_line
from tripot.cli.console import console, errors
from tripot.engine import kernel_cache
from tripot.game import CHANCE, AnyGame, AnyState, Limit, OptionError, Options


def warm() -> None:
    """Compile all engines now, so that no player has to wait.

    The compiled code is kept on disk, so the command returns quickly the second time.
    """
    games = tripot.list_games()
    warm_games(games)
    console.print(f"Ready: {', '.join(game.title for game in games)}.")


def warm_if_cold(games: Sequence[AnyGame]) -> None:
    """Compile the kernels of those games that have not been compiled yet."""
    if cold := [game for game in games if not kernel_cache.is_warm(game.key)]:
        warm_games(cold)


# --- One game ----------------------------------------------------------------------------------


def _ignore_step(_step: int, _steps: int) -> None:
    """Do nothing."""


def compile_game(key: str, on_step: Callable[[int, int], None] = _ignore_step) -> None:
    """Compile what every level, every variant and the ending of a game need.

    `on_step` is called after each step with the number of steps done and the number of all steps.
    """
    game = tripot.get_game(key)
    settings = [(level, game.Options()) for level in game.levels]
    settings += [(game.levels[-1], options) for options in variants(game)]
    steps = len(settings) + 1
    on_step(0, steps)
    for step, (level, options) in enumerate(settings, 1):
        _play_few_actions(game, level, options)
        on_step(step, steps)
    _choose_near_the_end(game)
    on_step(steps, steps)


def variants(game: AnyGame) -> list[Options]:
    """Return all options in which exactly one differs from its default."""
    options = []
    for entry in game.Options.schema():
        for choice in entry["choices"]:
            if choice != entry["default"]:
                try:
                    options.append(game.Options.parse({entry["name"]: choice}))
                except OptionError:
                    continue  # the choice is only valid together with another option
    return options


def _play_few_actions(game: AnyGame, level: int, options: Options) -> None:
    """Play the first actions of a game with short searches, which calls every kernel that is needed."""
    rng, limit = Random(0), Limit(seconds=0.05)
    engine, state, decisions = game.engine(level), game.initial_state(options), 0
    while state.to_act is not None and decisions < 2:
        if state.to_act is CHANCE:
            state = state.apply(state.sample_chance(rng))
            continue
        view = state.view(state.to_act)
        engine.analyse(view, limit, rng)
        state = state.apply(engine.choose(view, limit, rng).action)
        decisions += 1


LAST_DECISIONS = 4  # of a random game, in which the top level chooses when kernels are compiled


def _choose_near_the_end(game: AnyGame) -> None:
    """Let the top level choose the last actions of a random game: endings have kernels of their own."""
    rng, state, decisions = Random(0), game.initial_state(game.Options()), list[AnyState]()
    while state.to_act is not None:
        if state.to_act is CHANCE:
            state = state.apply(state.sample_chance(rng))
            continue
        decisions.append(state.view(state.to_act))
        state = state.apply(rng.choice(state.legal_actions()))
    for view in decisions[-LAST_DECISIONS:]:
        game.engine(game.levels[-1]).choose(view, Limit(simulations=1), rng)


# --- All games at once -------------------------------------------------------------------------

_reports: Any = None
"""In a child process: the queue to the process that shows the progress."""


def warm_games(games: Sequence[AnyGame]) -> None:
    """Compile all kernels of some games side by side, and show the progress of each.

    Each game is compiled in a process of its own, as many at once as there are cores. The processes are
    spawned, not forked, because the progress bar has a thread.
    """
    from multiprocessing import get_context

    spawn = get_context("spawn")
    reports = spawn.Queue()
    with _progress(games) as progress, spawn.Pool(initializer=_start_child, initargs=(reports,)) as pool:
        results = [pool.apply_async(_warm_in_child, (game.key,)) for game in games]
        pool.close()
        unfinished = {game.key for game in games}
        while unfinished:
            try:
                key, step, steps, functions = reports.get(timeout=1.0)
            except Empty:
                progress.wait()
                for result in results:
                    if result.ready():
                        result.get()  # raises the exception of the child
                continue
            progress.report(key, step, steps, functions)
            if step == steps:
                unfinished.remove(key)
        for result in results:
            result.get()  # the child may have failed after its last report


def _start_child(reports: Any) -> None:
    global _reports  # noqa: PLW0603 - a pool gives its processes their queue no other way
    _reports = reports
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its children


def _warm_in_child(key: str) -> None:
    functions, step, steps = 0, 0, 1

    def on_compile(_function: str) -> None:
        nonlocal functions
        functions += 1
        _reports.put((key, step, steps, functions))

    def on_step(done: int, total: int) -> None:
        nonlocal step, steps
        step, steps = done, total
        _reports.put((key, step, steps, functions))

    kernel_cache.listeners.append(on_compile)
    try:
        compile_game(key, on_step)
    finally:
        kernel_cache.listeners.remove(on_compile)  # the process may go on with another game
    kernel_cache.mark_warm(key)


class _Lines:
    """The progress as plain lines for a log: at intervals, and when a game is finished."""

    def __init__(self, games: Sequence[AnyGame]) -> None:
        self.titles = {game.key: game.title for game in games}
        self.latest = dict.fromkeys(self.titles, "waiting")
        self.started = self.printed = time.monotonic()

    def report(self, key: str, step: int, steps: int, functions: int) -> None:
        """Take note of the progress of a game."""
        if step == steps:
            del self.latest[key]
            title = self.titles[key]
            if functions:
                print_line(f"Compiled {title}: {function_count_text(functions)}, {self._elapsed()}")
            else:
                print_line(f"{title} was already compiled")
        else:
            self.latest[key] = f"step {step + 1} of {steps}, {function_count_text(functions)}"
            self.wait()

    def wait(self) -> None:
        """Print a line if the last one is old enough."""
        if self.latest and time.monotonic() - self.printed >= compiling.LINE_INTERVAL:
            self.printed = time.monotonic()
            unfinished = "; ".join(f"{self.titles[key]} {text}" for key, text in self.latest.items())
            print_line(f"Compiling, {self._elapsed()}: {unfinished}")

    def _elapsed(self) -> str:
        return f"{time.monotonic() - self.started:.0f} s"


class _Bars:
    """The progress as one bar per game."""

    def __init__(self, bar: Any, games: Sequence[AnyGame]) -> None:
        self.bar = bar
        self.tasks = {game.key: bar.add_task(f"Compiling {game.title}", functions=0) for game in games}

    def report(self, key: str, step: int, steps: int, functions: int) -> None:
        """Show the progress of a game."""
        self.bar.update(self.tasks[key], completed=step, total=steps, functions=functions)

    def wait(self) -> None:
        """Do nothing: the bars update their clocks themselves."""


@contextmanager
def _progress(games: Sequence[AnyGame]) -> Iterator[_Lines | _Bars]:
    if not errors.is_terminal:
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
    with Progress(*columns, console=errors, transient=True) as bar:
        yield _Bars(bar, games)
