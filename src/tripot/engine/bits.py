"""Bit operations on 64-bit words that compile to a single machine instruction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload


def trailing_zeros(word: Any) -> int:
    """Return the index of the lowest set bit of a word that is not zero."""
    return (int(word) & -int(word)).bit_length() - 1


def popcount(word: Any) -> int:
    """Return the number of set bits of a word."""
    return int(word).bit_count()


def _unary_intrinsic(build: Callable[[Any, Any], Any]) -> Any:
    """Make a Numba intrinsic (uint64) -> int64 from a function that emits its LLVM instruction."""

    def typed(_typing: Any, _word: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return build(builder, arguments[0])

        return types.int64(types.uint64), generate

    return intrinsic(typed)


_cttz = _unary_intrinsic(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))
_ctpop = _unary_intrinsic(lambda builder, word: builder.ctpop(word))


@overload(trailing_zeros)
def _compiled_trailing_zeros(word: Any) -> Callable[[Any], Any]:  # noqa: ARG001  Numba compares the names
    def count(word: Any) -> Any:
        return _cttz(word)

    return count


@overload(popcount)
def _compiled_popcount(word: Any) -> Callable[[Any], Any]:  # noqa: ARG001  Numba compares the names
    def count(word: Any) -> Any:
        return _ctpop(word)

    return count
