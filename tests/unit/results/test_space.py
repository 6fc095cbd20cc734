"""Spatial motions: orientations in their forms, files that bring everything back, tables without the program's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

import flexura as fx
from flexura.spatial import Beam, Body, Hinge
from unit.results.test_storage import assert_same
from unit.results.test_tables import read

ROD = fx.Section(EA=1e4, EI=50.0, GIt=40.0, rhoA=0.5, rhoIy=2e-3, rhoIz=2e-3)


@pytest.fixture(scope="module")
def motion() -> fx.Motion:
    """A flexible arm on a hinge with a rotor at its tip, under torques."""
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (1, 0, 0), "B": (1, 0.3, 0)},
        elements={
            "h": Hinge("O", "arm.p", axis=(0, 0, 1)),
            "arm": Beam("O", "A", ROD),
            "tip": Body("A", 0.5, Jxx=0.01, Jyy=0.01, Jzz=0.015, points=("B",)),
        },
        fixed=["h.p"],
        loads={"arm.q.about_z": 1.0, "tip.p.about_own_x": 0.02, "arm.q.own_y": 0.3},
        start={"tip.p": fx.Rotation(vector=(0.2, 0.1, 0.0)), "tip.p.about_own_z'": 5.0, "h.rotation'": 3.0},
        gravity=(0, 0, -9.81),
        title="Arm mit Kreisel",
    )
    return fx.simulate(model, until=0.5, samples=26, method=fx.DormandPrince(tolerance=1e-9))


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_motion_comes_back_as_it_was(motion: fx.Motion, tmp_path: Path) -> None:
    motion.save(tmp_path / "motion.nc")
    same = fx.load(tmp_path / "motion.nc")
    assert_same(motion, same)
    assert same.signals == motion.signals
    assert str(same) == str(motion)
    for name in ("arm.q.about_z.force", "tip.p.about_own_x.force", "tip.p.own_z'", "tip.p.about_x''", "h.rotation"):
        np.testing.assert_array_equal(same[name], motion[name])
    np.testing.assert_array_equal(same.orientation("tip.p", "vector"), motion.orientation("tip.p", "vector"))


def test_the_dataset_has_labels_and_units(motion: fx.Motion) -> None:
    data = motion.to_xarray()
    assert list(data.axis.values) == ["x", "y", "z", "angular x", "angular y", "angular z"]
    np.testing.assert_array_equal(data.position.sel(coordinate="tip.p.e2"), motion["tip.p.e2"])
    np.testing.assert_array_equal(data.momentum.sel(axis="angular z"), motion.momentum[:, 5])
    assert str(data.coordinate_unit.sel(coordinate="tip.p.e2").item()) == ""
    assert str(data.deformation_unit.sel(deformation="h.rotation").item()) == "rad"
    # nothing in it has a name of the program's own
    labels = [*map(str, data.coordinate.values), *map(str, data.deformation.values)]
    assert not [label for label in labels if ":" in label or "unit" in label]


def test_the_programs_own_strains_are_hidden(motion: fx.Motion, tmp_path: Path) -> None:
    coordinates = [f"{node}.{c}" for node in "OAB" for c in "xyz"]
    ends = ["h.p", "arm.p", "arm.q", "tip.p"]
    coordinates += [f"{end}.e{i}" for end in ends for i in range(4)]
    strains = [f"h.{strain}" for strain in Hinge.strains] + [f"arm.{strain}" for strain in Beam.strains]
    strains += [f"tip.B.along_{c}" for c in "xyz"]
    assert sorted(motion.signals) == sorted(coordinates + strains)
    motion.to_csv(tmp_path / "all.csv")
    head, table = read(tmp_path / "all.csv")
    assert len(head) == 1 + len(motion.signals)
    assert "tip.p.e2 [1]" in head
    assert table.shape == (26, len(head))
    assert list(motion.to_pandas().columns) == list(motion.signals)


def test_rates_without_value_can_be_asked_for_by_name(motion: fx.Motion, tmp_path: Path) -> None:
    names = ("tip.p.about_own_z'", "arm.q.about_z.force", "arm.q.own_y'")
    motion.to_csv(tmp_path / "some.csv", *names)
    head, table = read(tmp_path / "some.csv")
    assert head == ["t [s]", "tip.p.about_own_z' [rad/s]", "arm.q.about_z.force [N·m]", "arm.q.own_y' [m/s]"]
    np.testing.assert_array_equal(table[:, 1:].T, [motion[name] for name in names])
    assert motion.to_pandas(*names).attrs["units"]["arm.q.own_y'"] == "m/s"


# ── orientations ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_forms_of_an_orientation(motion: fx.Motion) -> None:
    parameters = motion.orientation("tip.p")
    np.testing.assert_array_equal(parameters.T, [motion[f"tip.p.e{i}"] for i in range(4)])
    turn = Turn.from_quat(np.roll(parameters, -1, axis=1))
    np.testing.assert_allclose(motion.orientation("tip.p", "cosines"), turn.as_matrix(), atol=1e-14)
    vector = motion.orientation("tip.p", "vector")
    np.testing.assert_allclose(Turn.from_rotvec(vector).as_matrix(), turn.as_matrix(), atol=1e-13)
    for order in ("cardan", "ZYX", "zxz", "euler"):
        axes = {"cardan": "XYZ", "euler": "ZXZ"}.get(order, order)
        angles = motion.orientation("tip.p", "angles", order)
        np.testing.assert_allclose(Turn.from_euler(axes, angles).as_matrix(), turn.as_matrix(), atol=1e-13)


def test_they_start_as_given_and_have_unit_length(motion: fx.Motion) -> None:
    np.testing.assert_allclose(motion.orientation("tip.p", "vector")[0], [0.2, 0.1, 0.0], atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(motion.orientation("tip.p"), axis=1), 1.0, atol=1e-11)


def test_what_is_welded_or_has_one_end_is_named_by_either(motion: fx.Motion) -> None:
    np.testing.assert_array_equal(motion.orientation("h.q"), motion.orientation("arm.p"))
    np.testing.assert_array_equal(motion.orientation("tip"), motion.orientation("tip.p"))


def test_the_hinge_agrees_with_the_orientations(motion: fx.Motion) -> None:
    turned = motion.orientation("arm.p", "angles", "XYZ")
    np.testing.assert_allclose(turned[:, 2], motion["h.rotation"], atol=1e-10)
    np.testing.assert_allclose(motion["arm.p.about_z'"], motion["h.rotation'"], atol=1e-9)


def test_the_rates_of_an_orientation(motion: fx.Motion) -> None:
    turn = motion.orientation("tip.p", "cosines")
    for kind, table in (("about", "about_own"), ("velocity", "own")):
        space = [f"tip.p.about_{c}'" if kind == "about" else f"A.{c}'" for c in "xyz"]
        own = np.array([motion[f"tip.p.{table}_{c}'"] for c in "xyz"]).T
        expected = np.array([motion[name] for name in space]).T
        np.testing.assert_allclose(np.einsum("nij,nj->ni", turn, own), expected, atol=1e-11)


def test_accelerations_along_turning_axes_are_rates_of_the_velocities(motion: fx.Motion) -> None:
    """d/dt (Rᵀv) = Rᵀa − ω′ × Rᵀv."""
    turn = motion.orientation("tip.p", "cosines")
    own, spin = (np.array([motion[f"tip.p.{kind}_{c}'"] for c in "xyz"]).T for kind in ("own", "about_own"))
    push = np.einsum("nji,nj->ni", turn, np.array([motion[f"A.{c}''"] for c in "xyz"]).T)
    found = np.array([motion[f"tip.p.own_{c}''"] for c in "xyz"]).T
    np.testing.assert_allclose(found, push - np.cross(spin, own), atol=1e-9)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            ("tip.p", "matrix"),
            "form: an orientation has no form 'matrix'; ask for vector, parameters, cosines or angles",
        ),
        (("tip.p", "angles", "XX"), "Rotation.order: 'XX' is not a sequence of three axes"),
        (("A",), "'A' is a point; orientations there are arm.q, tip.p"),
        (("tipp.p",), "there is no 'tipp.p'; did you mean 'tip"),
    ],
)
def test_orientations_that_are_not_there(motion: fx.Motion, ask: tuple[str, ...], said: str) -> None:
    with pytest.raises(fx.ModelError) as caught:
        motion.orientation(*ask)
    assert said in str(caught.value)


def test_a_state_has_orientations() -> None:
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (1, 0, 0)},
        elements={"arm": Beam("O", "A", ROD)},
        fixed=["arm.p"],
        loads={"arm.q.about_x": 4.0},
    )
    state = fx.equilibrium(model)
    # the twist of a bar under a torque: M l / GIt
    np.testing.assert_allclose(state.orientation("arm.q", "vector"), [0.1, 0.0, 0.0], atol=1e-10)
    assert state.force("arm.p.about_x") == pytest.approx(-4.0, abs=1e-9)
    assert set(state.values) == set(state.motion.signals)
