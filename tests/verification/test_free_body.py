"""A rigid body without torque: Euler's top against Jacobi's functions, and the flips about its middle axis."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import flexura as fx
from flexura.spatial import Body
from references import euler_top
from references.euler_top import EulerTop

Array = NDArray[np.float64]

MOMENTS = (1.0, 2.0, 2.5)
FLIGHT = (0.3, -0.2, 0.1)

MOTION = 1e-8
"""Of rates in rad/s and of direction cosines."""
INVARIANTS = 1e-10
"""Of energy and momenta, relative; the largest deviation seen is 2e-11."""


def thrown(case: EulerTop, drawn: Array, turned: Array) -> fx.Model:
    """The body with its principal axes ``drawn`` askew, the columns of a matrix, and ``turned`` when it is let go."""
    tensor = drawn @ np.diag(case.moments) @ drawn.T
    places = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}
    spin = drawn @ np.array(case.omega)
    return fx.Model(
        nodes={"C": (0, 0, 0)},
        elements={"body": Body("C", 3.0, **{f"J{name}": float(tensor[place]) for name, place in places.items()})},
        start={
            "body.p": fx.Rotation(cosines=tuple(map(tuple, turned.tolist()))),
            **{f"body.p.about_own_{axis}'": float(rate) for axis, rate in zip("xyz", spin, strict=True)},
            **{f"C.{axis}'": speed for axis, speed in zip("xyz", FLIGHT, strict=True)},
        },
    )


def check(case: EulerTop, motion: fx.Motion, drawn: Array, turned: Array) -> None:
    """Rates and attitude against the closed form; energy and momenta against their values at the start."""
    assert motion.outcome is fx.Outcome.DONE
    rates = np.stack([motion[f"body.p.about_own_{axis}'"] for axis in "xyz"], axis=-1) @ drawn
    assert np.abs(rates - euler_top.angular_velocity(case, motion.t)).max() < MOTION
    attitude = motion.orientation("body.p", "cosines") @ drawn
    assert np.abs(attitude - euler_top.attitude(case, motion.t, turned @ drawn)).max() < MOTION

    speed, omega = np.array(FLIGHT), np.array(case.omega)
    energy = 1.5 * speed @ speed + 0.5 * np.array(case.moments) @ omega**2
    assert np.abs(motion.energy["total"] / energy - 1.0).max() < INVARIANTS
    momentum = euler_top.momentum(case, turned @ drawn)
    assert np.abs(motion.momentum[:, :3] - 3.0 * speed).max() < INVARIANTS
    assert np.abs(motion.momentum[:, 3:] - momentum).max() < INVARIANTS * np.linalg.norm(momentum)
    place = np.stack([motion[f"C.{axis}"] for axis in "xyz"], axis=-1)
    assert np.abs(place - motion.t[:, None] * speed).max() < 1e-12 * motion.t[-1]


ASKEW = Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix()
TURNED = Rotation.from_rotvec([-0.9, 0.3, 1.6]).as_matrix()


@pytest.mark.parametrize(("drawn", "turned"), [(np.eye(3), np.eye(3)), (ASKEW, TURNED)], ids=["straight", "askew"])
@pytest.mark.parametrize(
    "omega",
    [(0.4, 0.3, 1.0), (1.0, 0.3, 0.2), (0.8, 1.0, 1.2), (1.0, 1.0, 0.2)],
    ids=["about the largest moment", "about the smallest moment", "wide", "wider"],
)
def test_body_follows_jacobi_over_a_hundred_periods(
    omega: tuple[float, float, float], drawn: Array, turned: Array
) -> None:
    """Seen, of rates, attitude and energy: 3e-9, 3e-9 and 7e-12."""
    case = EulerTop(MOMENTS, omega)
    end = 100.0 * euler_top.period(case)
    motion = fx.simulate(thrown(case, drawn, turned), end, samples=2001, method=fx.DormandPrince(tolerance=1e-11))
    check(case, motion, drawn, turned)


NEAR_MIDDLE = EulerTop(MOMENTS, (0.1, 1.0, 0.1))


def test_spin_about_middle_axis_flips_over() -> None:
    """One period, with two flips; seen 2.5e-9 in rates and attitude."""
    method = fx.DormandPrince(tolerance=1e-11)
    motion = fx.simulate(
        thrown(NEAR_MIDDLE, np.eye(3), np.eye(3)), euler_top.period(NEAR_MIDDLE), samples=401, method=method
    )
    check(NEAR_MIDDLE, motion, np.eye(3), np.eye(3))
    # it stands nearly still on its head, and comes back
    spin = motion["body.p.about_own_y'"]
    assert spin.min() == pytest.approx(-spin.max(), rel=1e-3)
    assert spin[-1] == pytest.approx(1.0, abs=1e-8)


def test_flips_come_every_half_period() -> None:
    """Twenty flips; seen 3e-11 of the intervals, 3e-9 rad/s at the times."""
    half = 0.5 * euler_top.period(NEAR_MIDDLE)
    flip = fx.Event("body.p.about_own_y'")
    method = fx.DormandPrince(tolerance=1e-11)
    model = thrown(NEAR_MIDDLE, np.eye(3), np.eye(3))
    times = np.array([event.time for event in fx.simulate(model, 20.0 * half, method=method, events=[flip]).events])
    assert len(times) == 20
    assert np.diff(times) == pytest.approx(np.full(19, half), rel=1e-8)
    # and the spin about the middle axis is nought then
    assert np.abs(euler_top.angular_velocity(NEAR_MIDDLE, times)[:, 1]).max() < MOTION
