"""Impacts with dry friction: rods, balls with spin, an arm, bodies in space, a block that rocks, touching balls."""

import math

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, PointContact
from flexura.spatial import Ball, Body
from references.elastic_impact import rod_mobility
from references.frictional_impact import body_mobility, end_state, two_link_mobility

LAWS = ("energetic", "poisson", "newton")


def rough(mu: float, e: float = 1.0, law: str = "energetic") -> dict:
    return {"contact": fx.Restitution(e, law=law), "friction": fx.Friction(mu, regularisation_speed=0.0)}


# ── a rod that falls at 45° [Elkaranshawy1995, section 5.5] ──────────────────────────────────────────────────────────


def rod(speed: float, mu: float, law: str = "energetic", parts: int = 0, axial: str = "cubic") -> fx.Model:
    """A rod of 1 kg and 1 m; its lower end slips with ``speed``, and a normal impulse drives it to negative slip."""
    half, area, E, rho = math.sqrt(0.5), 1.0 / 7870.0, 2e11, 7870.0
    section = fx.Section(rhoA=1.0)
    if parts:
        bending = area**2 / (4.0 * math.pi)
        section = fx.Section(EA=E * area, EI=E * bending, rhoA=rho * area, rhoIz=rho * bending)
    return fx.Model(
        nodes={"G": (0, 0), "A": (0, 3e-4), "B": (-half, half + 3e-4)},
        elements={
            "rod": Beam("A", "B", section, rigid=not parts, parts=max(parts, 1), axial=axial),
            "floor": PointContact("G", "A", **rough(mu, law=law)),
        },
        fixed=["G"],
        start={"A.x'": -speed, "A.y'": -1.0, "B.x'": -speed, "B.y'": -1.0} if parts else
        {"A.x'": -speed, "A.y'": -1.0, "rod.p.phi'": 0.0},
    )  # fmt: skip


ROD = np.array([[2.5, -1.5], [-1.5, 2.5]])


@pytest.mark.parametrize(
    ("slip", "mu", "course"),
    [
        (0.0, 0.8, "stick"),
        (-1.0, 0.7, "slip"),
        (-1.0, 0.95, "slip-restitution-stick"),
        (-0.3, 0.95, "slip-compression-stick"),
        (0.5, 0.3, "slip-compression-reverse"),
        (0.9, 0.3, "slip-restitution-reverse"),
    ],
)
def test_rod_strikes_as_in_the_source(slip, mu, course):
    motion = fx.simulate(rod(slip, mu), 5e-4, samples=11)
    (impact,) = motion.impacts
    assert motion.outcome is fx.Outcome.DONE
    assert impact.type == course
    assert impact.mobility == pytest.approx((2.5, -1.5, 0.0, 2.5, 0.0, 0.0), abs=1e-9)
    assert impact.slip == pytest.approx((slip, 0.0), abs=1e-12)
    if slip:
        p, q, gain = end_state(ROD, mu, 1.0, -1.0, slip)
        assert impact.impulse == pytest.approx(p, abs=1e-9)
        assert impact.tangential[0] == pytest.approx(q, abs=1e-9)
        assert impact.lost == pytest.approx(-gain, abs=1e-9)
    else:
        assert impact.tangential[0] == pytest.approx(0.6 * impact.impulse, abs=1e-9)
        assert motion["floor.slide"][-1] == pytest.approx(0.0, abs=1e-9)
    assert impact.lost_by_friction == pytest.approx(impact.lost, abs=1e-9)
    assert impact.lost_by_friction + impact.lost_by_restitution == pytest.approx(impact.lost, abs=1e-12)
    assert motion.energy["kinetic"][0] - motion.energy["kinetic"][-1] == pytest.approx(impact.lost, abs=1e-9)


def test_impact_at_the_start():
    """Surfaces that touch and approach strike at once; the loss is no error of the energy balance."""
    model = rod(-1.0, 0.7)
    raised = {name: (x, y - 3e-4 if name != "G" else y) for name, (x, y) in model.nodes.items()}
    motion = fx.simulate(model.replace(nodes=raised), 5e-4, samples=11)
    assert motion.impacts[0].time == 0.0
    assert motion.impacts[0].lost == pytest.approx(0.7990, abs=1e-4)
    assert np.abs(motion.energy["balance"]).max() < 1e-12


def test_gain_of_energy_by_newtons_law_is_reported():
    """7/64 J of 0.625 J; the energetic law and Poisson's lose."""
    motion = fx.simulate(rod(0.5, 0.95, "newton"), 5e-4, samples=11)
    (finding,) = motion.findings
    assert motion.impacts[0].lost == pytest.approx(-0.109375, abs=1e-9)
    assert finding.value == pytest.approx(0.109375, abs=1e-9)
    assert finding.severity == "note"
    assert str(finding).startswith("an impact creates energy [J] at 0.0003 s: 0.109")
    assert motion.outcome is fx.Outcome.DONE
    for law in ("energetic", "poisson"):
        calm = fx.simulate(rod(0.5, 0.95, law), 5e-4, samples=11)
        assert calm.findings == ()
        assert calm.impacts[0].lost > 0.0


@pytest.mark.parametrize("axial", ["linear", "cubic"])
def test_critical_friction_of_the_elastic_rod(axial):
    """W_nt/W_tt of the consistent mass matrix, against finite elements by hand.

    The source interpolates linearly along the rod; with the rotary inertia of a round rod this gives 0.5997, 0.5991,
    0.5978, 0.5962 and 0.5942 for one to five elements, beside 0.6 of the rigid rod. The cubic gives 0.68 to 0.65.
    """
    gyration = 0.25 * math.sqrt(4.0 / (math.pi * 7870.0))
    for parts in range(1, 6):
        impact = fx.simulate(rod(0.0, 0.8, parts=parts, axial=axial), 3.5e-4, samples=5).impacts[0]
        critical = abs(impact.mobility[1]) / impact.mobility[3]
        W = rod_mobility(parts, gyration=gyration, axial=axial)
        assert critical == pytest.approx(abs(W[0, 1]) / W[1, 1], rel=1e-6)
        if axial == "linear":
            assert critical == pytest.approx((0.600, 0.599, 0.598, 0.596, 0.594)[parts - 1], abs=0.001)


# ── balls ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def spun(mu, e, velocity, spin, radius=0.1, mass=0.4):
    """Velocity and angular velocity of a uniform ball after it has struck a plane: it slides, or ends in rolling."""
    v, w = np.array(velocity, dtype=float), np.array(spin, dtype=float)
    normal = np.array([0.0, 0.0, 1.0])
    slip = v - v[2] * normal - radius * np.cross(w, normal)
    p = (1.0 + e) * mass * -v[2]
    grip = 2.0 / 7.0 * mass * np.linalg.norm(slip)
    q = -min(mu * p, grip) * slip / np.linalg.norm(slip)
    arm = -radius * normal
    return v + (p * normal + q) / mass, w + np.cross(arm, q) / (0.4 * mass * radius**2)


@pytest.mark.parametrize("mu", [0.05, 0.5])
@pytest.mark.parametrize("spin", [(0.0, 0.0, 0.0), (0.0, 60.0, 0.0), (40.0, 0.0, 0.0), (-15.0, -30.0, 25.0)])
def test_ball_with_spin(mu, spin):
    """No spin, topspin, sidespin and both, with an axis that is not that of the plane."""
    radius, mass, e, velocity = 0.1, 0.4, 0.7, (2.0, 0.0, -3.0)
    J = 0.4 * mass * radius**2
    rates = {f"B.{c}'": v for c, v in zip("xyz", velocity, strict=True)}
    model = fx.Model(
        nodes={"G": (0, 0, 0), "B": (0, 0, radius + 3e-3)},
        elements={
            "ball": Body("B", mass, Jxx=J, Jyy=J, Jzz=J),
            "floor": Ball("G", "ball.p", radius=radius, **rough(mu, e)),
        },
        fixed=["G"],
        start=rates | {f"ball.p.about_{c}'": w for c, w in zip("xyz", spin, strict=True)},
    )
    motion = fx.simulate(model, 2e-3, samples=5)
    v, w = spun(mu, e, velocity, spin)
    assert [motion[f"B.{c}'"][-1] for c in "xyz"] == pytest.approx(v, abs=1e-9)
    assert [motion[f"ball.p.about_{c}'"][-1] for c in "xyz"] == pytest.approx(w, abs=1e-7)
    assert motion.impacts[0].type in {"slip", "slip-compression-stick", "slip-restitution-stick"}


def test_disc_in_the_plane():
    """A disc of radius r and inertia m k² with backspin, which leaves it in the other direction."""
    radius, gyration, mass, e = 0.1, 0.08, 2.0, 0.6
    for mu in (0.05, 0.5):
        model = fx.Model(
            nodes={
                "G": (0, 0),
                "C": (0, radius + 1e-3),
                "P": (gyration, radius + 1e-3),
                "Q": (-gyration, radius + 1e-3),
            },
            elements={
                "right": Beam("C", "P", fx.Section(), rigid=True),
                "left": Beam("right.p", "Q", fx.Section(), rigid=True),
                "one": Mass("P", mass / 2),
                "two": Mass("Q", mass / 2),
                "floor": PointContact("G", "right.p", radius=radius, **rough(mu, e)),
            },
            fixed=["G"],
            start={"C.x'": 0.5, "C.y'": -1.0, "right.p.phi'": 30.0},
        )
        motion = fx.simulate(model, 1.5e-3, samples=5)
        # the foot moves with v + ωr
        slip = 0.5 + 30.0 * radius
        mobility = 1.0 / mass + radius**2 / (mass * gyration**2)
        q = -min(mu * (1.0 + e) * mass, slip / mobility)
        assert motion["C.x'"][-1] == pytest.approx(0.5 + q / mass, abs=1e-9)
        assert motion["right.p.phi'"][-1] == pytest.approx(30.0 + q * radius / (mass * gyration**2), abs=1e-9)


# ── an arm, and bodies in space ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("mu", "rates"), [(0.3, (-1.0, 1.5)), (0.9, (-1.0, 0.2)), (0.2, (0.5, -2.0))])
def test_arm_of_two_links_on_a_rough_floor(law, mu, rates):
    lengths, masses, angles, e = (0.7, 0.5), (1.2, 0.8), np.array([-0.4, -1.1]), 0.8
    elbow = lengths[0] * np.array([math.cos(angles[0]), math.sin(angles[0])])
    tip = elbow + lengths[1] * np.array([math.cos(angles[1]), math.sin(angles[1])])
    model = fx.Model(
        nodes={"O": (0, 0), "E": tuple(elbow), "T": tuple(tip), "G": tuple(tip)},
        elements={
            "upper": Beam("O", "E", fx.Section(rhoA=masses[0] / lengths[0]), rigid=True),
            "fore": Beam("E", "T", fx.Section(rhoA=masses[1] / lengths[1]), rigid=True),
            "floor": PointContact("G", "T", **rough(mu, e, law)),
        },
        fixed=["O", "G"],
        start={"upper.p.phi'": rates[0], "fore.p.phi'": rates[1]},
    )
    W, J = two_link_mobility(lengths, masses, angles)
    u, slip = J @ rates
    assert u < 0.0
    p, q, gain = end_state(W, mu, e, u, slip, law)
    impact = fx.simulate(model, 1e-4, samples=3).impacts[0]
    assert impact.mobility[:2] == pytest.approx(W[0], abs=1e-9)
    assert impact.mobility[3] == pytest.approx(W[1, 1], abs=1e-9)
    assert impact.impulse == pytest.approx(p, abs=1e-9)
    assert impact.tangential[0] == pytest.approx(q, abs=1e-9)
    assert impact.lost == pytest.approx(-gain, abs=1e-9)


@pytest.mark.parametrize(
    ("arm", "velocity", "mu"),
    [
        ((0.3, 0.1, -0.2), (0.6, -0.4, -1.0), 0.2),
        ((-0.2, 0.25, -0.3), (-0.3, 0.5, -2.0), 0.15),
        ((0.1, -0.3, -0.25), (0.9, 0.1, -1.0), 0.3),
    ],
)
def test_body_whose_slip_turns(arm, velocity, mu):
    """A body strikes with a corner; its mobilities by hand, the impulses by an ODE in the normal impulse."""
    from scipy.integrate import solve_ivp

    mass, e, inertia = 2.0, 0.8, np.array([[0.05, 0.01, 0.0], [0.01, 0.08, -0.005], [0.0, -0.005, 0.06]])
    model = fx.Model(
        nodes={"G": (0, 0, 0), "C": tuple(np.array((0, 0, 1e-4)) - arm), "P": (0, 0, 1e-4)},
        elements={
            "body": Body(
                "C", mass, Jxx=0.05, Jyy=0.08, Jzz=0.06, Jxy=0.01, Jyz=-0.005, points=("P",)
            ),
            "floor": Ball("G", "P", **rough(mu, e)),
        },
        fixed=["G"],
        start={f"C.{c}'": v for c, v in zip("xyz", velocity, strict=True)}
        | {f"body.p.about_{c}'": 0.0 for c in "xyz"},
    )  # fmt: skip
    impact = fx.simulate(model, 1e-3, samples=3).impacts[0]
    # the slips are along two axes of the plane, whichever they are
    u, slip = -impact.approach, np.array(impact.slip)
    W = body_mobility(mass, inertia, arm, np.eye(3)[[2, 0, 1]])
    n, n1, n2, w11, w12, w22 = impact.mobility
    assert n == pytest.approx(W[0, 0], abs=1e-9)
    assert w11 + w22 == pytest.approx(W[1, 1] + W[2, 2], abs=1e-9)
    assert np.linalg.det([[n, n1, n2], [n1, w11, w12], [n2, w12, w22]]) == pytest.approx(np.linalg.det(W), rel=1e-9)
    W = np.array([[n, n1, n2], [n1, w11, w12], [n2, w12, w22]])

    def rates(p, y):
        friction = -mu * y[1:3] / math.hypot(y[1], y[2])
        return [*(W @ [1.0, *friction]), *friction, y[0]]

    def turns(p, y):
        return y[0]

    turns.terminal, options = True, {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}
    first = solve_ivp(rates, (0.0, 100.0), [u, *slip, 0, 0, 0], events=turns, **options)

    def ends(p, y):
        return y[5] + e * e * first.y[5, -1]

    ends.terminal = True
    last = solve_ivp(rates, (first.t[-1], 100.0), [0.0, *first.y[1:5, -1], 0.0], events=ends, **options)
    assert impact.type == "slip"
    assert impact.compression == pytest.approx(first.t[-1], abs=1e-8)
    assert impact.impulse == pytest.approx(last.t[-1], abs=1e-8)
    assert impact.tangential == pytest.approx(last.y[3:5, -1], abs=1e-8)


# ── several contacts ─────────────────────────────────────────────────────────────────────────────────────────────────


def block(alpha: float, mu: float, tilt: float, order: str, size: float = 1.0) -> fx.Model:
    """A rectangle whose diagonal makes the angle ``alpha`` with its side, tilted about its left corner."""
    b, h = size * math.sin(alpha), size * math.cos(alpha)

    def turned(x: float, y: float) -> tuple[float, float]:
        return x * math.cos(tilt) - y * math.sin(tilt), x * math.sin(tilt) + y * math.cos(tilt)

    # four points have the inertia of the rectangle
    places = [(b + x * b / math.sqrt(3.0), h + y * h / math.sqrt(3.0)) for x in (-1, 1) for y in (-1, 1)]
    arms = {f"arm{k}": Beam("base.p", f"P{k}", fx.Section(), rigid=True) for k in range(4)}
    corners = {side: PointContact("G", node, **rough(mu, 0.0)) for side, node in (("left", "A"), ("right", "B"))}
    return fx.Model(
        nodes={"G": (0, 0), "A": (0, 0), "B": turned(2 * b, 0)} | {f"P{k}": turned(*p) for k, p in enumerate(places)},
        elements={"base": Beam("A", "B", fx.Section(), rigid=True)}
        | arms
        | {f"mass{k}": Mass(f"P{k}", 0.5) for k in range(4)}
        | corners,
        fixed=["G"],
        gravity=(0, -9.81 * size),
        impacts=order,
    )


@pytest.mark.parametrize(
    ("alpha", "order", "size"),
    [(0.1, "simultaneous", 1.0), (0.25, "sequential", 1e-3), (0.4, "simultaneous", 1e3), (0.6, "sequential", 1.0)],
)
def test_block_rocks_as_housners(alpha, order, size):
    """[Housner1963]: the angular velocity falls to 1 - 1.5 sin²α; it slides where μ < 3 tan α/(4 + tan²α)."""
    needed = 3.0 * math.tan(alpha) / (4.0 + math.tan(alpha) ** 2)
    motion = fx.simulate(block(alpha, 1.1 * needed, 0.5 * alpha, order, size), 2.0, samples=4001)
    blow = next(event.time for event in motion.impacts if event.approach > 1e-3 * size)
    turning, k = motion["base.p.phi'"], int(np.searchsorted(motion.t, blow))
    assert turning[k] / turning[k - 1] == pytest.approx(1.0 - 1.5 * math.sin(alpha) ** 2, abs=1e-2)
    # the pendulum about a corner, up to the blow and after it
    fall = motion.energy["kinetic"]
    assert np.abs(motion["A.x"][: k - 1]).max() < 1e-12 * size
    heights = motion.energy["gravity"]
    before, after = fall[k - 1] + heights[k - 1], fall[k] + heights[k]
    whole = before - heights[k - 1 : k + 1].min()
    left = after - heights[k - 1 : k + 1].min()
    assert math.sqrt(left / whole) == pytest.approx(1.0 - 1.5 * math.sin(alpha) ** 2, abs=1e-3)
    slides = fx.simulate(block(alpha, 0.9 * needed, 0.5 * alpha, order, size), blow + 1e-6, samples=11)
    assert motion.impacts[0].type == "stick"
    assert slides.impacts[0].type in {"slip", "slip-compression-reverse", "slip-restitution-reverse"}


def cradle(order: str, e: float = 1.0, balls: int = 5) -> fx.Model:
    """Balls in a row, all but the first touching."""
    radius = 0.05
    places = [0.0] + [2 * radius * k + 0.1 for k in range(1, balls)]
    touch = {"against": "circle", "size": radius, "radius": radius}
    return fx.Model(
        nodes={f"B{k}": (x, 0) for k, x in enumerate(places)},
        elements={f"ball{k}": Mass(f"B{k}", 0.3) for k in range(balls)}
        | {f"touch{k}": PointContact(f"B{k}", f"B{k + 1}", fx.Restitution(e), **touch) for k in range(balls - 1)},
        fixed=[f"B{k}.y" for k in range(balls)],
        start={"B0.x'": 1.0},
        impacts=order,
    )


def test_touching_cradle():
    """In turn the blow runs through the row; together the first ball rebounds from all others as from one body."""
    in_turn = fx.simulate(cradle("sequential"), 0.2, samples=5)
    assert [in_turn[f"B{k}.x'"][-1] for k in range(5)] == pytest.approx([0, 0, 0, 0, 1], abs=1e-9)
    # each blow between two balls keeps their energy
    assert [impact.lost for impact in in_turn.impacts] == pytest.approx([0.0] * 4, abs=1e-12)
    together = fx.simulate(cradle("simultaneous"), 0.2, samples=5)
    assert [together[f"B{k}.x'"][-1] for k in range(5)] == pytest.approx([-0.6, 0.4, 0.4, 0.4, 0.4], abs=1e-9)
    assert together.findings == in_turn.findings == ()
    plastic = fx.simulate(cradle("sequential", 0.0), 0.2, samples=5)
    assert [plastic[f"B{k}.x'"][-1] for k in range(5)] == pytest.approx([0.2] * 5, abs=1e-6)


def test_wrong_input_is_refused():
    for e in (-0.1, 1.1):
        with pytest.raises(
            fx.ModelError, match=r"Restitution\.e: .* is out of range; give a finite number of at least 0"
        ):
            fx.Restitution(e)
    with pytest.raises(fx.ModelError, match=r"Restitution\.law: 'elastic' is not"):
        fx.Restitution(0.5, law="elastic")
    with pytest.raises(fx.ModelError, match=r"Friction\.mu: -0\.1 is out of range"):
        fx.Friction(-0.1)
    with pytest.raises(fx.ModelError, match="impacts"):
        cradle("all at once")
