"""Run all benchmarks, or those that are named; the exit code is 0 if every target was met."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from rich.console import Console

from bench import Report


def main() -> int:
    console = Console()
    met = True
    names = sys.argv[1:] or sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    for name in names:
        report = Report(name, console)
        import_module(f"bench.{name}").run(report)
        console.print(report.table)
        met = met and report.met
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
