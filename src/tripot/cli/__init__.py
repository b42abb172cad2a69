"""The `tripot` command. It knows games only through the protocol, and never names one.

A command's module is imported when the command is run or its own help is shown, not before: `tripot --help`
and the commands that only look at something would otherwise wait for all the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

import tripot
from tripot.game import TripotError
from tripot.games import keys

__all__ = ["app", "main"]

EXAMPLE_KEY = keys()[0]  # for the examples


@dataclass(frozen=True, slots=True)
class Command:
    """Where a command is, and what `tripot --help` says of it.

    function    in `tripot.cli.MODULE`
    summary     the first line of the function's docstring
    example     one way to call it
    kind        the name of its class in the same module, if it has one of its own
    settings    its Click context settings
    """

    module: str
    function: str
    summary: str
    example: str
    kind: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


COMMANDS = {
    command.function: command
    for command in (
        Command(
            "play",
            "play",
            "Play a game, against the computer or with others at this screen.",
            f"tripot play {EXAMPLE_KEY} --seats me,bot2 --seed 7",
            kind="CommandWithGameOptions",
        ),
        Command(
            "show",
            "show",
            "Show a position, or the last one of a record, and what can be played.",
            "tripot show game.txt --svg board.svg",
        ),
        Command("show", "replay", "Go through a record step by step.", "tripot replay game.txt"),
        Command("show", "verify", "Check records against the rules.", "tripot verify game.txt"),
        Command("info", "games", "List the games: their keys, seats, options and levels.", "tripot games"),
        Command(
            "info", "rules", "Read the rules of a game, or one clause of them.", f"tripot rules {EXAMPLE_KEY}"
        ),
        Command(
            "solve",
            "solve",
            "Solve a position: what is known of it, and its moves from best to worst.",
            f'tripot solve {EXAMPLE_KEY} "$(tail -1 position.txt)" --seconds 10',
            settings={"ignore_unknown_options": True},  # they are words of the position
        ),
        Command(
            "match",
            "match",
            "Let two sides play a match: which is stronger, and how sure is that?",
            f"tripot match {EXAMPLE_KEY} --a 3 --b 2 --games 100 --jobs 2",
        ),
        Command(
            "ladder",
            "ladder",
            "Let each level play the next below: how far are they apart?",
            f"tripot ladder {EXAMPLE_KEY} --games 100 --jobs 2 --into steps",
        ),
        Command(
            "engine",
            "engine",
            "Speak the engine protocol on standard input and output, one command per line.",
            f"echo 'hello' | tripot engine {EXAMPLE_KEY}",
        ),
        Command(
            "serve",
            "serve",
            "Serve the games over HTTP and WebSockets until Ctrl-C.",
            "tripot serve --port 8000",
        ),
        Command("info", "warm", "Compile all kernels now, so that no player has to wait.", "tripot warm"),
    )
}


class Commands(TyperGroup):
    """All commands, each imported when it is needed.

    What a person did wrong is one line on stderr and exit code 2, never a traceback.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            self.commands[cmd_name] = load(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            for name in COMMANDS:  # Typer suggests the nearest of those that it knows
                self.get_command(ctx, name)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from tripot.cli.overview import print_overview

        print_overview(self, ctx, {name: command.summary for name, command in COMMANDS.items()})

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (TripotError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise  # nobody reads any more: Typer leaves quietly
            from tripot.cli import console

            console.errors.print(f"tripot: {error}", markup=False, soft_wrap=True)
            raise typer.Exit(2) from None


def load(name: str) -> Any:
    """Import a command and make a Click command of it."""
    command = COMMANDS[name]
    module = import_module(f"{__name__}.{command.module}")
    kind = getattr(module, command.kind) if command.kind else None
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command(
        name, cls=kind, epilog=f"Example: {command.example}", context_settings=command.settings or None
    )(getattr(module, command.function))
    return get_command(single)


app = typer.Typer(
    cls=Commands,
    help="Four board games: play, replay, solve and study them.",
    epilog=f"Example: tripot play {EXAMPLE_KEY}",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"tripot {tripot.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def welcome(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback acts on it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Without a command, a menu: pick a game and play."""
    if ctx.invoked_subcommand is None:
        from tripot.cli import menu

        menu.menu()


def main() -> None:
    """The entry point of the package."""
    app(prog_name="tripot")
