"""How kernels are compiled, the same way in every game."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import platformdirs

import tripot.games

Function = TypeVar("Function", bound=Callable[..., Any])


def _shelf() -> Path:
    """Where compiled code is kept: a folder for these very kernels.

    Numba compiles a function anew when its own file changes, but not when a kernel that it calls
    does. So any change in any kernel starts an empty folder.
    """
    kernels = sorted(path for home in tripot.games.__path__ for path in Path(home).glob("*/kernel*.py"))
    digest = sha256(b"".join(path.read_bytes() for path in kernels)).hexdigest()[:16]
    return platformdirs.user_cache_path("tripot") / f"kernels-{digest}"


_config: Any = numba.config  # Numba ships no types
_config.CACHE_DIR = _config.CACHE_DIR or str(_shelf())


def compiled(function: Function) -> Function:
    """Compile at the first call, keep the code on disk, and let other threads run meanwhile.

    Write kernels without recursion: code that calls itself does not survive the cache on disk.
    """
    return cast(Function, numba.njit(cache=True, nogil=True)(function))
