"""Bodies with round rims and skins that roll on a plane, against Newton's and Euler's equations of the body itself."""

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Body, RollingBody, Wheel
from references.rolling_body import ellipsoid, rolled, torus

ACCURATE = fx.DormandPrince(tolerance=1e-12)
DISC = np.diag([0.25, 0.5, 0.25])
SKEW = np.array([[0.5, -0.05, 0.02], [-0.05, 0.6, 0.04], [0.02, 0.04, 0.7]])
THROWN = np.array([-0.1, 0.8, 0.3])


def body(rolling, tensor, omega, *, height=1.0, weight=1.0) -> fx.Model:
    """A body of unit mass, its centre at this height over the contact, thrown with a spin."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor
    return fx.Model(
        nodes={"W": (0, 0, height), "C": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "body": Body("W", 1.0, Jxx=xx, Jyy=yy, Jzz=zz, Jxy=xy, Jxz=xz, Jyz=yz),
            "contact": rolling("body.p", "C", "G"),
        },
        fixed=["contact.g"],
        gravity=(0, 0, -weight),
        start={f"body.p.about_own_{axis}'": float(rate) for axis, rate in zip("xyz", omega, strict=True)},
    )


def disagreement(motion: fx.Motion, found: dict) -> float:
    """The largest difference of paths and of direction cosines."""
    path = np.column_stack([motion["C.x"], motion["C.y"]]) - found["contact"]
    turned = motion.orientation("body.p", "cosines") - found["axes"]
    return max(np.abs(path).max(), np.abs(turned).max())


@pytest.mark.parametrize("crown", [0.0, 0.05, 0.3])
def test_wheel_rolls_on_its_round_rim(crown):
    model = body(lambda *at: Wheel(*at, crown=crown), DISC, THROWN)
    motion = fx.simulate(model, 10.0, samples=101, method=ACCURATE)
    found = rolled(torus(1.0, crown), 1.0, DISC, 1.0, THROWN, motion.t)
    assert disagreement(motion, found) < 1e-10
    assert np.ptp(motion.energy["total"]) < 1e-12


def test_round_rim_becomes_sharp():
    """The path of a sharp wheel is the limit for a small crown, to first order."""

    def path(crown):
        motion = fx.simulate(body(lambda *at: Wheel(*at, crown=crown), DISC, THROWN), 5.0, samples=51, method=ACCURATE)
        return np.column_stack([motion["C.x"], motion["C.y"]])

    sharp = path(0.0)
    off = [np.abs(path(crown) - sharp).max() for crown in (1e-2, 1e-3, 1e-4)]
    assert off[0] / off[1] == pytest.approx(10.0, rel=0.05)
    assert off[1] / off[2] == pytest.approx(10.0, rel=0.005)


@pytest.mark.parametrize("axes", [(1.0, 1.0, 1.0), (2.0, 1.5, 1.0)])
def test_ellipsoid_rolls(axes):
    a, b, c = axes
    model = body(lambda *at: RollingBody(*at, form=f"(x/{a})^2 + (y/{b})^2 + (z/{c})^2 - 1"), SKEW, THROWN)
    motion = fx.simulate(model, 10.0, samples=101, method=ACCURATE)
    found = rolled(ellipsoid(a, b, c), 1.0, SKEW, 1.0, THROWN, motion.t)
    assert disagreement(motion, found) < 1e-10
    assert np.ptp(motion.energy["total"]) < 1e-12


@pytest.mark.parametrize("crown", [0.1, 0.3])
@pytest.mark.parametrize("speed", [0.2, 0.7])
def test_round_rim_holds_itself_up(crown, speed):
    """λ² = 0.8 (1 - ρ/r) - 2.4 v²: the weight acts on the height of the middle of the crown alone."""
    rolls = body(lambda *at: Wheel(*at, crown=crown), DISC, (0.0, speed, 0.0))
    roots = fx.linearise(rolls).eigenvalues
    moving = roots[np.abs(roots) > 1e-4]
    assert moving**2 == pytest.approx(np.full(len(moving), 0.8 * (1.0 - crown) - 2.4 * speed**2), abs=1e-12)
    assert len(moving) > 0


def test_thick_rim_is_nearly_a_ball():
    """With a crown as large as the radius, a wheel rolls as a ball does, whichever way it is turned."""
    radius, gap = 1.0, 1e-6
    ball = np.diag([0.4, 0.4, 0.4])
    wheel = body(lambda *at: Wheel(*at, crown=radius - gap), ball, THROWN)
    motion = fx.simulate(wheel, 3.0, samples=31, method=ACCURATE)
    # a ball goes straight on: v = r ω × n, and keeps its spin
    assert motion["W.x'"] == pytest.approx(np.full(31, THROWN[1]), abs=10 * gap)
    assert motion["W.y'"] == pytest.approx(np.full(31, -THROWN[0]), abs=10 * gap)
    assert motion["contact.spin'"] == pytest.approx(np.full(31, THROWN[2]), abs=10 * gap)


# ── the rattleback ───────────────────────────────────────────────────────────────────────────────────────────────────

STONE = np.array([[2e-4, -2e-5, 0.0], [-2e-5, 1.6e-3, 0.0], [0.0, 0.0, 1.7e-3]])
"""The stone of [KaneLevinson1982]: half axes 0.2, 0.03 and 0.02 m, mass 1 kg, its centre 0.01 m below the middle."""


def rattleback(spin: float, until: float) -> tuple[fx.Motion, np.ndarray]:
    """A motion of the stone with a push to its rocking, and its first spin."""
    omega = np.array([0.02, 0.02, spin])
    form = "(x/0.2)^2 + (y/0.03)^2 + ((z - 0.01)/0.02)^2 - 1"
    model = body(lambda *at: RollingBody(*at, form=form), STONE, omega, height=0.01, weight=9.81)
    return fx.simulate(model, until, samples=101, method=fx.DormandPrince(tolerance=1e-11)), omega


def test_rattleback_turns_back_from_one_spin_alone():
    """Spun one way it rattles, stops and turns back with all of its spin; spun the other way it goes on."""
    motion, _ = rattleback(-5.0, 10.0)
    spin = motion["contact.spin'"]
    assert spin[0] == pytest.approx(-5.0, abs=1e-3)
    assert spin[-1] == pytest.approx(5.0, abs=1e-2)
    assert np.all(motion.force("contact.height") > 0.0)  # it is never lifted off
    assert np.ptp(motion.energy["total"]) < 1e-10 * motion.energy["total"][0]
    motion, _ = rattleback(5.0, 10.0)
    assert motion["contact.spin'"] == pytest.approx(np.full(101, 5.0), abs=2e-3)


def test_rattleback_rocks_at_rest():
    """About rest it has the inertia about the contact, and the stiffness m g (R - h) of its two curvatures."""
    form = "(x/0.2)^2 + (y/0.03)^2 + ((z - 0.01)/0.02)^2 - 1"
    resting = body(lambda *at: RollingBody(*at, form=form), STONE, np.zeros(3), height=0.01, weight=9.81)
    roots = fx.linearise(resting).eigenvalues
    inertia = STONE[:2, :2] + 0.01**2 * np.eye(2)
    stiffness = 9.81 * np.diag([0.03**2 / 0.02 - 0.01, 0.2**2 / 0.02 - 0.01])
    squares = np.linalg.eigvals(np.linalg.solve(inertia, stiffness))
    for frequency in np.sqrt(squares):
        assert np.abs(roots - 1j * frequency).min() < 1e-10 * frequency


@pytest.mark.slow
def test_rattleback_follows_its_equations():
    motion, omega = rattleback(-5.0, 6.0)
    found = rolled(ellipsoid(0.2, 0.03, 0.02, centre=0.01), 1.0, STONE, 9.81, omega, motion.t, tolerance=1e-11)
    assert disagreement(motion, found) < 1e-7
    assert found["omega"][-1, 2] > 2.0
