"""Array types of the kernels. Every array has an explicit dtype, so that 32-bit targets behave the same."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

BoolArray: TypeAlias = NDArray[np.bool_]
Int8Array: TypeAlias = NDArray[np.int8]
Int16Array: TypeAlias = NDArray[np.int16]
Int32Array: TypeAlias = NDArray[np.int32]
Int64Array: TypeAlias = NDArray[np.int64]
Uint8Array: TypeAlias = NDArray[np.uint8]
Uint16Array: TypeAlias = NDArray[np.uint16]
Uint32Array: TypeAlias = NDArray[np.uint32]
Uint64Array: TypeAlias = NDArray[np.uint64]
Float32Array: TypeAlias = NDArray[np.float32]
Float64Array: TypeAlias = NDArray[np.float64]

u64 = np.uint64
"""Unsigned index type. It lets Numba skip the negative-index check in hot loops."""

ONE = np.uint64(1)
"""The lowest bit of a word; mixing uint64 with a plain 1 would give float64."""
