"""Names in space: points, ends with Euler parameters, rates without a value, and what the program adds itself."""

import pytest

import flexura as fx
from flexura.model.names import Address, Names
from flexura.spatial import Beam, Body, Hinge, Mass, Truss

ROD = fx.Section(EI=1.0, GIt=1.0, rhoA=1.0)
EULER = ("e0", "e1", "e2", "e3")


def coordinates(owner, components):
    return tuple(Address("coordinate", owner, c) for c in components)


@pytest.fixture
def names():
    """A hinged arm with a flexible one welded to it, a body at its tip with a point, a bar to that."""
    return Names(
        fx.Model(
            nodes={"O": (0, 0, 0), "A": (1, 0, 0), "B": (2, 0, 0), "C": (2, 1, 0), "D": (0, 1, 0)},
            elements={
                "arm": Beam("O", "A", ROD, rigid=True),
                "h": Hinge("O", "arm.p", axis=(0, 0, 1)),
                "rod": Beam("arm.q", "B", ROD, parts=3),
                "tip": Body("rod.q", 1.0, Jxx=1.0, Jyy=1.0, Jzz=1.0, points=("C",)),
                "bar": Truss("C", "D", ROD),
                "bob": Mass("D", 1.0),
            },
            fixed=["h.p"],
            loads={"tip.p.about_x": 1.0, "rod.q.about_own_z": 1.0},
            start={"arm.q.own_y'": 1.0},
        )
    )


def test_nodes_have_three_coordinates(names):
    assert names.expand("A") == coordinates("A", "xyz")
    assert names.resolve("A.z") == Address("coordinate", "A", "z")


def test_ends_have_a_position_and_an_orientation(names):
    assert names.expand("arm.p") == (*coordinates("O", "xyz"), *coordinates("arm.p", EULER))
    assert names.resolve("arm.p.e2") == Address("coordinate", "arm.p", "e2")
    # the ground end of the hinge is its own
    assert names.expand("h.p") == (*coordinates("O", "xyz"), *coordinates("h.p", EULER))


def test_what_is_welded_shares_its_orientation(names):
    assert names.expand("h.q") == names.expand("arm.p")
    assert names.expand("rod.p") == names.expand("arm.q")
    assert names.expand("tip.p") == names.expand("rod.q")
    # of an element with one end, the end goes without saying
    assert names.resolve("tip.e1") == names.resolve("rod.q.e1")


def test_points_have_no_orientation(names):
    assert names.expand("bar.p") == coordinates("C", "xyz")
    assert names.expand("bob.p") == coordinates("D", "xyz")


def test_strains(names):
    assert [a.component for a in names.expand("arm")] == list(Beam.strains)
    assert names.resolve("h.rotation") == Address("strain", "h", "rotation")
    assert [str(a) for a in names.expand("rod")][:2] == ["rod.1.elongation", "rod.1.torsion"]
    assert len(names.expand("rod")) == 18


def test_a_body_brings_links_to_its_points(names):
    assert [str(a) for a in names.expand("tip.C")] == ["tip.C.along_x", "tip.C.along_y", "tip.C.along_z"]
    assert names.expand("tip.C.q") == coordinates("C", "xyz")
    assert names.expand("tip.C.p") == names.expand("tip.p")


def test_rates_without_a_value_belong_to_the_orientation(names):
    about = names.resolve("tip.p.about_x")
    assert about == Address("strain", "rod.q:about", "x")
    assert about == names.resolve("rod.q.about_x")
    assert about.internal
    assert not about.turns
    assert str(about) == "rod.q.about_x"
    assert str(names.resolve("arm.q.about_own_z")) == "arm.q.about_own_z"
    assert str(names.resolve("arm.q.own_y")) == "arm.q.own_y"


def test_only_what_is_asked_for_is_carried(names):
    added = [name for name in names.elements if ":" in name]
    assert [name for name in added if not name.endswith(":unit")] == ["rod.q:about", "rod.q:about_own", "arm.q:own"]
    # every orientation has its unit length: four ends and two in the divided rod
    assert [name for name in added if name.endswith(":unit")] == [f"{end}:unit" for end in names.orientations]
    assert sorted(names.orientations) == ["arm.p", "arm.q", "h.p", "rod.1.q", "rod.2.q", "rod.q"]


def test_units(names):
    found = {name: names.unit(names.resolve(name)) for name in ("A.z", "arm.p.e0", "h.rotation", "rod.1.torsion")}
    assert found == {"A.z": "m", "arm.p.e0": "", "h.rotation": "rad", "rod.1.torsion": "m"}
    assert names.unit(names.resolve("arm.p.about_x")) == "rad"
    assert names.unit(names.resolve("arm.p.own_x")) == "m"


def test_what_an_element_sees(names):
    assert names.drawing.addresses("h") == [*names.expand("h.p"), *names.expand("arm.p")]
    assert names.drawing.addresses("tip.C") == [*names.expand("rod.q"), *coordinates("C", "xyz")]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("A.w", "signal 'A.w': 'A' has no 'w'"),
        ("A.e0", "signal 'A.e0': 'A' is a point; orientations there are arm.q"),
        ("D.about_x", "signal 'D.about_x': 'D' is a point; orientations there are none"),
        ("rod.elongation", "signal 'rod.elongation': 'rod' has 3 parts; say 'rod.1.elongation'"),
        ("rod", "signal 'rod': this names several signals; say which: 'rod.1.elongation', 'rod.1.torsion'"),
        ("h.rotatoin", "signal 'h.rotatoin': 'h' has no 'rotatoin'; did you mean 'rotation'?"),
        ("arm.p.phi", "signal 'arm.p.phi': 'arm.p' has no 'phi'; options are x, y, z, e0"),
        ("arm.p.about_own_v", "signal 'arm.p.about_own_v': 'arm.p' has no 'about_own_v'; did you mean 'about_own_"),
        ("bar.p.about_x", "signal 'bar.p.about_x': 'bar.p' has no 'about_x'; options are x, y, z"),
        ("tipp.p.about_x", "signal 'tipp.p.about_x': there is no 'tipp.p'; did you mean 'tip"),
    ],
)
def test_names_that_lead_nowhere(names, name, said):
    with pytest.raises(fx.ModelError) as caught:
        names.resolve(name)
    assert any(str(caught.value).startswith(way) for way in said.split("|"))
    assert caught.value.remedy
    assert ":unit" not in str(caught.value)
    assert ":about" not in str(caught.value)


def test_what_stands_for_several_signals_says_which(names):
    with pytest.raises(fx.ModelError, match=r"this names several signals; say which: 'arm\.p\.x', .*'arm\.p\.e3'"):
        names.resolve("arm.p")
