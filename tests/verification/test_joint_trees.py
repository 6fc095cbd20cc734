"""Trees of rigid bodies in joint coordinates: the same motion as with all coordinates, and the same forces."""

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Beam, Body, Hinge, Rotor
from references.random_trees import RandomTree

TIGHT = fx.DormandPrince(1e-10)
HELD = ("N0.x", "N0.y", "ground.p.e0", "ground.p.e1", "ground.p.e2", "ground.p.e3")


def compare(model, until=0.4, method=TIGHT, within=1e-9, **options):
    """Motions by joints and by multipliers, which agree in all signals and in the balance of energy."""
    joints = fx.simulate(model, until, samples=9, method=method, **options)
    every = fx.simulate(model, until, samples=9, method=method, formulation=fx.Multipliers(), **options)
    assert joints.outcome is every.outcome
    assert joints.statistics["joint coordinates"] > 0
    assert "joint coordinates" not in every.statistics
    pairs = [*zip((*joints.position, *joints.strain), (*every.position, *every.strain), strict=True)]
    pairs += [(joints.stress, every.stress), (joints.coordinate_force, every.coordinate_force)]
    pairs += [(joints.energy[name], every.energy[name]) for name in every.energy]
    for found, expected in pairs:
        np.testing.assert_allclose(found, expected, atol=within * (1.0 + np.abs(expected).max(initial=0.0)))
    return joints, every


def chain(bodies, **more):
    """Bodies in a row on hinges askew to each other."""
    nodes = {f"N{n}": (0.3 * n, 0.0, 0.0) for n in range(bodies + 1)}
    elements = {"ground": Body("N0", 1.0)}
    for n in range(bodies):
        points = (f"N{n + 1}",)
        elements[f"b{n}"] = Body(f"N{n}", 1.0, 0.01, 0.02, 0.025, centre=(0.15, 0.0, 0.0), points=points)
        axis = ((0, 0, 1), (0, 1, 0.3), (0.2, 0, 1))[n % 3]
        elements[f"h{n}"] = Hinge(f"b{n - 1}.p" if n else "ground.p", f"b{n}.p", axis=axis)
    return fx.Model(nodes=nodes, elements=elements, fixed=["ground.p"], gravity=(0, -9.81, 0), **more)


@pytest.mark.parametrize(("seed", "floating", "dressed"), [(1, False, True), (2, False, False), (3, True, True)])
def test_random_trees(seed, floating, dressed):
    compare(RandomTree(seed, bodies=5, floating=floating).model(dressed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 60))
def test_more_random_trees(seed):
    compare(RandomTree(seed, bodies=1 + seed % 9, floating=seed % 4 == 3).model(seed % 3 != 0))


def test_other_methods_discontinuities_and_events():
    drive = fx.Ramp(rate=2.0, start=0.1)
    model = chain(3, inputs={"h0.rotation": drive}, loads={"h2.rotation": fx.Ramp(rate=3.0, start=0.2)})
    joints, every = compare(model, events=[fx.Event("N3.y", -0.1, stop=True)])
    assert joints.outcome.name == "STOPPED"
    assert joints.events[0].time == pytest.approx(every.events[0].time, abs=1e-10)
    compare(model, method=fx.Adams(1e-10), within=3e-7)
    compare(model, method=fx.DormandPrince(1e-10, order=5), within=1e-8)
    compare(model, method=fx.RungeKutta4(2.5e-4), within=1e-8)


def test_order_of_convergence():
    """Halving the step of the classical method divides its error by sixteen."""
    model = chain(3)
    exact = fx.simulate(model, 0.4, samples=5, method=fx.DormandPrince(1e-12))["N3.y"]
    errors = [
        np.abs(fx.simulate(model, 0.4, samples=5, method=fx.RungeKutta4(h))["N3.y"] - exact).max()
        for h in (0.01, 0.005, 0.0025)
    ]
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.3)
    assert errors[1] / errors[2] == pytest.approx(16.0, rel=0.3)


def test_many_turns_and_energy():
    """A pendulum that spins counts its turns; energy and the angle agree with quadrature of the energy integral."""
    from scipy.integrate import quad

    spinning = chain(1, start={"h0.rotation'": 40.0})
    motion = fx.simulate(spinning, 1.0, samples=5)
    assert motion.statistics["joint coordinates"] == 1.0
    assert motion["h0.rotation"][-1] > 6.0 * 2.0 * np.pi
    inertia, weight = 0.025 + 0.15**2, 9.81 * 0.15
    time, _ = quad(
        lambda angle: 1.0 / np.sqrt(1600.0 - 2.0 * weight * np.sin(angle) / inertia),
        0.0,
        motion["h0.rotation"][-1],
        limit=400,
        epsabs=1e-12,
    )
    assert time == pytest.approx(1.0, abs=2e-8)
    assert np.abs(motion.energy["balance"]).max() < 1e-7 * motion.energy["kinetic"].max()


@pytest.mark.parametrize("given", [{"start": {"h0.rotation'": 50.0}}, {"inputs": {"h0.rotation": fx.Ramp(50.0)}}])
def test_turns_of_a_wheel_that_needs_no_small_steps(given):
    wheel = chain(1, **given).replace(gravity=())
    motion = fx.simulate(wheel, 10.0, samples=7)
    assert motion.statistics["joint coordinates"] == 1.0
    assert np.abs(motion["h0.rotation"] - 50.0 * motion.t).max() < 1e-9 * 500.0


def test_thirty_bodies_conserve_energy():
    motion = fx.simulate(chain(30), 0.5, samples=6)
    assert motion.statistics["joint coordinates"] == 30.0
    assert motion.outcome is fx.Outcome.DONE
    assert np.abs(motion.energy["balance"]).max() < 1e-7 * motion.energy["kinetic"].max()


def test_other_models_keep_all_coordinates():
    """Loops, flexible links, rotors askew to their hinge, driven supports, points held in part."""
    tree = chain(2)
    section = fx.Section(rhoA=0.1, EA=1e3, EIy=5.0, EIz=5.0, GIt=4.0, rhoIy=1e-3, rhoIz=1e-3)
    own_end = tree.replace(nodes={**tree.nodes, "N3": (0.9, 0.0, 0.0)})
    others = {
        "loop": tree.replace(fixed=["ground.p", "N2"]),
        "held in part": tree.replace(fixed=["ground.p", "N2.y"]),
        "rotor": tree.replace(elements={**tree.elements, "r": Rotor("b0.p", "b1.p", 1e-3, gear=5.0)}),
        "driven support": tree.replace(fixed=[*HELD], inputs={"N0.z": fx.Sine(0.1, 1.0)}),
        "flexible": own_end.replace(elements={**tree.elements, "beam": Beam("b1.p", "N3", section)}),
    }
    for name, model in others.items():
        motion = fx.simulate(model, 0.01, samples=2, method=fx.DormandPrince())
        assert "joint coordinates" not in motion.statistics, name
