"""The output of `tripot --help`: a list of all commands.

Typer's own help for a group imports every command and a Markdown parser. This module prints the same with the
parts of Rich that are imported anyway. The help of a single command is Typer's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from tripot.cli.console import console


def print_overview(group: Any, ctx: Any, commands: Mapping[str, str]) -> None:
    """Print the usage, the options, each command with its summary, and an example."""
    console.print(Padding(Text.assemble(("Usage: ", "yellow"), (_usage(group, ctx), "bold")), 1))
    console.print(Padding(Text(group.help), (0, 1, 1, 1)))
    options = (param.get_help_record(ctx) for param in group.get_params(ctx))
    console.print(_panel("Options", filter(None, options)))
    console.print(_panel("Commands", commands.items()))
    console.print(Padding(Text(group.epilog), 1))


def _usage(group: Any, ctx: Any) -> str:
    return " ".join([ctx.command_path, *group.collect_usage_pieces(ctx)])


def _panel(title: str, rows: Iterable[tuple[str, str]]) -> Panel:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold cyan", no_wrap=True)
    grid.add_column()
    for name, description in rows:
        grid.add_row(Text(name), Text(description))
    return Panel(grid, title=title, title_align="left", border_style="dim")
