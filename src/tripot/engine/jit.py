"""How kernels are compiled, the same way in every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba.core import event, types
from numba.extending import intrinsic, overload

from tripot.engine import kernel_cache

Function = TypeVar("Function", bound=Callable[..., Any])


_config: Any = numba.config  # Numba ships no types
_config.CACHE_DIR = str(kernel_cache.folder())


class _Compilations(event.Listener):
    """Tells `kernel_cache.listeners` of every kernel that was not on disk."""

    def on_start(self, event: Any) -> None:
        for listener in kernel_cache.listeners:
            listener(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: Any) -> None:
        """Only beginnings are told."""


event.register("numba:compile", _Compilations())  # type: ignore[no-untyped-call]  # it has no types


def njit_cached(function: Function) -> Function:
    """Compile at the first call, keep the code on disk, and let other threads run meanwhile.

    Write kernels without recursion: code that calls itself does not survive the cache on disk.
    """
    return cast(Function, numba.njit(cache=True, nogil=True)(function))


def njit_no_nrt(function: Function) -> Function:
    """The same for functions that neither make arrays nor return any: they need not count who uses which.

    Counting is atomic, and where a function takes arrays out of a tuple, or rows out of an array, it was a
    quarter of the time. Nor do they look whether they divide by zero: a loop that does cannot be done for
    several numbers at once.
    """
    options: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}  # the first is not documented
    return cast(Function, numba.njit(cache=True, nogil=True, **options)(function))


def trailing_zeros(word: Any) -> int:
    """The number of the lowest bit that is set in a word, which is not zero: one instruction in kernels."""
    return (int(word) & -int(word)).bit_length() - 1


def popcount(word: Any) -> int:
    """How many bits of a word are set: one instruction in kernels."""
    return int(word).bit_count()


def _unary_intrinsic(build: Callable[[Any, Any], Any]) -> Any:
    """A single instruction on a word, from what builds it."""

    def typed(_typing: Any, _word: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return build(builder, arguments[0])

        return types.int64(types.uint64), generate

    return intrinsic(typed)


_trailing_zeros = _unary_intrinsic(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))
_bits_set = _unary_intrinsic(lambda builder, word: builder.ctpop(word))


@overload(trailing_zeros)
def _compiled_trailing_zeros(word: Any) -> Callable[[Any], Any]:  # noqa: ARG001  Numba compares the names
    def count(word: Any) -> Any:
        return _trailing_zeros(word)

    return count


@overload(popcount)
def _compiled_bits_set(word: Any) -> Callable[[Any], Any]:  # noqa: ARG001  as above
    def count(word: Any) -> Any:
        return _bits_set(word)

    return count
