"""Motion and stresses at the nodes inside a part, from the amplitudes of its superelement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean
from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]
Kind = Literal["displacement", "position", "velocity", "acceleration"]

UNITS = {"displacement": "m", "position": "m", "velocity": "m/s", "acceleration": "m/s²"}
_TENSOR = ("xx", "yy", "zz", "xy", "yz", "zx")
"""Components of a stress in space."""


class InnerPeak(NamedTuple):
    """A largest magnitude, with the node or the stress that has it and its time in s."""

    value: float
    where: str
    time: float


class PartMotion(Result):
    """Nodes inside a part over time: ``inner.at("17", "acceleration")``, ``inner.stress("von_mises")``.

    ``displacement`` is relative to the frame of the part, in its axes; ``position``, ``velocity`` and ``acceleration``
    are those in space. ``stresses`` are the rows that the part was reduced with: of a part from a model the internal
    forces of its strains, positive in tension, of a mesh of solids the stresses at its nodes.
    """

    title: str
    element: str
    t: Annotated[Array, Labels("time"), Unit("s")]
    nodes: Annotated[tuple[str, ...], Labels("node")]
    axes: Annotated[tuple[str, ...], Labels("axis")]
    displacement: Annotated[Array, Axes("time", "node", "axis"), Unit("m")]
    position: Annotated[Array, Axes("time", "node", "axis"), Unit("m")]
    velocity: Annotated[Array, Axes("time", "node", "axis"), Unit("m/s")]
    acceleration: Annotated[Array, Axes("time", "node", "axis"), Unit("m/s²")]
    labels: Annotated[tuple[str, ...], Labels("row")]
    """names of the stresses, such as ``rod.2.elongation`` or ``17.xx``"""
    stresses: Annotated[Array, Axes("time", "row")]

    def at(self, node: str | int, kind: Kind = "displacement") -> Array:
        """Displacement, position, velocity or acceleration of a node, a row for each time."""
        if kind not in UNITS:
            raise ModelError("at.kind", f"there is no '{kind}'", did_you_mean(kind, list(UNITS)))
        name = str(node)
        if name not in self.nodes:
            what = f"there is no node '{name}'"
            raise ModelError(f"part '{self.element}'", what, did_you_mean(name, list(self.nodes)))
        values: Array = getattr(self, kind)
        return values[:, self.nodes.index(name)]

    def stress(self, name: str = "von_mises") -> Array:
        """History of a stress with this label, or of one component at all places, a column for each of ``places``.

        ``von_mises`` combines the six components of a mesh of solids.
        """
        if name in self.labels:
            return self.stresses[:, self.labels.index(name)]
        if name == "von_mises" and self._columns("zx"):
            xx, yy, zz, xy, yz, zx = (self.stresses[:, self._columns(part)] for part in _TENSOR)
            normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
            return np.asarray(np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + zx**2)))
        columns = self._columns(name)
        if not columns:
            known = [*dict.fromkeys(label.rpartition(".")[2] for label in self.labels), *self.labels]
            remedy = did_you_mean(name, known) if known else "reduce it from a model or a mesh, or give rows of stress"
            raise ModelError(f"part '{self.element}'", f"there is no stress '{name}'", remedy)
        return self.stresses[:, columns]

    def places(self, name: str = "von_mises") -> tuple[str, ...]:
        """Places of a component of the stress, in the order of the columns of ``stress``."""
        component = "zx" if name == "von_mises" else name
        return tuple(self.labels[k].rpartition(".")[0] for k in self._columns(component))

    def _columns(self, component: str) -> list[int]:
        return [k for k, label in enumerate(self.labels) if label.rpartition(".")[2] == component]

    def peak(self, name: str = "displacement") -> InnerPeak:
        """Largest magnitude of a displacement, velocity, acceleration or stress, with its place and time."""
        if name in UNITS:
            values, places = np.linalg.norm(getattr(self, name), axis=2), self.nodes
        else:
            found = np.abs(self.stress(name))
            values, places = (found, self.places(name)) if found.ndim == 2 else (found[:, None], (name,))
        row, column = np.unravel_index(np.argmax(values), values.shape)
        return InnerPeak(float(values[row, column]), places[column], float(self.t[row]))

    def plot(self, *nodes: str | int, kind: Kind = "displacement", path: str | None = None) -> Any:
        """Histories of the magnitude of a displacement, velocity or acceleration of nodes; of all if none are named."""
        lines = {str(node): (self.t, np.linalg.norm(self.at(node, kind), axis=1)) for node in nodes or self.nodes}
        up = f"{kind} of {self.element} [{UNITS[kind]}]"
        return figure_registry.drawer("curves")(lines, "t [s]", up, self.title, path=path)

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Largest displacement, velocity, acceleration and stresses, and where and when they are."""
        stresses = dict.fromkeys(label.rpartition(".")[2] for label in self.labels)
        names = ["displacement", "velocity", "acceleration", *(["von_mises"] if "zx" in stresses else []), *stresses]
        rows = []
        for name in names if self.nodes else ():
            peak = self.peak(name)
            rows.append((name, UNITS.get(name, ""), f"{peak.value:.6g}", peak.where, f"{peak.time:.6g}"))
        heads = ("quantity", "unit", "largest", "where", "at [s]")
        return Summary(f"{self.element}: {len(self.nodes)} nodes", heads, tuple(rows), ("largest", "at [s]"))

    def __repr__(self) -> str:
        return f"<PartMotion: {self.element}, {len(self.nodes)} nodes, {len(self.t)} times>"
