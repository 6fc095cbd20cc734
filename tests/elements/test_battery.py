"""The battery on every element there is, on a user's own, and on wrong ones that it must find out."""

import jsonschema
import pytest

from elements.wrong import WRONG
from flexura.analyses.battery import run_battery
from flexura.analyses.battery.examples import specimens
from flexura.elements.element import catalogue
from flexura.model.convert import plain
from flexura.model.schema import schema

ROUNDING = 3e-14
"""Ten times the largest deviation seen, 2.7e-15, in third derivatives of the beam."""


@pytest.mark.parametrize("name", catalogue())
def test_every_element_stands_the_battery(name):
    failed = [str(finding) for finding in run_battery(catalogue()[name], ROUNDING) if not finding.ok]
    assert not failed


@pytest.mark.parametrize("name", catalogue())
def test_examples_satisfy_the_schema(name):
    whole = schema()
    one = {"$ref": f"#/$defs/element.{name}", "$defs": whole["$defs"]}
    for specimen in specimens(catalogue()[name]):
        jsonschema.validate(plain(type(specimen.element), specimen.element), one)


def test_examples_are_the_same_every_time():
    first, second = (specimens(catalogue()["Belt"]) for _ in range(2))
    assert [(s.element, s.drawn) for s in first] == [(s.element, s.drawn) for s in second]


def test_a_users_element_stands_the_battery(tendon):
    assert [str(finding) for finding in run_battery(tendon, ROUNDING) if not finding.ok] == []


@pytest.mark.parametrize("cls", WRONG, ids=lambda cls: cls.__name__)
def test_a_wrong_element_is_found_out(cls, visiting):
    visiting(cls)
    assert {finding.name for finding in run_battery(cls) if not finding.ok} == WRONG[cls]


def test_findings_say_what_is_wrong(visiting):
    cls = next(cls for cls in WRONG if cls.__name__ == "OnRails")
    visiting(cls)
    text = "\n".join(map(str, run_battery(cls)))
    assert "FAIL  invariant_strain: the strains do not change in a rigid motion" in text
    assert "limit 1e-12" in text
