"""Elements of a SPACAR file as elements of a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, isclose
from typing import Any, Literal

from flexura.formats.spacar.case import Case, ElementLine
from flexura.formats.spacar.ends import Ends
from flexura.formats.spacar.strains import Numbers, Strains
from flexura.laws.sections import Section
from flexura.laws.springs import LinearLaw
from flexura.planar import Beam as PlanarBeam
from flexura.planar import Hinge as PlanarHinge
from flexura.planar import Link as PlanarLink
from flexura.planar import Truss as PlanarTruss
from flexura.spatial import Beam, Hinge, Link, Truss, Wheel

BEAM_KINDS = (("EA", (1,)), ("GIt", (2,)), ("EIy", (3, 4)), ("EIz", (5, 6)))
"""Stiffnesses of a beam in space, and the strains that each belongs to."""
PLANAR_KINDS = (("EA", (1,)), ("EI", (2, 3)))


Rotary = Literal["consistent", "lumped", "none"]


@dataclass(frozen=True)
class Options:
    """Properties of beams that a file does not give."""

    second_order: bool
    rotary: Rotary


@dataclass
class Parts:
    """Elements of the model, and what their strains need besides."""

    elements: dict[str, Any] = field(default_factory=dict)
    fixed: list[str] = field(default_factory=list)
    """strains held where a stiffness belongs to a pair of them"""
    released: list[str] = field(default_factory=list)
    laws: dict[str, LinearLaw] = field(default_factory=dict)
    damped: dict[str, list[str]] = field(default_factory=dict)
    """strain → terms of a formula of its damping force"""
    nodes: dict[str, tuple[float, ...]] = field(default_factory=dict)
    ground: str = ""
    """end of the ground on which wheels roll"""


@dataclass
class Draft:
    """Element with all its data."""

    case: Case
    line: ElementLine
    strains: Strains
    numbers: Numbers
    ends: Ends
    length: float
    options: Options
    parts: Parts

    def signal(self, strain: int) -> str:
        """Name of a strain."""
        return f"{self.line.name}.{self.line.form.strains[strain - 1]}"

    @property
    def second_order(self) -> bool:
        """True for a beam with terms of second order: those of BEAMNL and PLBEAMNL always have them."""
        return self.options.second_order or self.line.keyword.endswith("NL")

    def targets(self) -> tuple[str, str]:
        """Names that the two ends are attached to."""
        p, q = (self.ends.target(f"{self.line.name}.{slot}", x, r) for slot, x, r in self.line.ends)
        return p, q

    def note(self, severity: Any, what: str) -> None:
        """Record a remark about this element."""
        self.case.note(severity, self.line.line.where, f"{self.line.keyword} {self.line.number}: {what}")


def stiffnesses(each: Draft, kinds: tuple[tuple[str, tuple[int, ...]], ...]) -> dict[str, float]:
    """Stiffnesses by name; infinite if no strain of a kind is free. The rest of a pair is held or driven."""
    found = {}
    for (name, strains), value in zip(kinds, each.numbers.stiffness, strict=False):
        free = each.strains.free & set(strains)
        found[name] = value if free else inf
        if value and not free:
            each.note("ignored", f"{name} = {value:g} of ESTIFF has no effect: its strains are not free")
        if free:
            held = set(strains) - free - each.strains.driven
            each.parts.fixed += [each.signal(strain) for strain in sorted(held)]
    return found


def damping(each: Draft, kinds: tuple[tuple[str, tuple[int, ...]], ...], section: dict[str, float]) -> float:
    """Time constant of damping, where one fits all strains; else the forces are written as formulas."""
    pairs = [
        (section[name], value, strains)
        for (name, strains), value in zip(kinds, each.numbers.damping, strict=False)
        if each.strains.free & set(strains)
    ]
    times = [value / stiff if stiff else inf for stiff, value, _ in pairs if stiff or value]
    if not any(times):
        return 0.0
    first = times[0]
    if first < inf and all(isclose(time, first, rel_tol=1e-12) for time in times):
        return first
    for _, value, strains in pairs:
        for strain in strains if value else ():
            rows = {strain: value / each.length ** (1 if strain == 1 else 3)}
            if len(strains) == 2:
                other = sum(strains) - strain
                rows = {strain: 4.0 * value / each.length**3, other: -2.0 * value / each.length**3}
            terms = [f"{-factor!r}*{each.signal(number)}'" for number, factor in rows.items()]
            each.parts.damped.setdefault(each.signal(strain), []).extend(terms)
    return 0.0


def spatial_beam(each: Draft) -> Any:
    """Beam in space, rigid where none of its strains is free."""
    line, mass = each.line, each.numbers.mass
    p, q = each.targets()
    _check_inertia(each)
    inertia = {"rhoA": mass[0], "rhoIy": mass[2], "rhoIz": mass[3]}
    direction: dict[str, Any] = {"y_axis": line.direction} if line.direction else {}
    if line.keyword == "BEAMW":
        each.note("approximated", "warping is left out: its nodes, its strains 7 and 8, its stiffness and inertia")
    if line.keyword == "RBEAM" or each.strains.rigid:
        if line.keyword == "RBEAM" and not each.strains.rigid:
            raise line.line.error(f"RBEAM {line.number} is rigid, but a strain of it is free or driven", "use a BEAM")
        _unused_stiffness(each)
        if mass[0]:
            each.note("assumed", "the mass of a rigid beam is that of a rod, not lumped at its ends")
        return Beam(p, q, Section(**inertia), rigid=True, **direction)
    section = stiffnesses(each, BEAM_KINDS)
    shear, area = _shear(each, section)
    time = damping(each, BEAM_KINDS, section)
    return Beam(
        p, q, Section(**section, **inertia, **area, damping=time), second_order=each.second_order,
        rotary=each.options.rotary, **direction, **shear,
    )  # fmt: skip


def _unused_stiffness(each: Draft) -> None:
    if any(each.numbers.stiffness) or any(each.numbers.damping):
        each.note("ignored", "ESTIFF and EDAMP have no effect: none of its strains is free")


def _check_inertia(each: Draft) -> None:
    mass = each.numbers.mass
    if not isclose(mass[1], mass[2] + mass[3], rel_tol=1e-6, abs_tol=1e-300):
        each.note(
            "approximated", f"the inertia about the axis is Jy + Jz = {mass[2] + mass[3]:g}, not {mass[1]:g} kg·m"
        )
    if mass[4]:
        each.note("left out", f"the product of inertia Jyz = {mass[4]:g} kg·m")


def _shear(each: Draft, section: dict[str, float]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Shear factor and shear stiffness of a beam, from EI/(kGA) in both planes."""
    both = [
        (section[name] / c, c)
        for name, c in zip(("EIy", "EIz"), each.numbers.stiffness[4:6], strict=True)
        if c and section[name] < inf
    ]
    if not both:
        return {}, {}
    wanted = sum(section[name] < inf for name in ("EIy", "EIz"))
    area = max(both, key=lambda pair: pair[1])[0]
    if not all(isclose(GA, area, rel_tol=1e-6) for GA, _ in both) or len(both) < wanted:
        each.note("approximated", f"one shear stiffness kGA = {area:g} N is taken for both planes")
    return {"shear": 1.0}, {"GA": area}


def planar_beam(each: Draft) -> Any:
    """Beam in the plane, rigid where none of its strains is free."""
    line, (m, J) = each.line, each.numbers.mass
    p, q = each.targets()
    if line.keyword == "PLRBEAM" or each.strains.rigid:
        if not each.strains.rigid:
            raise line.line.error(
                f"PLRBEAM {line.number} is rigid, but a strain of it is free or driven", "use a PLBEAM"
            )
        _unused_stiffness(each)
        if m:
            each.note("assumed", "the mass of a rigid beam is that of a rod, not lumped at its ends")
        return PlanarBeam(p, q, Section(rhoA=m, rhoIz=J), rigid=True)
    section = stiffnesses(each, PLANAR_KINDS)
    c = each.numbers.stiffness[2]
    sheared = bool(c) and section["EI"] < inf
    area = {"GA": section["EI"] / c} if sheared else {}
    time = damping(each, PLANAR_KINDS, section)
    return PlanarBeam(
        p, q, Section(**section, rhoA=m, rhoIz=J, damping=time, **area), second_order=each.second_order,
        rotary=each.options.rotary, shear=1.0 if sheared else 0.0,
    )  # fmt: skip


def truss(each: Draft) -> Any:
    """Bar, rigid where its elongation is neither free nor driven."""
    kind = PlanarTruss if each.case.planar else Truss
    p, q = (f"n{x}" for x in each.line.of_kind("x"))
    (m,) = each.numbers.mass
    if each.strains.rigid:
        _unused_stiffness(each)
        return kind(p, q, Section(rhoA=m), rigid=True)
    EA = each.numbers.stiffness[0] if each.strains.free else 0.0
    eta = each.numbers.damping[0] if each.strains.free else 0.0
    if eta and not EA:
        each.parts.laws[each.signal(1)] = LinearLaw(c=eta / each.length)
        eta = 0.0
    return kind(p, q, Section(EA=EA, rhoA=m, damping=eta / EA if eta else 0.0))


def planar_hinge(each: Draft) -> Any:
    """Torsion spring between two orientations in the plane."""
    p, q = (
        each.ends.hinge_target(f"{each.line.name}.{slot}", r) for slot, r in zip("pq", each.line.nodes, strict=True)
    )
    return PlanarHinge(p, q, **_rotation(each))


def _direction(each: Draft) -> tuple[float, float, float]:
    x, y, z = each.line.direction
    return x, y, z


def _rotation(each: Draft) -> dict[str, Any]:
    if 1 not in each.strains.free and (each.numbers.stiffness[0] or each.numbers.damping[0]):
        each.note("ignored", "ESTIFF and EDAMP of strain 1 have no effect: it is not free")
    if each.strains.driven & {1}:
        return {}
    if 1 not in each.strains.free:
        return {"k": inf}
    return {"k": each.numbers.stiffness[0], "c": each.numbers.damping[0]}


def spatial_hinge(each: Draft) -> Any:
    """Hinge in space; bendings that are free have laws of their own."""
    p, q = (
        each.ends.hinge_target(f"{each.line.name}.{slot}", r) for slot, r in zip("pq", each.line.nodes, strict=True)
    )
    free_strains(each, each.strains.free & {2, 3})
    return Hinge(p, q, axis=_direction(each), **_rotation(each))


def free_strains(each: Draft, strains: set[int]) -> None:
    """Release strains that the element would hold, and give them their stiffness and damping as a law."""
    most = len(each.numbers.stiffness)
    held = [i for i in range(1, most + 1) if i not in strains and not (i == 1 and each.line.keyword == "HINGE")]
    if any(each.numbers.stiffness[i - 1] or each.numbers.damping[i - 1] for i in held):
        each.note(
            "ignored", f"ESTIFF and EDAMP of the strains {', '.join(map(str, held))} have no effect: they are held"
        )
    for strain in sorted(strains):
        each.parts.released.append(each.signal(strain))
        k, c = each.numbers.stiffness[strain - 1], each.numbers.damping[strain - 1]
        if k or c:
            each.parts.laws[each.signal(strain)] = LinearLaw(k=k, c=c)


def pinbody(each: Draft) -> Any:
    """Point that is fixed to an orientation."""
    free_strains(each, each.strains.free)
    (slot, x, r), *_ = each.line.ends
    kind = PlanarLink if each.case.planar else Link
    return kind(each.ends.target(f"{each.line.name}.{slot}", x, r), f"n{each.line.of_kind('x')[1]}")


def wheel(each: Draft) -> Any:
    """Wheel that rolls on a plane through its contact; all wheels share the ground."""
    (slot, x, r), *_ = each.line.ends
    contact = each.line.of_kind("x")[1]
    if each.strains.free - {4, 5} or each.strains.driven:
        what = f"WHEEL {each.line.number}: its strains 1, 2 and 3 are held in this importer"
        raise each.line.line.error(what, "name only the slips 4 and 5")
    for slip in (4, 5):
        if slip in each.strains.free:
            each.parts.released.append(each.signal(slip))
        elif slip not in each.strains.slips:
            each.note("assumed", f"slip {slip} is held at zero, though no ENHC says so")
    ground = each.parts.ground or "ground"
    if not each.parts.ground:
        each.parts.ground = f"{each.line.name}.g"
        each.parts.nodes["ground"] = (0.0, 0.0, 0.0)
        each.parts.fixed.append(each.parts.ground)
        each.note("assumed", "the ground is a horizontal plane with the normal z")
    return Wheel(each.ends.target(f"{each.line.name}.{slot}", x, r), f"n{contact}", ground, axle=_direction(each))


BUILDERS: dict[str, Callable[[Draft], Any]] = {
    "BEAM": spatial_beam, "BEAMNL": spatial_beam, "BEAMW": spatial_beam, "RBEAM": spatial_beam, "TRUSS": truss,
    "HINGE": spatial_hinge, "PINBODY": pinbody, "WHEEL": wheel, "PLBEAM": planar_beam, "PLBEAMNL": planar_beam,
    "PLRBEAM": planar_beam, "PLTRUSS": truss, "PLHINGE": planar_hinge, "PLTOR": planar_hinge, "PLPINBODY": pinbody,
}  # fmt: skip
