"""Declared contacts: wrong declarations and wrong derivations are found out, released contacts do not act."""

import numpy as np
import pytest

import flexura as fx
from elements.wrong_contacts import MISCOUNTED, WRONG_CONTACTS
from flexura.battery import laws, run_battery
from flexura.battery.examples import specimens
from flexura.elements import contacts
from flexura.elements.contacts import Force, Law
from flexura.elements.element import catalogue
from flexura.planar import Clearance, Mass, PointContact


def failed(cls):
    return {finding.name for finding in run_battery(cls) if not finding.ok}


@pytest.mark.parametrize("cls", WRONG_CONTACTS, ids=lambda cls: cls.__name__)
def test_a_wrong_contact_is_found_out(cls, visiting):
    visiting(cls)
    assert failed(cls) == WRONG_CONTACTS[cls]


def test_a_slip_that_is_missing_is_named(visiting):
    visiting(MISCOUNTED)
    found = {finding.name: finding.detail for finding in run_battery(MISCOUNTED) if not finding.ok}
    assert "slips has 2 names, its function gives 1 values" in found["counts"]


# ── mutants of what is derived ───────────────────────────────────────────────────────────────────────────────────────


def deviation(name):
    """The larger deviation of the two checks of laws over some examples of an element."""
    chosen = [s for s in specimens(catalogue()[name]) if contacts.takes_time(s.element, s.element.contacts[0])]
    return max(check(s) for s in chosen[:6] for check in (laws.laws_and_slopes, laws.contact_power))


def rate_of_another_sign(derive):
    def mutant(element, e, v):
        found = derive(element, e, v)
        return {contact: at._replace(rate=-1.7 * at.rate) for contact, at in found.items()}

    return "surfaces_of", mutant


def push_of_another_size(derive):
    return "force_of", lambda *args: Force(1.1 * derive(*args).normal, derive(*args).tangential)


def drag_of_another_sign(derive):
    return "force_of", lambda *args: Force(derive(*args).normal, [-f for f in derive(*args).tangential])


def displayed_twice(derive):
    def mutant(*args):
        law = derive(*args)
        return Law(law.stress, {name: 2.0 * force for name, force in law.displayed.items()})

    return "law_stresses", mutant


MUTANTS = {
    rate_of_another_sign: contacts.surfaces_of,
    push_of_another_size: contacts.force_of,
    drag_of_another_sign: contacts.force_of,
    displayed_twice: contacts.law_stresses,
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_wrong_derivation_is_found_out(mutant, monkeypatch):
    assert deviation("Clearance") < 1e-12
    name, wrong = mutant(MUTANTS[mutant])
    monkeypatch.setattr(contacts, name, wrong)
    if name == "law_stresses":
        monkeypatch.setattr(laws, name, wrong)
    assert deviation("Clearance") > 1e-3


# ── released ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def thrown(**more):
    """A block that slides on a soft floor."""
    friction = more.pop("friction", fx.Friction(0.3, regularisation_speed=1e-2))
    return fx.Model(
        nodes={"F": (0, 0), "B": (0, 0)},
        elements={"floor": PointContact("F", "B", fx.KelvinVoigt(1e4), friction=friction), "block": Mass("B", 1.0)},
        fixed=["F"],
        gravity=(0, -9.81),
        start={"B.x'": 1.0},
        **more,
    )


@pytest.mark.parametrize("speed", [1e-2, 0.0], ids=["regularised", "exact"])
def test_a_released_slip_has_no_friction(speed):
    friction = fx.Friction(0.3, regularisation_speed=speed)
    model = thrown(friction=friction)
    rubbing, free = (fx.simulate(m, until=0.05) for m in (model, model.replace(released=["floor.slide"])))
    assert rubbing["B.x'"][-1] < 0.95
    assert np.abs(free["B.x'"] - 1.0).max() < 1e-12
    assert np.abs(free["B.y"]).max() > 1e-5


def test_a_released_slip_of_a_clearance_has_no_friction():
    model = fx.Model(
        nodes={"F": (0, 0), "B": (0, -1e-3)},
        elements={
            "pin": Clearance("F", "B", 1e-3, fx.KelvinVoigt(1e6), fx.Friction(0.3)),
            "block": Mass("B", 1.0),
        },
        fixed=["F"],
        gravity=(0, -9.81),
        start={"B.x'": 0.05},
    )
    # drawn at the centre of the clearance, it falls onto the wall and flies at the end: the spring has given all back
    released = model.replace(released=["pin.slide"])
    rubbed, free = (fx.simulate(m, until=0.1, samples=5).energy["dissipated"][-1] for m in (model, released))
    assert rubbed > 1e-3
    assert abs(free) < 1e-10


def test_a_released_gap_has_no_contact():
    motion = fx.simulate(thrown(released=["floor.gap"]), until=0.1)
    assert motion["B.y"][-1] == pytest.approx(-0.5 * 9.81 * 0.1**2, rel=1e-9)
