"""Numbers that are likely in another unit than SI."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, radians
from typing import TYPE_CHECKING, Any

import numpy as np

from flexura.errors import ModelError
from flexura.laws.materials import Material
from flexura.laws.shapes import Shape

if TYPE_CHECKING:
    from flexura.model.model import Model
    from flexura.model.names import Names

Remark = tuple[str, str, str]
"""place, what is odd, likely remedy"""
DEEP = 0.005
"""Overlap of surfaces as drawn, against the size of the model, that is likely not meant."""


def implausible(model: Model) -> Iterator[Remark]:
    """Numbers of a model that are far from those of machines, with the unit that they are likely in."""
    yield from _gravity(model)
    yield from _held_elements(model)
    extent = _extent(model)
    for name, element in model.elements.items():
        given: dict[str, Any] = dict(vars(element))
        if isinstance(material := given.get("material"), Material):
            yield from _material(f"elements.{name}.material", material)
        if isinstance(section := given.get("section"), Shape):
            yield from _shape(f"elements.{name}.section", section, extent)
        if type(element).__name__ == "Gear":
            yield from _gear(f"elements.{name}", given["ratio"], given["pressure_angle"])


def refuse_scalar_gravity(value: Any, left: str, right: str) -> None:
    """Refuse gravity as one number; the remedy has the brackets of Python or of files."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        what, size = f"gravity of {value:g} m/s² has no direction", abs(value)
        raise ModelError("gravity", what, f"write {left}0, -{size:g}{right}, in space {left}0, 0, -{size:g}{right}")


def _extent(model: Model) -> float:
    """The largest extent of the drawn nodes along an axis."""
    places = np.array(list(model.nodes.values()), dtype=float)
    return float(np.ptp(places, axis=0).max(initial=0.0)) if len(places) else 0.0


def overlaps(names: Names) -> Iterator[tuple[str, float]]:
    """Contacts whose surfaces are drawn deep into each other, and their depth; a tyre is drawn compressed."""
    for name, element in names.elements.items():
        if element.contacts and not any(contact.inclined for contact in element.contacts):
            depths = {f"{name}.{gap}": -value for gap, value in names.drawing.gaps(name).items() if value < 0.0}
            # a sweep asks for each of its values, and hardly any surfaces overlap
            least = DEEP * max(_extent(names.model), names.drawing.length(name)) if depths else 0.0
            yield from ((gap, depth) for gap, depth in depths.items() if depth > least)


def overlap_remarks(names: Names) -> Iterator[Remark]:
    """The deepest overlap of each element of the model, as drawn."""
    deepest: dict[str, tuple[float, str]] = {}
    for signal, depth in overlaps(names):
        owner = signal.partition(".")[0]
        deepest[owner] = max(deepest.get(owner, (0.0, "")), (depth, signal))
    for owner, (depth, signal) in deepest.items():
        what = f"the surfaces of '{signal}' are drawn {depth:.3g} m into each other and push each other apart"
        yield f"elements.{owner}", what, "draw them apart or touching, unless they carry a load there"


def _material(where: str, material: Material) -> Iterator[Remark]:
    if 0.0 < material.E < 1e4:
        yield (
            f"{where}.E",
            f"E = {material.E:g} Pa is softer than any solid",
            f"if it is in GPa, write {1e9 * material.E:g} or fx.GPa({material.E:g})",
        )
    elif 1e4 <= material.E < 1e6:
        yield (
            f"{where}.E",
            f"E = {material.E:g} Pa is softer than rubber",
            f"if it is in MPa (N/mm²), write {1e6 * material.E:g} or fx.MPa({material.E:g})",
        )
    elif material.E > 5e12:
        yield f"{where}.E", f"E = {material.E:g} Pa is stiffer than diamond", "give it in Pa"
    if material.damping_ratio >= 1.0:
        what = f"a damping ratio of {material.damping_ratio:g} lets nothing vibrate"
        yield f"{where}.damping_ratio", what, f"if it is in per cent, write {0.01 * material.damping_ratio:g}"
    if 0.0 < material.rho < 0.1:
        yield (
            f"{where}.rho",
            f"rho = {material.rho:g} kg/m³ is lighter than gas",
            "if it is in kg/mm³ or t/mm³, convert it to kg/m³",
        )
    elif 0.1 <= material.rho < 25.0:
        remedy = f"if it is in g/cm³ (t/m³), write {1000.0 * material.rho:g}"
        yield f"{where}.rho", f"rho = {material.rho:g} kg/m³ is lighter than foam", remedy
    elif material.rho > 3e4:
        yield f"{where}.rho", f"rho = {material.rho:g} kg/m³ is denser than any metal", "give it in kg/m³"


def _shape(where: str, section: Shape, extent: float) -> Iterator[Remark]:
    size = 2.0 * max(section.extreme)
    if extent > 0.0 and (size > 2.0 * extent or size > 10.0):
        what = f"the section is {size:g} m across, and the whole machine {extent:g} m"
        yield where, what, f"if it is in mm, write {1e-3 * size:g} or fx.mm({size:g})"


def _gear(where: str, ratio: float, pressure_angle: float) -> Iterator[Remark]:
    if 0.0 < abs(ratio) < 0.05 or pressure_angle < radians(10.0):
        what = f"a ratio of {ratio:g} with a pressure angle of {degrees(pressure_angle):.3g}° is unusual"
        yield where, what, "if the numbers are radii, name them: radius_p=…, radius_q=…"


def _held_elements(model: Model) -> Iterator[Remark]:
    for name in model.fixed:
        if name in model.elements:
            what = f"'{name}' is an element: its strains are held, which makes it rigid, and it can still move"
            yield "fixed", what, f"to hold the part, write '{name}.p' or the names of its nodes"


def _gravity(model: Model) -> Iterator[Remark]:
    size = float(np.linalg.norm(model.gravity))
    if size > 100.0:
        yield "gravity", f"gravity of {size:g} m/s² is ten times that of the earth", "if it is in mm/s², divide by 1000"
    elif size > 0.0 and model.gravity[-1] == size:
        axis = "xyz"[len(model.gravity) - 1]
        weight = ", ".join([*(f"{part:g}" for part in model.gravity[:-1]), f"-{size:g}"])
        yield "gravity", f"it points along +{axis}", f"if {axis} points upwards, write ({weight})"
