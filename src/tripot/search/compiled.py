"""How kernels are compiled, the same way in every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile at the first call, keep the code on disk, and let other threads run meanwhile.

    Write kernels without recursion: code that calls itself does not survive the cache on disk.
    """
    return cast(Function, numba.njit(cache=True, nogil=True)(function))
