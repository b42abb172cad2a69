"""The `tripot` command. It knows games only through the protocol, and never names one."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import tripot
from tripot.cli import engine, house, ladder, match, menu, play, screen, serve, show, solve
from tripot.game import TripotError

__all__ = ["app", "main"]

SOME = tripot.found()[0].key  # for the examples


class House(TyperGroup):
    """All commands. What a person did wrong is one line on stderr and exit code 2, never a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (TripotError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise  # nobody reads any more: Typer leaves quietly
            screen.errors.print(f"tripot: {error}", markup=False, soft_wrap=True)
            raise typer.Exit(2) from None


app = typer.Typer(
    cls=House,
    help="A house of board games: play, replay, solve and study them.",
    epilog=f"Example: tripot play {SOME}",
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
        menu.menu()


app.command(cls=play.WithOptions, epilog=f"Example: tripot play {SOME} --seats me,bot2 --seed 7")(play.play)
app.command(epilog="Example: tripot show game.txt --svg board.svg")(show.show)
app.command(epilog="Example: tripot replay game.txt")(show.replay)
app.command(epilog="Example: tripot verify game.txt")(show.verify)
app.command(epilog="Example: tripot games")(house.games)
app.command(epilog=f"Example: tripot rules {SOME}")(house.rules)
app.command(
    epilog=f'Example: tripot solve {SOME} "$(tail -1 position.txt)" --seconds 10',
    context_settings={"ignore_unknown_options": True},  # they are words of the position
)(solve.solve)
app.command(epilog=f"Example: tripot match {SOME} --a 3 --b 2 --games 100 --jobs 2")(match.match)
app.command(epilog=f"Example: tripot ladder {SOME} --games 100 --jobs 2 --into steps")(ladder.ladder)
app.command(epilog=f"Example: echo 'hello' | tripot engine {SOME}")(engine.engine)
app.command(epilog="Example: tripot serve --port 8000")(serve.serve)
app.command(epilog="Example: tripot warm")(house.warm)


def main() -> None:
    """The entry point of the package."""
    app(prog_name="tripot")
