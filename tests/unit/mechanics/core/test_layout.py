"""Names to indices, classes of strains, and what can move."""

import pytest

import flexura as fx
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.planar import Beam, Hinge, Mass, Truss
from unit.mechanics.models import BAR, pendulum, slider_crank, transmission


def names(addresses):
    return {str(address) for address in addresses}


def test_strains_have_classes():
    layout = Layout(slider_crank())
    classes = dict(zip(map(str, layout.strains), layout.strain_class, strict=True))
    assert classes["crank.elongation"] == "rigid"
    assert classes["rod.1.bending_p"] == "elastic"
    assert classes["coil.rotation"] == "elastic"
    assert classes["spring.elongation"] == "elastic"


def test_releasing_fixing_and_driving_change_the_class():
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "B": (2, 0)},
        elements={
            "one": Beam("O", "A", BAR, rigid=True),
            "two": Beam("A", "B", fx.Section(EA=2.0, EI=1.0, rhoA=1.0)),
            "weld": Hinge("one.q", "two.p"),
        },
        fixed=["O", "two.bending_q"],
        inputs={"weld.rotation": "sin(t)"},
        released=["one.bending_q"],
        laws={"two.elongation": fx.LinearLaw(k=7.0)},
    )
    layout = Layout(model)
    classes = dict(zip(map(str, layout.strains), layout.strain_class, strict=True))
    assert classes["one.bending_q"] == "free"
    assert classes["one.bending_p"] == "rigid"
    assert classes["two.bending_q"] == "rigid"
    assert classes["two.elongation"] == "elastic"
    assert classes["weld.rotation"] == "driven"


def test_condensed_rigid_links_share_their_orientation():
    full, condensed = Layout(pendulum()), Layout(pendulum(), condensed=True)
    assert len(full.coordinates) == 10
    assert len(condensed.coordinates) == 8
    assert len(full.constraints) == 6
    assert len(condensed.constraints) == 4
    assert len(full.free) - len(full.constraints) == len(condensed.free) - len(condensed.constraints) == 2


def test_elements_of_a_kind_are_grouped():
    layout = Layout(slider_crank())
    groups = {(group.kind.element.__name__, tuple(group.names)) for group in layout.groups}
    # rigid and flexible beams have different switches; the parts of the rod are of one kind
    assert ("Beam", ("rod.1", "rod.2")) in groups
    assert ("Beam", ("crank",)) in groups


def test_strains_are_preferred_as_independent_coordinates():
    machine = prepare(slider_crank().replace(start={}))
    assert machine.mobility.degrees == len(machine.mobility.independent) == 7
    assert names(machine.mobility.independent) >= {"rod.1.bending_p", "rod.2.bending_q", "coil.rotation"}


def test_what_is_given_becomes_independent():
    machine = prepare(pendulum().replace(start={}, independent=["B.y", "lower.p.phi"]))
    assert names(machine.mobility.independent) == {"B.y", "lower.p.phi"}
    assert names(prepare(pendulum()).mobility.independent) == {"upper.p.phi", "lower.p.phi"}


def test_what_depends_cannot_be_given():
    with pytest.raises(fx.ModelError, match=r"start\.A\.x.*depends on constraints"):
        prepare(pendulum().replace(start={"upper.p.phi": 0.1, "lower.p.phi": 0.0, "A.x": 0.9}))


def test_degrees_of_freedom_are_counted():
    assert prepare(pendulum()).mobility.degrees == 2
    machine = prepare(transmission())
    assert machine.mobility.degrees == len(machine.layout.free) - len(machine.layout.constraints)
    assert machine.mobility.excess == 0


def test_redundant_constraints_are_named():
    # a rigid triangle on two supports, braced twice
    bar = fx.Section(rhoA=1.0)
    triangle = fx.Model(
        nodes={"A": (0, 0), "B": (1, 0), "C": (0.3, 0.8), "D": (0.5, 0.3)},
        elements={
            "ab": Truss("A", "B", bar),
            "bc": Truss("B", "C", bar),
            "ca": Truss("C", "A", bar),
            "ad": Truss("A", "D", bar),
            "bd": Truss("B", "D", bar),
            "cd": Truss("C", "D", bar),
            "load": Mass("C", 1.0),
        },
        fixed=["A"],
    )
    found = prepare(triangle).mobility
    assert (found.degrees, found.excess, len(found.surplus)) == (1, 1, 1)
    assert names(found.redundant) == {f"{name}.elongation" for name in ("ab", "bc", "ca", "ad", "bd", "cd")}
    assert prepare(triangle.replace(released=["cd"])).mobility.degrees == 1


def test_motion_without_inertia_is_refused():
    weightless = fx.Model(nodes={"A": (0, 0), "B": (1, 0)}, elements={"bar": Truss("A", "B", fx.Section(EA=1.0))})
    with pytest.raises(fx.ModelError, match=r"without inertia: A\.x, A\.y, B\.x, B\.y;"):
        prepare(weightless)
    with pytest.raises(fx.ModelError, match=r"without inertia: B\.x, B\.y;"):
        prepare(weightless.replace(fixed=["A"]))
