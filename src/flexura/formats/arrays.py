"""Arrays of any result by name, for MATLAB (``.mat``) and NumPy (``.npz``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from flexura.atomic_files import whole
from flexura.results.linear_system import LinearSystem
from flexura.results.motion import Motion
from flexura.results.result import Result
from flexura.results.state import State
from flexura.results.writers import writes

LONGEST = 63
"""characters of a name in MATLAB"""


def arrays(result: Result, signals: Sequence[str] = ()) -> dict[str, Any]:
    """Variables of a result: arrays of numbers, and lists of texts.

    A motion has in addition ``names`` of signals, their ``units``, and ``values`` with one column for each, by default
    of all coordinates and strains. A linear system has in addition its state matrix ``A``.
    """
    data = result.to_xarray()
    found: dict[str, Any] = {}
    for name, variable in data.variables.items():
        values = np.asarray(variable.values)
        if len(variable.dims) > 0 and variable.dims[-1] == "part" and values.dtype.kind == "f":
            values = values[..., 0] + 1j * values[..., 1]
        found[str(name)] = values if values.dtype.kind in "fiubc" else values.astype(str)
    found |= {str(name): value for name, value in data.attrs.items() if isinstance(value, str | int | float)}
    motion = result.motion if isinstance(result, State) else result
    if isinstance(motion, Motion):
        names = list(signals) or list(motion.signals)
        found["t"] = motion.t
        found["names"] = np.array(names, dtype=str)
        found["units"] = np.array([motion.unit(name) or "1" for name in names], dtype=str)
        found["values"] = np.stack([motion[name] for name in names], axis=1) if names else np.zeros((len(motion.t), 0))
    if isinstance(result, LinearSystem):
        found["A"] = result.to_state_space([], [])[0]
    return found


@writes(".npz")
def write_npz(result: Result, path: Path, signals: Sequence[str] = ()) -> None:
    """Write a result as arrays of NumPy; texts are arrays of characters, so that no pickle is needed."""
    with whole(Path(path)) as draft, draft.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays(result, signals))


@writes(".mat")
def write_mat(result: Result, path: Path, signals: Sequence[str] = ()) -> None:
    """Write a result as a MATLAB file (version 5, which MATLAB, Octave and SciPy read)."""
    from scipy.io import savemat

    image = BytesIO()
    savemat(image, matlab(arrays(result, signals)), long_field_names=True, oned_as="column", do_compression=True)
    with whole(Path(path)) as draft:
        draft.write_bytes(image.getvalue())


def matlab(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Variables with names and values that MATLAB has: lists of texts are cells."""
    found: dict[str, Any] = {}
    for name, value in variables.items():
        plain = re.sub(r"\W", "_", name)[:LONGEST]
        plain = plain if re.match(r"[A-Za-z]", plain) else f"x_{plain}"[:LONGEST]
        while plain in found:
            plain = f"{plain[: LONGEST - 1]}_"
        text = isinstance(value, np.ndarray) and value.dtype.kind == "U" and value.ndim
        found[plain] = np.array(value.tolist(), dtype=object) if text else value
    return found
