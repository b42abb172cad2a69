"""Positions of random games in which an action of a seat makes another one miss its turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from typer.testing import Result

from tripot import i18n
from tripot.game import Action, AnyGame, AnyState
from tripot.testing import random_action


def skips(game: AnyGame, options: str) -> Iterator[tuple[AnyState, Action]]:
    """Yield positions, and in each the action of a seat after which a turn is skipped."""
    for seed in range(40):
        rng, state = Random(seed), game.initial_state(game.Options.parse(options))
        while state.to_act is not None:
            action = random_action(state, rng)
            if isinstance(state.to_act, int) and state.skipped_by(action):
                yield state, action
            state = state.apply(action)


def dialogues_with_skips(game: AnyGame, options: str, count: int) -> Iterator[tuple[list[str], str, str]]:
    """Yield the arguments of `tripot play`, what to type, and what has to be said of the skipped turn."""
    for state, action in islice(skips(game, options), count):
        names = [i18n.seat_name(game, seat) for seat in state.skipped_by(action)]
        seats = ",".join("abcd"[: state.options.players])
        arguments = ["play", game.key, "--from", state.to_text(), "--seats", seats]
        sentence = " ".join(f"{name} cannot play and is skipped." for name in names)
        yield arguments, f"\n{action}\n\nquit\n", sentence


def check_skips_are_said(run_cli: Callable[..., Result], game: AnyGame, options: str, count: int) -> None:
    """Play to some positions, and check that the terminal says each skipped turn in words."""
    dialogues = [*dialogues_with_skips(game, options, count)]
    assert dialogues
    for arguments, lines, said in dialogues:
        assert said in " ".join(run_cli(*arguments, lines=lines).output.split())
