"""Models with redundant constraints run as they are: motion, unique forces, and forces of least norm."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import flexura as fx
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.planar import Beam, Mass, Truss
from flexura.spatial import Beam as SpatialBeam
from flexura.spatial import Body as SpatialBody
from flexura.spatial import Hinge

BAR = fx.Section(rhoA=2.0)
EXACT = fx.DormandPrince(tolerance=1e-11)
METHODS = {
    "explicit": (EXACT, None, 1e-9),
    "minimal": (EXACT, fx.Minimal(), 1e-9),
    "adams": (fx.Adams(tolerance=1e-11), None, 1e-8),
    "kennedy": (fx.KennedyCarpenter(tolerance=1e-9), None, 1e-6),
    "alpha": (fx.GeneralisedAlpha(step=1e-4), None, 1e-5),
    "newmark": (fx.Newmark(step=1e-4), None, 1e-5),
    "rk4": (fx.RungeKutta4(step=1e-3), None, 1e-8),
}


def left_out(model: fx.Model) -> tuple[str, ...]:
    """The constraints that are left out at the start."""
    return tuple(map(str, prepare(model).layout.redundancy.left_out))


def three_cranks(count: int = 3, **given: Any) -> fx.Model:
    """A straight coupler on three or more equal cranks, each crank a pendulum of its own."""
    nodes: dict[str, Any] = {}
    elements: dict[str, Any] = {}
    for i in range(count):
        nodes |= {f"O{i}": (i, 0.0), f"A{i}": (i + 0.3, -0.4)}
        elements[f"crank{i}"] = Beam(f"O{i}", f"A{i}", BAR, rigid=True)
    for i in range(count - 1):
        elements[f"part{i}"] = Beam(f"part{i - 1}.q" if i else "A0", f"A{i + 1}", BAR, rigid=True)
    given = {"gravity": (0.0, -9.81)} | given
    return fx.Model(nodes=nodes, elements=elements, fixed=[f"O{i}" for i in range(count)], **given)


def door(angle: float = 0.4, **given: Any) -> fx.Model:
    """A leaf on three hinges along a post."""
    z = (0.0, 0.0, 1.0)
    return fx.Model(
        nodes={"L": (0, 0, 0), "M": (0, 0, 1), "U": (0, 0, 2), "E": (0.8 * np.cos(angle), 0.8 * np.sin(angle), 1.0)},
        elements={
            "low": Hinge("L", "L", axis=z),
            "lower": SpatialBeam("low.q", "M", BAR, rigid=True),
            "upper": SpatialBeam("lower.q", "U", BAR, rigid=True),
            "middle": Hinge("M", "lower.q", axis=z),
            "high": Hinge("U", "upper.q", axis=z),
            "leaf": SpatialBeam("lower.q", "E", BAR, y_axis=z, rigid=True),
        },
        fixed=["low.p", "middle.p", "high.p"],
        **given,
    )


def bricard(**given: Any) -> fx.Model:
    """Six hinges whose axes lie in planes of symmetry, in turns of two shapes: mobile by its symmetry."""
    nodes, axes = {}, []
    for i in range(6):
        radius, height, tilt = (0.5, 0.2, 0.6) if i % 2 else (0.8, -0.1, -0.4)
        turn = i * np.pi / 3.0
        nodes[f"H{i}"] = (radius * np.cos(turn), radius * np.sin(turn), height)
        axes.append((np.cos(turn) * np.cos(tilt), np.sin(turn) * np.cos(tilt), np.sin(tilt)))
    elements: dict[str, Any] = {"h0": Hinge("H0", "H0", axis=axes[0])}
    for i in range(1, 6):
        elements[f"bar{i}"] = SpatialBeam(f"h{i - 1}.q", f"H{i}", BAR, rigid=True)
        elements[f"h{i}"] = Hinge(f"bar{i}.q", f"H{i}", axis=axes[i])
    return fx.Model(nodes=nodes, elements=elements, fixed=["h0.p", "h5.q"], **given)


def differences(one: fx.Motion, other: fx.Motion, names: Sequence[str]) -> float:
    """The largest difference of signals."""
    return max(float(np.abs(one[name] - other[name]).max()) for name in names)


def said(motion: fx.Motion) -> fx.Finding:
    """The finding on redundancy."""
    (found,) = (f for f in motion.findings if "redundant" in f.what)
    return found


# ── motion ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def pendulum(t: np.ndarray, count: int) -> np.ndarray:
    """Angles of a pendulum equal to the cranks and their coupler, by a fine fixed step."""
    radius, drawn = 0.5, np.arctan2(-0.4, 0.3)
    cranks, coupler = count * 2.0 * radius, (count - 1) * 2.0
    inertia = (cranks / 3.0 + coupler) * radius**2
    moment = (cranks / 2.0 + coupler) * radius * 9.81
    state, steps = np.array([drawn, 0.0]), 200

    def rate(y: np.ndarray) -> np.ndarray:
        return np.array([y[1], -moment / inertia * np.cos(y[0])])

    found = [drawn]
    for h in np.diff(t) / steps:
        for _ in range(steps):
            a = rate(state)
            b = rate(state + 0.5 * h * a)
            c = rate(state + 0.5 * h * b)
            state = state + h / 6.0 * (a + 2.0 * b + 2.0 * c + rate(state + h * c))
        found.append(state[0])
    return np.array(found) - drawn


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("count", [3, 5])
def test_cranks_swing_as_one_pendulum(name: str, count: int) -> None:
    method, formulation, accuracy = METHODS[name]
    motion = fx.simulate(three_cranks(count), 2.0, samples=21, method=method, formulation=formulation)
    assert motion.outcome is fx.Outcome.DONE
    np.testing.assert_allclose(motion["crank0.p.phi"], pendulum(motion.t, count), atol=accuracy)
    assert f"{count - 2} redundant" in said(motion).what


def test_door_is_a_pendulum() -> None:
    """Gravity along x; the hinges add nothing but redundancy."""
    given: dict[str, Any] = {"gravity": (9.81, 0.0, 0.0), "start": {"low.rotation'": 1.0}}
    motion = fx.simulate(door(**given), 3.0, samples=61, method=EXACT)
    assert motion.outcome is fx.Outcome.DONE
    freed = fx.simulate(door(released=left_out(door()), **given), 3.0, samples=61, method=EXACT)
    assert differences(motion, freed, ["low.rotation", "E.x", "E.y", "low.rotation'"]) < 1e-9
    angle = 0.4 + motion["low.rotation"]
    energy = 0.5 * (2.0 * 0.8**3 / 3.0) * motion["low.rotation'"] ** 2 - 9.81 * 2.0 * 0.8 * 0.4 * np.cos(angle)
    assert np.abs(energy - energy[0]).max() < 1e-9 * np.abs(energy).max()
    assert motion.imbalance is not None
    assert motion.imbalance < 1e-10


def test_bricard_linkage_keeps_its_symmetry() -> None:
    model = bricard(start={"h0.rotation'": 1.0})
    machine = prepare(model)
    assert (machine.mobility.degrees, machine.mobility.excess) == (1, 1)
    motion = fx.simulate(model, 1.8, samples=37, method=EXACT)
    assert motion.outcome is fx.Outcome.DONE
    for one, other in (("h1", "h5"), ("h2", "h4")):
        np.testing.assert_allclose(motion[f"{one}.rotation"], motion[f"{other}.rotation"], atol=1e-9)
    short = fx.simulate(model.replace(released=left_out(model)), 0.3, samples=7, method=EXACT)
    np.testing.assert_allclose(short["h0.rotation"], motion["h0.rotation"][:7], atol=1e-9)
    assert motion.imbalance is not None
    assert motion.imbalance < 1e-9


def screws(motion: fx.Motion, k: int) -> np.ndarray:
    """Screws of the six hinges at a time: as columns, they are the loop equations of the rates of rotation."""
    columns = []
    for i in range(6):
        e = [motion[f"bar{i}.q.e{c}"][k] for c in range(4)] if i else [1.0, 0.0, 0.0, 0.0]
        axis = Rotation.from_quat([*e[1:], e[0]]).apply(motion.model.elements[f"h{i}"].axis)
        place = [motion[f"H{i}.{c}"][k] for c in "xyz"]
        columns.append([*axis, *np.cross(place, axis)])
    return np.array(columns).T


@pytest.mark.parametrize(
    "method",
    [*(fx.DormandPrince(e) for e in (1e-6, 1e-9, 1e-11, 1e-12)), fx.Adams(1e-12), fx.KennedyCarpenter(1e-8)],
    ids=repr,
)
def test_bricard_linkage_turns_without_singular_positions(method: Any) -> None:
    """The screws have rank five all the way: only the set of held constraints becomes weak, and is exchanged.

    One of them depends on the others everywhere but in the drawn position, because of the symmetry.
    """
    model = bricard(start={"h0.rotation'": 1.0})
    motion = fx.simulate(model, 12.0, samples=121, method=method)
    assert motion.outcome is fx.Outcome.DONE
    assert not motion.events
    sizes = np.array([np.linalg.svd(screws(motion, k), compute_uv=False) for k in range(121)])
    assert sizes[:, 4].min() > 0.2
    assert sizes[:, 5].max() < 1e-8
    for one, other in (("h1", "h5"), ("h2", "h4"), ("h0", "h2")):
        np.testing.assert_allclose(motion[f"{one}.rotation"], motion[f"{other}.rotation"], atol=1e-9)
    assert np.abs(motion.energy["balance"]).max() < 10.0 * method.tolerance * motion.energy["kinetic"].max()


def test_a_long_step_over_a_weak_set_of_constraints_is_no_passage() -> None:
    """A step that would end beyond the position in which the held set is dependent is made with another one."""
    motion = fx.simulate(bricard(start={"h0.rotation'": 1.0}), 4.0, samples=41, method=fx.RungeKutta4(0.2))
    assert motion.outcome is fx.Outcome.DONE
    assert not motion.events


# ── forces ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def truss(extra: bool = True, **given: Any) -> fx.Model:
    """A square on two supports with both diagonals, and a bracket on two bars."""
    nodes = {"O": (0, 0), "A": (1, 0), "B": (1.1, 1), "C": (0, 0.9), "D": (0.4, 1.7)}
    bars = {"left": "OC", "right": "AB", "top": "CB", "one": "OB", "two": "AC", "up": "CD", "down": "BD"}
    elements = {name: Truss(p, q, BAR) for name, (p, q) in bars.items() if extra or name != "two"}
    return fx.Model(nodes=nodes, elements=elements, fixed=["O", "A"], loads={"C.x": 1.0, "D.y": -2.0}, **given)


def test_forces_are_those_of_least_norm() -> None:
    """Against a pseudoinverse of the equations of equilibrium; the bracket's are unique."""
    model = truss()
    motion = fx.kinematics(model, [0.0])
    free = ["B", "C", "D"]
    matrix = np.zeros((6, len(model.elements)))
    for k, element in enumerate(model.elements.values()):
        p, q = np.array(model.nodes[element.p], dtype=float), np.array(model.nodes[element.q], dtype=float)
        direction = (q - p) / np.linalg.norm(q - p)
        for node, sign in ((element.p, -1.0), (element.q, 1.0)):
            if node in free:
                matrix[2 * free.index(node) : 2 * free.index(node) + 2, k] += sign * direction
    # the stress of a rigid bar is a force per unit of elongation: tension pulls both ends inwards
    expected = np.linalg.pinv(matrix) @ np.array([0.0, 0.0, 1.0, 0.0, 0.0, -2.0])
    found = [-motion.force(f"{name}.elongation")[0] for name in model.elements]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    finding = said(motion)
    for name in ("left", "right", "top", "one", "two"):
        assert f"{name}.elongation" in finding.where
    for name in ("up", "down"):
        assert f"{name}.elongation" not in finding.where
    single = fx.kinematics(truss(extra=False), [0.0])
    for name in ("up", "down"):
        assert motion.force(f"{name}.elongation") == pytest.approx(single.force(f"{name}.elongation"), abs=1e-12)
    assert "O.y" not in finding.where.split(", ")


@pytest.mark.parametrize("offset", [0.0, 1e-9])
def test_duplicated_bars_share_their_force(offset: float) -> None:
    def swinging(**bars: Any) -> fx.Model:
        return fx.Model(
            nodes={"O": (0, 0), "P": (offset, 0), "B": (0.6, -0.8)},
            elements={"one": Truss("O", "B", BAR), "bob": Mass("B", 1.0), **bars},
            fixed=["O", "P"],
            gravity=(0.0, -9.81),
        )

    twins = fx.simulate(swinging(two=Truss("P", "B", fx.Section(rhoA=0.0))), 3.0, samples=31, method=EXACT)
    single = fx.simulate(swinging(), 3.0, samples=31, method=EXACT)
    assert twins.outcome is fx.Outcome.DONE
    assert differences(twins, single, ["B.x", "B.y"]) < 1e-8
    both = twins.force("one.elongation") + twins.force("two.elongation")
    np.testing.assert_allclose(both, single.force("one.elongation"), rtol=1e-7)
    np.testing.assert_allclose(twins.force("one.elongation"), twins.force("two.elongation"), rtol=1e-6)


def test_forces_do_not_jump_where_the_set_changes() -> None:
    model = bricard(start={"h0.rotation'": 1.0})
    coarse = fx.simulate(model, 1.8, samples=601, method=EXACT)
    for name in ("bar1.elongation", "bar3.torsion", "h2.bending_y"):
        force = coarse.force(name)
        jumps = np.abs(np.diff(force, 3))
        assert jumps.max() < 1e-2 * np.ptp(force)


def test_points_of_a_body_on_one_line_share_its_weight() -> None:
    """A door drawn as one body: three points of its edge are held, its weight hangs on them in equal parts."""
    mass, arm, rise, pull = 20.0, 0.4, 0.8, 1.0
    model = fx.Model(
        nodes={"A": (0, 0, -rise), "B": (0, 0, 0), "C": (0, 0, rise), "G": (arm, 0, 0)},
        elements={"door": SpatialBody("G", mass, Jxx=3.0, Jyy=1.5, Jzz=1.5, points=("A", "B", "C"))},
        fixed=["A", "B", "C"],
        gravity=(0, -pull, -9.81),
    )
    motion = fx.simulate(model, 1.0, samples=41)
    assert motion.outcome is fx.Outcome.DONE
    for name in "ABC":
        np.testing.assert_allclose(motion.force(f"{name}.z"), mass * 9.81 / 3.0, rtol=1e-9)
    # the couple of the weight, in the plane of the door, and the sums that the motion tells
    ahead = np.hypot(motion["G.x"], motion["G.y"])
    couple = rise * ((motion.force("A.x") - motion.force("C.x")) * motion["G.x"] / ahead)
    couple += rise * ((motion.force("A.y") - motion.force("C.y")) * motion["G.y"] / ahead)
    np.testing.assert_allclose(couple, mass * 9.81 * arm, rtol=1e-7)
    for axis, weight in (("x", 0.0), ("y", -mass * pull)):
        total = sum(motion.force(f"{name}.{axis}") for name in "ABC")
        np.testing.assert_allclose(total, mass * motion[f"G.{axis}''"] - weight, atol=1e-6)


# ── other analyses, and contradictions ───────────────────────────────────────────────────────────────────────────────


def test_all_analyses_take_redundant_constraints() -> None:
    model = three_cranks(4, start={"crank0.p.phi": -0.6})
    freed = model.replace(released=left_out(model))
    state, other = fx.equilibrium(model), fx.equilibrium(freed)
    assert state["A0.x"] == pytest.approx(other["A0.x"], abs=1e-9)
    assert state["A0.x"] == pytest.approx(0.0, abs=1e-9)
    found, expected = fx.linearise(model, state), fx.linearise(freed, other)
    np.testing.assert_allclose(found.frequencies, expected.frequencies, rtol=1e-9)
    rest = three_cranks(4).replace(start={"crank0.p.phi": float(state["crank0.p.phi"])})
    hanging = fx.modes(rest, 1)
    expected_rate = 9.81 / 0.5 * (4.0 / 2.0 + 6.0) / (4.0 / 3.0 + 6.0)
    assert hanging.frequencies[0] == pytest.approx(np.sqrt(expected_rate), rel=1e-9)


def test_contradictory_constraints_are_refused() -> None:
    """A bar that is held by others cannot be lengthened."""
    with pytest.raises(fx.ModelError, match="contradict each other") as caught:
        fx.kinematics(truss(inputs={"top.elongation": fx.Ramp(rate=0.0, value=0.01)}), [0.0])
    assert "one.elongation" in str(caught.value)


def test_contradiction_on_the_way_is_doubtful() -> None:
    motion = fx.kinematics(truss(inputs={"top.elongation": fx.Ramp(rate=0.01)}), [0.0, 0.5, 1.0])
    assert motion.outcome is fx.Outcome.DOUBTFUL
    assert "contradict" in str(motion.doubts[0])


@pytest.mark.parametrize(("rate", "outcome"), [(1.0, fx.Outcome.DONE), (1.1, fx.Outcome.DOUBTFUL)])
def test_inputs_that_depend_on_each_other(rate: float, outcome: fx.Outcome) -> None:
    """Two cranks of a parallelogram may both be driven, at one speed."""
    twice = {"crank0.p.phi": fx.Ramp(rate=1.0), "crank1.p.phi": fx.Ramp(rate=rate)}
    motion = fx.kinematics(three_cranks(2, inputs=twice), [0.0, 0.1])
    assert motion.outcome is outcome
