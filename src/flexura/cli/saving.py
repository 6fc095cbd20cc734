"""Results of small and periodic motions as files: netCDF-4, which xarray, MATLAB, Julia and HDF5 tools open.

Complex numbers have a last dimension ``part`` of real and imaginary part; the model stands in the attributes as it
would in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.analyses.linear.buckling import Buckling
from flexura.atomic_files import whole
from flexura.cli import saving_periodic
from flexura.cli.describing import Described, Variables, complex_parts, described_model, words
from flexura.model.names import AXES
from flexura.results.branch import Branch
from flexura.results.campbell import Campbell
from flexura.results.cycle import Cycle
from flexura.results.linear_system import LinearSystem
from flexura.results.modes import Modes
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.root_locus import RootLocus
from flexura.results.sensitivity import Sensitivity
from flexura.results.small_motion import SmallMotion
from flexura.results.stability import Stability, StabilityChart
from flexura.results.sweep import Sweep
from flexura.version import __version__

if TYPE_CHECKING:
    from xarray import Dataset


def save(result: Any, path: str, signals: Sequence[str] = ()) -> None:
    """Write a result, with the signals that are wanted of it, to a file, whole or not at all."""
    data = dataset(result, signals)
    plain = {name: {"_FillValue": None} for name in data.variables}
    with whole(Path(path)) as draft:
        data.to_netcdf(draft, engine="h5netcdf", encoding=plain)


def dataset(result: Any, signals: Sequence[str] = ()) -> Dataset:
    """A result with labels on everything."""
    from xarray import Dataset

    kind, (variables, labels, said) = next(
        (cls.__name__, describe(result, signals)) for cls, describe in _FORMS.items() if isinstance(result, cls)
    )
    if any("part" in dimensions for dimensions, *_ in variables.values()):
        labels["part"] = words(["real", "imaginary"])
    return Dataset(variables, coords=labels, attrs={"format": f"flexura {kind} 1", "version": __version__, **said})


def _linear(system: LinearSystem, signals: Sequence[str]) -> Described:
    square = ("coordinate", "other")
    variables: Variables = {name: (square, getattr(system, name)) for name in ("M", "C", "K")}
    variables |= {
        "forcing": ("coordinate", system.forcing),
        "eigenvalue": complex_parts(("root",), system.eigenvalues, "rad/s"),
        "mode": complex_parts(("coordinate", "root"), system.modes[: len(system.M)]),
    }
    names = words(system.coordinates)
    labels = {"coordinate": names, "other": names}
    if system.rolls is not None:
        n = len(system.M)
        variables |= {
            "K_kinematic": (("coordinate", "kinematic"), system.rolls.K),
            "A": (("kinematic", "coordinate"), system.rolls.A),
            "B": (("kinematic", "coordinate"), system.rolls.B[:, :n]),
            "B_kinematic": (("kinematic", "with"), system.rolls.B[:, n:]),
            "mode_kinematic": complex_parts(("kinematic", "root"), system.modes[n:]),
        }
        labels |= dict.fromkeys(("kinematic", "with"), words(system.rolls.coordinates))
    return variables, labels, {**described_model(system.model), "time": system.t}


def _modes(modes: Modes, signals: Sequence[str]) -> Described:
    variables = {
        "square": ("mode", modes.squares, {"units": "rad²/s²"}),
        "shape": (("coordinate", "mode"), modes.shapes),
        "strain": (("deformation", "mode"), modes.strains),
        "effective_mass": (("mode", "axis"), modes.effective_masses, {"units": "kg"}),
    }
    labels = {
        "coordinate": words(map(str, modes.coordinate_index)),
        "deformation": words(map(str, modes.strain_index)),
        "axis": words(AXES[: modes.participation.shape[1]]),
    }
    return variables, labels, {**described_model(modes.model), "mass": modes.mass}


def _campbell(found: Campbell, signals: Sequence[str]) -> Described:
    variables = {
        "eigenvalue": complex_parts(("value", "branch"), found.eigenvalues, "rad/s"),
        "whirl": (("value", "branch"), found.whirl),
        "growth": ("value", found.growth, {"units": "1/s"}),
        "limit": ("change", found.limits),
        "critical": ("crossing", np.array([each.value for each in found.crossings])),
        "order": ("crossing", np.array([each.order for each in found.crossings])),
        "crossed": ("crossing", np.array([each.branch for each in found.crossings], dtype=np.int64)),
    }
    return variables, {"value": found.values}, {"title": found.title, "parameter": found.parameter}


def _root_locus(found: RootLocus, signals: Sequence[str]) -> Described:
    variables = {
        "eigenvalue": complex_parts(("value", "branch"), found.eigenvalues, "rad/s"),
        "limit": ("change", np.array([each.value for each in found.limits])),
        "frequency": ("change", np.array([each.eigenvalue.imag for each in found.limits]), {"units": "rad/s"}),
        "rising": ("change", np.array([each.rising for each in found.limits], dtype=np.int64)),
    }
    return variables, {"value": found.values}, {"title": found.title, "parameter": found.parameter}


def _sensitivity(found: Sensitivity, signals: Sequence[str]) -> Described:
    variables = {
        "eigenvalue": complex_parts(("root",), found.eigenvalues, "rad/s"),
        "derivative": complex_parts(("root", "parameter"), found.derivatives),
        "error": (("root", "parameter"), found.errors),
        "value": ("parameter", found.values),
    }
    return variables, {"parameter": words(found.parameters)}, {"title": found.title}


def _buckling(found: Buckling, signals: Sequence[str]) -> Described:
    motion = found.state.motion
    variables = {
        "mode": ("independent", np.array(list(found.mode.values()))),
        "position": ("coordinate", motion.position[0][0]),
        "stress": ("deformation", motion.stress[0]),
    }
    labels = {
        "independent": words(found.mode),
        "coordinate": words(map(str, motion.nodal_coordinates)),
        "deformation": words(map(str, motion.strains)),
    }
    return variables, labels, {**described_model(found.system.model), "time": found.time, "kind": found.kind}


_FORMS: dict[type, Callable[[Any, Sequence[str]], Described]] = {
    LinearSystem: _linear,
    Modes: _modes,
    Campbell: _campbell,
    RootLocus: _root_locus,
    Sensitivity: _sensitivity,
    Buckling: _buckling,
    PeriodicMotion: saving_periodic.periodic,
    Cycle: saving_periodic.cycle,
    SmallMotion: saving_periodic.small,
    Sweep: saving_periodic.sweep,
    Stability: saving_periodic.stability,
    StabilityChart: saving_periodic.chart,
    Branch: saving_periodic.branch,
}
