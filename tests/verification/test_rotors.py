"""Rotors: against ROSS, closed forms of a rigid rotor, and the full motion."""

from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.errors import ModelError
from flexura.spatial import Disc
from references import ross_rotor as ross
from references.dense_rotor import DenseRotor

STEEL = fx.Material(E=2.11e11, rho=7810.0, G=8.12e10)
DISC = Disc("", diameter=0.28, width=0.07, material=STEEL, bore=0.05)
SOFT = fx.RotorBearing(1e6, kz=0.8e6)


def rotor(**given):
    basic = {"discs": {2: DISC, 4: DISC}, "bearings": {0: SOFT, 6: SOFT}}
    return fx.RotorSystem([0.25] * 6, fx.Circle(0.05), STEEL, **basic | given)


def test_frequencies_critical_speeds_and_unbalance_of_ross():
    # ROSS with its 6 elements, and converged
    for parts, elements, near in ((1, 6, 1e-4), (4, 48, 1e-5)):
        found = np.sort(fx.linearise(rotor(parts=parts).model(300.0), in_space=True).frequencies)[:5]
        assert found == pytest.approx(np.array(ross.AT_300[elements]), rel=near)
    diagram = rotor().campbell(np.linspace(0.0, 400.0, 9), count=4)
    assert diagram.critical() == pytest.approx(np.array(ross.CRITICAL[6]), rel=1e-4)
    assert diagram.critical() == pytest.approx(np.array(ross.CRITICAL[48]), rel=1e-5)
    whirl = rotor().unbalance_response({2: 1e-3}, ross.SPEEDS)
    assert whirl.amplitude("N2") == pytest.approx(np.array(ross.Y), rel=1e-4)
    assert whirl.amplitude("N2", "z") == pytest.approx(np.array(ross.Z), rel=1e-4)


LARGE = Disc("", diameter=0.35, width=0.05, material=STEEL, bore=0.05)
FILM = fx.RotorBearing(5e6, kz=8e6, c=2e3, cz=3e3, kyz=6e5, kzy=-1e6, cyz=100.0, czy=150.0)
OTHERS = {
    "overhung": ([0.2, 0.3, 0.3, 0.15], {4: LARGE}, {1: fx.RotorBearing(5e6, 300.0, 3e6, 500.0), 3: SOFT}, {4: 2e-4}),
    "films": ([0.25] * 6, {2: DISC, 4: LARGE}, {0: FILM, 6: FILM}, {2: 1e-3, 4: 5e-4 * np.exp(1j)}),
    "two overhung on films": ([0.1, 0.4, 0.4, 0.2], {0: DISC, 4: LARGE}, {1: FILM, 3: FILM}, {0: 1e-4, 4: -1e-4j}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_rotors_against_dense_matrices(name):
    # anisotropic and cross-coupled bearings, damped: elements differ, so agreement improves with parts
    lengths, discs, bearings, unbalance = OTHERS[name]
    for parts, near in ((1, 1e-3), (2, 3e-4)):
        found = fx.RotorSystem(lengths, fx.Circle(0.05), STEEL, discs=discs, bearings=bearings, parts=parts)
        dense = DenseRotor(lengths, 0.05, parts, discs, bearings, STEEL.E, STEEL.G, STEEL.rho)
        roots = fx.linearise(found.model(300.0), in_space=True).eigenvalues
        for root in dense.eigenvalues(300.0)[:8]:
            assert np.abs(roots - root).min() < near * abs(root)
        speeds = [50.0, 120.0, 300.0, 700.0]
        whirl = found.unbalance_response(unbalance, speeds)
        for station in discs:
            column = whirl.stations.index(f"N{station}")
            y, z = np.array([dense.whirl(unbalance, speed, station) for speed in speeds]).T
            assert whirl.y[:, column] == pytest.approx(y, abs=near * np.abs(y).max())
            assert whirl.z[:, column] == pytest.approx(z, abs=near * np.abs(z).max())


def test_cross_coupling_makes_a_rotor_unstable_beyond_a_speed():
    lengths, discs, bearings, _ = OTHERS["films"]
    found = fx.RotorSystem(lengths, fx.Circle(0.05), STEEL, discs=discs, bearings=bearings)
    diagram = found.campbell(np.linspace(0.0, 700.0, 8), count=6)
    dense = DenseRotor(lengths, 0.05, 2, discs, bearings, STEEL.E, STEEL.G, STEEL.rho)
    (limit,) = diagram.limits
    assert dense.eigenvalues(0.99 * limit).real.max() < 0.0 < dense.eigenvalues(1.01 * limit).real.max()


def test_few_lines_suffice():
    script = Path(__file__).parents[2] / "examples" / "two_disc_rotor.py"
    body = script.read_text(encoding="utf-8").split("# -- the rotor --")[1].split("# -- end --")[0]
    lines = [line for line in body.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert len(lines) <= 15


def test_an_unbalanced_disc_whirls_as_the_linear_response_says():
    # isotropic bearings with damping: a circle of the radius of the response, in the full motion
    unbalance, speed = 1e-4, 60.0
    bearing = fx.RotorBearing(1e6, c=3e3)
    plain = rotor(bearings={0: bearing, 6: bearing}, parts=1)
    expected = plain.unbalance_response({2: unbalance}, [speed]).amplitude("N2")[0]
    heavy = Disc("", diameter=0.28, width=0.07, material=STEEL, bore=0.05, unbalance=unbalance)
    model = rotor(bearings={0: bearing, 6: bearing}, parts=1, discs={2: heavy, 4: DISC}).model(speed)
    motion = fx.simulate(model, 2.0, samples=401)
    radius = np.hypot(motion["N2.y"], motion["N2.z"])[-50:]
    assert radius == pytest.approx(expected, rel=1e-3)


def test_critical_speed_map():
    # stiff bearings: the critical speed of the shaft on pins; soft ones: √(2k/m) of the rigid rotor
    even = fx.RotorBearing(1e6)
    found = rotor(parts=1, bearings={0: even, 6: even}).critical_speed_map([1e2, 1e6, 1e10], count=1)
    assert found.speeds[0, 0] == pytest.approx(np.sqrt(2e2 / rotor().mass), rel=1e-3)
    assert np.all(np.diff(found.speeds[:, 0]) > 0.0)


def test_mistakes_are_named():
    with pytest.raises(ModelError, match=r"RotorSystem\.discs: there is no station 9; stations are 0 to 6"):
        rotor(discs={9: DISC})
    with pytest.raises(ModelError, match=r"RotorSystem\.bearings: the rotor has no bearing; give bearings="):
        rotor(bearings={})
    with pytest.raises(ModelError, match=r"RotorSystem\.sections: 2 sections for 6 pieces; give one section"):
        fx.RotorSystem([0.25] * 6, [fx.Circle(0.05)] * 2, STEEL, bearings={0: SOFT}).model()
    with pytest.raises(ModelError, match=r"Disc\.bore: the bore of 0.3 m is not smaller than the diameter"):
        Disc("", 0.28, 0.07, STEEL, bore=0.3)


def test_the_map_is_that_of_the_campbell_diagram():
    # forward critical speeds alone, none along the shaft; where there are fewer, no number
    even = fx.RotorBearing(1e7)
    plain = rotor(parts=1, bearings={0: even, 6: even})
    expected = plain.campbell(np.linspace(0.0, 2500.0, 41), count=8).critical(label="forward")
    found = plain.critical_speed_map([1e7], count=expected.size).speeds[0]
    assert found == pytest.approx(expected, rel=1e-6)
    uneven = rotor(parts=1).critical_speed_map([1e6], count=4).speeds[0]
    assert uneven == pytest.approx(rotor(parts=1).campbell(np.linspace(0.0, 400.0, 9), count=4).critical(), rel=1e-6)


def test_a_rotor_is_printed_in_a_few_lines():
    assert str(rotor()).splitlines()[0] == f"Rotor: 6 pieces of shaft, 1.5 m, {rotor().mass:.4g} kg"
    assert len(str(rotor()).splitlines()) == 5


def test_a_balanced_rotor_raises_no_doubt():
    # all of its forces are rounding errors, below 1e-8 of its kinetic energy over its length
    even = fx.RotorBearing(5e6, c=500.0)
    motion = fx.simulate(rotor(parts=1, bearings={0: even, 6: even}).model(300.0), until=0.01, samples=11)
    assert motion.outcome is fx.Outcome.DONE
    assert motion.accuracy.worst_force == ("", 0.0)


def test_the_response_names_discs_too_and_is_drawn_in_units():
    whirl = rotor(parts=1).unbalance_response({2: 1e-3}, [50.0, 60.0])
    assert whirl.stations == ("N0", "N2", "N4", "N6")
    assert len({len(line) for line in str(whirl).splitlines()[1:]}) == 1
    axes = whirl.plot(unit="Hz", amplitude_unit="mm").axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("speed [Hz]", "larger semi-axis of the orbit [mm]")
    assert axes.lines[1].get_xdata() == pytest.approx(np.array([50.0, 60.0]) / (2.0 * np.pi))
    assert axes.lines[1].get_ydata() == pytest.approx(1e3 * whirl.semi_axis("N2"))
    with pytest.raises(ModelError, match="unit 'N'"):
        whirl.plot(unit="N")
