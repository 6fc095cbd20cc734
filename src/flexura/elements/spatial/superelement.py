"""The superelement: a finite-element part in a moving frame."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Annotated, Any, ClassVar

import numpy as np

from flexura.algebra import Vector, atom, cross, vec
from flexura.elements.element import Element, Matrix
from flexura.elements.modal_tables import PAIRS, linear, quadratic, table_of, tables, without_rounding
from flexura.elements.triads import Direction, axis_numbers
from flexura.errors import ModelError
from flexura.laws.units import Bounds, NonNegative, Unit
from flexura.nodes import AXIS, At, Frame
from flexura.rotations import conjugate, hamilton, own_spin, turn
from flexura.substructures.finite_elements import COMPONENTS
from flexura.substructures.reduction import reduced
from flexura.substructures.sample import sample_part
from flexura.substructures.substructure import Substructure

_AT = 1e-6
"""Distance of a drawn node from its place on the part that is rounding, as a part of the size."""


NONE = Vector()
"""No coordinates, of a part that does not deform."""


class Superelement(Element):
    r"""Flexible part of any shape, reduced to component modes in a moving frame.

    The displacements relative to the ``frame`` are :math:`\mathbf V\mathbf q`, with static shapes and normal modes
    [CraigBampton1968]. The amplitudes are coordinates, ``static_1`` and so on, ``mode_1`` and so on. Interface i, at
    the position :math:`\mathbf x_i` with the shapes :math:`\boldsymbol\Phi_i`, is tied to the part by the constraints

    .. math:: \mathbf R^T(\mathbf r_i - \mathbf r) - \mathbf x_i - \boldsymbol\Phi_i\mathbf q
              - \tfrac12\mathbf q\,\mathbf N_i\mathbf q = \mathbf 0

    and corresponding ones for rotations; their forces are the interface forces. The term of second order is the stress
    ``stiffening``. The kinetic energy is that of [Shabana2013 (5.60)], with the coupling of deformation and rotation:
    that of the mass at its centre, and :math:`\tfrac12\mathbf w^T\mathbf J(\mathbf q)\mathbf w` with
    :math:`\mathbf w = (\boldsymbol\omega, \dot{\mathbf q})`.
    """

    space: ClassVar = "spatial"

    frame: Annotated[At[Frame], Unit("", "frame of the part, at its first interface")]
    interfaces: tuple[At[Frame], ...]
    matrices: Annotated[Substructure, Unit("", "the reduced part")]
    modes: Annotated[int, Unit("", "number of normal modes; -1 for all that the part has"), Bounds(-1, 10_000)] = -1
    damping_ratio: Annotated[
        float | tuple[float, ...], Unit("", "damping ratio of all modes, or of each normal mode"), NonNegative()
    ] = 0.0
    stiffening: Annotated[bool, Unit("", "include stress stiffening, if the part has it")] = True
    x_axis: Annotated[Direction, Unit("", "direction of the part's x axis as drawn")] = (1.0, 0.0, 0.0)
    y_axis: Annotated[Direction, Unit("", "direction near which the part's y axis is drawn")] = (0.0, 1.0, 0.0)

    quadrature: ClassVar = 1

    @property
    def part(self) -> Substructure:
        """The part with the modes that are used."""
        return _part(self.matrices, self.modes)

    @property
    def strains(self) -> tuple[str, ...]:
        """tie_1_x, tie_1_y, tie_1_z, tie_1_turn_x and so on, six for each interface"""
        return tuple(f"tie_{i}_{word}" for i in range(1, len(self.interfaces) + 1) for word in COMPONENTS)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """static_1, static_2 and so on, six for each interface; mode_1, mode_2 and so on, one for each mode"""
        static, modes = self.part.static, self.part.modes
        return tuple(f"static_{k}" for k in range(1, static + 1)) + tuple(f"mode_{k}" for k in range(1, modes + 1))

    @property
    def units(self) -> tuple[str, ...]:
        ties = ("m", "m", "m", "rad", "rad", "rad")
        static = ties * (self.part.static // 6)
        return ties * len(self.interfaces) + static + ("m",) * self.part.modes

    def check(self) -> None:
        part = self.part
        if len(self.interfaces) != len(part.points):
            what = f"{len(self.interfaces)} interfaces are given, and the part has {len(part.points)}"
            raise ModelError("Superelement.interfaces", what, "name a frame for each, in the order of the part")
        ratio = self.damping_ratio
        if isinstance(ratio, tuple) and len(ratio) != part.modes:
            what = f"{len(ratio)} damping ratios are given for {part.modes} modes"
            raise ModelError("Superelement.damping_ratio", what, "give one number, or one for each mode")

    # ── kinematics ───────────────────────────────────────────────────────────────────────────────────────────────────

    def strain(self, frame: Frame, interfaces: tuple[Frame, ...], q: Vector = NONE) -> Vector:
        found = list[Any]()
        axes = frame.axes
        for i, end in enumerate(interfaces):
            gap = end.r - frame.r
            moved = self._moved(i, q)
            at = [axis @ gap - x - u for axis, x, u in zip(axes, self.points[i], moved[:3], strict=True)]
            s, theta = hamilton(conjugate(frame.turned), end.turned), Vector(*moved[3:])
            own = Vector(s[1], s[2], s[3])
            found += [*at, *(own * 2.0 - theta * s[0] - cross(theta, own))]
        return vec(*found)

    def _moved(self, i: int, q: Vector) -> list[Any]:
        """Displacements and rotations of an interface in the axes of the frame."""
        first, second = self._table("tie"), self._table("tie2")
        return [atom(linear(first.get((i, c), {}), q) + quadratic(second.get((i, c), {}), q) * 0.5) for c in range(6)]

    def _centre(self, q: Vector) -> Vector:
        """The centre of mass in the axes of the frame."""
        first, second = self._table("shift"), self._table("shift2")
        at = (
            self.centre[i] + linear(first.get((i,), {}), q) + quadratic(second.get((i,), {}), q) * 0.5 for i in range(3)
        )
        return Vector(*map(atom, at))

    def _table(self, name: str) -> dict[tuple[int, ...], Any]:
        """Numbers of a table that are not zero, by the first of their indices and then by the rest."""
        return table_of(vars(self), name)

    def shape(self, s: float, frame: Frame, interfaces: tuple[Frame, ...], q: Vector = NONE) -> Vector:
        at, axes = self._centre(q), frame.axes
        return frame.r + axes[0] * at[0] + axes[1] * at[1] + axes[2] * at[2]

    def spins(self, *given: Any) -> tuple[Vector, list[list[Any]]]:
        frame, _, q, dframe, _, dq = given if len(given) == 6 else (*given[:2], NONE, *given[2:], NONE)
        return vec(*own_spin(frame.turned, dframe.turned), *dq), self._inertias(q)

    def _inertias(self, q: Vector) -> list[list[Any]]:
        """Inertias between the spin of the frame and the rates of the coordinates, about the centre of mass."""
        k = len(q)
        table: list[list[Any]] = [[0.0] * (3 + k) for _ in range(3 + k)]

        def put(i: int, j: int, value: Any) -> None:
            table[i][j] = table[j][i] = value

        first, second = self._table("I1"), self._table("I2")
        for p, (i, j) in enumerate(PAIRS):
            more = linear(first.get((p,), {}), q) + quadratic(second.get((p,), {}), q)
            put(i, j, atom(self.inertia[p] + more))
        spin, spin1 = self._table("G"), self._table("G1")
        for i in range(3):
            for a in range(k):
                put(i, 3 + a, atom(spin.get((i,), {}).get((a,), 0.0) + linear(spin1.get((i, a), {}), q)))
        for (a,), row in self._table("M").items():
            for (b,), value in row.items():
                put(3 + a, 3 + b, value)
        return table

    def measure(self, frame: Frame, interfaces: tuple[Frame, ...]) -> dict[str, Any]:
        c, axes = self.part.content, axis_numbers(self.x_axis, self.y_axis)
        self._refuse_misplaced(frame, interfaces, axes)
        found: dict[str, Any] = {
            "mass": float(c["mass"]),
            "centre": c["centre"].tolist(),
            "inertia": [float(c["inertia"][i, j]) for i, j in PAIRS],
        }
        if interfaces:
            found["points"] = c["points"].tolist()
        return axes | found | tables(c, self.stiffening)

    def _refuse_misplaced(self, frame: Frame, interfaces: tuple[Frame, ...], axes: dict[str, float]) -> None:
        """Interfaces are drawn where they are on the part."""
        own = Vector(*(axes[name] for name in AXIS))
        size = max(1e-12, float(np.abs(self.part.content["positions"]).max(initial=0.0)))
        for i, (end, place) in enumerate(zip(interfaces, self.part.points, strict=True), start=1):
            expected = np.array(list(turn(own, Vector(*place))), dtype=float)
            drawn = np.array([float(a - b) for a, b in zip(end.r, frame.r, strict=True)])
            if np.abs(drawn - expected).max() > _AT * size:
                words = [", ".join(f"{x:.6g}" for x in at) for at in (drawn, expected)]
                what = f"interface {i} is drawn at ({words[0]}) from the frame, and is at ({words[1]}) on the part"
                raise ModelError("interfaces", what, "move the node there, or turn the part with x_axis and y_axis")

    # ── forces ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def stiffness(self, length: float) -> Matrix:
        ties = len(self.strains)
        matrix = np.zeros((self.own_strains(),) * 2)
        matrix[:ties, :ties] = np.diag(np.full(ties, np.inf))
        matrix[ties:, ties:] = self.part.content["stiffness"]
        return matrix

    def damping(self, length: float) -> Matrix:
        ties = len(self.strains)
        matrix = np.zeros((self.own_strains(),) * 2)
        modal = self.part.content["damping"] + _modal_damping(self.part, self.damping_ratio)
        # modes that do not couple have no terms in the equations
        matrix[ties:, ties:] = without_rounding(modal)
        return matrix

    def spin_limit(self) -> float:
        known = self.stiffening and self.part.stiffens
        return np.inf if known else 0.1 * self.part.lowest

    def small_rotations(self) -> Matrix:
        return np.asarray(self.part.content["ties"][:, 3:])

    @classmethod
    def example(cls, random: Random) -> tuple[Element, list[tuple[float, ...]]]:
        part = reduced(sample_part(random), (0, 1), modes=1)
        return cls("A", ("B",), part, damping_ratio=0.1), [(0.0, 0.0, 0.0), tuple(map(float, part.points[0]))]

    # ── picture ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def outline(self, points: int, frame: Frame, interfaces: tuple[Frame, ...], q: Vector = NONE) -> list[list[Vector]]:
        c, axes = self.part.content, frame.axes

        def place(node: int) -> Vector:
            at = [
                x + sum((u * amplitude for u, amplitude in zip(row, q, strict=True)), 0.0)
                for x, row in zip(c["positions"][node].tolist(), c["shapes"][node].tolist(), strict=True)
            ]
            return frame.r + axes[0] * at[0] + axes[1] * at[1] + axes[2] * at[2]

        if not len(c["lines"]):
            return [[frame.r, end.r] for end in interfaces]
        return [[place(a), place(b)] for a, b in c["lines"].tolist()]


@lru_cache(maxsize=64)
def _part(matrices: Substructure, modes: int) -> Substructure:
    return matrices if modes < 0 else matrices.truncated(modes)


def _modal_damping(part: Substructure, ratio: float | tuple[float, ...]) -> Matrix:
    """Damping of the static shapes among themselves and of each normal mode."""
    c, s = part.content, part.static
    matrix = np.zeros((s + part.modes,) * 2)
    ratios = np.array(ratio if isinstance(ratio, tuple) else [ratio] * part.modes)
    matrix[s:, s:] = np.diag(2.0 * ratios * part.frequencies * np.diag(part.held_mass)[s:])
    general = ratio if isinstance(ratio, float) else max(ratio, default=0.0)
    if s and general:
        stiff = c["stiffness"][:s, :s]
        root = np.linalg.cholesky(stiff)
        half = np.linalg.solve(root, np.linalg.solve(root, part.held_mass[:s, :s]).T)
        parts, shapes = np.linalg.eigh(0.5 * (half + half.T))
        # c = 2ζ√(km) of each shape of the static ones, with k = 1 and m = 1/ω²
        matrix[:s, :s] = root @ (shapes * (2.0 * general * np.sqrt(np.maximum(parts, 0.0)))) @ shapes.T @ root.T
    return matrix
