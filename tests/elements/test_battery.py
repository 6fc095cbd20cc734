"""The battery on every element there is, on a user's own, and on wrong ones that it must find out."""

import jsonschema
import pytest

from elements.wrong import WRONG
from elements.wrong_in_space import WRONG_IN_SPACE
from flexura.battery import run_battery
from flexura.battery.examples import specimens
from flexura.elements.element import catalogue
from flexura.elements.orientation_elements import About, AboutOwn, Own, UnitLength
from flexura.model.conversion import plain
from flexura.model.schema import schema

ROUNDING = 3e-14
"""Ten times the largest deviation seen: 2.9e-15, in third derivatives of the planar beam; 3.4e-15 in space, where the
drawn axes of a beam have unit length but for rounding."""

INTERNAL = {UnitLength: set(), AboutOwn: set(), Own: set(), About: {"invariant_slip"}}
"""What serves the program alone, and the checks that fail on purpose: rotation about the axes of space is no more
invariant than these."""

EVERY = [cls for space in ("planar", "spatial") for cls in catalogue(space).values()]


def taxing(cls):
    return len(specimens(cls)) > 20 or len(cls.slips) > 4 or (len(cls.slips) > 1 and len(specimens(cls)) > 6)


TAXING = [pytest.param(cls, marks=pytest.mark.slow if taxing(cls) else ()) for cls in EVERY]
"""All of them, with those marked that have many variants or many slips: the spatial beam, the guide."""


def named(cls):
    return f"{cls.space} {cls.__name__}"


def failed(cls, limit=ROUNDING):
    return {finding.name: str(finding) for finding in run_battery(cls, limit) if not finding.ok}


@pytest.mark.parametrize("cls", TAXING, ids=named)
def test_every_element_stands_the_battery(cls):
    assert not failed(cls)


@pytest.mark.parametrize("cls", INTERNAL, ids=named)
def test_internal_elements_stand_it_too(cls):
    assert set(failed(cls)) == INTERNAL[cls]


@pytest.mark.parametrize("cls", EVERY, ids=named)
def test_examples_satisfy_the_schema(cls):
    whole = schema(cls.space)
    one = {"$ref": f"#/$defs/element.{cls.__name__}", "$defs": whole["$defs"]}
    for specimen in specimens(cls):
        jsonschema.validate(plain(type(specimen.element), specimen.element), one)


def test_examples_give_every_field_there_is():
    # the products of inertia of a body seldom fit moments drawn at random;
    # a flank is 1 or -1; a part gives an example of its own
    seldom = {"Jxy", "Jyz", "flank", "modes", "stiffening", "x_axis", "y_axis"}
    for cls in EVERY:
        elements = [specimen.element for specimen in specimens(cls)]
        missing = {n for n in vars(elements[0]) if all(getattr(e, n) == getattr(cls, n, None) for e in elements)}
        assert missing <= seldom


def test_examples_are_the_same_every_time():
    first, second = (specimens(catalogue()["Belt"]) for _ in range(2))
    assert [(s.element, s.drawn) for s in first] == [(s.element, s.drawn) for s in second]


def test_a_users_element_stands_the_battery(tendon, rotor, skate):
    for cls in (tendon, rotor, skate):
        assert not failed(cls)


@pytest.mark.parametrize("cls", WRONG | WRONG_IN_SPACE, ids=named)
def test_a_wrong_element_is_found_out(cls, visiting):
    visiting(cls)
    assert set(failed(cls, limit=1e-12)) == (WRONG | WRONG_IN_SPACE)[cls]


def test_findings_say_what_is_wrong(visiting):
    cls = next(cls for cls in WRONG if cls.__name__ == "OnRails")
    visiting(cls)
    text = "\n".join(map(str, run_battery(cls)))
    assert "FAIL  invariant_strain: the strains do not change in a rigid motion" in text
    assert "limit 1e-12" in text
