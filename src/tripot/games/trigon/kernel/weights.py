"""The trained weights of policy and value, from `weights.npz`; `train` writes the file."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from typing import Final, NamedTuple

import numpy as np

from tripot.games.trigon.kernel.dtypes import Float64Array
from tripot.games.trigon.kernel.value import ValueTable

FILE_NAME: Final = "weights.npz"


class Weights(NamedTuple):
    """Trained weights for one kind of teams.

    policy  float64[STAGE_COUNT, FEATURE_COUNT] (`features`)
    value   float32[PHASE_COUNT, WEIGHT_COUNT] (`value`)
    """

    policy: Float64Array
    value: ValueTable


def array_names(is_paired: bool) -> tuple[str, str]:
    """Return the names of the policy and the value array in the file."""
    kind = "paired" if is_paired else "individual"
    return f"policy_{kind}", f"value_{kind}"


@cache
def load_weights(is_paired: bool) -> Weights:
    """Return the weights for two teams of two colours each, or for individual players."""
    policy, value = array_names(is_paired)
    with as_file(files(__package__) / FILE_NAME) as path, np.load(path) as arrays:
        return Weights(arrays[policy].astype(np.float64), arrays[value])
