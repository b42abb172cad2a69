"""`match`: two levels of a game's engine against each other.

Games are played in pairs with the same chance and the sides exchanged; every game has generators of
its own, seeded by the match and the pair, so the result does not depend on how many run at once.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import isinf
from multiprocessing import get_context
from pathlib import Path
from random import randrange
from typing import Annotated

import typer

import tripot
from tripot.cli import screen
from tripot.cli.arguments import (
    GameKey,
    OptionWords,
    Seed,
    Simulations,
    Think,
    limit,
    player,
    randoms,
    read_options,
)
from tripot.cli.screen import console
from tripot.game import CHANCE
from tripot.search.match import Score, points
from tripot.table import Table


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game of a match that is to be played: plain values, to be sent to another process."""

    game: str
    options: str
    levels: tuple[int, int]
    number: int
    seed: int
    think: float
    simulations: int | None

    @property
    def swapped(self) -> bool:
        """In the second game of each pair the sides are exchanged."""
        return self.number % 2 == 1


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a fixture: the points of A, and the record."""

    points: float
    record: str


def match(
    game: GameKey,
    a: Annotated[int, typer.Option(metavar="LEVEL", help="The level of one side.")],
    b: Annotated[int, typer.Option(metavar="LEVEL", help="The level of the other side.")],
    games: Annotated[int, typer.Option(metavar="N", min=1, help="How many; rounded up to whole pairs.")] = 20,
    option: OptionWords = [],  # noqa: B006 - Typer reads the default and never changes it
    think: Think = 0.1,
    simulations: Simulations = None,
    seed: Seed = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="How many games to play at once.")] = 1,
    records: Annotated[
        Path | None, typer.Option(metavar="DIR", file_okay=False, help="Save every game there.")
    ] = None,
) -> None:
    """Let two levels play a match: which is stronger, and how sure is that?"""
    found = tripot.find(game)
    options = read_options(found, option)
    for level in (a, b):
        player(found, f"bot{level}")
    if records:
        records.mkdir(parents=True, exist_ok=True)
    seed = randrange(1_000_000) if seed is None else seed
    total = games + games % 2
    fixtures = [Fixture(game, str(options), (a, b), each, seed, think, simulations) for each in range(total)]
    results: list[float] = []
    with screen.bar() as bar:
        task = bar.add_task(f"{found.title}, level {a} against {b}", total=total)
        try:
            for fixture, played in zip(fixtures, _play_all(fixtures, jobs), strict=False):
                results.append(played.points)
                bar.update(task, advance=1, description=f"{a}-{b}  {Score(tuple(results)).rate:.1%}")
                if records:
                    (records / f"{fixture.number + 1:04}.txt").write_text(played.record, encoding="utf-8")
        except KeyboardInterrupt:
            pass  # the score so far is worth printing
    console.print(f"{found.title}: level {a} against level {b}, seed {seed}", markup=False)
    print_score(Score(tuple(results)))


def print_score(score: Score) -> None:
    """The score of A with what is sure of it."""
    (low, high), (least, most) = score.interval(), score.elo_interval()
    console.print(f"{len(score.points)} games: {score.wins} won, {score.draws} drawn, {score.losses} lost")
    console.print(f"score {score.rate:.1%}, 95% sure between {low:.1%} and {high:.1%}")
    console.print(f"Elo {_elo(score.elo)}, 95% sure between {_elo(least)} and {_elo(most)}")


def _elo(difference: float) -> str:
    return f"{'-' if difference < 0 else '+'}∞" if isinf(difference) else f"{round(difference):+d}"


def _play_all(fixtures: list[Fixture], jobs: int) -> Iterator[Played]:
    """The games in order, as they are done; here, or in processes of their own."""
    if jobs == 1:
        yield from map(play_one, fixtures)
        return
    # Spawned, not forked: the progress bar has a thread, and a fork would copy its locks.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_ctrl_c) as pool:
        try:
            yield from pool.map(play_one, fixtures)
        except KeyboardInterrupt:
            screen.errors.print("Stopping after the games under way.")
            pool.shutdown(cancel_futures=True)
            raise


def _leave_ctrl_c() -> None:
    """Ctrl-C is for the process that prints the score."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_one(fixture: Fixture) -> Played:
    """Play one game of a match: A has the even teams, or the odd ones when swapped."""
    game = tripot.find(fixture.game)
    options = game.Options.read(fixture.options)
    teams = game.start(options).teams
    sides = [(team + fixture.swapped) % 2 for team in teams]
    table = Table(game, options, [player(game, f"bot{fixture.levels[side]}") for side in sides])
    chance, thinking = randoms(fixture.seed, f"pair {fixture.number // 2}")
    engines = [game.engine(level) for level in fixture.levels]
    bounds = limit(fixture.think, fixture.simulations)
    while (actor := table.to_act) is not None:
        if actor is CHANCE:
            table.deal(chance)
        else:
            choice = engines[sides[actor]].choose(table.see(actor).view, bounds, thinking)
            table.act(actor, choice.action)
    assert table.outcome is not None
    own = tuple(seat for seat, side in enumerate(sides) if side == 0)
    return Played(points(table.outcome, own), table.record().write())
