"""The independent solutions in space, rigid: each against a second way to the same answer."""

from __future__ import annotations

from itertools import permutations

import mpmath
import numpy as np
import pytest
from numpy.polynomial import legendre
from scipy.integrate import quad, solve_ivp
from scipy.linalg import eig
from scipy.special import ellipj

from references import (
    beam_vibration,
    bennett,
    cardan,
    deck_slider_crank,
    elliptic,
    euler_top,
    frequencies,
    heavy_top,
)

# ── elliptic integrals ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("m", [0.0, 0.3, 0.9, 0.999])
def test_amplitude_holds_the_functions_of_jacobi(m: float) -> None:
    u = np.linspace(-30.0, 30.0, 301)
    phi = elliptic.amplitude(u, 1.0 - m)
    sn, cn, dn, _ = ellipj(u, m)
    found = (np.sin(phi), np.cos(phi), elliptic.delta(phi, 1.0 - m))
    np.testing.assert_allclose(found, (sn, cn, dn), atol=3e-14)


@pytest.mark.parametrize("n", [-2.0, 0.0, 0.9])
@pytest.mark.parametrize("phi", [-1.0, 2.0, 9.0])
def test_third_integral_is_its_quadrature(n: float, phi: float) -> None:
    def slope(x: float) -> float:
        return float(1.0 / ((1.0 - n * np.sin(x) ** 2) * np.sqrt(1.0 - 0.7 * np.sin(x) ** 2)))

    assert elliptic.third(n, phi, 0.3) == pytest.approx(quad(slope, 0.0, phi, epsabs=1e-13, limit=200)[0], abs=1e-11)


# ── bodies that turn ─────────────────────────────────────────────────────────────────────────────────────────────────

TURNING = [(0.3, 1.0, -0.4), (-1.0, 0.2, 0.5), (0.1, -0.3, 1.2)]


@pytest.mark.parametrize("moments", list(permutations((1.0, 2.0, 3.0))))
@pytest.mark.parametrize("omega", TURNING)
def test_euler_top_obeys_the_equations_of_euler(
    moments: tuple[float, float, float], omega: tuple[float, float, float]
) -> None:
    case = euler_top.EulerTop(moments, omega)
    t = np.linspace(0.0, 3.0 * euler_top.period(case), 40)
    start = heavy_top.motion(heavy_top.HeavyTop(1.0, 1.0, 1.0, theta=0.7, phi=2.0, psi=0.4), 0.0).attitude()
    run = _euler(case, start, t)
    np.testing.assert_allclose(euler_top.angular_velocity(case, t), run[:3].T, atol=1e-12)
    np.testing.assert_allclose(euler_top.attitude(case, t, start).reshape(-1, 9), run[3:].T, atol=1e-11)


def test_euler_top_of_two_equal_moments() -> None:
    # about the axis of symmetry at the constant rate (1 − I₃/I₁) ω₃
    case = euler_top.EulerTop((2.0, 2.0, 3.0), (0.3, 0.2, 1.0))
    t = np.linspace(0.0, 20.0, 30)
    omega = euler_top.angular_velocity(case, t)
    turning = (0.3 + 0.2j) * np.exp(0.5j * t)
    np.testing.assert_allclose(omega.T, (turning.real, turning.imag, np.ones_like(t)), atol=1e-13)
    np.testing.assert_allclose(euler_top.attitude(case, t).reshape(-1, 9), _euler(case, np.eye(3), t)[3:].T, atol=1e-11)


@pytest.mark.parametrize("omega", [(0.3, 1.0, -0.4), (0.01, 1.0, 0.01), (1e-3, 1.0, 2e-3), (0.1, -0.3, 1.2)])
def test_euler_top_over_a_hundred_periods(omega: tuple[float, float, float]) -> None:
    # angular velocity against functions of 50 digits, near the separatrix as well
    case = euler_top.EulerTop((1.0, 2.0, 3.0), omega)
    period = euler_top.period(case)
    for at in (0.37 * period, 49.77 * period, 99.9 * period):
        np.testing.assert_allclose(euler_top.angular_velocity(case, at), _in_many_digits(omega, at), atol=1e-11)

    # the attitude after a hundred periods is a hundred times that after one, and the momentum has not moved
    once, often = euler_top.attitude(case, period), euler_top.attitude(case, 100.0 * period)
    np.testing.assert_allclose(often, np.linalg.matrix_power(once, 100), atol=1e-10)
    t = np.linspace(0.0, 100.0 * period, 500)
    L = euler_top.attitude(case, t) @ (np.array(case.moments) * euler_top.angular_velocity(case, t))[..., None]
    np.testing.assert_allclose(L[..., 0], np.broadcast_to(euler_top.momentum(case), (500, 3)), atol=1e-14)


def test_euler_top_flips() -> None:
    # near the middle axis it turns over once in half a period, later by ln 10 for a disturbance ten times smaller
    a, b = (euler_top.EulerTop((1.0, 2.0, 3.0), (size, 1.0, 0.0)) for size in (1e-3, 1e-4))
    half = 0.5 * euler_top.period(a)
    np.testing.assert_allclose(euler_top.angular_velocity(a, half)[1], -1.0, atol=1e-13)
    later = euler_top.period(b) - euler_top.period(a)
    assert later == pytest.approx(4.0 * np.log(10.0) * np.sqrt(3.0), rel=1e-5)


TOPS = [
    {"theta": 0.5, "spin": 10.0},
    {"theta": 0.5, "spin": 10.0, "phi_v": 2.0},
    {"theta": 0.5, "spin": 10.0, "phi_v": -1.0, "theta_v": 0.7, "phi": 1.0, "psi": 2.0},
    {"theta": 0.5, "spin": 10.0, "phi_v": 0.3, "theta_v": -0.7},
    {"theta": 2.5, "spin": 1.0, "phi_v": 0.3, "theta_v": -0.7},
    {"theta": 1.0, "spin": 0.0, "phi_v": 2.5},
    {"theta": 0.5 * np.pi, "spin": 8.0, "phi_v": 0.5, "theta_v": 1e-6},
]


@pytest.mark.parametrize("state", TOPS)
def test_heavy_top_obeys_the_equations_of_lagrange(state: dict[str, float]) -> None:
    case = heavy_top.HeavyTop(I1=1.0, I3=0.5, mgl=2.0, **state)
    omega = case.spin + case.phi_v * np.cos(case.theta)

    def rates(_: float, y: np.ndarray) -> list[float]:
        theta, _, _, theta_v, phi_v = y
        s, c = np.sin(theta), np.cos(theta)
        theta_a = (case.I1 * phi_v**2 * s * c - case.I3 * omega * phi_v * s + case.mgl * s) / case.I1
        phi_a = (case.I3 * omega * theta_v - 2.0 * case.I1 * phi_v * theta_v * c) / (case.I1 * s)
        return [theta_v, phi_v, omega - phi_v * c, theta_a, phi_a]

    t = np.linspace(0.0, 5.0 * heavy_top.nutation_period(case), 40)
    start = [case.theta, case.phi, case.psi, case.theta_v, case.phi_v]
    run = solve_ivp(rates, (0.0, t[-1]), start, method="DOP853", t_eval=t, rtol=1e-13, atol=1e-13)
    m = heavy_top.motion(case, t)
    np.testing.assert_allclose((m.theta, m.phi, m.psi, m.theta_v, m.phi_v), run.y, atol=2e-11)
    low, high = heavy_top.nutation_limits(case)
    assert low - 1e-14 <= m.theta.min() <= m.theta.max() <= high + 1e-14


def test_heavy_top_period_and_precession_by_quadrature() -> None:
    # u = middle + half sin x takes the roots of f out of the integrals
    case = heavy_top.HeavyTop(I1=1.0, I3=0.5, mgl=2.0, theta=0.5, spin=10.0)
    alpha, beta, a = 4.0 * np.cos(0.5), 4.0, 5.0
    b = a * np.cos(0.5)
    low, high = np.cos(heavy_top.nutation_limits(case)[::-1])
    third = (alpha + a**2) / beta - low - high

    def dt(x: float) -> tuple[float, float]:
        u = 0.5 * (low + high) + 0.5 * (high - low) * np.sin(x)
        step = 2.0 / np.sqrt(beta * (third - u))
        return float(step), float(step * (b - a * u) / (1.0 - u**2))

    period = quad(lambda x: dt(x)[0], -0.5 * np.pi, 0.5 * np.pi, epsabs=1e-14)[0]
    precession = quad(lambda x: dt(x)[1], -0.5 * np.pi, 0.5 * np.pi, epsabs=1e-14)[0]
    assert heavy_top.nutation_period(case) == pytest.approx(period, abs=1e-12)
    assert heavy_top.precession_of_a_period(case) == pytest.approx(precession, abs=1e-12)


def test_heavy_top_precesses_steadily() -> None:
    # m g l = (I₃ω₃ − I₁ φ̇ cos θ) φ̇; level, the spin alone carries it
    case = heavy_top.HeavyTop(I1=1.0, I3=0.5, mgl=2.0, theta=0.5 * np.pi, spin=8.0, phi_v=0.5)
    m = heavy_top.motion(case, np.linspace(0.0, 30.0, 20))
    np.testing.assert_allclose(m.theta, 0.5 * np.pi, atol=1e-14)
    np.testing.assert_allclose(m.phi, 0.5 * np.linspace(0.0, 30.0, 20), atol=1e-12)
    np.testing.assert_allclose(m.attitude()[..., 2], m.axis(), atol=1e-14)


# ── mechanisms ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("quarter", [False, True])
def test_cardan_keeps_its_pins_square(quarter: bool) -> None:
    theta, gamma, h = np.linspace(-10.0, 10.0, 201), 0.8, 1e-5
    p, q = cardan.pins(theta, gamma, quarter)
    np.testing.assert_allclose((p * q).sum(axis=-1), 0.0, atol=1e-14)
    np.testing.assert_allclose(q @ [np.cos(gamma), np.sin(gamma), 0.0], 0.0, atol=1e-14)

    # the angles between the cross and the shafts, and rates as derivatives
    A, B = cardan.joint_angles(theta, gamma, quarter)
    np.testing.assert_allclose(np.abs(np.sin(A)), np.abs(q[:, 0]), atol=1e-14)
    np.testing.assert_allclose(np.sin(B), -(p @ [np.cos(gamma), np.sin(gamma), 0.0]), atol=1e-14)
    for value, rate in (
        (cardan.output_angle, cardan.speed_ratio),
        (cardan.speed_ratio, cardan.acceleration_ratio),
    ):
        slope = (value(theta + h, gamma, quarter) - value(theta - h, gamma, quarter)) / (2.0 * h)
        np.testing.assert_allclose(rate(theta, gamma, quarter), slope, atol=1e-9)
    form = np.cos(theta) if quarter else np.sin(theta)
    np.testing.assert_allclose(
        cardan.speed_ratio(theta, gamma, quarter), np.cos(gamma) / (1.0 - (np.sin(gamma) * form) ** 2), rtol=1e-13
    )


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 1.1), (1.1, 0.5), (0.5, 2.8), (-0.5, 1.1)])
def test_bennett_closes(alpha: float, beta: float) -> None:
    # hinges 3 and 4 keep the length, the twist and the common normal of link 3
    case, theta, h = bennett.Bennett(0.3, alpha, beta), np.linspace(-10.0, 10.0, 201), 1e-5
    place = bennett.position(case, theta)
    link = place.points[:, 3] - place.points[:, 2]
    three, four = place.axes[:, 2], place.axes[:, 3]
    np.testing.assert_allclose(np.linalg.norm(link, axis=-1), case.a, rtol=1e-14)
    np.testing.assert_allclose((three * four).sum(axis=-1), np.cos(alpha), atol=1e-14)
    np.testing.assert_allclose(np.cross(three, four), np.sin(alpha) / case.a * link, atol=1e-13)

    # the whole loop, and the rate of the second hinge
    loop = np.eye(4)[None]
    for angle, (length, twist) in zip(
        place.angles.T, ((case.a, alpha), (case.b, beta), (case.a, alpha), (case.b, beta)), strict=True
    ):
        loop = loop @ _hinge_and_link(angle, length, twist)
    np.testing.assert_allclose(loop, np.broadcast_to(np.eye(4), loop.shape), atol=3e-14)
    slope = (bennett.second_angle(case, theta + h) - bennett.second_angle(case, theta - h)) / (2.0 * h)
    np.testing.assert_allclose(bennett.speed_ratio(case, theta), slope, rtol=1e-7)


# γ, φ in degrees; x, z of the slider in inches and the angles θ₆, θ₇ of [Deck1992 appendix E], recomputed
DECK = [
    (0, 60, 9.33744, 0.0, -90.0, 101.4101),
    (0, 180, 7.0, 0.0, -90.0, 90.0),
    (25, 0, 9.76351, 4.55280, -84.6111, 90.0),
    (25, 60, 8.36797, 3.90205, -87.3085, 101.4236),
    (25, 270, 8.44375, 3.93739, -90.0, 77.5371),
]


@pytest.mark.validation
@pytest.mark.parametrize(("gamma", "phi", "x", "z", "six", "seven"), DECK)
def test_deck_slider_crank_in_numbers(gamma: float, phi: float, x: float, z: float, six: float, seven: float) -> None:
    case, angle = deck_slider_crank.DeckSliderCrank(np.radians(gamma)), np.radians(phi)
    place = deck_slider_crank.position(case, angle)
    np.testing.assert_allclose(place.slider / deck_slider_crank.INCH, (x, -2.45, z), atol=6e-6)
    tilt, swing = np.degrees(deck_slider_crank.hinge_angles(case, angle))
    assert (-90.0 - swing, 90.0 - tilt) == pytest.approx((six, seven), abs=6e-5)


@pytest.mark.parametrize(("gamma", "offset"), [(0.0, 0.0), (0.2, 0.0), (np.radians(25.0), 0.3)])
def test_deck_slider_crank_closes_and_moves(gamma: float, offset: float) -> None:
    # lengths and right angles
    case = deck_slider_crank.DeckSliderCrank(gamma, offset=offset * deck_slider_crank.INCH)
    phi, h = np.linspace(0.0, 2.0 * np.pi, 101), 1e-5
    place = deck_slider_crank.position(case, phi)
    rod = place.pin - place.ball
    np.testing.assert_allclose(np.linalg.norm(rod, axis=-1), case.rod, rtol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(place.axis, axis=-1), 1.0, rtol=1e-14)
    np.testing.assert_allclose((rod * place.axis).sum(axis=-1), 0.0, atol=1e-15)
    np.testing.assert_allclose(place.axis @ case.cross_pin, 0.0, atol=1e-15)
    assert place.axis[:, 1].min() > np.cos(np.radians(14.0))

    # the formula of the source for x, with its own letters
    x2, y2 = place.ball[:, 0], place.ball[:, 1]
    T, C, D = np.tan(gamma), np.cos(gamma), case.offset
    a1 = T * D / C - x2
    ar = case.rod**2 + case.yoke**2 - case.height**2 - (D / C) ** 2 - case.crank**2 + 2.0 * case.height * y2
    x6 = C**2 * (np.sqrt(a1**2 + ar / C**2) - a1)
    np.testing.assert_allclose(place.slider[:, 0], x6, atol=1e-15)
    np.testing.assert_allclose(place.slider[:, 2], T * x6 + D / C, atol=1e-15)

    # rates are derivatives
    def at(phi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return deck_slider_crank.position(case, phi).travel, deck_slider_crank.travel_rates(case, phi)[0]

    slopes = (np.array(at(phi + h)) - np.array(at(phi - h))) / (2.0 * h)
    np.testing.assert_allclose(deck_slider_crank.travel_rates(case, phi), slopes, atol=1e-10)
    half = deck_slider_crank.travel_rates(case, phi, 2.0)
    np.testing.assert_allclose(half, np.array([[2.0], [4.0]]) * deck_slider_crank.travel_rates(case, phi), rtol=1e-12)


# ── frequencies ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("spin", [0.0, 3.0, 40.0])
def test_whirl_by_ritz(spin: float) -> None:
    # polynomials x² P(x): ω² M − 2Ω ω ρI ∫w'w' = K, as a linear problem of twice the size
    rhoI, terms = 2e-3, 16
    K, M, G = _ritz(rhoI, terms)
    zero, one = np.zeros((terms, terms)), np.eye(terms)
    omega = eig(np.block([[zero, one], [K, 2.0 * spin * G]]), np.block([[one, zero], [zero, M]]), right=False)
    omega = np.sort(omega.real)
    forward, backward = omega[omega > 0.0][:3], -np.sort(-omega[omega < 0.0])[:3]
    found = frequencies.cantilever_shaft(3, 1.0, 1.0, rhoI, 1.0, spin)
    np.testing.assert_allclose(found, np.stack([forward, backward], axis=-1), rtol=1e-8)


def test_frequencies_of_rods() -> None:
    slender = frequencies.rayleigh_cantilever(3, 2.0, 3.0, 1e-13, 1.5)
    np.testing.assert_allclose(slender, beam_vibration.clamped_free(3, 2.0, 3.0, 1.5), rtol=1e-10)
    np.testing.assert_allclose(frequencies.axial(2, 4.0, 1.0, 2.0), [0.5 * np.pi, 1.5 * np.pi])
    np.testing.assert_allclose(frequencies.torsional(1, 9.0, 4.0, 1.0), [0.75 * np.pi])

    # a pinned shaft at rest is slender where there is no rotary inertia, and whirls both ways alike
    both = frequencies.pinned_shaft(3, 2.0, 3.0, 0.0, 1.5, spin=10.0)
    slender = beam_vibration.pinned_pinned(3, 2.0, 3.0, 1.5)
    np.testing.assert_allclose(both, np.stack([slender, -slender], axis=-1), rtol=1e-14)


# ── second ways ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _euler(case: euler_top.EulerTop, start: np.ndarray, t: np.ndarray) -> np.ndarray:
    """ω and R by integration of Euler's equations and Ṙ = R ω̂."""
    I = np.array(case.moments)

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        w, R = y[:3], y[3:].reshape(3, 3)
        R_v = np.stack([w[2] * R[:, 1] - w[1] * R[:, 2], w[0] * R[:, 2] - w[2] * R[:, 0]], axis=-1)
        R_v = np.column_stack([R_v, w[1] * R[:, 0] - w[0] * R[:, 1]])
        return np.concatenate([np.cross(I * w, w) / I, R_v.ravel()])

    first = np.concatenate([case.omega, np.ravel(start)])
    run = solve_ivp(rates, (0.0, t[-1]), first, method="DOP853", t_eval=t, rtol=1e-13, atol=1e-14)
    return np.asarray(run.y)


def _in_many_digits(omega: tuple[float, float, float], t: float) -> list[float]:
    """ω of moments 1, 2, 3 by the formulas of L. D. Landau and E. M. Lifshitz, Mechanics (37.8) to (37.12)."""
    with mpmath.workdps(50):
        w, I = [mpmath.mpf(x) for x in omega], [mpmath.mpf(x) for x in (1, 2, 3)]
        energy, square = (
            sum(a * b**2 for a, b in zip(I, w, strict=True)),
            sum((a * b) ** 2 for a, b in zip(I, w, strict=True)),
        )
        high = square > energy * I[1]
        if not high:
            w, I = w[::-1], I[::-1]
        sizes = [
            mpmath.sqrt((energy * I[2] - square) / (I[0] * (I[2] - I[0]))),
            mpmath.sqrt((energy * I[2] - square) / (I[1] * (I[2] - I[1]))),
            mpmath.sqrt((square - energy * I[0]) / (I[2] * (I[2] - I[0]))),
        ]
        rate = mpmath.sqrt((I[2] - I[1]) * (square - energy * I[0]) / (I[0] * I[1] * I[2]))
        m = (I[1] - I[0]) * (energy * I[2] - square) / ((I[2] - I[1]) * (square - energy * I[0]))

        # ω₁ = cn, ω₂ = sn, ω₃ = dn with one sign each: ω̇₂ has the sign of ω₁ω₃ in the order 1, 2, 3
        sign = mpmath.sign(w[2])
        u = rate * mpmath.mpf(t) + mpmath.ellipf(mpmath.atan2(w[1] * sign / sizes[1], w[0] / sizes[0]), m)
        found = [sizes[0] * mpmath.ellipfun("cn", u, m=m), sign * sizes[1] * mpmath.ellipfun("sn", u, m=m)]
        found.append(sign * sizes[2] * mpmath.ellipfun("dn", u, m=m))
        return [float(x) for x in (found if high else found[::-1])]


def _hinge_and_link(angle: np.ndarray, length: float, twist: float) -> np.ndarray:
    """R_z(angle) T_x(length) R_x(twist) in homogeneous coordinates."""
    c, s, one, zero = np.cos(angle), np.sin(angle), np.ones_like(angle), np.zeros_like(angle)
    ca, sa = np.cos(twist), np.sin(twist)
    rows = [[c, -s * ca, s * sa, length * c], [s, c * ca, -c * sa, length * s]]
    rows += [[zero, sa * one, ca * one, zero], [zero, zero, zero, one]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _ritz(rhoI: float, terms: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K, M and ρI ∫w'w' of a unit cantilever for the shapes x² P_k(2x − 1)."""
    z, weight = legendre.leggauss(terms + 8)
    x, weight = 0.5 * (z + 1.0), 0.5 * weight
    P = np.stack([legendre.legval(z, np.eye(terms)[k]) for k in range(terms)])
    P1 = 2.0 * np.stack([legendre.legval(z, legendre.legder(np.eye(terms)[k])) for k in range(terms)])
    P2 = 4.0 * np.stack([legendre.legval(z, legendre.legder(np.eye(terms)[k], 2)) for k in range(terms)])
    w, w1, w2 = x**2 * P, 2.0 * x * P + x**2 * P1, 2.0 * P + 4.0 * x * P1 + x**2 * P2
    G = (rhoI * weight * w1) @ w1.T
    return (weight * w2) @ w2.T, (weight * w) @ w.T + G, G
