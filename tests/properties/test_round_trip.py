"""Round trips: whatever the annotations allow comes back from a file as an equal object, and the schema accepts it."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from functools import reduce
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation as Turn

from flexura.elements.element import Element, catalogue
from flexura.elements.slots import slots
from flexura.errors import ModelError
from flexura.laws.hertz import Hertz
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.restitution import Restitution
from flexura.laws.rotation import Rotation
from flexura.laws.sections import Section
from flexura.laws.signals import Expression, Signal, Table
from flexura.laws.slip_laws import Coulomb, Viscous
from flexura.laws.springs import AnyLaw
from flexura.laws.tyres import Bump, Calspan, Cornering
from flexura.laws.units import Bounds, Formula
from flexura.laws.validation import LARGEST
from flexura.model import toml
from flexura.model.annotations import allowed, fields, marks, required
from flexura.model.conversion import Definitions, build, plain
from flexura.model.files import DEFINABLE, dumps, loads
from flexura.model.model import Model
from flexura.model.schema import file_schema, schema
from flexura.nodes import Frame
from flexura.spatial import (
    Ball,
    Beam,
    Bearing,
    Body,
    Hinge,
    Link,
    Mass,
    RollingBody,
    Slider,
    Superelement,
    Truss,
    Tyre,
    Wheel,
)
from unit.model.toys import TOYS, registered

names = st.text("abcXYZ_019é", min_size=1, max_size=6)
small = st.floats(-1e15, 1e15)
surfaces = st.sampled_from(["z", "x^2 + y^2 + z^2 - 1", "z - 0.1*sin(3*x)*exp(-y^2)"])
formulas = st.sampled_from(["0", "t", "0.1*sin(20*t)", "step(t - 1)*exp(-t^2)"])


# the matrices of a superelement are no random numbers: test_substructures writes and reads it
ELEMENTS = [cls for space in ("planar", "spatial") for cls in catalogue(space).values() if cls is not Superelement]
FILES = jsonschema.Draft202012Validator(file_schema())
VALIDATORS = {
    cls: jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{cls.space}.{cls.__name__}", "$defs": FILES.schema["$defs"]}  # type: ignore[index]
    )
    for cls in ELEMENTS
}

# ── values from annotations ──────────────────────────────────────────────────────────────────────────────────────────


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Whatever an annotation allows."""
    kind = allowed(hint)
    if any(isinstance(mark, Formula) for mark in marks(hint)):
        return surfaces
    bounds = next((mark for mark in marks(hint) if isinstance(mark, Bounds)), Bounds())
    ways: list[st.SearchStrategy[Any]] = [scalars(scalar, bounds) for scalar in kind.scalars]
    ways += [st.sampled_from(kind.literals)] * bool(kind.literals)
    ways += [st.none()] * kind.optional
    ways += [instances(cls) for cls in kind.classes]
    if kind.items is not None:
        endless = kind.items[-1] is Ellipsis
        items = [values(item) for item in kind.items if item is not Ellipsis]
        ways.append(st.lists(items[0], min_size=1, max_size=4).map(tuple) if endless else st.tuples(*items))
    return reduce(lambda a, b: a | b, ways)


def scalars(scalar: type, bounds: Bounds) -> st.SearchStrategy[Any]:
    """Numbers and texts within their limits."""
    if scalar is float:
        least, most = max(bounds.least, -LARGEST), min(bounds.most, LARGEST)
        finite = st.floats(least, most).filter(bounds.allow)
        return finite | st.just(math.inf) if bounds.infinite and bounds.most == math.inf else finite
    if scalar is int:
        return st.integers(*(int(limit) if math.isfinite(limit) else None for limit in (bounds.least, bounds.most)))
    return st.booleans() if scalar is bool else names


def instances(cls: Any) -> st.SearchStrategy[Any]:
    """Instances of a dataclass, with some of the fields that need not be given, whose values go together."""
    if cls is Table:
        return st.dictionaries(small, small, min_size=2, max_size=5).map(table)
    if cls is Expression:
        return formulas.map(Expression)
    if cls is Rotation:
        return rotations
    if cls is Body:
        return bodies
    hints = {name: values(hint) for name, hint in fields(cls).items()}
    needed = {name: hints.pop(name) for name in required(cls)}
    return st.fixed_dictionaries(needed, optional=hints).map(lambda given: attempt(cls, given)).filter(bool)


def table(points: dict[float, float]) -> Table:
    """The table of these points."""
    return Table(tuple(sorted(points)), tuple(points[x] for x in sorted(points)))


def attempt(cls: Any, given: dict[str, Any]) -> Any:
    """An instance, or None where the class refuses the values."""
    try:
        return cls(**given)
    except ModelError:
        return None


small_three = st.tuples(*[st.floats(-10, 10)] * 3)


def unit(numbers: tuple[float, ...]) -> tuple[float, ...] | None:
    """Numbers divided by their length."""
    length = math.hypot(*numbers)
    return tuple(x / length for x in numbers) if length > 1e-3 else None


rotations = (
    small_three.map(lambda vector: Rotation(vector=vector))
    | st.tuples(small_three, st.sampled_from(["ZXZ", "xyz", "cardan", "YXZ"])).map(
        lambda given: Rotation(angles=given[0], order=given[1])
    )
    | st.tuples(*[st.floats(-1, 1)] * 4).map(unit).filter(bool).map(lambda e: Rotation(parameters=e))
    | small_three.map(lambda v: Rotation(cosines=Turn.from_rotvec(v).as_matrix()))
)
"""Rotations in all four ways."""


def body(given: tuple[Any, ...]) -> Body:
    """A body whose tensor is that of six masses on its axes, turned."""
    masses, turned, centre, points = given
    moments = np.array([masses[1] + masses[2], masses[0] + masses[2], masses[0] + masses[1]])
    turn = Turn.from_rotvec(turned).as_matrix()
    j = turn @ np.diag(moments) @ turn.T
    named = dict(
        zip(("Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz"), j[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]], strict=True)
    )
    return Body("p", sum(masses), **{k: float(v) for k, v in named.items()}, centre=centre, points=points)


bodies = st.tuples(
    st.tuples(*[st.floats(0.1, 10.0)] * 3),
    small_three,
    small_three,
    st.lists(names, max_size=3, unique=True).map(tuple),
).map(body)
"""Bodies that there are; most tensors are those of none."""

PLACES = {"O": (0.0, 0.0, 0.0), "A": (1.0, 0.0, 0.0), "B": (1.0, 2.0, -1.0)}

modest = st.floats(0.1, 10.0)
directions = st.tuples(modest, modest, st.floats(-10.0, -0.1))
across_x = st.tuples(st.floats(-1.0, 1.0), modest, modest)
between = {"p": st.just("O"), "q": st.just("A")}
sections = st.builds(Section, EA=modest, EI=modest, GIt=modest, GA=modest, rhoA=modest, rhoIy=modest, rhoIz=modest)
springs = dict.fromkeys(("k", "c"), modest)

MODEST: dict[str, st.SearchStrategy[Element]] = {
    "ball": st.builds(
        Ball,
        **between,
        contact=st.builds(KelvinVoigt, k=st.floats(1.0, 1e6), c=modest)
        | st.builds(Hertz, k=st.floats(1.0, 1e9), restitution=st.floats(0.1, 1.0))
        | st.builds(Restitution, e=st.floats(0.0, 1.0)),
        radius=modest,
        normal=directions,
    ),
    "beam": st.builds(
        Beam,
        **between,
        section=sections,
        y_axis=across_x,
        rigid=st.booleans(),
        parts=st.integers(1, 3),
        second_order=st.booleans(),
        rotary=st.sampled_from(["consistent", "lumped", "none"]),
        shear=modest,
    ),
    "bearing": st.builds(Bearing, **between, axis=directions, kx=modest, kbz=modest, ct=modest),
    "body": bodies.map(lambda given: replace(given, p="O", points=("B",))),
    "hinge": st.builds(Hinge, **between, axis=directions, k_bending=modest, **springs),
    "link": st.builds(Link, **between),
    "mass": st.builds(Mass, p=st.just("A"), mass=modest),
    "rollingbody": st.builds(RollingBody, **between, g=st.just("B"), form=surfaces, normal=directions),
    "slider": st.builds(Slider, **between, direction=directions, cylindrical=st.booleans(), **springs),
    "truss": st.builds(Truss, **between, section=sections, rigid=st.booleans()),
    "tyre": st.builds(
        Tyre,
        p=st.just("A"),
        g=st.just("B"),
        radius=st.floats(0.1, 1.0),
        k=modest,
        law=st.builds(Cornering, k=modest, trail=modest)
        | st.builds(Calspan, **dict.fromkeys(("A0", "A1", "A2", "A3", "A4", "B1", "B3", "B4"), modest)),
        road=st.none() | st.builds(Bump, start=modest, length=st.floats(0.1, 2.0), height=st.floats(0.01, 0.1)),
        axle=directions,
    ),
    "wheel": st.builds(
        Wheel,
        **between,
        g=st.just("B"),
        axle=directions,
        normal=directions,
        surface=surfaces | st.just(""),
        crown=st.floats(0.0, 0.5),
        k_radial=modest,
        friction=st.none()
        | st.builds(Viscous, along=modest, across=modest)
        | st.builds(Coulomb, mu=modest, regularisation_speed=modest),
    ),
}


@st.composite
def spatial_models(draw: st.DrawFn) -> Model:
    """Models of spatial elements between the same nodes, with orientations, spins and torques."""
    assert set(MODEST) <= {name.lower() for name in catalogue("spatial")}
    elements = {name: draw(MODEST[name]) for name in draw(st.sets(st.sampled_from(sorted(MODEST)), min_size=1))}
    ends = [f"{name}.p" for name, e in elements.items() if slots(type(e))["p"].kinds == (Frame,)]
    rates = [f"{end}.{kind}_{axis}" for end in ends for kind in ("about", "about_own", "own") for axis in "xyz"]
    named = st.sets(st.sampled_from(rates), max_size=4) if rates else st.just(set())
    return Model(
        nodes=PLACES,
        elements=elements,
        loads={name: draw(values(Signal)) for name in draw(named)},
        start={end: draw(rotations) for end in ends if draw(st.booleans())}
        | {f"{name}'": draw(small) for name in draw(named)},
        gravity=draw(small_three),
    )


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Models of toy elements, with something in every field."""
    nodes = draw(st.dictionaries(names, st.tuples(small, small), min_size=1, max_size=4))
    places = st.sampled_from(sorted(nodes))
    elements = {}
    for name in draw(st.sets(names.filter(lambda name: name not in nodes), max_size=4)):
        cls = draw(st.sampled_from(TOYS))
        at = {slot: draw(places) for slot in slots(cls)}
        rest = {field: draw(values(hint)) for field, hint in fields(cls).items() if field not in at}
        elements[name] = cls(**at, **rest | ({"rigid": False} if "rigid" in rest else {}))
    signals = [f"{node}.{axis}" for node in nodes for axis in "xy"]
    role = {signal: draw(st.sampled_from(["fixed", "inputs", "start", "start'", "released"])) for signal in signals}
    strains = [f"{name}.{strain}" for name, element in elements.items() for strain in element.strains]
    along = {name: (draw(values(Signal)), draw(values(Signal))) for name in elements if draw(st.booleans())}
    return Model(
        nodes,
        elements,
        fixed=[signal for signal in signals if role[signal] == "fixed"],
        inputs={signal: draw(values(Signal)) for signal in signals if role[signal] == "inputs"},
        loads={signal: draw(values(Signal)) for signal in signals if draw(st.booleans())} | along,
        start={signal + role[signal][5:]: draw(small) for signal in signals if role[signal].startswith("start")},
        laws={strain: draw(values(AnyLaw)) for strain in strains if draw(st.booleans())},
        released=[signal for signal in signals if role[signal] == "released"],
        gravity=draw(st.tuples(small, small)),
        title=draw(st.text(max_size=20)),
    )


# shapes whose parts must fit into one another are refused often
slow = [HealthCheck.filter_too_much, HealthCheck.too_slow]
patient = settings(max_examples=50, deadline=None, suppress_health_check=slow)


# ── tests ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@patient
@given(models())
def test_models(model: Model) -> None:
    with registered():
        text = dumps(model, {"a run": {"until": 1.0}})
        read = loads(text)
        for drawn in (schema(), file_schema()):
            jsonschema.Draft202012Validator(drawn).validate(tomllib.loads(text))
    assert read.model == model
    assert hash(read.model) == hash(model)
    assert dumps(read.model, read.runs) == text


@patient
@given(st.data())
@pytest.mark.parametrize("hint", [Signal, AnyLaw, Rotation, *DEFINABLE.values()], ids=str)
def test_laws_and_sections(hint: Any, data: st.DataObject) -> None:
    value = data.draw(values(hint))
    assert build(hint, written(plain(hint, value))) == value


@patient
@given(st.data())
@pytest.mark.parametrize("cls", ELEMENTS, ids=lambda cls: f"{cls.space} {cls.__name__}")
def test_elements(cls: type[Element], data: st.DataObject) -> None:
    element = data.draw(instances(cls))
    table = written(plain(Element, element))
    assert build(Element, table, defined=Definitions(cls.space)) == element
    VALIDATORS[cls].validate(table)


@patient
@given(st.data())
def test_spatial_models(data: st.DataObject) -> None:
    model = data.draw(spatial_models())
    text = dumps(model)
    read = loads(text).model
    assert read == model
    assert hash(read) == hash(model)
    assert dumps(read) == text
    FILES.validate(tomllib.loads(text))


def written(data: Any) -> Any:
    """Data after a journey through a file."""
    return tomllib.loads(toml.dumps({"value": [data]}))["value"][0]


plain_data = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), plain_data, max_size=4))
def test_toml(data: dict[str, Any]) -> None:
    assert tomllib.loads(toml.dumps(data)) == data


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_text_is_read_or_refused(content: bytes) -> None:
    with pytest.raises(ModelError):
        loads(content.decode("utf-8", errors="replace"))
