"""Round trips: whatever the annotations allow comes back from a file as an equal object, and the schema accepts it."""

from __future__ import annotations

import math
import tomllib
from functools import reduce
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import flexura.elements.planar  # noqa: F401 - so that the elements are there
from flexura.elements.element import Element, catalogue, slots
from flexura.errors import ModelError
from flexura.laws.signals import Expression, Signal, Table
from flexura.laws.springs import AnyLaw
from flexura.laws.units import Bounds
from flexura.model import toml
from flexura.model.convert import build, plain
from flexura.model.files import SHELVES, dumps, loads
from flexura.model.hints import allowed, fields, marks, required
from flexura.model.model import Model
from flexura.model.schema import schema
from unit.model.toys import TOYS, registered

names = st.text("abcXYZ_019é", min_size=1, max_size=6)
small = st.floats(-1e15, 1e15)
formulas = st.sampled_from(["0", "t", "0.1*sin(20*t)", "step(t - 1)*exp(-t^2)"])


# ── values from annotations ──────────────────────────────────────────────────────────────────────────────────────────


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Whatever an annotation allows."""
    kind = allowed(hint)
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
        least, most = max(bounds.least, -1e300), min(bounds.most, 1e300)
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
        jsonschema.Draft202012Validator(schema()).validate(tomllib.loads(text))
    assert read.model == model
    assert hash(read.model) == hash(model)
    assert dumps(read.model, read.runs) == text


@patient
@given(st.data())
@pytest.mark.parametrize("hint", [Signal, AnyLaw, *SHELVES.values()], ids=str)
def test_laws_and_sections(hint: Any, data: st.DataObject) -> None:
    value = data.draw(values(hint))
    assert build(hint, written(plain(hint, value))) == value


@patient
@given(st.data())
@pytest.mark.parametrize("cls", catalogue().values())
def test_elements(cls: type[Element], data: st.DataObject) -> None:
    element = data.draw(instances(cls))
    assert build(Element, written(plain(Element, element))) == element


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
