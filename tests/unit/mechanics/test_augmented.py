"""Which held strains are added to the matrix where the mass alone does not make it regular."""

from __future__ import annotations

import flexura as fx
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.planar import Beam
from flexura.spatial import Body
from references.bicycle import bicycle


def added(model: fx.Model) -> set[str]:
    """The elements of the held strains whose squares are added."""
    machine = prepare(model)
    rows = machine.system.rows.strain[machine.system.augmented.row]
    return {machine.layout.strains[k].owner for k in rows}


def test_nothing_is_added_to_a_regular_mass():
    bar = Beam("O", "A", fx.Section(rhoA=1.0), rigid=True)
    assert added(fx.Model(nodes={"O": (0, 0), "A": (1, 0)}, elements={"bar": bar}, fixed=["O"])) == set()


def test_unit_lengths_are_enough_for_bodies():
    body = Body("O", 1.0, 0.1, 0.2, 0.3)
    assert added(fx.Model(nodes={"O": (0, 0, 0)}, elements={"body": body})) == {"body.p:unit"}


def test_what_has_no_mass_is_held_by_its_own():
    """The contacts of the wheels, and the point of the head between frame and fork: no hinge is needed for them."""
    lengths = {f"{body}.p:unit" for body in ("rear", "frame", "fork", "front")}
    assert added(bicycle(5.0)) == lengths | {"rear_wheel", "front_wheel", "frame.S", "fork.S"}
