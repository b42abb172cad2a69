"""`games`, `rules` and `warm`: what the house holds, and getting it ready."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Annotated

import typer
from rich.table import Table as Grid

import tripot
from tripot import i18n
from tripot.cli.arguments import GameKey
from tripot.cli.console import console
from tripot.game import CHANCE, AnyGame, AnyState, Limit, OptionError, Options, TripotError


class UnknownClauseError(TripotError):
    """A number that no clause of the rulebook has."""


def games() -> None:
    """List the games: their keys, seats, options and levels."""
    grid = Grid(box=None, pad_edge=False)
    for heading in ("key", "title", "seats", "levels", "options"):
        grid.add_column(heading, no_wrap=heading != "options")
    for game in tripot.list_games():
        form = {entry["name"]: entry for entry in game.Options.schema()}
        seats = " or ".join(form.pop("players")["choices"])
        grid.add_row(game.key, game.title, seats, f"{game.levels[0]}-{game.levels[-1]}", ", ".join(form))
    console.print(grid)


def options_table(game: AnyGame) -> Grid:
    """Every option of a game with its choices, the default marked with a star, and what it decides."""
    grid = Grid(box=None, pad_edge=False, title=f"Options of {game.title}", title_justify="left")
    for heading in ("-o", "choices (* default)", "decides"):
        grid.add_column(heading)
    for entry in game.Options.schema():
        choices = [f"{each}*" if each == entry["default"] else each for each in entry["choices"]]
        about = f"{i18n.option_description(game, entry['name'])} ({entry['clause']})"
        grid.add_row(entry["name"], " ".join(choices) or "any text", about)
    return grid


def rules(
    game: GameKey,
    clause: Annotated[
        str, typer.Argument(metavar="[CLAUSE]", help="The number of a clause.", show_default=False)
    ] = "",
    lang: Annotated[str, typer.Option(metavar="LANGUAGE", help="In which language.")] = "en",
) -> None:
    """Read the rules of a game, or one clause of them."""
    print_rules(tripot.get_game(game), clause, lang)


def print_rules(game: AnyGame, clause: str, language: str = "en") -> None:
    """The rulebook, or the one clause whose number ends so: `TP-3`, `tp-3` and `3` are the same."""
    from rich.markdown import Markdown  # it takes long to import, and few commands need it

    if not clause:
        console.print(Markdown(i18n.rulebook(game, language)))
        return
    known = i18n.clauses(game, language)
    for number, text in known.items():
        if clause.upper() in (number, number.rpartition("-")[2]):
            heading = next(
                line for line in i18n.rulebook(game, language).splitlines() if number in line.split()
            )
            console.print(Markdown(f"**{heading.lstrip('# ')}**\n\n{text}"))
            return
    raise UnknownClauseError(f"{game.title} has no clause {clause}; there are {', '.join(known)}")


# --- Warming up --------------------------------------------------------------------------------


def warm() -> None:
    """Compile all kernels now, so that no player has to wait.

    They stay on disk: the second time it takes a moment.
    """
    from tripot.cli import compiling

    games = tripot.list_games()
    compiling.warm(games)
    console.print(f"Ready: {', '.join(game.title for game in games)}.")


LAST_DECISIONS = 4  # of a random game, which the top level chooses when kernels are compiled


def _quiet(_step: int, _steps: int) -> None:
    """Ignore the progress."""


def compile_game(key: str, on_step: Callable[[int, int], None] = _quiet) -> None:
    """Compile what every level of a game needs, and every variant of it.

    `on_step` is called after each step with how many are done, and how many there are.
    """
    game = tripot.get_game(key)
    tables = [(level, game.Options()) for level in game.levels]
    tables += [(game.levels[-1], options) for options in variants(game)]
    steps = len(tables) + 1
    on_step(0, steps)
    for step, (level, options) in enumerate(tables, 1):
        _play_few_actions(game, level, options)
        on_step(step, steps)
    _choose_near_the_end(game)
    on_step(steps, steps)


def variants(game: AnyGame) -> list[Options]:
    """The options with one of them changed, each in every way that goes with the other defaults."""
    found = []
    for entry in game.Options.schema():
        for choice in entry["choices"]:
            if choice != entry["default"]:
                try:
                    found.append(game.Options.parse({entry["name"]: choice}))
                except OptionError:
                    continue  # it needs another option to go with it
    return found


def _play_few_actions(game: AnyGame, level: int, options: Options) -> None:
    """A few actions of a game, with as little thought as compiles everything."""
    rng, limit = Random(0), Limit(seconds=0.05)
    engine, state, chosen = game.engine(level), game.initial_state(options), 0
    while state.to_act is not None and chosen < 2:
        if state.to_act is CHANCE:
            state = state.apply(state.sample_chance(rng))
            continue
        view = state.view(state.to_act)
        engine.analyse(view, limit, rng)
        state = state.apply(engine.choose(view, limit, rng).action)
        chosen += 1


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
