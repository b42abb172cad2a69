"""Entry points: the kernels that Python code calls, with the Numba types of their arguments and results.

Numba compiles a kernel at its first call, for the types of the arguments. To compile in advance, on disk with
`tripot warm` or for a target without a compiler such as WebAssembly, the types must be known beforehand. So
each game lists its entry points in `entry_points.py`. All other kernels are called by these only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from numba.core import types as numba_types

types: Any = numba_types  # Numba ships no types

Type = Any
"""A Numba type."""

BOOL: Final = types.boolean
INT64: Final = types.int64
FLOAT64: Final = types.float64
NONE: Final = types.none


def array(dtype: Type, dimensions: int = 1) -> Type:
    """Return the type of writable, C-contiguous arrays."""
    return types.Array(dtype, dimensions, "C")


def named_tuple(cls: type, *fields: Type) -> Type:
    """Return the type of a NamedTuple, or of a plain tuple, with the types of its fields in order."""
    names = getattr(cls, "_fields", fields)
    assert len(fields) == len(names), f"{cls.__name__} has {len(names)} fields, {len(fields)} types are given"
    return types.BaseTuple.from_types(fields, cls)


class EntryPoint(NamedTuple):
    """A kernel that Python calls, the types of its arguments, and the type of its result."""

    function: Callable[..., Any]
    arguments: tuple[Type, ...]
    result: Type

    @property
    def name(self) -> str:
        """The name of the kernel."""
        return self.function.__name__

    def compile(self) -> None:
        """Compile the kernel, and all kernels that it calls, unless they are in the cache on disk.

        Numba is not given the result type: its cache distinguishes signatures with a result type from those
        without, and a call looks for the latter.
        """
        dispatcher: Any = self.function
        dispatcher.compile(self.arguments)
