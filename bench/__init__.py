"""Benchmarks: kernels are compared with plain Python in the same run, so the ratios hold on any machine.

`python -m bench` calls `run(report)` of every module in this folder whose name has no leading underscore, and
`python -m bench server page` of these two.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import track
from rich.table import Table

Item = TypeVar("Item")


def seconds(function: Callable[..., object], *args: object, times: int = 1) -> float:
    """Return the average seconds of a call."""
    started = time.perf_counter()
    for _ in range(times):
        function(*args)
    return (time.perf_counter() - started) / times


class Report:
    """A table of measurements; `met` says whether all targets were met."""

    def __init__(self, title: str, console: Console) -> None:
        self.console = console
        self.met = True
        self.table = Table("measured", title=title)
        for column in ("plain ms", "kernel ms", "ratio", "target", ""):
            self.table.add_column(column, justify="right")

    def each(self, items: Iterable[Item], label: str) -> Iterator[Item]:
        """Yield the items and show the progress."""
        if self.console.is_terminal:
            yield from track([*items], label, console=self.console, transient=True)
        else:
            self.console.print(f"{label} ...")
            yield from items

    def compare(self, label: str, plain: float, kernel: float, target_ratio: float) -> None:
        """Add the seconds of plain code and of a kernel for the same work, with a target for their ratio."""
        ratio = plain / kernel
        figures = f"{plain * 1000:,.1f}", f"{kernel * 1000:,.3f}", f"{ratio:,.0f}×", f"{target_ratio:,.0f}×"
        self.table.add_row(label, *figures, self._verdict(ratio >= target_ratio))

    def add_target(self, label: str, figure: str, target: str, met: bool) -> None:
        """Add a figure that is not a ratio, its target, and whether it was met."""
        self.table.add_row(label, "", "", figure, target, self._verdict(met))

    def _verdict(self, met: bool) -> str:
        self.met = self.met and met
        return "[green]met[/]" if met else "[red]missed[/]"

    def add_time(self, label: str, kernel: float) -> None:
        """Add the seconds of a kernel without a plain counterpart or a target."""
        self.table.add_row(label, "", f"{kernel * 1000:,.3f}")
