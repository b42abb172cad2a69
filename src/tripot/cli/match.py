"""The command `match`: plays a match between two contestants and prints its result."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Final, NoReturn, Self

import typer

import tripot
from tripot.arena import (
    MatchConfig,
    MatchFailedError,
    MatchProgress,
    MatchResult,
    MatchScore,
    Sprt,
    play_match,
)
from tripot.arena.elo import elo_text
from tripot.cli.arguments import (
    GameKey,
    Games,
    Jobs,
    OptionTexts,
    Players,
    RecordsFolder,
    SecondsPerMove,
    Seed,
    Simulations,
    parse_options,
)
from tripot.cli.compiling import compiling
from tripot.cli.console import console, progress_bar
from tripot.game import AnyGame

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

ContestantText = Annotated[
    str,
    typer.Option(
        metavar="CONTESTANT",
        help="A level (3 or bot3), tripot:seconds=1,level=3, engine:COMMAND or gtp:COMMAND.",
    ),
]
INTERRUPTED: Final = 130
"""The exit code after Ctrl-C: 128 and the number of the signal, as shells have it."""

ErrorProbability = Annotated[float, typer.Option(metavar="P", help="Error probability of --sprt.")]


def match(  # noqa: PLR0913 - Typer makes an argument or flag of each parameter
    game_key: GameKey,
    a: ContestantText,
    b: ContestantText,
    games: Games = 20,
    players: Players = None,
    option: OptionTexts = [],  # noqa: B006 - Typer reads the default and never changes it
    seconds: SecondsPerMove = 0.1,
    simulations: Simulations = None,
    seed: Seed = None,
    jobs: Jobs = 1,
    records: RecordsFolder = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="ELO0 ELO1", help="Stop as soon as a sequential test accepts one Elo difference of A."
        ),
    ] = None,
    alpha: ErrorProbability = 0.05,
    beta: ErrorProbability = 0.05,
    equal_time: Annotated[
        bool, typer.Option("--equal-time", help="Give A the average time per move that B needed before.")
    ] = False,
    check_legal: Annotated[
        bool, typer.Option("--check-legal", help="Compare the legal moves of GTP programs with the rules.")
    ] = False,
) -> None:
    """Play a match between two contestants and measure their Elo difference.

    A contestant is a level of the built-in engine, perhaps with its own limits (tripot:seconds=1,level=3), a
    program that speaks the engine protocol (engine:"COMMAND ...") or GTP (gtp:"COMMAND ...").

    With --records, an interrupted match is resumed by the same command. With --sprt, --games is the
    maximum, and the match stops as soon as the sequential probability ratio test is decided.
    """
    game = tripot.get_game(game_key)
    config = MatchConfig(
        game_key,
        a,
        b,
        games,
        options=str(parse_options(game, option, players)),
        seconds=seconds,
        simulations=simulations,
        seed=seed,
        equal_time=equal_time,
        check_legal=check_legal,
        sprt=Sprt(*sprt, alpha, beta) if sprt else None,
    )
    try:
        with ProgressDisplay(game) as display:
            result = play_match(config, jobs=jobs, records=records, on_progress=display.update)
    except MatchFailedError as error:
        print_result(game, error.result)
        raise
    print_result(game, result)
    if result.stop_reason == "interrupted":
        exit_interrupted("match", records)


def exit_interrupted(what: str, records: Path | None) -> NoReturn:
    """Say that a match or ladder was interrupted and how to resume it, and exit as programs do on Ctrl-C."""
    remedy = "repeat the command to resume it" if records else "with --records DIR it could be resumed"
    console.print(f"The {what} was interrupted: {remedy}.", soft_wrap=True)
    raise typer.Exit(INTERRUPTED)


def print_result(game: AnyGame, result: MatchResult) -> None:
    """Print the score with its intervals, the state of the test, and the time usage."""
    a, b = result.names
    console.print(f"{game.title}: {a} against {b}, seed {result.config.seed}", markup=False)
    if result.resumed_count:
        console.print(f"{result.resumed_count} of these games were stored already")
    if not result.games:
        return  # the line above has the seed, which repeats what went wrong
    print_score(result.score)
    print_sprt(result)
    for letter, name, usage in zip("AB", result.names, result.time_usage, strict=True):
        if usage.moves:
            text = f"{letter}, {name}: {usage.seconds_per_move:.3f} s per move over {usage.moves} moves"
            console.print(text, markup=False)


def print_score(score: MatchScore) -> None:
    """Print the score of A with its 95% confidence intervals."""
    low, high = score.interval()
    elo_low, elo_high = score.elo_interval()
    console.print(
        f"{len(score.game_points)} games: {score.wins} won, {score.draws} drawn, {score.losses} lost"
    )
    console.print(f"score {score.rate:.1%}, 95% interval {low:.1%} to {high:.1%}")
    console.print(f"Elo {elo_text(score.elo)}, 95% interval {elo_text(elo_low)} to {elo_text(elo_high)}")


def print_sprt(result: MatchResult) -> None:
    """Print the state of the sequential test, and whether it ended the match early."""
    test, status = result.config.sprt, result.sprt
    if not test or not status:
        return
    accepted = {"H0": test.elo0, "H1": test.elo1, None: None}[status.decision]
    if accepted is None:
        console.print(f"SPRT: {status}, not decided")
        return
    early = ", stopped early" if len(result.games) < result.config.games else ""
    console.print(f"SPRT: {status}, {status.decision} accepted (Elo {accepted:+g}){early}")


class ProgressDisplay:
    """Shows the compilation of kernels first, then a progress bar with the score so far."""

    def __init__(self, game: AnyGame) -> None:
        self._game, self._displays = game, ExitStack()
        self._bar: Progress | None = None
        self._task: TaskID

    def update(self, progress: MatchProgress) -> None:
        """Show the progress of a match; the first call ends the display of the compilation."""
        text = progress_text(progress.result)
        if self._bar is None:
            self._displays.close()
            self._bar = self._displays.enter_context(progress_bar())
            self._task = self._bar.add_task(text)
        total, done = progress.games_total, progress.games_done
        self._bar.update(self._task, description=text, total=total, completed=done)

    def __enter__(self) -> Self:
        self._displays.enter_context(compiling(self._game))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._displays.close()


def progress_text(result: MatchResult) -> str:
    """Return a match so far in one line, for the progress bar."""
    score = result.score
    low, high = (elo_text(bound) for bound in score.elo_interval())
    a, b = (usage.seconds_per_move for usage in result.time_usage)
    parts = [
        " - ".join(result.names),
        f"{score.rate:.1%}",
        f"Elo {elo_text(score.elo)} ({low} to {high})",
        *([str(result.sprt)] if result.sprt else []),
        f"{a:.2f} s / {b:.2f} s",
    ]
    return "  ".join(parts)
