"""The `tripot` command. It knows games only through the game interface, and never names one.

The module of a command is imported when the command is run or its help is shown, not before. Otherwise
`tripot --help` and the quick commands would wait for the imports of all others.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from importlib import import_module
from inspect import getdoc
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

import tripot
from tripot.__main__ import INTERRUPTED
from tripot.game import TripotError
from tripot.games import keys

__all__ = ["app", "main"]

EXAMPLE_KEY = keys()[0]  # the game that the examples name


@dataclass(frozen=True, slots=True)
class Command:
    """A command: where it is defined, and what `tripot --help` prints about it.

    module      the module in `tripot.cli`
    function    the function in that module
    summary     the first line of the docstring of the function
    example     one way to call it
    class_name  the Click command class in the same module, if it is not the default one
    settings    Click context settings
    """

    module: str
    function: str
    summary: str
    example: str
    class_name: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


COMMANDS = {
    command.function: command
    for command in (
        Command(
            "play",
            "play",
            "Play a game, against the computer or with others at this screen.",
            f"tripot play {EXAMPLE_KEY} --seats me,bot2 --seed 7",
            class_name="CommandWithGameOptions",
        ),
        Command(
            "show",
            "show",
            "Show a position, or the last one of a record, and its legal actions.",
            "tripot show game.txt --svg board.svg",
        ),
        Command("show", "replay", "Show a record step by step.", "tripot replay game.txt"),
        Command("show", "verify", "Check records against the rules.", "tripot verify game.txt"),
        Command(
            "info",
            "games",
            "List the games: their keys, seats and options, and how each level of the computer plays.",
            "tripot games",
        ),
        Command(
            "info",
            "rules",
            "Print the rules of a game, or one clause of them.",
            f"tripot rules {EXAMPLE_KEY}",
        ),
        Command(
            "solve",
            "solve",
            "Solve a position: facts about it, and its moves from best to worst.",
            f'tripot solve {EXAMPLE_KEY} "$(tail -1 position.txt)" --seconds 10',
            settings={"ignore_unknown_options": True},  # they override words of the position
        ),
        Command(
            "match",
            "match",
            "Play a match between two contestants and measure their Elo difference.",
            f"tripot match {EXAMPLE_KEY} --a 3 --b 2 --games 100 --jobs 2",
        ),
        Command(
            "ladder",
            "ladder",
            "Play each level against the next lower one and measure the Elo between them.",
            f"tripot ladder {EXAMPLE_KEY} --games 100 --jobs 2 --output steps",
        ),
        Command(
            "engine",
            "engine",
            "Speak the engine protocol on standard input and output, one command per line.",
            f"tripot engine {EXAMPLE_KEY} < commands.txt",
        ),
        Command(
            "serve",
            "serve",
            "Serve the games over HTTP and WebSockets until Ctrl-C.",
            "tripot serve --port 8000",
        ),
        Command("warm", "warm", "Compile all engines now, so that no player has to wait.", "tripot warm"),
    )
}


class TripotGroup(TyperGroup):
    """All commands, each imported when it is needed.

    An error of the user is printed as one line on stderr, with exit code 2 and without a traceback. So is
    Ctrl-C, with exit code 130, also while the module of a command is imported.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self.commands[cmd_name] = load(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            for name in COMMANDS:  # Typer suggests the most similar command that is loaded
                self.get_command(ctx, name)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from tripot.cli.overview import print_overview

        print_overview(self, ctx, {name: command.summary for name, command in COMMANDS.items()})

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UnicodeEncodeError as error:
            message = f"tripot: the output has the encoding {error.encoding}, which cannot show the boards"
            print(f"{message}; use UTF-8, for example with PYTHONIOENCODING=utf-8", file=sys.stderr)
            raise typer.Exit(2) from None
        except (TripotError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise  # the reader of a pipe has gone: Typer exits quietly
            from tripot.cli import console

            console.errors.print(f"tripot: {error}", markup=False, soft_wrap=True)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:  # Typer would exit without a word
            print("tripot: interrupted", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


def load(name: str) -> Any:
    """Import a command and return it as a Click command."""
    command = COMMANDS[name]
    module = import_module(f"{__name__}.{command.module}")
    command_class = getattr(module, command.class_name) if command.class_name else None
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    function = getattr(module, command.function)
    single.command(
        name,
        cls=command_class,
        help=unwrapped(getdoc(function) or ""),
        epilog=f"Example: {command.example}",
        context_settings=command.settings or None,
    )(function)
    return get_command(single)


def unwrapped(text: str) -> str:
    """Return a text with each paragraph on one line, so that Typer wraps it to the width of the terminal.

    >>> unwrapped("One\\ntwo.")
    'One two.'
    """
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


app = typer.Typer(
    cls=TripotGroup,
    help="Four board games: play, replay, solve and analyse them.",
    epilog=f"Example: tripot play {EXAMPLE_KEY}",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(is_requested: bool) -> None:
    if is_requested:
        print(f"tripot {tripot.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def show_menu(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback acts on it
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Without a command, show a menu: choose a game and play."""
    if ctx.invoked_subcommand is None:
        from tripot.cli import menu

        menu.menu()


def main() -> None:
    """Run the command: the entry point of the package."""
    app(prog_name="tripot")
