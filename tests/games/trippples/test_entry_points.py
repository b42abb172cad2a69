"""The kernels are called from Python with the types that `entry_points.py` lists, and with no others."""

from __future__ import annotations

import ast
from importlib.resources import files
from random import Random
from typing import Any

import pytest
from numba.core.registry import CPUDispatcher

from tripot.game import CHANCE, Limit
from tripot.games.trippples import GAME
from tripot.games.trippples.kernel import random_opponent, repetition, solver, tables, teams
from tripot.games.trippples.kernel.entry_points import ENTRY_POINTS
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State

KERNEL_MODULES = (random_opponent, repetition, solver, tables, teams)
PLAIN_MODULES = ("results.py", "tablebase.py", "team_search.py", "team_tablebase.py")


def first_decision(text: str) -> State:
    state, rng = GAME.initial_state(Options.parse(text)), Random(1)
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    return state


@pytest.mark.kernel
def test_kernels_are_called_with_the_listed_types_only() -> None:
    for text in ("", "neutral=wild freeze=off", "tiles=face-down", "layout=drafted", "players=4"):
        state = first_decision(text)
        limit = Limit() if state.options.players == 4 else Limit(simulations=2)
        GAME.engine(5).analyse(state.view(state.turn), limit, Random(1))
    for kernel, arguments, result in ENTRY_POINTS:
        assert isinstance(kernel, CPUDispatcher)
        compiled: Any = kernel  # Numba ships no types
        assert compiled.signatures == [arguments], compiled.__name__
        assert compiled.overloads[arguments].signature.return_type == result, compiled.__name__


def called_names(source: str) -> set[str]:
    calls = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return {call.id for call in calls if isinstance(call, ast.Name)} | {
        call.attr for call in calls if isinstance(call, ast.Attribute)
    }


def test_every_kernel_that_plain_modules_call_is_listed() -> None:
    compiled = {
        name
        for module in KERNEL_MODULES
        for name, function in vars(module).items()
        if isinstance(function, CPUDispatcher) and function.__module__ == module.__name__
    }
    home = files("tripot.games.trippples")
    sources = [home / "engine.py", *(home / "kernel" / name for name in PLAIN_MODULES)]
    called = set[str]().union(*(called_names(path.read_text("utf-8")) for path in sources))
    assert called & compiled <= {function.__name__ for function, _, _ in ENTRY_POINTS}
