"""Displacements, motion and stresses of the nodes inside a superelement."""

from math import pi

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Beam, Body, Hinge, Mass, Superelement

STEEL = fx.Material(E=2.1e11, rho=7850.0)
LENGTH, ROUND = 0.3, 6e-3


@pytest.fixture(scope="module")
def rod():
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (LENGTH, 0, 0)},
        elements={"rod": Beam("A", "B", fx.Circle(ROUND), STEEL, parts=6)},
        space="spatial",
    )
    return fx.reduce(model, ["rod.p", "rod.q"], modes=2)


@pytest.fixture(scope="module")
def cantilever(rod):
    """The rod along y, clamped, with a force of 2 N upwards at its end."""
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (0, LENGTH, 0)},
        elements={
            "wall": Body("A", 1.0, 1.0, 1.0, 1.0),
            "rod": Superelement("wall.p", ("B",), rod, x_axis=(0, 1, 0), y_axis=(0, 0, 1)),
        },
        fixed=["A", "rod.frame"],
        loads={"B.z": 2.0},
    )
    return fx.equilibrium(model)


def test_nodes_of_a_cantilever_are_on_its_line(cantilever):
    inside = cantilever.part("rod")
    stiffness = 2.1e11 * pi * ROUND**4 / 64
    for node, x in {"rod.2.q": 0.1, "rod.4.q": 0.2, "B": 0.3}.items():
        line = 2.0 * x**2 * (3.0 * LENGTH - x) / (6.0 * stiffness)
        # the y axis of the part is upwards
        assert inside.at(node)[0, 1] == pytest.approx(line, rel=1e-8)
        assert inside.at(node, "position")[0] == pytest.approx([0.0, x, line], abs=1e-8)
    assert inside.peak().where == "B"
    assert inside.at("B", "position")[0, 2] == pytest.approx(cantilever["B.z"], rel=1e-8)


def test_stresses_of_a_cantilever_are_its_moments(cantilever):
    inside = cantilever.part("rod")
    part = LENGTH / 6
    # a strain of bending is a deflection of the end of a beam, so that its force is the moment over the length
    moments = np.abs(inside.stress("bending_z_p")[0]) * part
    assert inside.places("bending_z_p") == tuple(f"rod.{k}" for k in range(1, 7))
    assert moments == pytest.approx(2.0 * (LENGTH - part * np.arange(6)), rel=1e-8)
    assert inside.stress("rod.1.bending_z_p")[0] == pytest.approx(inside.stress("bending_z_p")[0, 0])
    peak = inside.peak("bending_z_p")
    assert (peak.value, peak.where) == (pytest.approx(12.0), "rod.1")


def test_rates_are_derivatives_of_positions(rod):
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0, 0, 0), "B": (LENGTH, 0, 0)},
        elements={
            "base": Body("O", 1.0),
            "axle": Hinge("base.p", "rod.frame", axis=(0, 0.6, 0.8)),
            "pin": Mass("A", 1e-3),
            "rod": Superelement("A", ("B",), rod, damping_ratio=0.02),
            "tip": Mass("B", 0.05),
        },
        fixed=["O", "base.p", "A"],
        inputs={"axle.rotation": "8*t + 0.3*sin(12*t)"},
        gravity=(0, 0, -9.81),
    )
    motion = fx.simulate(model, times=0.1 + 1e-4 * np.arange(-2, 3))
    inside = motion.part("rod", ["rod.3.q", "B"])
    assert inside.nodes == ("rod.3.q", "B")
    before, after = inside.position[[0, 1]], inside.position[[4, 3]]
    # central differences of fourth order
    ahead = (8.0 * (after[1] - before[1]) - (after[0] - before[0])) / 12e-4
    curved = (16.0 * (after[1] + before[1]) - (after[0] + before[0]) - 30.0 * inside.position[2]) / 12e-8
    assert inside.velocity[2] == pytest.approx(ahead, abs=1e-6 * np.abs(ahead).max())
    assert inside.acceleration[2] == pytest.approx(curved, abs=1e-4 * np.abs(curved).max())
    # the end, but for its displacement of second order
    at_end = [motion[f"B.{axis}''"][2] for axis in "xyz"]
    assert inside.at("B", "acceleration")[2] == pytest.approx(at_end, abs=1e-3 * np.abs(at_end).max())


def test_errors_name_what_there_is(cantilever):
    inside = cantilever.part("rod")
    for call, text in {
        lambda: cantilever.part("rob"): "part 'rob': there is no element 'rob'; did you mean 'rod'?",
        lambda: cantilever.part("wall"): "part 'wall': a Body has no nodes inside; name a Superelement: rod",
        lambda: cantilever.part("rod", ["C"]): "part 'rod': there is no node 'C'; options are A, B, rod.1.q",
        lambda: inside.at("rod.9"): "part 'rod': there is no node 'rod.9'; did you mean",
        lambda: inside.at("B", "speed"): "at.kind: there is no 'speed'",
        lambda: inside.stress("von_mises"): "part 'rod': there is no stress 'von_mises'",
    }.items():
        with pytest.raises(fx.ModelError) as error:
            call()
        assert str(error.value).startswith(text)


@pytest.mark.parametrize(("angle", "known"), [(0.1, True), (0.3, False)])
def test_large_deformations_are_doubted(rod, angle, known):
    # a clamped rod whose end turns by θ = Fℓ²/(2EI); its linear deflection is 2θℓ/3, too large by 0.46 θ²
    stiffness = 2.1e11 * pi * ROUND**4 / 64
    drawn = {"A": (0, 0, 0), "B": (LENGTH, 0, 0)}
    load = {"B.y": 2.0 * angle * stiffness / LENGTH**2}
    part = {"rod": Superelement("A", ("B",), rod)}
    beams = {"rod": Beam("A", "B", fx.Circle(ROUND), STEEL, parts=12)}
    state = fx.equilibrium(fx.Model(nodes=drawn, elements=part, fixed=["A", "rod.frame"], loads=load))
    exact = fx.equilibrium(fx.Model(nodes=drawn, elements=beams, fixed=["A", "rod.p"], loads=load))
    error = state["B.y"] / exact["B.y"] - 1.0
    assert error == pytest.approx(0.46 * angle**2, rel=0.1)
    if known:
        assert not state.motion.doubts
    else:
        (finding,) = state.motion.doubts
        assert finding.value == pytest.approx(angle, rel=1e-3)
        assert (finding.where, finding.allowed) == ("rod", 0.15)
        assert finding.what.startswith("rotation within a part")
