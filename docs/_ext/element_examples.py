"""A minimal example of every element: its call, and the places at which its sketch has the nodes A, B and C."""

from __future__ import annotations

from typing import Any, NamedTuple

import flexura as fx
from flexura.elements.element import Element, catalogue


class Example(NamedTuple):
    """The call of an element, and the places of its nodes."""

    call: str
    places: tuple[tuple[float, ...], ...]

    @property
    def text(self) -> str:
        """The call, after the lines that it needs."""
        return "\n".join([*(f"{name} = {line}" for name, line in NEEDS.items() if name in self.call), self.call])

    def element(self, space: str) -> Element:
        """The element that the call makes."""
        names: dict[str, Any] = {"fx": fx, **catalogue(space)}
        names |= {name: eval(line, names) for name, line in NEEDS.items()}
        made: Element = eval(self.call, names)
        return made


NEEDS = {"steel": "fx.Material(E=2.1e11, nu=0.3, rho=7850.0)", "rubber": "fx.KelvinVoigt(1e5, c=10.0)"}
"""Names that calls use."""

_ALONG, _ONE, _UP = ((0.0, 0.0), (1.0, 0.0)), ((0.0, 0.0),), ((0.0, 0.0), (0.0, 0.3))
_SPACE, _POINT, _ABOVE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), ((0.0, 0.0, 0.0),), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.3))
_TOGETHER, _CENTRED = ((0.0, 0.0), (0.0, 0.0)), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

BLOCK = "((-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1))"

EXAMPLES = {
    "planar_beam": Example('Beam("A", "B", fx.Circle(20e-3), steel)', _ALONG),
    "planar_bearing": Example('Bearing("A", "B", kx=1e6, ky=1e6)', _TOGETHER),
    "planar_belt": Example('Belt("A", "B", radius_p=0.1, radius_q=0.2, EA=1e4)', _ALONG),
    "planar_body": Example('Body("A", 2.0, inertia=0.1, centre=(0.3, 0.2))', _ONE),
    "planar_bodycontact": Example(f'BodyContact("A", "B", rubber, {BLOCK}, {BLOCK})', ((0.0, 0.0), (0.1, 0.25))),
    "planar_clearance": Example('Clearance("A", "B", clearance=0.5e-3, contact=rubber)', _TOGETHER),
    "planar_damper": Example('Damper("A", "B", c=100.0)', _ALONG),
    "planar_gear": Example('Gear("A", "B", ratio=2.0)', _ALONG),
    "planar_hinge": Example('Hinge("A", "B", k=10.0)', _TOGETHER),
    "planar_link": Example('Link("A", "B")', _ALONG),
    "planar_mass": Example('Mass("A", 2.0)', _ONE),
    "planar_pinslot": Example(
        'PinSlot("A", "B", slot_length=0.6, slot_width=0.2, sides=rubber, ends=rubber, radius=0.08)', _TOGETHER
    ),
    "planar_pointcontact": Example('PointContact("A", "B", rubber, radius=0.2)', _UP),
    "planar_rotor": Example('Rotor("A", "B", inertia=1e-4, gear=50.0)', _TOGETHER),
    "planar_slider": Example('Slider("A", "B", direction=(1, 0))', _ALONG),
    "planar_spring": Example('Spring("A", "B", k=500.0, free_length=0.8)', _ALONG),
    "planar_torsionspring": Example('TorsionSpring("A", "B", k=10.0)', _TOGETHER),
    "planar_truss": Example('Truss("A", "B", fx.Circle(10e-3), steel)', _ALONG),
    "planar_wheel": Example('Wheel("A", "B", radius=0.3)', _TOGETHER),
    "spatial_ball": Example('Ball("A", "B", rubber, radius=0.2)', _ABOVE),
    "spatial_ballbox": Example(
        'BallBox("A", "B", box_length=0.6, box_width=0.4, box_height=0.2, contact=rubber, radius=0.1)', _ABOVE
    ),
    "spatial_ballcylinder": Example('BallCylinder("A", "B", cylinder_radius=0.15, contact=rubber, radius=0.1)', _ABOVE),
    "spatial_ballpair": Example('BallPair("A", "B", rubber, radius_p=0.15, radius_q=0.1)', _ABOVE),
    "spatial_ballsocket": Example('BallSocket("A", "B", clearance=0.05, contact=rubber, radius=0.2)', _CENTRED),
    "spatial_beam": Example('Beam("A", "B", fx.Tube(outer=30e-3, inner=26e-3), steel)', _SPACE),
    "spatial_bearing": Example('Bearing("A", "B", kx=1e6, ky=1e6, kz=1e6)', _CENTRED),
    "spatial_body": Example('Body("A", 2.0, Jxx=0.1, Jyy=0.1, Jzz=0.1, centre=(0.3, 0, 0.2))', _POINT),
    "spatial_damper": Example('Damper("A", "B", c=100.0)', _SPACE),
    "spatial_disc": Example('Disc("A", diameter=0.4, width=0.05, material=steel)', _POINT),
    "spatial_edgeface": Example('EdgeFace("A", "B", edge_length=0.5, contact=rubber)', _ABOVE),
    "spatial_guide": Example('Guide("A", "B", width=0.2, span=0.5, clearance=0.02, contact=rubber)', _CENTRED),
    "spatial_hinge": Example('Hinge("A", "B", axis=(0, 0, 1))', _CENTRED),
    "spatial_link": Example('Link("A", "B")', _SPACE),
    "spatial_mass": Example('Mass("A", 2.0)', _POINT),
    "spatial_pinsleeve": Example(
        'PinSleeve("A", "B", 0.4, radius=0.1, clearance=0.02, end_clearance=0.02, contact=rubber, end_contact=rubber)',
        _CENTRED,
    ),
    "spatial_rimface": Example('RimFace("A", "B", radius=0.2, contact=rubber)', _ABOVE),
    "spatial_rollingbody": Example(
        'RollingBody("A", "B", "C", form="x^2 + y^2 + z^2 - 0.09")',
        ((0.0, 0.0, 0.3), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ),
    "spatial_rotor": Example('Rotor("A", "B", inertia=1e-4, gear=50.0)', _CENTRED),
    "spatial_shell": Example(
        'Shell("A", "B", "C", thickness=2e-3, material=steel)', ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.3, 0.8, 0.0))
    ),
    "spatial_slider": Example('Slider("A", "B", direction=(1, 0, 0))', _SPACE),
    "spatial_spring": Example('Spring("A", "B", k=500.0, free_length=0.8)', _SPACE),
    "spatial_torsionspring": Example('TorsionSpring("A", "B", axis=(0, 0, 1), k=10.0)', _CENTRED),
    "spatial_truss": Example('Truss("A", "B", fx.Circle(10e-3), steel)', _SPACE),
    "spatial_tyre": Example(
        'Tyre("A", "B", radius=0.3, k=2e5, law=fx.Cornering(k=4e4))', ((0.0, 0.0, 0.3), (0.0, 0.0, 0.0))
    ),
    "spatial_wheel": Example('Wheel("A", "B", "C")', ((0.0, 0.0, 0.3), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))),
}
"""The elements whose parts come from files, such as a superelement, have a guide instead."""
