"""The folder of compiled kernels, marks for games whose kernels are complete, and compilation listeners.

Nothing here imports Numba, which takes half a second: it can be asked before an engine is needed.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

import platformdirs

import tripot.games

SHARED_SOURCES: Final = ("bits.py", "jit.py", "rng.py")
"""The modules of this package that are compiled into kernels, or decide how kernels are compiled."""

NOT_COMPILED: Final = ("draw.py", "engine.py", "entry_points.py", "text.py", "view_json.py")
"""The modules of a game from which no kernel takes a constant: to compile again would take minutes."""

listeners: Final[list[Callable[[str], None]]] = []
"""Called with the name of a function each time that Numba begins to compile one, in the thread that does."""


@cache
def digest() -> str:
    """A hash of all that decides what the kernels are compiled to, as far as it is ours."""
    return _digest_of(compiled_sources())


def compiled_sources() -> list[Path]:
    """The files whose code or constants are compiled into kernels.

    Numba compiles the global constants of a kernel into its machine code, and many come from the rules: the
    board, the options, the points.
    """
    rules = [path for path in _game_files("*/*.py") if path.name not in NOT_COMPILED]
    return [*rules, *_game_files("*/kernel/*.py"), *map(Path(__file__).with_name, SHARED_SOURCES)]


def _game_files(pattern: str) -> list[Path]:
    return sorted(path for home in tripot.games.__path__ for path in Path(home).glob(pattern))


def _digest_of(sources: Iterable[Path]) -> str:
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def folder() -> Path:
    """The cache folder for the current kernel sources; NUMBA_CACHE_DIR overrides it.

    Numba recompiles a function when its own file changes, but not when a kernel that it calls changes, or a
    constant that it imports. So a change in any kernel, in rules that kernels take constants from, or in how
    kernels are compiled, starts an empty folder.
    """
    named = os.environ.get("NUMBA_CACHE_DIR")
    return Path(named) if named else platformdirs.user_cache_path("tripot") / f"kernels-{digest()}"


def is_disabled() -> bool:
    """Whether NUMBA_DISABLE_JIT makes Numba compile nothing, so that kernels run as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"


def is_warm(key: str) -> bool:
    """Whether all kernels of a game are on disk, or Numba is disabled."""
    return is_disabled() or _mark(key).exists()


def mark_warm(key: str) -> None:
    """Note that all kernels of a game are on disk; nothing to note if Numba is disabled."""
    if is_disabled():
        return
    mark = _mark(key)
    with suppress(OSError):  # a folder that cannot be written: Numba then keeps nothing there either
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def _mark(key: str) -> Path:
    """An empty file beside the compiled code.

    There is one for each list of entry points, source folder, Python, Numba and kind of machine. Numba also
    compiles again for another model of processor, which the mark does not notice: asking for the model means
    importing LLVM. Then the first search compiles, with its own progress.
    """
    homes = os.pathsep.join(map(os.path.abspath, tripot.games.__path__))
    entry_points = _digest_of(_game_files(f"{key}/entry_points.py"))
    parts = (
        homes,
        digest(),
        entry_points,
        sys.implementation.cache_tag,
        version("numba"),
        platform.machine(),
    )
    return folder() / f"warm-{key}-{sha256(repr(parts).encode()).hexdigest()[:16]}"
