"""Results of small motions as files: netCDF-4, which xarray, MATLAB, Julia and HDF5 tools open.

Complex numbers have a last dimension ``part`` of real and imaginary part; the model stands in the attributes as it
would in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.analyses.buckling import Buckling
from flexura.model.files import dumps
from flexura.model.model import Model
from flexura.model.names import AXES
from flexura.results.campbell import Campbell
from flexura.results.linear_system import LinearSystem
from flexura.results.modes import Modes
from flexura.results.sensitivity import Sensitivity
from flexura.version import __version__
from flexura.writing import whole

if TYPE_CHECKING:
    from xarray import Dataset

Variables = dict[str, Any]


def save(result: Any, path: str) -> None:
    """Write a result to a file, whole or not at all."""
    data = dataset(result)
    plain = {name: {"_FillValue": None} for name in data.variables}
    with whole(Path(path)) as draft:
        data.to_netcdf(draft, engine="h5netcdf", encoding=plain)


def dataset(result: Any) -> Dataset:
    """A result with labels on everything."""
    from xarray import Dataset

    kind, (variables, labels, said) = next(
        (cls.__name__, describe(result)) for cls, describe in _FORMS.items() if isinstance(result, cls)
    )
    if any("part" in dimensions for dimensions, *_ in variables.values()):
        labels["part"] = _words(["real", "imaginary"])
    return Dataset(variables, coords=labels, attrs={"format": f"flexura {kind} 1", "version": __version__, **said})


Described = tuple[Variables, Variables, dict[str, Any]]


def _linear(system: LinearSystem) -> Described:
    square = ("coordinate", "other")
    variables: Variables = {name: (square, getattr(system, name)) for name in ("M", "C", "K")}
    variables |= {
        "forcing": ("coordinate", system.forcing),
        "eigenvalue": _complex(("root",), system.eigenvalues, "rad/s"),
        "mode": _complex(("coordinate", "root"), system.modes),
    }
    names = _words(system.coordinates)
    return variables, {"coordinate": names, "other": names}, {**_model(system.model), "time": system.t}


def _modes(modes: Modes) -> Described:
    variables = {
        "square": ("mode", modes.squares, {"units": "rad²/s²"}),
        "shape": (("coordinate", "mode"), modes.shapes),
        "strain": (("deformation", "mode"), modes.strains),
        "effective_mass": (("mode", "axis"), modes.effective_masses, {"units": "kg"}),
    }
    labels = {
        "coordinate": _words(map(str, modes.coordinate_index)),
        "deformation": _words(map(str, modes.strain_index)),
        "axis": _words(AXES[: modes.participation.shape[1]]),
    }
    return variables, labels, {**_model(modes.model), "mass": modes.mass}


def _campbell(found: Campbell) -> Described:
    variables = {
        "eigenvalue": _complex(("value", "branch"), found.eigenvalues, "rad/s"),
        "whirl": (("value", "branch"), found.whirl),
        "growth": ("value", found.growth, {"units": "1/s"}),
        "limit": ("change", found.limits),
        "critical": ("crossing", np.array([each.value for each in found.crossings])),
        "order": ("crossing", np.array([each.order for each in found.crossings])),
        "crossed": ("crossing", np.array([each.branch for each in found.crossings], dtype=np.int64)),
    }
    return variables, {"value": found.values}, {"title": found.title, "parameter": found.parameter}


def _sensitivity(found: Sensitivity) -> Described:
    variables = {
        "eigenvalue": _complex(("root",), found.eigenvalues, "rad/s"),
        "derivative": _complex(("root", "parameter"), found.derivatives),
        "error": (("root", "parameter"), found.errors),
        "value": ("parameter", found.values),
    }
    return variables, {"parameter": _words(found.parameters)}, {"title": found.title}


def _buckling(found: Buckling) -> Described:
    motion = found.state.motion
    variables = {
        "mode": ("independent", np.array(list(found.mode.values()))),
        "position": ("coordinate", motion.position[0][0]),
        "stress": ("deformation", motion.stress[0]),
    }
    labels = {
        "independent": _words(found.mode),
        "coordinate": _words(map(str, motion.coordinates)),
        "deformation": _words(map(str, motion.strains)),
    }
    return variables, labels, {**_model(found.system.model), "time": found.time, "kind": found.kind}


_FORMS: dict[type, Callable[[Any], Described]] = {
    LinearSystem: _linear,
    Modes: _modes,
    Campbell: _campbell,
    Sensitivity: _sensitivity,
    Buckling: _buckling,
}


def _model(model: Model) -> dict[str, str]:
    return {"title": model.title, "model": dumps(model)}


def _complex(dimensions: tuple[str, ...], values: Any, unit: str = "") -> tuple[Any, ...]:
    return (*dimensions, "part"), np.stack([values.real, values.imag], axis=-1), {"units": unit} if unit else {}


def _words(words: Iterable[str]) -> Any:
    return np.array(list(words), dtype=np.str_)
