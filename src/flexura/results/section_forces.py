"""Section forces of a slender link: internal forces and stresses along it, over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean
from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]

UNITS = {"N": "N", "V": "N", "M": "N·m", "Vy": "N", "Vz": "N", "T": "N·m", "My": "N·m", "Mz": "N·m"}
"""Units of the section forces."""


class Peak(NamedTuple):
    """A largest value, with the place along the link in m and the time in s at which it occurs."""

    value: float
    place: float
    time: float


class SectionForces(Result):
    """Internal forces in cross-sections of a link: ``section.N``, ``section["My"]``, ``section.stress("von_mises")``.

    In the plane ``N`` (axial force, positive in tension), ``V`` (shear force along y) and ``M`` (bending moment about
    z); in space ``N``, ``Vy``, ``Vz``, ``T`` (torsional moment), ``My`` and ``Mz``. They act on the part of the link
    towards p, in the axes of the section: x along the link from p to q. The arrays have a row for each time and a
    column for each place; of a single place they have the times alone.
    """

    title: str
    element: str
    t: Annotated[Array, Labels("time"), Unit("s")]
    place: Annotated[Array, Labels("place"), Unit("m")]
    """distances from p along the drawn link"""
    forces: Annotated[Mapping[str, Array], Axes("component", "time", "place"), Unit("N, N·m")]
    stresses: Annotated[Mapping[str, Array], Axes("stress", "time", "place"), Unit("Pa")]
    """at the extreme fibres; None if the section has no shape"""

    def __getitem__(self, component: str) -> Array:
        if component not in self.forces:
            where = f"section of '{self.element}'"
            raise ModelError(where, f"there is no '{component}'", did_you_mean(component, list(self.forces)))
        return self._plain(self.forces[component])

    def _ipython_key_completions_(self) -> list[str]:
        """Names that complete ``section["``."""
        return list(self.forces)

    def _plain(self, values: Array) -> Array:
        """Histories of one place, or of all."""
        return values[:, 0] if values.shape[1] == 1 else values

    @property
    def N(self) -> Array:
        """Axial force in N, positive in tension."""
        return self["N"]

    @property
    def V(self) -> Array:
        """Shear force in N along y of the section, in the plane."""
        return self["V"]

    @property
    def M(self) -> Array:
        """Bending moment in N·m, in the plane: positive where the fibres at -y are in tension."""
        return self["M"]

    @property
    def Vy(self) -> Array:
        """Shear force in N along y of the section, in space."""
        return self["Vy"]

    @property
    def Vz(self) -> Array:
        """Shear force in N along z of the section, in space."""
        return self["Vz"]

    @property
    def T(self) -> Array:
        """Torsional moment in N·m, in space."""
        return self["T"]

    @property
    def My(self) -> Array:
        """Bending moment in N·m about y of the section, in space: positive where the fibres at z are in tension."""
        return self["My"]

    @property
    def Mz(self) -> Array:
        """Bending moment in N·m about z of the section, in space: positive where the fibres at -y are in tension."""
        return self["Mz"]

    def stress(self, kind: str = "von_mises") -> Array:
        """Stress in Pa at the extreme fibres: ``axial``, ``bending``, ``torsion`` or ``von_mises``.

        ``bending`` is the largest stress by bending, ``torsion`` the largest shear stress by torsion. ``von_mises``
        combines the two with the axial stress as if they met in one fibre: so they do in round sections, others are
        on the safe side. The shear stress of V vanishes at the extreme fibres.
        """
        if not self.stresses:
            what = "stresses need the shape of the section, and it is given by numbers"
            raise ModelError(f"section of '{self.element}'", what, "give a shape such as Circle(20e-3) and a material")
        if kind not in self.stresses:
            where = f"section of '{self.element}'"
            raise ModelError(where, f"there is no stress '{kind}'", did_you_mean(kind, list(self.stresses)))
        return self._plain(self.stresses[kind])

    def _table(self, name: str) -> Array:
        if name in self.stresses:
            return self.stresses[name]
        self[name]
        return self.forces[name]

    def envelope(self, name: str) -> tuple[Array, Array]:
        """Lowest and highest values over time of a force or stress, at each place."""
        values = self._table(name)
        return values.min(axis=0), values.max(axis=0)

    def peak(self, name: str) -> Peak:
        """Value of a force or stress that is largest in size, with its place and time."""
        values = self._table(name)
        row, column = np.unravel_index(np.argmax(np.abs(values)), values.shape)
        return Peak(float(values[row, column]), float(self.place[column]), float(self.t[row]))

    def plot(self, *names: str, time: float | None = None, path: str | None = None) -> Any:
        """Diagrams along the link, at a time or as envelopes over time; of the bending moments if none are named."""
        chosen = names or tuple(name for name in ("M", "My", "Mz") if name in self.forces)
        lines = {}
        for name in chosen:
            if time is not None or len(self.t) == 1:
                row = int(np.argmin(np.abs(self.t - (self.t[0] if time is None else time))))
                lines[name] = (self.place, self._table(name)[row])
            else:
                lowest, highest = self.envelope(name)
                lines |= {f"{name}, highest": (self.place, highest), f"{name}, lowest": (self.place, lowest)}
        units = dict.fromkeys("Pa" if name in self.stresses else UNITS[name] for name in chosen)
        up = f"{', '.join(chosen)} [{', '.join(units)}]"
        across = f"distance from the end p of {self.element} [m]"
        return figure_registry.drawer("curves")(lines, across, up, self.title, path=path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Lowest and highest section forces and stresses, and where and when they are largest."""
        rows = []
        for name in (*self.forces, *self.stresses):
            lowest, highest = (f(self._table(name)) for f in (np.min, np.max))
            peak = self.peak(name)
            numbers = (lowest, highest, peak.place, peak.time)
            rows.append((name, UNITS.get(name, "Pa"), *(f"{number + 0.0:.6g}" for number in numbers)))
        heads = ("lowest", "highest", "at [m]", "at [s]")
        said = f"sections of {self.element}, {len(self.place)} places, {len(self.t)} times"
        return Summary(said, ("component", "unit", *heads), tuple(rows), heads)

    def __repr__(self) -> str:
        return f"<SectionForces: {self.element}, {len(self.place)} places, {len(self.t)} times>"
