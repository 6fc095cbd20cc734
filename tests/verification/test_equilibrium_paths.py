"""Paths of equilibria against closed forms, an independent shooting method, and the same path by another parameter."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipe, ellipk

import flexura as fx
from flexura import planar, spatial
from flexura.model.names import Names
from flexura.results.equilibria import Equilibria
from references import buckling as known
from references.critical_loads import lee_frame, limit
from references.lee_frame import lee_model


def kinds(path: Equilibria) -> list[str]:
    return [point.kind for point in path.critical]


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_two_bar_arch(size: float) -> None:
    """P(y) = 2 EA y/l (1 - l/l₀) all along, through both limit points, in every size."""
    rise, half, EA = 0.2 * size, size, 5.0
    bar = fx.Section(EA=EA)
    model = fx.Model(
        nodes={"A": (-half, 0), "B": (0, rise), "C": (half, 0)},
        elements={"left": planar.Truss("A", "B", bar), "right": planar.Truss("B", "C", bar)},
        fixed=["A", "C", "B.x"],
        loads={"B.y": 0.0},
    )
    load = known.two_bars(0.2, 1.0, EA)
    path = fx.equilibria(model, "loads.B.y", (0.0, -3.0 * load))
    y = path["B.y"]
    drawn, length = np.hypot(half, rise), np.hypot(half, y)
    np.testing.assert_allclose(path.values, 2.0 * EA * (length - drawn) / drawn * y / length, atol=1e-10 * load)
    assert kinds(path) == ["limit", "limit"]
    assert [point.value for point in path.critical] == pytest.approx([-load, load], rel=1e-10)
    turn = abs(path.critical[0].state["B.y"])
    np.testing.assert_array_equal(path.stable, np.abs(y) > turn)
    assert path.values[-1] == -3.0 * load
    assert path.note == ""


def test_lees_frame() -> None:
    """The load falls from its limit to an upward one before it rises again."""
    path = fx.equilibria(lee_model(0.0), "loads.N.y", (0.0, -25000.0))
    assert kinds(path) == ["limit", "limit"]
    first, second = path.critical
    assert -first.value == pytest.approx(limit(lee_frame(), np.arange(4.0, 64.0, 4.0)).load, rel=1e-4)
    assert second.value == pytest.approx(9415.0, rel=1e-3)
    # the deflection turns back, too: no path by load or by deflection goes through
    assert np.any(np.diff(path["N.y"]) > 0.0)
    assert path.stable[0]
    assert path.stable[-1]


def test_a_path_by_the_load_is_one_by_the_deflection() -> None:
    """The force of a prescribed deflection at an equilibrium of the path is the load there."""
    path = fx.equilibria(lee_model(0.0), "loads.N.y", (0.0, -18000.0))
    driven = fx.equilibria(
        lee_model(0.0).replace(loads={}, inputs={"N.y": 120.0}), "inputs.N.y", (120.0, path["N.y"][-1])
    )
    assert driven.force("N.y")[-1] == pytest.approx(path.values[-1], rel=1e-8)
    assert driven[-1]["N.x"] == pytest.approx(path[-1]["N.x"], rel=1e-10)


def column(beams: int) -> fx.Model:
    section = fx.Section(EI=1.0, EA=1e8, rhoA=1.0)
    return fx.Model(
        nodes={"A": (0, 0), "B": (1, 0)},
        elements={"column": planar.Beam("A", "B", section, parts=beams)},
        fixed=["A", "B.y"],
        loads={"B.x": 0.0},
    )


def test_euler_column_and_its_elastica() -> None:
    """P/P_E = (2K(k)/π)² with k = sin(α/2), and the ends at a distance 2E/K - 1; to the fourth power of the beams."""
    errors = []
    for beams in (8, 16):
        path = fx.equilibria(column(beams), "loads.B.x", (0.0, -20.0), switch=True)
        assert kinds(path) == ["branch"]
        errors.append(abs(path.critical[0].value / -(np.pi**2) - 1.0))
        assert list(path.growing) == [int(value < path.critical[0].value) for value in path.values]
        left, right = path.branches
        assert np.all(left.stable)
        np.testing.assert_allclose(left["column.p.phi"], -right["column.p.phi"], rtol=1e-6)
        m = np.sin(0.5 * left["column.p.phi"]) ** 2
        worst = np.abs(left.values / -((2.0 * ellipk(m)) ** 2) - 1.0).max()
        errors.append(max(worst, np.abs(left["B.x"] - (2.0 * ellipe(m) / ellipk(m) - 1.0)).max()))
    assert errors[2] < 1e-5
    assert errors[3] < 2e-3
    assert errors[3] < errors[1] / 3.0


def shallow_arch() -> fx.Model:
    count, rise = 16, 0.05
    x = np.linspace(-1.0, 1.0, count + 1)
    section = fx.Section(rhoA=1.0, EA=1e4, EI=1.0)
    return fx.Model(
        nodes={f"n{i}": (x[i], rise * np.cos(0.5 * np.pi * x[i])) for i in range(count + 1)},
        elements={f"b{i}": planar.Beam(f"b{i - 1}.q" if i else "n0", f"n{i + 1}", section) for i in range(count)},
        fixed=["n0", f"n{count}"],
        loads={"n8.y": 0.0},
    )


def test_shallow_arch_of_beams() -> None:
    """It sways before it snaps: the paths of both cross at the limits of the swaying one."""
    path = fx.equilibria(shallow_arch(), "loads.n8.y", (0.0, -10.0), switch=True)
    assert kinds(path) == ["branch", "limit", "limit", "branch"]
    (sway,) = path.branches
    assert sway.note == "the path is closed"
    ends = sorted({round(point.value, 6) for point in sway.critical})
    crossings = sorted(point.value for point in path.critical if point.kind == "branch")
    assert ends == pytest.approx(crossings, abs=1e-5)
    assert not np.any(sway.stable)
    # buckling finds the first of these by itself
    grown = shallow_arch().replace(loads={"n8.y": fx.Ramp(-1.0)})
    assert fx.buckling(grown, until=2.0).time == pytest.approx(-path.critical[0].value, rel=1e-8)


def test_names_are_resolved_once_on_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models that differ in a load share their names, which took most of the time of a path."""
    fx.equilibria(shallow_arch(), "loads.n8.y", (0.0, -3.0))
    resolved, resolve = [0], Names.__init__

    def counted(self: Names, model: fx.Model, about: bool = False) -> None:
        resolved[0] += 1
        resolve(self, model, about)

    monkeypatch.setattr(Names, "__init__", counted)
    path = fx.equilibria(shallow_arch(), "loads.n8.y", (0.0, -10.0), switch=True)
    assert len(path.values) + len(path.branches[0].values) > 80
    assert resolved[0] < 30


EI, LENGTH, MASS, OFFSET, DAMPING = 100.0, 1.0, 2.0, 1e-6, 3.0


def rotor() -> fx.Model:
    """A disc out of balance in a fluid, on a shaft clamped in a hinge that turns and pinned at the other end."""
    shaft = fx.Section(EI=EI, GIt=1e3, EA=1e9)
    return fx.Model(
        nodes={"A": (0, 0, 0), "M": (LENGTH / 2, 0, 0), "B": (LENGTH, 0, 0), "G": (LENGTH / 2, OFFSET, 0)},
        elements={
            "drive": spatial.Hinge("A", "left.p", axis=(1, 0, 0)),
            "left": spatial.Beam("A", "M", shaft),
            "right": spatial.Beam("left.q", "B", shaft),
            "arm": spatial.Beam("left.q", "G", fx.Section(), rigid=True),
            "disc": spatial.Mass("G", MASS),
        },
        fixed=["drive.p", "B.y", "B.z"],
        inputs={"drive.rotation": fx.Ramp(1.0)},
        loads={"M.y": f"-{DAMPING}*M.y'", "M.z": f"-{DAMPING}*M.z'"},
    )


def deflection(speed: float) -> complex:
    stiffness = 768.0 * EI / (7.0 * LENGTH**3)
    return MASS * OFFSET * speed**2 / (stiffness - MASS * speed**2 + 1j * DAMPING * speed)


@pytest.mark.parametrize("share", [0.1, 0.9, 0.999, 1.0, 1.001, 1.2, 10.0])
def test_an_unbalanced_rotor_in_a_fluid_stands_at_every_speed(share: float) -> None:
    speed = share * np.sqrt(768.0 * EI / (7.0 * LENGTH**3) / MASS)
    state = fx.equilibrium(rotor().with_parameter("inputs.drive.rotation.rate", speed))
    expected = deflection(speed)
    assert complex(state["M.y"], state["M.z"]) == pytest.approx(expected, abs=1e-6 * abs(expected))


def test_unbalanced_rotor_over_its_speed() -> None:
    path = fx.equilibria(rotor(), "inputs.drive.rotation.rate", (1.0, 200.0))
    found = path["M.y"] + 1j * path["M.z"]
    expected = np.array([deflection(speed) for speed in path.values])
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())
    assert path.critical == ()
    assert np.all(path.stable)


def test_round_column_in_space_has_one_branch_point() -> None:
    section = fx.Section(EI=1.0, GIt=1.0)
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (1, 0, 0)},
        elements={"column": spatial.Beam("A", "B", section, parts=4)},
        fixed=["column.p"],
        loads={"B.x": 0.0},
    )
    path = fx.equilibria(model, "loads.B.x", (0.0, -4.0))
    assert kinds(path) == ["branch"]
    assert path.critical[0].value == pytest.approx(-(np.pi**2) / 4.0, rel=1e-4)
    assert path.growing[-1] == 2


def test_rigid_column_on_a_torsion_spring() -> None:
    """P l sin φ = k φ: the only stiffness changes its sign at P = k/l, where the equations are singular."""
    bar = fx.Section()
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0, 1), "G": (-1, 0)},
        elements={
            "ground": planar.Beam("O", "G", bar, rigid=True),
            "column": planar.Beam("O", "A", bar, rigid=True),
            "spring": planar.Hinge("ground.p", "column.p", k=2.0),
        },
        fixed=["O", "G"],
        loads={"A.y": 0.0},
    )
    path = fx.equilibria(model, "loads.A.y", (0.0, -5.0), switch=True)
    assert kinds(path) == ["branch"]
    assert path.critical[0].value == pytest.approx(-2.0, rel=1e-7)
    assert path.values[-1] == pytest.approx(-5.0)
    left, _ = path.branches
    angle = left["column.p.phi"]
    np.testing.assert_allclose(-left.values * np.sin(angle), 2.0 * angle, atol=1e-8)
    assert np.ptp(angle) > 1.0
