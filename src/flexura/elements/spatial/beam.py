"""The spatial beam."""

from __future__ import annotations

import dataclasses
from math import inf
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from flexura.algebra import Vector, arc, atan2, atom, norm, sqrt, vec
from flexura.elements.beam_inertia import (
    LUMPED,
    TWIST,
    bending_stiffness,
    blocks,
    chord_spin,
    elastic_line,
    rotation_inertia,
    shear_parameter,
    tangent_length,
)
from flexura.elements.element import Element, Matrix
from flexura.elements.lengths import drawn_length
from flexura.elements.triads import UNSPECIFIED, YAxis, axis_numbers
from flexura.laws.materials import Material
from flexura.laws.sections import AnySection, properties
from flexura.laws.units import Bounds, NonNegative, Unit
from flexura.nodes import At, Frame
from flexura.rotations import own_spin


class Beam(Element):
    r"""Slender beam in space: elongation, torsion, and two bending strains in each of two planes.

    With the chord :math:`\mathbf l = \ell'\mathbf e` of drawn length :math:`\ell` and the axes
    :math:`\mathbf t, \mathbf n, \mathbf b` of its ends, :math:`\vartheta` the angle between axis and chord,

    .. math:: \varepsilon_1 = \ell' - \ell, \qquad \tan\frac{\varepsilon_2}{\ell} =
              \frac{\mathbf b_p\cdot\mathbf n_q - \mathbf n_p\cdot\mathbf b_q}
              {\mathbf n_p\cdot\mathbf n_q + \mathbf b_p\cdot\mathbf b_q}

    .. math:: \varepsilon_3 = -\ell\frac{\vartheta_p}{\sin\vartheta_p}\,\mathbf e\cdot\mathbf b_p, \quad
              \varepsilon_4 = \ell\frac{\vartheta_q}{\sin\vartheta_q}\,\mathbf e\cdot\mathbf b_q, \quad
              \varepsilon_5 = -\ell\frac{\vartheta_p}{\sin\vartheta_p}\,\mathbf e\cdot\mathbf n_p, \quad
              \varepsilon_6 = \ell\frac{\vartheta_q}{\sin\vartheta_q}\,\mathbf e\cdot\mathbf n_q

    Terms of second and third order are added: the shortening of the chord due to bending, the coupling of bending and
    torsion, and the twist between the ends that results from bending in both planes. With ``second_order=False`` the
    element is that of [SchwabMeijaard2000], without these terms and with sines in place of the angles.
    :math:`\varepsilon_3, \varepsilon_4` are bending in the plane of the beam axis and b (about y, with EIy),
    :math:`\varepsilon_5, \varepsilon_6` bending in the plane of the beam axis and n (about z, with EIz); ``y_axis``
    gives the direction of n as drawn.

    The elastic line is a cubic through both ends. The ``rotary`` inertia of the cross-section is consistent with its
    rotation and twist (default), lumped at the ends, or neglected. With a ``shear`` factor the stiffness is that of a
    Timoshenko beam. With linear ``axial`` interpolation the tangents of the cubic have the length of the chord.
    """

    space: ClassVar = "spatial"

    p: At[Frame]
    q: At[Frame]
    section: AnySection
    material: Material | None = None
    y_axis: YAxis = UNSPECIFIED
    rigid: Annotated[bool, Unit("", "true for a link that does not deform")] = False
    parts: Annotated[int, Unit("", "number of equal beams into which it is divided"), Bounds(1, 10_000)] = 1
    second_order: Annotated[bool, Unit("", "include shortening due to bending, and torsion")] = True
    rotary: Annotated[Literal["consistent", "lumped", "none"], Unit("", "rotary inertia of the section")] = "consistent"
    shear: Annotated[float, Unit("", "shear correction factor; zero for no shear flexibility"), NonNegative()] = 0.0
    axial: Annotated[
        Literal["cubic", "linear"], Unit("", "interpolation of axial displacements for the mass matrix")
    ] = "cubic"

    strains: ClassVar = ("elongation", "torsion", "bending_y_p", "bending_y_q", "bending_z_p", "bending_z_q")
    implied: ClassVar = ("torsion", "bending_y_q", "bending_z_q")

    def strain(self, p: Frame, q: Frame) -> Vector:
        l, chord = self.length, q.r - p.r
        (t_p, n_p, b_p), (t_q, n_q, b_q) = p.axes, q.axes
        long = atom(norm(chord))
        e = atom(chord / long)
        twist = atom(b_p @ n_q - n_p @ b_q)
        bends = [atom(side @ e) for side in (-b_p, b_q, -n_p, n_q)]
        if not self.second_order:
            return vec(long - l, l * twist / 2, *(l * bend for bend in bends))
        at_p, at_q = (atom(l * arc(atom(e @ t))) for t in (t_p, t_q))
        two = atom(l * atan2(twist, atom(n_p @ n_q + b_p @ b_q)))
        three, four, five, six = (atom(at * bend) for at, bend in zip((at_p, at_q, at_p, at_q), bends, strict=True))
        in_y, in_z = ((2 * a * a + a * b + 2 * b * b) / (30 * l) for a, b in ((three, four), (five, six)))
        # between its ends the beam turns by two/l, y and z; twist moves the chord across
        y, z = atom((three + four) / l), atom((five + six) / l)
        across_y, across_z = atom(two * z / 6), atom(two * y / 6)
        three, four = atom(three - across_y), atom(four + across_y)
        five, six = atom(five + across_z), atom(six - across_z)
        # third order: of a helix, and of the twist that bending in both planes makes between the ends
        yy, zz, wound = atom(y * y), atom(z * z), atom(1 + two * two / (12 * l * l))
        both, twisted = atom(yy + zz), atom(1 + self.over_y * zz + self.over_z * yy)
        more_y = atom(l * y * (wound * sqrt((1 + self.over_z * both) / twisted) - 1) / 2)
        more_z = atom(l * z * (wound * sqrt((1 + self.over_y * both) / twisted) - 1) / 2)
        return vec(
            long - l + in_y + in_z,
            two / (1 + both / 12) + (three * six - four * five) / l,
            three + more_y, four + more_y, five + more_z, six + more_z,
        )  # fmt: skip

    def shape(self, s: float, p: Frame, q: Frame) -> Vector:
        sheared = vars(self).get("beta_y"), vars(self).get("beta_z")
        across = (p.b + q.b) / 2, (p.n + q.n) / 2
        betas = [(beta, axis) for beta, axis in zip(sheared, across, strict=True) if beta is not None]
        return elastic_line(s, p, q, tangent_length(self.axial, p, q, self.length), betas)

    def spins(self, p: Frame, q: Frame, dp: Frame, dq: Frame) -> tuple[Vector, list[list[Any]]]:
        betas = [vars(self).get("beta_y"), vars(self).get("beta_z")]
        if self.rotary == "none" and betas == [None, None]:
            return vec(), []
        at_p, at_q = own_spin(p.turned, dp.turned), own_spin(q.turned, dq.turned)
        amounts = [vars(self).get(f"inertia_{axis}", 0.0) for axis in "xyz"]
        if self.rigid:
            return at_p, blocks([(amount, ((1.0,),)) for amount in amounts])
        if self.rotary == "lumped" and betas == [None, None]:
            return vec(*at_p, *at_q), blocks([(amount / 2, ((1.0,),)) for amount in amounts] * 2)
        # twist is linear over the length; the rotation of sections follows the ends and the turning chord
        about_y, about_z = chord_spin(p, q, dp, dq)
        rates = vec(at_p[0], at_q[0], about_y, at_p[1], at_q[1], about_z, at_p[2], at_q[2])
        twist = LUMPED if self.rotary == "lumped" else TWIST
        bent = (
            (1.0, rotation_inertia(self.rotary, amount, self.mass, self.length, beta))
            for amount, beta in zip(amounts[1:], betas, strict=True)
        )
        return rates, blocks([(amounts[0], twist), *bent])

    def measure(self, p: Frame, q: Frame) -> dict[str, float]:
        section, length = properties(self.section, self.material), drawn_length(p, q)
        about_y, about_z = section.rhoIy * length, section.rhoIz * length
        amounts = {"mass": section.rhoA * length} | self._over_torsion()
        if self.shear and not self.rigid:
            amounts |= {f"beta_{axis}": 1.0 / (1.0 + phi) for axis, phi in zip("yz", self._shears(length), strict=True)}
        if self.rotary != "none":
            amounts |= {"inertia_x": about_y + about_z, "inertia_y": about_y, "inertia_z": about_z}
        return axis_numbers(q.r - p.r, self.y_axis) | amounts

    def _shears(self, length: float) -> tuple[float, float]:
        """Φ for bending about y and about z."""
        section = properties(self.section, self.material)
        bent = section.about_y, section.about_z
        about_y, about_z = (shear_parameter(bending, self.shear, section.GA, length) for bending in bent)
        return about_y, about_z

    def _over_torsion(self) -> dict[str, float]:
        """The stiffnesses of bending over twelve times that of torsion; none where they are not all finite."""
        section = properties(self.section, self.material)
        bent = section.about_y, section.about_z
        finite = max(*bent, section.GIt) < inf and section.GIt > 0.0
        over_y, over_z = (k / (12.0 * section.GIt) if finite else 0.0 for k in bent)
        return {"over_y": over_y, "over_z": over_z}

    def stiffness(self, length: float) -> Matrix:
        section = properties(self.section, self.material)
        matrix = np.diag([inf] * 6)
        if self.rigid:
            return matrix
        matrix[0, 0], matrix[1, 1] = section.EA / length, section.GIt / length**3
        bent = zip((2, 4), (section.about_y, section.about_z), self._shears(length), strict=True)
        for first, bending, phi in bent:
            if bending < inf:
                matrix[first : first + 2, first : first + 2] = bending_stiffness(bending, phi, length)
        return matrix

    def damping(self, length: float) -> Matrix:
        section, stiffness = properties(self.section, self.material), self.stiffness(length)
        whole = length * self.parts
        axial = section.axial_damping(whole, self.parts)
        bending = [section.bending_damping(whole, self.parts, k) for k in (section.about_y, section.about_z)]
        times = np.array([axial, section.damping or axial, *np.repeat(bending, 2)])
        return np.where(np.isinf(stiffness), 0.0, np.nan_to_num(stiffness, posinf=0.0)) * times[:, None]

    def divide(self, length: float) -> tuple[Element, ...]:
        section = properties(self.section, self.material)
        # what does not deform has nothing of second order, and the plain strains are cheaper
        part = dataclasses.replace(self, second_order=False, axial="cubic") if self.rigid else self
        if not section.rhoIy and not section.rhoIz:
            part = dataclasses.replace(part, rotary="none")
        return (part,) * self.parts
