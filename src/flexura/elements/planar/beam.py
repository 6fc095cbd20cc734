"""The planar beam."""

from __future__ import annotations

import dataclasses
from math import inf
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from flexura.algebra import Vector, atan2, cross, norm, vec
from flexura.elements.beam_inertia import (
    bending_stiffness,
    elastic_line,
    rotation_inertia,
    shear_parameter,
    tangent_length,
)
from flexura.elements.element import Element, Matrix
from flexura.elements.lengths import drawn_length
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection, properties
from flexura.laws.units import Bounds, NonNegative, Unit
from flexura.nodes import At, End


class Beam(Element):
    r"""Slender beam: elongation and two bending strains.

    With the chord :math:`\mathbf l = \mathbf r_q - \mathbf r_p` of drawn length :math:`\ell` and the angles
    :math:`\theta_p, \theta_q` from the chord to the sections,

    .. math:: \varepsilon_1 = |\mathbf l| - \ell + \frac{2\varepsilon_2^2 + \varepsilon_2\varepsilon_3
              + 2\varepsilon_3^2}{30\,\ell}, \quad
              \varepsilon_2 = \ell\,\theta_p, \quad \varepsilon_3 = -\ell\,\theta_q .

    The quadratic part of the elongation is the shortening of the chord due to bending. With ``second_order=False`` the
    element is that of [SchwabMeijaard2000], which omits this part and has sines in place of the angles. The elastic
    line is a cubic through both ends. The stiffness is that of an Euler–Bernoulli beam, or with a ``shear`` factor that
    of a Timoshenko beam. The ``rotary`` inertia of the cross-section is consistent with its rotation (default), lumped
    at the ends, or neglected. With linear ``axial`` interpolation the tangents of the cubic have the length of the
    chord.
    """

    p: At[End]
    q: At[End]
    section: AnySection
    material: Material | None = None
    rigid: Annotated[bool, Unit("", "true for a link that does not deform")] = False
    parts: Annotated[int, Unit("", "number of equal beams into which it is divided"), Bounds(1, 10_000)] = 1
    second_order: Annotated[bool, Unit("", "include the shortening of the chord due to bending")] = True
    rotary: Annotated[Literal["consistent", "lumped", "none"], Unit("", "rotary inertia of the section")] = "consistent"
    shear: Annotated[float, Unit("", "shear correction factor; zero for no shear flexibility"), NonNegative()] = 0.0
    axial: Annotated[
        Literal["cubic", "linear"], Unit("", "interpolation of axial displacements for the mass matrix")
    ] = "cubic"

    strains: ClassVar = ("elongation", "bending_p", "bending_q")
    implied: ClassVar = ("bending_q",)

    def strain(self, p: End, q: End) -> Vector:
        chord = q.r - p.r
        stretch = norm(chord) - self.length
        if not self.second_order:
            e = self.length * chord / norm(chord)
            return vec(stretch, -(e @ p.n), e @ q.n)
        angle_p = atan2(-(chord @ p.n), chord @ p.t)
        bend_p, bend_q = self.length * angle_p, -self.length * (angle_p + q.phi - p.phi)
        shortening = (2 * bend_p * bend_p + bend_p * bend_q + 2 * bend_q * bend_q) / (30 * self.length)
        return vec(stretch + shortening, bend_p, bend_q)

    def shape(self, s: float, p: End, q: End) -> Vector:
        beta, tangent = vars(self).get("beta"), tangent_length(self.axial, p, q, self.length)
        return elastic_line(s, p, q, tangent, () if beta is None else [(beta, (p.n + q.n) / 2)])

    def spins(self, p: End, q: End, dp: End, dq: End) -> tuple[Vector, list[list[Any]]]:
        beta, inertia = vars(self).get("beta"), vars(self).get("inertia", 0.0)
        if self.rotary == "none" and beta is None:
            return vec(), []
        if self.rigid:
            return vec(dp.phi), [[inertia]]
        chord = q.r - p.r
        turning = cross(chord, dq.r - dp.r) / (chord @ chord)
        return vec(turning, dp.phi, dq.phi), rotation_inertia(self.rotary, inertia, self.mass, self.length, beta)

    def measure(self, p: End, q: End) -> dict[str, float]:
        section, length = properties(self.section, self.material), drawn_length(p, q)
        amounts = {"mass": section.rhoA * length}
        if self.rotary != "none":
            amounts |= {"inertia": section.rhoIz * length}
        if self.shear and not self.rigid:
            amounts |= {"beta": 1.0 / (1.0 + shear_parameter(section.EI, self.shear, section.GA, length))}
        return amounts

    def stiffness(self, length: float) -> Matrix:
        section = properties(self.section, self.material)
        matrix = np.diag([inf, inf, inf])
        if not self.rigid:
            matrix[0, 0] = section.EA / length
            if inf > section.EI:
                phi = shear_parameter(section.EI, self.shear, section.GA, length)
                matrix[1:, 1:] = bending_stiffness(section.EI, phi, length)
        return matrix

    def damping(self, length: float) -> Matrix:
        section, stiffness = properties(self.section, self.material), self.stiffness(length)
        whole = length * self.parts
        times = [section.axial_damping(whole, self.parts)] + 2 * [section.bending_damping(whole, self.parts)]
        return np.where(np.isinf(stiffness), 0.0, np.nan_to_num(stiffness, posinf=0.0)) * np.array(times)[:, None]

    def divide(self, length: float) -> tuple[Element, ...]:
        # what does not deform has nothing of second order, and the plain strains are cheaper
        part = dataclasses.replace(self, second_order=False, axial="cubic") if self.rigid else self
        if not properties(self.section, self.material).rhoIz:
            part = dataclasses.replace(part, rotary="none")
        return (part,) * self.parts
