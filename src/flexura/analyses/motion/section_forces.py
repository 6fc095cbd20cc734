"""Section forces of the links of a motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from flexura.analyses.motion.cut_links import CutLink
from flexura.derive.records import Floats
from flexura.errors import ModelError
from flexura.laws.shapes import Shape
from flexura.laws.validation import number_list
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.preparation.assembled_form import AssembledForm
from flexura.model.links import parts_of_link
from flexura.results.motion import Motion
from flexura.results.providers import provides
from flexura.results.section_forces import SectionForces

PLACES = 33
"""Minimum number of places along a link, the default."""


@provides("section forces")
def section_forces(motion: Motion, element: str, s: float | Sequence[float] | None = None) -> SectionForces:
    """Section forces of a link at places s from 0 (at p) to 1 (at q), by default all along it."""
    parts = parts_of_link(motion.names, element)
    places = _places(s, len(parts), element)
    bodies = _bodies(motion, parts, element)
    cuts = {part: CutLink(motion, part, bodies[part]) for part in parts}
    rows = []
    for place in places:
        number = min(int(place * len(parts) + 1e-12), len(parts) - 1)
        cut, local = cuts[parts[number]], min(max(place * len(parts) - number, 0.0), 1.0)
        rows.append(_components(cut, local))
    forces = {name: np.stack([row[name] for row in rows], axis=1) for name in rows[0]}
    length = sum(motion.names.drawing.length(part) for part in parts)
    return SectionForces(
        title=motion.title,
        element=element,
        t=motion.t,
        place=places * length,
        forces=forces,
        stresses=_stresses(motion.names.elements[parts[0]], forces),
    )


def _places(s: float | Sequence[float] | None, parts: int, element: str) -> Floats:
    """Places along a link, from 0 to 1."""
    if s is None:
        each = max(-(-(PLACES - 1) // parts), 2)
        return np.linspace(0.0, 1.0, each * parts + 1)
    where = f"section of '{element}'"
    places = number_list(
        where, [s] if np.ndim(s) == 0 else s, "a place from 0 (end p) to 1 (end q), or a list of places"
    )
    if not np.all((places >= 0.0) & (places <= 1.0)):
        what = f"the place s is from 0 (end p) to 1 (end q), got {s!r:.40}"
        raise ModelError(where, what, "divide a distance by the length of the link")
    return places


def _bodies(motion: Motion, parts: Sequence[str], element: str) -> Mapping[str, Floats]:
    """Weight and distributed load of each part over time."""
    model, numbers = motion.model, motion.names.drawing.numbers
    gravity = np.array(tuple(model.gravity) or (0.0,) * model.dimension)
    if element in model.loads:
        return _loaded(motion, parts)
    weights = {part: numbers(part).get("mass", 0.0) * gravity for part in parts}
    return {part: np.broadcast_to(weight, (len(motion.t), model.dimension)) for part, weight in weights.items()}


def _loaded(motion: Motion, parts: Sequence[str]) -> Mapping[str, Floats]:
    """Weight and distributed load of each part over time, as in the equations of motion."""
    layout = Layout(motion.model)
    form = AssembledForm(layout)
    system, d = form.plain.restored(), motion.model.dimension
    extra = dict(form.assembler.motion.extra_places())
    found = {part: np.zeros((len(motion.t), d)) for part in parts}
    blank = [np.zeros(len(layout.coordinates)) for _ in range(3)]
    for k, t in enumerate(motion.t):
        drive(system, float(t), *blank)
        for part in parts:
            found[part][k] = system.motion.extra[extra[part] : extra[part] + d]
    return found


def _components(cut: CutLink, s: float) -> dict[str, Floats]:
    """Section forces by name at one place."""
    wrench, axes = cut.cut(s), cut.axes(s)
    force = [np.sum(wrench.force * axis, axis=1) for axis in axes]
    if len(axes) == 2:
        return {"N": force[0], "V": force[1], "M": wrench.moment[:, 0]}
    moment = [np.sum(wrench.moment * axis, axis=1) for axis in axes]
    return dict(zip(("N", "Vy", "Vz", "T", "My", "Mz"), (*force, *moment), strict=True))


def _stresses(element: Any, forces: Mapping[str, Floats]) -> dict[str, Floats]:
    """Stresses at the extreme fibres of a shape; empty for a section given by numbers."""
    section = vars(element).get("section")
    if not isinstance(section, Shape):
        return {}
    in_plane = forces["Mz" if "Mz" in forces else "M"]
    across = forces.get("My", 0.0 * forces["N"])
    y, z = section.extreme
    if section.round:
        bending = np.hypot(in_plane, across) * y / section.Iz
    else:
        bending = np.abs(in_plane) * y / section.Iz + np.abs(across) * z / section.Iy
    axial, torsion = forces["N"] / section.area, forces.get("T", 0.0 * forces["N"]) / section.torsion_modulus
    von_mises = np.sqrt((np.abs(axial) + bending) ** 2 + 3.0 * torsion**2)
    return {"axial": axial, "bending": bending, "torsion": torsion, "von_mises": von_mises}
