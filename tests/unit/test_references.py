"""The independent solutions against printed numbers, and against the laws they should obey."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from references import (
    beam_vibration,
    cable_drum,
    elastica,
    elliptic_trammel,
    flexible_slider_crank,
    four_bar,
    pendulum,
    slider_crank,
    step_dwell,
)


@pytest.fixture(params=range(3))
def random(request: pytest.FixtureRequest) -> np.random.Generator:
    return np.random.default_rng(request.param)


# ── rigid mechanisms ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_slider_crank_velocities_and_accelerations_are_derivatives(random: np.random.Generator) -> None:
    case = _slider_crank(random)
    t, h = random.uniform(0.0, 3.0, 50), 1e-5

    def at(t: np.ndarray) -> slider_crank.Kinematics:
        return slider_crank.kinematics(case, *_crank_motion(t))

    middle, after, before = at(t), at(t + h), at(t - h)
    for position, velocity in (
        ("A", "A_v"),
        ("A_v", "A_a"),
        ("B", "B_v"),
        ("B_v", "B_a"),
        ("theta", "theta_v"),
        ("theta_v", "theta_a"),
    ):
        slope = (getattr(after, position) - getattr(before, position)) / (2.0 * h)
        np.testing.assert_allclose(getattr(middle, velocity), slope, rtol=1e-7, atol=1e-7)


def test_slider_crank_keeps_its_lengths_and_its_guide(random: np.random.Generator) -> None:
    case = _slider_crank(random)
    k = slider_crank.kinematics(case, *_crank_motion(np.linspace(0.0, 3.0, 50)))
    np.testing.assert_allclose(np.hypot(*k.A.T), case.crank, rtol=1e-14)
    np.testing.assert_allclose(np.hypot(*(k.B - k.A).T), case.rod, rtol=1e-14)
    np.testing.assert_allclose(k.B[:, 1], case.offset, atol=1e-14)


def test_slider_crank_torque_is_the_power_over_the_speed(random: np.random.Generator) -> None:
    case = _slider_crank(random)
    t, h = random.uniform(0.0, 3.0, 50), 1e-5

    def energy(t: np.ndarray) -> np.ndarray:
        motion = _crank_motion(t)
        k = slider_crank.kinematics(case, *motion)
        m_crank, m_rod = case.rhoA_crank * case.crank, case.rhoA_rod * case.rod
        first_moment = 0.5 * m_crank * k.A + 0.5 * m_rod * (k.A + k.B) + case.slider * k.B
        potential = -first_moment @ np.array(case.gravity)
        return np.asarray(slider_crank.kinetic_energy(case, motion[0], motion[1]) + potential)

    power = (energy(t + h) - energy(t - h)) / (2.0 * h)
    _, speed, _ = motion = _crank_motion(t)
    np.testing.assert_allclose(slider_crank.forces(case, *motion).torque * speed, power, rtol=1e-6, atol=1e-6)


def test_slider_crank_reactions_carry_the_whole(random: np.random.Generator) -> None:
    # force and moment about O of everything outside equal the rates of the whole's momenta
    case = _slider_crank(random)
    motion = _crank_motion(np.linspace(0.0, 3.0, 50))
    k, f = slider_crank.kinematics(case, *motion), slider_crank.forces(case, *motion)
    m_crank, m_rod, g = case.rhoA_crank * case.crank, case.rhoA_rod * case.rod, np.array(case.gravity)
    rate = 0.5 * m_crank * k.A_a + 0.5 * m_rod * (k.A_a + k.B_a) + case.slider * k.B_a
    outside = f.O_on_crank + (m_crank + m_rod + case.slider) * g
    outside[:, 1] += f.guide_on_slider
    np.testing.assert_allclose(outside, rate, rtol=1e-11, atol=1e-11)

    # a uniform bar from a to b: ∫ r × a dm = m (2 a×a_a + a×b_a + b×a_a + 2 b×b_a)/6
    spin = m_crank / 3.0 * _cross(k.A, k.A_a) + case.slider * _cross(k.B, k.B_a)
    spin += m_rod / 3.0 * (_cross(k.A, k.A_a) + _cross(k.B, k.B_a))
    spin += m_rod / 6.0 * (_cross(k.A, k.B_a) + _cross(k.B, k.A_a))
    weight = 0.5 * m_crank * k.A + 0.5 * m_rod * (k.A + k.B) + case.slider * k.B
    moment = f.torque + k.B[:, 0] * f.guide_on_slider + _cross(weight, g)
    np.testing.assert_allclose(moment, spin, rtol=1e-11, atol=1e-11)


def test_slider_crank_turns_freely_without_torque() -> None:
    case = slider_crank.SliderCrank(0.15, 0.3, rhoA_crank=0.2225, rhoA_rod=0.2225, slider=0.033375)
    t = np.linspace(0.0, 0.1, 20001)
    phi, speed = slider_crank.free_turning(case, 150.0, t)
    acceleration = np.gradient(speed, t, edge_order=2)
    torque = slider_crank.forces(case, phi, speed, acceleration).torque
    driven = slider_crank.forces(case, phi, speed, np.zeros_like(phi)).torque
    assert np.max(np.abs(torque)) < 1e-5 * np.max(np.abs(driven))
    np.testing.assert_allclose(np.gradient(phi, t, edge_order=2)[1:-1], speed[1:-1], rtol=1e-6)


def test_four_bar_closes_and_its_rates_are_derivatives() -> None:
    case = four_bar.FourBar(frame=1.0, crank=0.3, coupler=0.9, rocker=0.7)
    phi, omega, alpha, h = np.linspace(0.1, 6.0, 40), 1.3, 0.4, 1e-5
    place = four_bar.position(case, phi)
    np.testing.assert_allclose(np.hypot(*(place.B - place.A).T), case.coupler, rtol=1e-13)
    np.testing.assert_allclose(np.hypot(*(place.B - [case.frame, 0.0]).T), case.rocker, rtol=1e-13)

    def angles(t: float) -> np.ndarray:
        at = four_bar.position(case, phi + omega * t + 0.5 * alpha * t**2)
        return np.stack([at.coupler, at.rocker], axis=-1)

    first, second = four_bar.rates(case, place, phi, omega, alpha)
    np.testing.assert_allclose(first, (angles(h) - angles(-h)) / (2.0 * h), rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(second, (angles(h) - 2.0 * angles(0.0) + angles(-h)) / h**2, atol=2e-5)


def test_four_bar_holds_the_parallelogram() -> None:
    phi = np.linspace(0.1, 3.0, 20)
    general = four_bar.position(four_bar.FourBar(frame=1.0, crank=0.4, coupler=1.0, rocker=0.4), phi)
    special = four_bar.parallelogram(0.4, 1.0, phi)
    np.testing.assert_allclose(special.B, general.B, atol=1e-12)
    np.testing.assert_allclose(special.rocker, general.rocker, atol=1e-12)


# columns: turns, φ̇/ω0, φ̈/ω0², F/(m r ω0²), N/(m r ω0²); the curves of [Schwab2002 figures 3.4 and 3.5], recomputed
CABLE_DRUM = [
    (0.25, 1.004573, 8.10433e-3, 0.0803070, -0.1619039),
    (0.5, 1.025978, 1.763490e-2, 0.1675315, -5.61336e-3),
    (1.0, 1.054093, 0.0, 0.0, 0.0),
    (2.5, 1.154701, 2.829421e-2, 0.2122066, -9.00633e-3),
    (5.0, 1.414214, 0.0, 0.0, 0.0),
    (7.5, 2.000000, 0.2546479, 0.6366198, -8.10569e-2),
    (9.5, 4.472136, 6.366198, 3.183099, -2.026424),
]


@pytest.mark.validation
@pytest.mark.parametrize(("turns", "speed", "acceleration", "tension", "normal"), CABLE_DRUM)
def test_cable_drum_in_numbers(turns: float, speed: float, acceleration: float, tension: float, normal: float) -> None:
    case, phi = cable_drum.CableDrum(), 2.0 * np.pi * turns
    assert cable_drum.angular_velocity(case, phi) == pytest.approx(speed, rel=1e-6)
    assert cable_drum.angular_acceleration(case, phi) == pytest.approx(acceleration, rel=1e-6, abs=1e-14)
    assert cable_drum.tension(case, phi) == pytest.approx(tension, rel=1e-6, abs=1e-14)
    assert cable_drum.normal_force(case, phi) == pytest.approx(normal, rel=1e-6, abs=1e-14)


def test_cable_drum_in_time() -> None:
    case = cable_drum.CableDrum(mass=0.3, radius=0.2, speed=2.0)
    run = solve_ivp(
        lambda _, y: [y[1], float(cable_drum.angular_acceleration(case, y[0]))],
        (0.0, cable_drum.time(case, 50.0)),
        [0.0, case.speed],
        rtol=1e-11,
        atol=1e-11,
    )
    assert run.y[0, -1] == pytest.approx(50.0, rel=1e-8)


@pytest.mark.validation
def test_step_dwell_in_numbers() -> None:
    case = step_dwell.StepDwell()
    assert step_dwell.travel(case, np.deg2rad(90.0)) == pytest.approx(0.570796, abs=1e-6)
    assert step_dwell.travel(case, 2.0 * np.pi) == pytest.approx(2.0 * np.pi)
    assert step_dwell.tooth_force(case, 0.0) == pytest.approx(1.064178, abs=1e-6)
    phi = np.deg2rad(np.linspace(0.0, 360.0, 36001))
    for history, extreme, degrees in (
        (step_dwell.crank_torque(case, phi), 1.122185, (218.95, 321.05)),
        (step_dwell.tooth_force(case, phi), 1.622261, (214.04, 325.96)),
    ):
        assert np.max(np.abs(history)) == pytest.approx(extreme, abs=1e-6)
        at = np.rad2deg(phi[[np.argmax(history), np.argmin(history)]])
        assert sorted(at) == pytest.approx(degrees, abs=0.01)


def test_step_dwell_torque_is_the_rate_of_the_energy() -> None:
    case, phi, h = step_dwell.StepDwell(radius=0.4, mass=2.0, speed=3.0), np.linspace(0.0, 6.0, 30), 1e-5

    def energy(phi: np.ndarray) -> np.ndarray:
        belt = (step_dwell.travel(case, phi + h) - step_dwell.travel(case, phi - h)) / (2.0 * h) * case.speed
        return np.asarray(0.5 * case.mass * ((case.radius * case.speed * np.sin(phi)) ** 2 + 0.5 * belt**2))

    slope = (energy(phi + h) - energy(phi - h)) / (2.0 * h)
    np.testing.assert_allclose(step_dwell.crank_torque(case, phi), slope, atol=1e-4)


def test_elliptic_trammel_is_crank_plus_pinion() -> None:
    r, e, omega, psi, h = 0.5, 0.5, 2.0, np.linspace(0.0, 6.0, 30), 1e-5
    turn = elliptic_trammel.pinion_rotation(psi)
    arm = e * r * np.stack([np.sin(turn), -np.cos(turn)], axis=-1)
    path = elliptic_trammel.path(r, e, psi)
    np.testing.assert_allclose(elliptic_trammel.pinion_centre(r, psi) + arm, path, atol=1e-15)
    np.testing.assert_allclose((path[:, 0] / (1 - e)) ** 2 + (path[:, 1] / (1 + e)) ** 2, r**2, rtol=1e-14)
    np.testing.assert_array_equal(elliptic_trammel.path(r, 1.0, psi)[:, 0], 0.0)

    def after(dt: float) -> np.ndarray:
        return elliptic_trammel.path(r, e, psi + omega * dt)

    velocity = elliptic_trammel.velocity(r, e, psi, omega)
    np.testing.assert_allclose(velocity, (after(h) - after(-h)) / (2.0 * h), atol=1e-8)
    acceleration = elliptic_trammel.acceleration(r, e, psi, omega)
    np.testing.assert_allclose(acceleration, (after(h) - 2.0 * path + after(-h)) / h**2, atol=1e-5)


# ── beams ────────────────────────────────────────────────────────────────────────────────────────────────────────────

# PL²/EI, y/L, 1 − x/L, tip slope: Mattiasson (1981), to five digits
ELASTICA = [
    (0.2, 0.06636, 0.00265, 0.09964),
    (1.0, 0.30172, 0.05643, 0.46135),
    (2.0, 0.49346, 0.16064, 0.78175),
    (5.0, 0.71379, 0.38763, 1.21537),
    (10.0, 0.81061, 0.55500, 1.43029),
]


@pytest.mark.validation
@pytest.mark.parametrize(("load", "deflection", "shortening", "slope"), ELASTICA)
def test_elastica_in_numbers(load: float, deflection: float, shortening: float, slope: float) -> None:
    tip = elastica.end_force(load)
    assert (tip.y, 1.0 - tip.x, tip.rotation) == pytest.approx((deflection, shortening, slope), abs=6e-6)


@pytest.mark.parametrize("load", [0.1, 1.0, 3.0, 10.0])
def test_elastica_solves_its_differential_equation(load: float) -> None:
    # θ″ = −(PL²/EI) cos θ, from the tip, where there is no moment, to the clamp
    tip = elastica.end_force(load)
    run = solve_ivp(
        lambda _, y: [y[1], -load * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])],
        (1.0, 0.0),
        [tip.rotation, 0.0, tip.x, tip.y],
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
    )
    np.testing.assert_allclose(run.y[[0, 2, 3], -1], 0.0, atol=1e-10)


@pytest.mark.validation
def test_beam_frequencies_in_numbers() -> None:
    # λ of the textbooks
    np.testing.assert_allclose(beam_vibration.clamped_free(3) ** 0.5, [1.87510407, 4.69409113, 7.85475744], rtol=1e-8)
    np.testing.assert_allclose(beam_vibration.free_free(3) ** 0.5, [4.73004074, 7.85320462, 10.99560784], rtol=1e-8)

    # the rod of [Schwab2002 section 4.4.2]: 832 rad/s in two elements is printed there
    rod = {"EI": 12.72345, "rhoA": 0.2225, "length": 0.3}
    assert beam_vibration.pinned_pinned(1, **rod)[0] == pytest.approx(829.27, abs=0.005)
    two = beam_vibration.pinned_pinned_in_elements(2, **rod)
    np.testing.assert_allclose(two, [832.540585, 3681.67578, 9254.1948, 16871.558], rtol=1e-8)
    many = beam_vibration.pinned_pinned_in_elements(32, **rod)
    np.testing.assert_allclose(many[:3], beam_vibration.pinned_pinned(3, **rod), rtol=1e-5)


# ── pendulums ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("amplitude", [0.1, 1.5, 3.0])
def test_pendulum_swings_as_its_equation_says(amplitude: float) -> None:
    omega = pendulum.small_frequency_of_bar(0.8)
    t = np.linspace(0.0, 1.7 * pendulum.period(amplitude, omega), 40)
    run = solve_ivp(
        lambda _, y: [y[1], -(omega**2) * np.sin(y[0])],
        (0.0, t[-1]),
        [amplitude, 0.0],
        method="DOP853",
        t_eval=t,
        rtol=1e-12,
        atol=1e-12,
    )
    np.testing.assert_allclose(pendulum.swing(amplitude, omega, t), run.y, atol=1e-8)
    theta, rate = pendulum.swing(amplitude, omega, pendulum.period(amplitude, omega))
    assert (theta, rate) == pytest.approx((amplitude, 0.0), abs=1e-7)


def test_double_pendulum_keeps_its_energy() -> None:
    case = pendulum.DoublePendulum(lengths=(1.0, 0.7), masses=(1.0, 2.0))
    motion = pendulum.double_pendulum(case, until=5.0, start=(0.3, -0.2, 0.5, 1.0))
    energy = case.energy(motion(np.linspace(0.0, 5.0, 60)))
    np.testing.assert_allclose(energy, energy[0], rtol=0.0, atol=1e-10)


def test_double_pendulum_holds_the_single_one() -> None:
    # a second bar without mass changes nothing
    case = pendulum.DoublePendulum(masses=(1.0, 1e-12))
    t = np.linspace(0.0, 3.0, 30)
    a = pendulum.double_pendulum(case, until=3.0)(t)[0]
    theta, _ = pendulum.swing(0.5 * np.pi, pendulum.small_frequency_of_bar(1.0), t)
    np.testing.assert_allclose(a + 0.5 * np.pi, theta, atol=1e-9)


# ── slider-crank with a flexible rod ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.validation
def test_flexible_slider_crank_slow() -> None:
    # the state printed at t = 5 in [SchwabMeijaard2000 section 5.7], recomputed with more digits
    case = flexible_slider_crank.FlexibleSliderCrank(EI=0.0012723, speed=1.5)
    end = flexible_slider_crank.simulate(case, [0.0, 5.0])
    np.testing.assert_allclose(end.angles[-1], [-0.444318989, -0.490287896, -0.527886727], atol=1e-9)
    np.testing.assert_allclose(end.nodes[-1, 1], [0.186262690, 0.073824983], atol=1e-9)
    np.testing.assert_allclose(end.nodes[-1, 2], [0.316837848, 0.0], atol=1e-9)
    np.testing.assert_allclose(
        end.strains[-1], [[2.6677795e-3, 4.2268563e-3], [3.6429872e-3, 1.9964202e-3]], atol=1e-10
    )
    rates = [[-1.0714061e-3, -2.3055857e-3], [-3.1906911e-3, -2.0676211e-3]]
    np.testing.assert_allclose(end.strain_rates[-1], rates, atol=1e-8)


@pytest.mark.validation
def test_flexible_slider_crank_first_period() -> None:
    # the dashed curve of [Schwab2002 figure 4.5], recomputed: v/l every 30°
    first = beam_vibration.pinned_pinned_in_elements(2, EI=12.72345, rhoA=0.2225, length=0.3)[0]
    case = flexible_slider_crank.FlexibleSliderCrank(relaxation=2.0 * 0.02 / first)
    times = np.arange(13) * np.pi / 6.0 / case.speed
    motion = flexible_slider_crank.simulate(case, times, tolerance=1e-8)
    table = [0, 0.009601, 0.012401, 0.005323, 0.003907, -0.000394, 0.002169]
    table += [-0.003558, -0.000800, -0.006888, -0.011488, -0.010319, 0.000232]
    np.testing.assert_allclose(motion.deflection() / case.rod, table, atol=1e-6)


def test_flexible_slider_crank_with_a_stiff_rod_is_rigid() -> None:
    # free motion: the crank turns so that the energy of the rigid mechanism stays
    case = flexible_slider_crank.FlexibleSliderCrank(parts=1, EI=200.0, speed=20.0, free=True)
    motion = flexible_slider_crank.simulate(case, np.linspace(0.0, 0.1, 6), tolerance=1e-8)
    rigid = slider_crank.SliderCrank(0.15, 0.3, rhoA_crank=0.2225, rhoA_rod=0.2225, slider=0.033375)
    energy = slider_crank.kinetic_energy(rigid, motion.phi, motion.phi_v)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-3)


def _slider_crank(random: np.random.Generator) -> slider_crank.SliderCrank:
    crank = random.uniform(0.1, 0.4)
    return slider_crank.SliderCrank(
        crank=crank,
        rod=crank * random.uniform(1.5, 4.0),
        offset=crank * random.uniform(-0.3, 0.3),
        rhoA_crank=random.uniform(0.1, 2.0),
        rhoA_rod=random.uniform(0.1, 2.0),
        slider=random.uniform(0.1, 2.0),
        gravity=(random.uniform(-10.0, 10.0), random.uniform(-10.0, 10.0)),
    )


def _crank_motion(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A crank angle that is not steady, with its derivatives."""
    return 2.0 * t + 0.3 * np.sin(3.0 * t), 2.0 + 0.9 * np.cos(3.0 * t), -2.7 * np.sin(3.0 * t)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
