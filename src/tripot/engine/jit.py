"""Numba decorators for kernels, the same in every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import event

from tripot.engine import kernel_cache

Function = TypeVar("Function", bound=Callable[..., Any])


i64: Callable[[Any], int] = cast(Any, np.int64)
"""Convert to a 64-bit integer. Numba compiles a kernel again for each integer type, and for each constant,
that it is called with; all calls with `i64(x)` use one version."""

_config: Any = numba.config  # Numba ships no types
_config.CACHE_DIR = str(kernel_cache.folder())


class _Compilations(event.Listener):
    """Notifies `kernel_cache.listeners` of every kernel that is compiled because it was not on disk."""

    def on_start(self, event: Any) -> None:
        for listener in kernel_cache.listeners:
            listener(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: Any) -> None:
        """Do nothing: listeners hear of the start of a compilation only."""


event.register("numba:compile", _Compilations())  # type: ignore[no-untyped-call]  # it has no types


def njit_cached(function: Function) -> Function:
    """Compile a function at its first call, cache its machine code on disk, and run it without the GIL.

    Kernels must not be recursive: Numba cannot load recursive functions from its cache.
    """
    return cast(Function, numba.njit(cache=True, nogil=True)(function))


def njit_no_nrt(function: Function) -> Function:
    """Like `njit_cached`, without Numba's reference counting and without checks for division by zero.

    Only for functions that neither allocate nor return arrays. Reference counts are atomic, and in functions
    that take arrays out of a tuple, or rows out of an array, they took a quarter of the time. The checks for
    division by zero keep LLVM from vectorising loops.
    """
    options: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}  # Numba does not document _nrt
    return cast(Function, numba.njit(cache=True, nogil=True, **options)(function))


def njit_inline(function: Function) -> Function:
    """Like `njit_no_nrt`, and always inlined into the kernels that call it.

    Numba passes a tuple of arrays by value, seven words or more per array. For small functions with such
    arguments the call took longer than the work, up to a third of the time of a simulation.
    """
    options: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "forceinline": True}
    return cast(Function, numba.njit(cache=True, nogil=True, **options)(function))


def njit_inline_once(function: Function) -> Function:
    """Like `njit_no_nrt`, for a function with a single caller, whose code becomes part of that kernel.

    Numba copies the code before it infers types. Every other function is also compiled by itself, even if
    LLVM inlines it everywhere, which takes seconds for a function with many arrays as arguments.
    """
    options: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "inline": "always"}
    return cast(Function, numba.njit(cache=True, nogil=True, **options)(function))
