"""The lists of entry points: engines call exactly these kernels from Python, with exactly these types."""

from __future__ import annotations

import subprocess
import sys

import pytest
from bench._server_process import HANG

import tripot
from tripot.engine import kernel_cache

PROGRAM = """
import gc, sys
from random import Random

from numba.core.dispatcher import Dispatcher

import tripot
from tests.test_engine_choices import SAMPLE_STEP, golden_lines
from tripot.cli.warm import entry_points
from tripot.game import Limit

game = tripot.get_game(sys.argv[1])
points = entry_points(game)
for point in points:
    point.compile()
    assert point.function.signatures == [point.arguments], point.name
    result = point.function.overloads[point.arguments].signature.return_type
    assert result == point.result, (point.name, result)

kernels = [kernel for kernel in gc.get_objects() if isinstance(kernel, Dispatcher)]
signatures = {kernel: kernel.signatures for kernel in kernels}
for line in golden_lines(game)[::SAMPLE_STEP]:
    view, engine, limit = game.parse_state(line.view), game.engine(line.level), Limit(simulations=4)
    engine.choose(view, limit, Random(1))
    engine.analyse(view, limit, Random(1))
for kernel in kernels:
    assert kernel.signatures == signatures[kernel], (kernel, kernel.signatures)
"""


@pytest.mark.kernel
@pytest.mark.skipif(kernel_cache.is_disabled(), reason="kernels have signatures only when compiled")
@pytest.mark.parametrize("key", [game.key for game in tripot.list_games()])
def test_engines_call_the_listed_kernels_with_the_listed_types_only(key: str) -> None:
    """In a process of its own, because other tests may call other kernels."""
    subprocess.run([sys.executable, "-c", PROGRAM, key], check=True, timeout=HANG)
