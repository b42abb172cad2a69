"""How fast the kernels are: as ratios to plain code in the same run, so that any machine can judge.

`python -m bench` runs `run(report)` of every module in this folder, one a game, found by looking.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import track
from rich.table import Table

Item = TypeVar("Item")


def seconds(work: Callable[..., object], *given: object, times: int = 1) -> float:
    """How long some work takes with what it is given, on average."""
    began = time.perf_counter()
    for _ in range(times):
        work(*given)
    return (time.perf_counter() - began) / times


class Report:
    """What was measured, as a table, and whether every bar was met."""

    def __init__(self, title: str, console: Console) -> None:
        self.console = console
        self.met = True
        self.table = Table("measured", title=title)
        for column in ("plain ms", "kernel ms", "ratio", "bar", ""):
            self.table.add_column(column, justify="right")

    def each(self, items: Iterable[Item], what: str) -> Iterator[Item]:
        """The items, with the progress shown while they are worked on."""
        if self.console.is_terminal:
            yield from track([*items], what, console=self.console, transient=True)
        else:
            self.console.print(f"{what} ...")
            yield from items

    def compare(self, what: str, plain: float, kernel: float, bar: float) -> None:
        """Seconds of plain code and of a kernel for the same work, and the ratio there has to be."""
        ratio = plain / kernel
        figures = f"{plain * 1000:,.1f}", f"{kernel * 1000:,.3f}", f"{ratio:,.0f}×", f"{bar:,.0f}×"
        self.table.add_row(what, *figures, self._verdict(ratio >= bar))

    def judge(self, what: str, figure: str, bar: str, met: bool) -> None:
        """A figure that is no ratio, its bar, and whether it was met."""
        self.table.add_row(what, "", "", figure, bar, self._verdict(met))

    def _verdict(self, met: bool) -> str:
        self.met = self.met and met
        return "[green]met[/]" if met else "[red]missed[/]"

    def tell(self, what: str, kernel: float) -> None:
        """Seconds of a kernel that has no plain twin."""
        self.table.add_row(what, "", f"{kernel * 1000:,.3f}")
