"""Run all benchmarks; the exit code is 0 if every target was met."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from rich.console import Console

from bench import Report


def main() -> int:
    console = Console()
    met = True
    for path in sorted(Path(__file__).parent.glob("[!_]*.py")):
        report = Report(path.stem, console)
        import_module(f"bench.{path.stem}").run(report)
        console.print(report.table)
        met = met and report.met
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
