"""Internal elements of spatial orientations: unit length of the Euler parameters, and rates without a value.

These elements serve the program; the signals of the carriers are named by their end, as in ``arm.q.about_x``.
"""

from __future__ import annotations

from typing import ClassVar

from flexura.algebra import Vector, vec
from flexura.elements.element import Element
from flexura.nodes import At, Frame
from flexura.rotations import conjugate, own_spin, spin, turn


class UnitLength(Element):
    r"""The norm of the Euler parameters: :math:`\varepsilon = (\mathbf e\cdot\mathbf e - 1)/2` [Schwab2002 (B.3)]."""

    space: ClassVar = "spatial"
    internal: ClassVar = True

    p: At[Frame]

    strains: ClassVar = ("length",)
    units: ClassVar = ("rad",)

    def strain(self, p: Frame) -> Vector:
        return vec(0.5 * (p.e @ p.e) - 0.5)


class About(Element):
    r"""Rotation about the axes of space: the rates are :math:`\boldsymbol\omega`, the dual forces torques."""

    space: ClassVar = "spatial"
    internal: ClassVar = True

    p: At[Frame]

    slips: ClassVar = ("x", "y", "z")
    units: ClassVar = ("rad", "rad", "rad")

    def slip(self, p: Frame, dp: Frame) -> Vector:
        return spin(p.e, dp.e)


class AboutOwn(Element):
    r"""Rotation about the axes that turn with the end: torques that follow it."""

    space: ClassVar = "spatial"
    internal: ClassVar = True

    p: At[Frame]

    slips: ClassVar = ("x", "y", "z")
    units: ClassVar = ("rad", "rad", "rad")

    def slip(self, p: Frame, dp: Frame) -> Vector:
        return own_spin(p.e, dp.e)


class Own(Element):
    r"""Displacement along the axes that turn with the end, :math:`\mathbf R^T\dot{\mathbf r}`: follower forces."""

    space: ClassVar = "spatial"
    internal: ClassVar = True

    p: At[Frame]

    slips: ClassVar = ("x", "y", "z")

    def slip(self, p: Frame, dp: Frame) -> Vector:
        return turn(conjugate(p.e), dp.r)


CARRIERS: dict[str, type[About] | type[AboutOwn] | type[Own]] = {"about": About, "about_own": AboutOwn, "own": Own}
"""Classes of the signals of an end that are rates and forces only, by the first part of their names."""
