"""Rotors with damping that turns with them: critical speeds and the onset of instability against closed forms."""

from math import inf

import numpy as np
import pytest

import flexura as fx
from flexura.results.campbell import Campbell
from flexura.spatial import Beam, Bearing, Body, Hinge
from references import jeffcott
from references.shaft import Shaft, pinned, pinned_critical

RATE = "inputs.drive.rotation.rate"
PLANE = ("D.y", "D.z")


def sprung(speed: float, inner: float = 0.5, outer: float = 0.3) -> fx.Model:
    """A disc of 2 kg that springs of 100 N/m and dampers hold in axes that turn, and dampers in space."""
    return fx.Model(
        nodes={"O": (0, 0, 0), "D": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "drive": Hinge("O", "O", axis=(1, 0, 0)),
            "shaft": Bearing("drive.q", "disc.p", ky=100.0, kz=100.0, cy=inner, cz=inner, kt=inf, kby=inf, kbz=inf),
            "oil": Bearing("G", "disc.p", kx=0.0, ky=0.0, kz=0.0, cy=outer, cz=outer),
            "disc": Body("D", 2.0, Jxx=0.2, Jyy=0.1, Jzz=0.1),
        },
        fixed=["drive.p", "oil.p"],
        inputs={"drive.rotation": fx.Ramp(speed)},
    )


EI, HALF, TIME, OUTER = 80.0, 0.4, 2.0e-3, 3.0
MASS, ACROSS, ALONG = 1.5, 0.004, 0.0075


def clamped(speed: float, outer: float = OUTER) -> fx.Model:
    """A disc amid a shaft without mass, whose bearings keep its ends straight; its material damps."""
    section = fx.Section(EI=EI, damping=TIME)
    return fx.Model(
        nodes={"O": (0, 0, 0), "D": (HALF, 0, 0), "E": (2 * HALF, 0, 0), "G": (HALF, 0, 0), "F": (2 * HALF, 0, 0)},
        elements={
            "drive": Hinge("O", "left.p", axis=(1, 0, 0)),
            "left": Beam("O", "D", section),
            "disc": Body("left.q", MASS, Jxx=ALONG, Jyy=ACROSS, Jzz=ACROSS),
            "right": Beam("left.q", "E", section),
            "far": Bearing("F", "right.q", kx=0.0, kby=inf, kbz=inf),
            "oil": Bearing("G", "left.q", kx=0.0, ky=0.0, kz=0.0, cy=outer, cz=outer),
        },
        fixed=["drive.p", "far.p", "oil.p"],
        inputs={"drive.rotation": fx.Ramp(speed)},
    )


def overhung(speed: float, along: float = ALONG, time: float = TIME) -> fx.Model:
    """A disc at the free end of a shaft without mass."""
    return fx.Model(
        nodes={"O": (0, 0, 0), "D": (HALF, 0, 0)},
        elements={
            "drive": Hinge("O", "shaft.p", axis=(1, 0, 0)),
            "shaft": Beam("O", "D", fx.Section(EI=EI, damping=time)),
            "disc": Body("shaft.q", MASS, Jxx=along, Jyy=ACROSS, Jzz=ACROSS),
        },
        fixed=["drive.p"],
        inputs={"drive.rotation": fx.Ramp(speed)},
    )


def sweep(model: fx.Model, *values: float) -> Campbell:
    return fx.campbell(model, RATE, np.linspace(*values, num=7), plane=PLANE)


@pytest.mark.parametrize("speed", [0.0, 5.0, 9.0, 25.0])
def test_roots_of_a_sprung_disc(speed: float) -> None:
    known = jeffcott.translation(2.0, 100.0, 0.5, 0.3, speed)
    found = fx.linearise(sprung(speed), in_space=True)
    assert found.coordinates == PLANE
    assert np.sort_complex(found.eigenvalues) == pytest.approx(
        np.sort_complex(jeffcott.one_of_each_pair(known)), rel=1e-12
    )


@pytest.mark.parametrize("speed", [5.0, 25.0])
def test_seen_from_the_shaft(speed: float) -> None:
    """In axes that turn, all roots are less by iΩ."""
    known = jeffcott.translation(2.0, 100.0, 0.5, 0.3, speed) - 1j * speed
    found = fx.linearise(sprung(speed))
    assert found.coordinates == ("shaft.across_y", "shaft.across_z")
    assert np.sort_complex(found.eigenvalues) == pytest.approx(
        np.sort_complex(jeffcott.one_of_each_pair(known)), rel=1e-12
    )


def test_limit_of_a_sprung_disc() -> None:
    known = jeffcott.onset(2.0, 100.0, 0.5, 0.3)
    found = sweep(sprung(1.0), 0.0, 20.0)
    assert found.stability_limits() == pytest.approx([known], rel=1e-12)
    assert not found.unstable
    assert fx.linearise(sprung(known * (1 - 1e-6)), in_space=True).stable
    assert not fx.linearise(sprung(known * (1 + 1e-6)), in_space=True).stable


def test_critical_speed_of_a_sprung_disc() -> None:
    """Without damping nothing tells forward from backward: they are one root with two shapes."""
    found = sweep(sprung(1.0, inner=0.0, outer=0.0), 0.0, 20.0)
    assert found.critical() == pytest.approx([np.sqrt(50.0)] * 2, rel=1e-12)
    assert found.stability_limits().size == 0


def test_unstable_motion_grows_at_that_rate() -> None:
    """The full equations of motion, from a small push, against the forward root."""
    speed = 25.0
    root = jeffcott.translation(2.0, 100.0, 0.5, 0.3, speed)[0]
    model = sprung(speed).replace(start={"D.y": 1e-3, "D.y'": root.real * 1e-3, "D.z'": root.imag * 1e-3})
    motion = fx.simulate(model, until=3.0, samples=31, method=fx.DormandPrince(tolerance=1e-11))
    assert motion["D.y"] + 1j * motion["D.z"] == pytest.approx(1e-3 * np.exp(root * motion.t), abs=1e-9)


@pytest.mark.parametrize("speed", [0.0, 100.0, 400.0])
def test_roots_of_a_disc_amid_a_shaft(speed: float) -> None:
    """Translation and tilt do not know of each other."""
    k, tilt = 24.0 * EI / HALF**3, 8.0 * EI / HALF
    known = np.concatenate([
        jeffcott.translation(MASS, k, TIME * k, OUTER, speed),
        jeffcott.tilting(ACROSS, ALONG, tilt, TIME, speed),
    ])  # fmt: skip
    found = fx.linearise(clamped(speed), in_space=True).eigenvalues
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(jeffcott.one_of_each_pair(known)), rel=1e-9)


def test_limit_of_a_disc_amid_a_shaft() -> None:
    k = 24.0 * EI / HALF**3
    known = jeffcott.onset(MASS, k, TIME * k, OUTER)
    found = fx.campbell(clamped(1.0, OUTER), RATE, np.linspace(0.5, 1.5, 5) * known, plane=PLANE)
    assert found.stability_limits() == pytest.approx([known], rel=1e-9)


@pytest.mark.parametrize("speed", [0.0, 60.0, 300.0])
def test_roots_of_an_overhung_disc(speed: float) -> None:
    known = jeffcott.overhung(jeffcott.cantilever(EI, HALF), MASS, ACROSS, ALONG, TIME, speed)
    found = fx.linearise(overhung(speed), in_space=True).eigenvalues
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(jeffcott.one_of_each_pair(known)), rel=1e-9)


@pytest.mark.parametrize(("along", "count"), [(0.0075, 1), (0.002, 2)])
def test_critical_speeds_of_an_overhung_disc(along: float, count: int) -> None:
    """A flat disc has one, a long one two."""
    known = jeffcott.critical(jeffcott.cantilever(EI, HALF), MASS, ACROSS, along)
    assert known.size == count
    found = sweep(overhung(1.0, along, time=0.0), 0.0, 1.2 * known[-1])
    assert found.critical(label="forward") == pytest.approx(known, rel=1e-9)


def test_limit_of_an_overhung_disc() -> None:
    """Damped by its shaft alone, it is unstable above its first critical speed."""
    known = jeffcott.critical(jeffcott.cantilever(EI, HALF), MASS, ACROSS, ALONG)[0]
    found = sweep(overhung(1.0), 0.5 * known, 1.5 * known)
    assert found.stability_limits() == pytest.approx([known], rel=1e-9)


# ── a shaft with mass ────────────────────────────────────────────────────────────────────────────────────────────────

UNIFORM, LENGTH = {"EI": 300.0, "rhoA": 3.0}, 1.2
RHO_I = 4.0e-3


def uniform(parts: int, speed: float, time: float = 0.0) -> fx.Model:
    """Between pins, with the rotary inertia of its sections, thick enough to count."""
    section = fx.Section(**UNIFORM, rhoIy=RHO_I, rhoIz=RHO_I, damping=time)
    return fx.Model(
        nodes={"O": (0, 0, 0), "E": (LENGTH, 0, 0), "G": (0, 0, 0)},
        elements={
            "drive": Bearing("G", "shaft.p"),
            "shaft": Beam("O", "E", section, parts=parts),
        },
        fixed=["drive.p", "E.y", "E.z"],
        inputs={"drive.rotation": fx.Ramp(speed)},
    )


def test_whirl_of_a_uniform_shaft() -> None:
    """Three forward and three backward frequencies, at three times the first critical speed.

    The gyroscopic terms act at the ends of the beams, so that the order is four in what does not turn only.
    """
    speed = 200.0
    known = np.sort([pinned(Shaft(**UNIFORM, rhoI=RHO_I, speed=speed), LENGTH, n) for n in (1, 2, 3)], axis=None)
    assert np.abs(known[1::2] / known[::2] - 1.0).min() > 0.05  # the spin splits them by far more than the error
    for parts, error in ((8, 1.3e-3), (16, 6e-5), (32, 6e-6)):
        found = fx.linearise(uniform(parts, speed), in_space=True).frequencies[:6]
        assert found == pytest.approx(known, rel=error)


def test_critical_speed_and_limit_of_a_uniform_shaft() -> None:
    """Both are one speed where nothing but the shaft damps."""
    known = pinned_critical(Shaft(**UNIFORM, rhoI=RHO_I, speed=0.0), LENGTH, 1)
    speeds = np.linspace(0.8, 1.2, 5) * known
    plane, damped = ("shaft.2.q.y", "shaft.2.q.z"), []
    errors = []
    for parts in (4, 8):
        still = fx.campbell(uniform(parts, 1.0), RATE, speeds, plane=plane, count=4)
        moving = fx.campbell(uniform(parts, 1.0, time=1e-4), RATE, speeds, plane=plane, count=4)
        errors.append(still.critical(label="forward")[0] / known - 1.0)
        damped.append(moving.stability_limits()[0] / still.critical(label="forward")[0] - 1.0)
    assert np.log2(errors[0] / errors[1]) > 3.9
    assert errors[1] < 3e-5
    assert np.abs(damped).max() < 1e-6
