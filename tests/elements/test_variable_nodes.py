"""Elements with any number of nodes: a rigid plate and a rigid spatial body, against chains of built-in elements."""

from pathlib import Path

import jsonschema
import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from flexura.algebra import norm, vec
from flexura.battery import run_battery
from flexura.elements.element import Element
from flexura.model import files
from flexura.model.names import Names
from flexura.model.schema import schema
from flexura.nodes import At, End, Point


def loaded(load_file, name):
    return load_file(Path(__file__).with_name(name))


@pytest.fixture
def plate(load_file):
    return loaded(load_file, "plate.py").Plate


@pytest.fixture
def spider(load_file):
    return loaded(load_file, "spider.py").Spider


def test_they_stand_the_battery(plate, spider):
    for cls in (plate, spider):
        assert [str(finding) for finding in run_battery(cls, 3e-14) if not finding.ok] == []


# ── in the plane ─────────────────────────────────────────────────────────────────────────────────────────────────────

NODES = {"C": (0.0, 0.0), "A": (0.3, 0.1), "B": (-0.2, 0.25), "D": (0.1, -0.4), "W": (0.3, 1.1), "V": (-0.9, 0.25)}
SPRINGS = {
    "up": planar.Truss("A", "W", fx.Section(EA=60.0)),
    "left": planar.Truss("B", "V", fx.Section(EA=40.0)),
    "weight": planar.Mass("D", 0.3),
}
GIVEN = {"fixed": ["W", "V"], "gravity": (0, -9.81)}
RUN = {"until": 1.0, "samples": 21, "method": fx.DormandPrince(tolerance=1e-11)}


def test_a_plate_moves_like_rigid_beams_welded_together(plate):
    body = plate("C", ("A", "B", "D"), mass=2.0, inertia=0.07)
    one = fx.Model(nodes=NODES, elements={"plate": body, **SPRINGS}, **GIVEN)
    arms = {
        "a": planar.Beam("C", "A", fx.Section(), rigid=True),
        "b": planar.Beam("a.p", "B", fx.Section(), rigid=True),
        "d": planar.Beam("a.p", "D", fx.Section(), rigid=True),
        "body": planar.Mass("a.p", 2.0, inertia=0.07),
    }
    many = fx.Model(nodes=NODES, elements={**arms, **SPRINGS}, **GIVEN)
    found, expected = fx.simulate(one, **RUN), fx.simulate(many, **RUN)
    assert np.ptp(expected["a.p.phi"]) > 0.3
    for signal in ("A.x", "A.y", "B.x", "D.y"):
        assert np.abs(found[signal] - expected[signal]).max() < 1e-9
    assert np.abs(found["plate.p.phi"] - expected["a.p.phi"]).max() < 1e-9
    assert found.imbalance < 1e-9


def test_the_number_of_nodes_is_the_number_of_constraints(plate):
    for count in (1, 2, 3):
        body = plate("C", tuple("ABD"[:count]), mass=2.0, inertia=0.07)
        nodes = {name: NODES[name] for name in "CABD"[: count + 1]}
        assert len(fx.linearise(fx.Model(nodes=nodes, elements={"plate": body})).coordinates) == 3


def test_a_plate_goes_to_a_file_and_back(plate):
    model = fx.Model(nodes=NODES, elements={"plate": plate("C", ["A", "B"], 2.0, 0.07), **SPRINGS}, **GIVEN)
    text = files.dumps(model)
    assert 'plate = {type = "Plate", p = "C", nodes = ["A", "B"], mass = 2.0, inertia = 0.07}' in text
    assert files.loads(text).model == model
    assert "Plate C – A – B" in str(model)
    jsonschema.validate({"type": "Plate", "p": "C", "nodes": ["A"], "mass": 1.0, "inertia": 1.0}, of("Plate", "planar"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(
            {"type": "Plate", "p": "C", "nodes": "A", "mass": 1.0, "inertia": 1.0}, of("Plate", "planar")
        )


def of(name, space):
    """The schema of one element."""
    return {"$ref": f"#/$defs/element.{name}", "$defs": schema(space)["$defs"]}


def test_a_node_that_is_not_there_is_named_by_its_number(plate):
    with pytest.raises(fx.ModelError) as caught:
        fx.Model(nodes=NODES, elements={"part": plate("C", ("A", "B", "E"), 2.0, 0.07)})
    assert str(caught.value) == "element 'part', node 3: there is no node 'E'; nodes are C, A, B, D, W, V"


def test_a_single_name_is_no_list_of_nodes(plate):
    with pytest.raises(fx.ModelError, match=r"Plate.nodes: 'A' is not a list"):
        plate("C", "A", 2.0, 0.07)


# ── in space ─────────────────────────────────────────────────────────────────────────────────────────────────────────

CORNERS = {"P": (0.0, 0.0, 0.0), "Q": (0.4, 0.0, 0.1), "R": (0.0, 0.5, 0.0), "S": (0.4, 0.0, 0.9)}


def test_a_body_with_frames_moves_like_one_with_arms(spider):
    # a blade is welded to the second frame, the third carries a mass, and all swings about the hinge at the first
    blade = spatial.Beam(
        "body.frame_2", "S", fx.Section(EA=1e4, EI=3.0, GIt=2.0, rhoA=0.2, rhoIy=1e-3, rhoIz=1e-3), y_axis=(0, 1, 0)
    )
    common = {
        "pin": spatial.Hinge("ground.p", "body.frame_1", axis=(1, 0, 0)),
        "ground": spatial.Body("P", 1.0, 1.0, 1.0, 1.0),
        "lump": spatial.Mass("R", 0.4),
    }
    given = {"space": "spatial", "nodes": CORNERS, "fixed": ["ground.p"], "gravity": (0, 0, -9.81)}
    one = fx.Model(elements={"body": spider(("P", "Q", "R"), 1.5, 0.02), "blade": blade, **common}, **given)
    rigid = fx.Section(rhoA=0.0)
    arms = {
        "body": spatial.Body("P", 1.5, 0.02, 0.02, 0.02),
        "arm": spatial.Beam("body.p", "Q", rigid, rigid=True, y_axis=(0, 1, 0)),
        "boom": spatial.Beam("body.p", "R", rigid, rigid=True, y_axis=(1, 0, 0)),
        "blade": spatial.Beam("arm.q", "S", blade.section, y_axis=(0, 1, 0)),
        **common,
        "pin": spatial.Hinge("ground.p", "body.p", axis=(1, 0, 0)),
    }
    found, expected = (fx.simulate(m, **RUN | {"until": 0.3}) for m in (one, fx.Model(elements=arms, **given)))
    assert np.ptp(expected["R.z"]) > 0.05
    for signal in ("Q.z", "R.y", "R.z", "S.x", "S.y", "S.z"):
        assert np.abs(found[signal] - expected[signal]).max() < 1e-8


def test_frames_have_signals_and_units(spider):
    body = spider(("P", "Q"), 1.5, 0.02)
    model = fx.Model(
        space="spatial", nodes={k: CORNERS[k] for k in "PQ"}, elements={"body": body}, fixed=["body.frame_1"]
    )
    motion = fx.simulate(model, until=0.1, samples=2)
    assert motion.unit("body.x_2") == "m"
    assert motion.unit("body.turn_z_2") == "rad"
    assert motion["body.frame_2.about_z'"] == pytest.approx([0.0, 0.0])
    assert files.loads(files.dumps(model)).model == model


def test_nodes_of_one_field_may_be_points_and_ends(visiting):
    class Bunch(Element):
        r"""Distances: :math:`|\mathbf r_i - \mathbf r_p| - \ell_i`."""

        p: At[Point]
        ends: tuple[At[Point | End], ...]

        @property
        def strains(self):
            return tuple(f"length_{i}" for i in range(1, len(self.ends) + 1))

        def strain(self, p, ends):
            return vec(*(norm(end.r - p.r) - drawn for end, drawn in zip(ends, self.drawn, strict=True)))

        def measure(self, p, ends):
            return {"drawn": [float(norm(end.r - p.r)) for end in ends]}

    beam = planar.Beam("A", "B", fx.Section(EI=1.0))
    model = fx.Model(nodes=NODES, elements={"beam": beam, "ties": Bunch("C", ("beam.p", "D", "beam.q"))})
    names = Names(model)
    assert names.drawing.node_kinds("ties") == [Point, End, Point, End]
    assert [str(a) for a in names.expand("ties.end_1")] == ["A.x", "A.y", "beam.p.phi"]
    assert [str(a) for a in names.expand("ties.end_2")] == ["D.x", "D.y"]
    with pytest.raises(fx.ModelError, match=r"element 'ties', end 2: 'beam' has no end 'r'; its ends are p, q"):
        model.replace(elements={"beam": beam, "ties": Bunch("C", ("D", "beam.r"))})
