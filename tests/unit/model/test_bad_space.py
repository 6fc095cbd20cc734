"""Slips in spatial models are refused when the model is made, with where, what and remedy."""

from collections.abc import Callable
from typing import Any

import pytest

import flexura as fx
from flexura import planar
from flexura.planar import Beam as PlanarBeam
from flexura.spatial import Beam, Bearing, Body, Hinge, Link, Mass, Slider, Truss

ROD = fx.Section(EI=1.0, rhoA=1.0)
NODES = {"O": (0, 0, 0), "A": (1, 0, 0), "B": (1, 1, 0), "Z": (0, 0, 0)}
TURNED = fx.Rotation(vector=(0, 0, 1))
NAN, INF = float("nan"), float("inf")


def beam(**given: Any) -> Beam:
    return Beam("O", "A", ROD, **given)


def model(**given: Any) -> Callable[[], fx.Model]:
    """A model of one beam, b, with one thing wrong."""
    return lambda: fx.Model(**{"nodes": NODES, "elements": {"b": beam()}} | given)


def made(**elements: Any) -> Callable[[], fx.Model]:
    return model(elements=elements)


SLIPS: dict[str, tuple[Callable[[], Any], str]] = {
    # the space
    "two numbers": (model(nodes={**NODES, "O": (0, 0)}), "nodes.O: 2 numbers are given; give 3: x, y, z"),
    "four numbers": (model(nodes={**NODES, "O": (0, 0, 0, 1)}), "nodes.O: 4 numbers are given; give 3: x, y, z"),
    "planar gravity": (model(gravity=(0, -9.81)), "gravity: 2 numbers are given; give 3: x, y, z"),
    "planar element": (
        made(b=beam(), m=planar.Mass("A", 1.0)),
        "elements.m: this element is planar, the model is spatial; take all elements from flexura.spatial",
    ),
    "planar model": (model(space="planar"), "elements.b: this element is spatial, the model is planar; take all"),
    # directions
    "y axis along": (made(b=beam(y_axis=(2, 0, 0))), "elements.b: y_axis: the direction is parallel to the element"),
    "y axis of two": (lambda: beam(y_axis=(0, 1)), "Beam.y_axis: (0, 1) is not a list of 3 numbers"),
    "y axis of text": (lambda: beam(y_axis="y"), "Beam.y_axis: 'y' is not a list of 3 numbers"),
    "y axis of nothing": (lambda: beam(y_axis=(0, NAN, 0)), "Beam.y_axis: the value is not a number (NaN)"),
    "hinge without axis": (
        made(b=beam(), h=Hinge("O", "b.p", axis=(0, 0, 0))),
        "elements.h: it has no direction: the given direction is zero",
    ),
    "hinge y axis along": (
        made(b=beam(), h=Hinge("O", "b.p", axis=(0, 0, 1), y_axis=(0, 0, 3))),
        "elements.h: y_axis: the direction is parallel to",
    ),
    "hinge of infinite axis": (lambda: Hinge("O", "A", axis=(0, 0, INF)), "Hinge.axis: inf is out of range"),
    "guide without length": (made(s=Slider("O", "Z")), "elements.s: it has no direction"),
    "beam without length": (made(b=Beam("O", "Z", ROD)), "elements.b: its two ends coincide"),
    # numbers
    "rotary": (lambda: beam(rotary="lump"), "Beam.rotary: 'lump' is not 'consistent' or 'lumped' or 'none'"),
    "shear": (lambda: beam(shear=-1.0), "Beam.shear: -1 is out of range"),
    "no part": (lambda: beam(parts=0), "Beam.parts: 0 is out of range"),
    "hinge stiffness": (lambda: Hinge("O", "A", axis=(0, 0, 1), k=-1.0), "Hinge.k: -1 is out of range"),
    "bearing damping": (lambda: Bearing("O", "A", cx=INF), "Bearing.cx: inf is out of range"),
    "mass": (lambda: Mass("A", "heavy"), "Mass.mass: 'heavy' is not a number; give a number (mass, kg)"),
    "inertia of a mass": (lambda: Mass("A", 1.0, inertia=2.0), "Mass has no 'inertia'"),
    "section": (made(b=Beam("O", "A", fx.Circle(1e-2))), "elements.b: section: a Circle is a shape only"),
    # bodies
    "body of no matter": (
        lambda: Body("O", 1.0, Jxx=1.0, Jyy=1.0, Jzz=3.0),
        "Body: the principal moments of inertia are impossible: 1, 1, 3; each may be at most the sum of the other two",
    ),
    "body of negative moment": (lambda: Body("O", 1.0, Jxx=-1.0), "Body.Jxx: -1 is out of range"),
    "body of large product": (
        lambda: Body("O", 1.0, Jxx=1.0, Jyy=1.0, Jzz=1.0, Jxy=2.0),
        "Body: the principal moments of inertia are impossible: -1, 1, 3",
    ),
    "body of negative mass": (lambda: Body("O", -1.0), "Body.mass: -1 is out of range"),
    "body centre": (lambda: Body("O", 1.0, centre=(0, 0)), "Body.centre: (0, 0) is not a list of 3 numbers"),
    "body points": (lambda: Body("O", 1.0, points="AB"), "Body.points: 'AB' is not a list"),
    "body point": (made(k=Body("O", 1.0, points=("X",))), "element 'k.X', end q: there is no node 'X'; nodes are O,"),
    "body inertia": (lambda: Body("O", 1.0, J=1.0), "Body has no 'J'"),
    # attachments
    "weld to a point": (
        made(t=Truss("O", "A", ROD), b=Beam("t.q", "B", ROD)),
        "elements.b.p: 't.q' has no orientation to attach to; attach to its node 'A'",
    ),
    "weld to no end": (made(t=beam(), b=Beam("t.r", "B", ROD)), "element 'b', end p: 't' has no end 'r'; its ends"),
    "weld to a link's point": (made(t=beam(), l=Link("t.q", "B"), b=Beam("l.q", "Z", ROD)), "'l.q' has no orientation"),
    "welds in a circle": (made(a=Bearing("b.p", "O"), b=Bearing("a.p", "A")), "the welds run in a circle: a.p → b.p"),
    # signals
    "angle of the plane": (model(fixed=["b.p.phi"]), "fixed: signal 'b.p.phi': 'b.p' has no 'phi'; options are x, y"),
    "slip of the pen": (model(loads={"b.p.abut_x": 1}), "loads: signal 'b.p.abut_x': 'b.p' has no 'abut_x'; did you"),
    "no such axis": (model(loads={"b.p.about_w": 1}), "'b.p' has no 'about_w'; did you mean 'about_"),
    "torque on a point": (model(loads={"A.about_x": 1}), "signal 'A.about_x': 'A' is a point; orientations there are"),
    "unknown element": (model(loads={"c.p.about_x": 1}), "signal 'c.p.about_x': there is no 'c.p'; options are A,"),
    "fixed rate": (model(fixed=["b.p.about_x"]), "fixed.b.p.about_x: 'b.p.about_x' is a rate and a force only"),
    "driven rate": (model(inputs={"b.p.about_x": 1}), "inputs.b.p.about_x: 'b.p.about_x' is a rate and a force only"),
    "law of a rate": (model(laws={"b.p.own_x": fx.LinearLaw(1)}), "laws.b.p.own_x: 'b.p.own_x' is a rate and a force"),
    "released rate": (model(released=["b.p.about_x"]), "released.b.p.about_x: 'b.p.about_x' is a rate and a force"),
    "independent rate": (model(independent=["b.p.about_x"]), "independent.b.p.about_x: 'b.p.about_x' is a rate and"),
    "law of a parameter": (
        model(laws={"b.p.e1": fx.LinearLaw(1)}),
        "laws.b.p.e1: 'b.p.e1' is a coordinate, not a strain",
    ),
    "driven end": (model(inputs={"b.p": 1}), "inputs: signal 'b.p': this names several signals; say which: 'b.p.x'"),
    "name of the program": (model(fixed=["b.p:unit"]), "fixed: 'b.p:unit' is not the name of a signal; names have"),
    "program's strain": (model(released=["b.p:unit.length"]), "released: 'b.p:unit.length' is not the name of a"),
    "colon": (made(**{"b:c": beam()}), "elements: 'b:c' is not a name; use letters"),
    "distributed load of an element": (model(loads={"b": (1, 2)}), "loads.b: the load has 2 components; give 3"),
    "fixed and driven": (model(fixed=["b.p"], inputs={"O.z": 1}), "inputs.O.z: it is also fixed by 'b.p'"),
    # starts
    "start of a rate": (model(start={"b.p.about_x": 1}), "start.b.p.about_x: 'b.p.about_x' has a rate, but no value"),
    "start of a point": (model(start={"A": TURNED}), "start.A: 'A' has no spatial orientation; name an"),
    "start of a strain": (model(start={"b.torsion": TURNED}), "start.b.torsion: 'b.torsion' has no spatial"),
    "rate turned": (model(start={"b.p'": TURNED}), "start.b.p': 'b.p'' is a rate, but a Rotation is not; give"),
    "start of what is held": (model(fixed=["b.p"], start={"b.p": TURNED}), "start: 'b.p' is prescribed already by"),
    "end by a number": (model(start={"b.p": 1.0}), "start: signal 'b.p': this names several signals; say which"),
    "end by a list": (model(start={"b.p": [0, 0, 1]}), "start.b.p: [0, 0, 1] is not a number or a Rotation"),
    "turned in the plane": (
        lambda: fx.Model({"O": (0, 0), "A": (1, 0)}, {"b": PlanarBeam("O", "A", ROD)}, start={"b.p": TURNED}),
        "start.b.p: 'b.p' has no spatial orientation",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_refused(slip: str) -> None:
    make, text = SLIPS[slip]
    with pytest.raises(fx.ModelError) as caught:
        make()
    assert text in str(caught.value)
    assert caught.value.remedy


def test_what_is_right_is_not_refused() -> None:
    """The sound model of which every slip above is a change."""
    fixed = model(fixed=["b.p"], loads={"b.q.about_x": 1, "b": (1, 2, 3)}, gravity=(0, 0, -9.81))()
    assert fixed.space == "spatial"
    turned = model(start={"b.p": TURNED, "b.p.about_x'": 1.0, "b.p.own_y'": 2.0, "A.z'": 0.5})()
    assert turned.start["b.p"] == TURNED
