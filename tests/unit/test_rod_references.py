"""The independent solutions of rods and frames under load: printed numbers, and a second way to the same answer."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.spatial.transform import Rotation

from references import cosserat_rod, critical_loads, elastica, rod_cases
from references.cosserat_rod import Line, Rod
from references.critical_loads import Frame

# ── rods in space ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("load", [1.0, 10.0])
def test_rod_in_a_plane_is_the_elastica(load: float) -> None:
    # the plane turned about the rod, and a rod that is not of unit length
    turned = Rotation.from_euler("x", 0.7).as_matrix()
    rod = Rod(2.0, GJ=0.8, EI=(1.5, 3.0), frame=tuple(map(tuple, turned)))
    line = cosserat_rod.cantilever(rod, load * 3.0 / 4.0 * turned[:, 1])
    tip = elastica.end_force(load)
    np.testing.assert_allclose(turned.T @ line.r[-1], (2.0 * tip.x, 2.0 * tip.y, 0.0), atol=1e-11)


@pytest.mark.parametrize("moment", [(0.0, 0.0, np.pi), (1.0, 2.0, -3.0), (2.5, 0.0, 0.4)])
def test_rod_rolled_by_a_moment(moment: tuple[float, float, float]) -> None:
    # a circle, or a helix, in closed form
    rod = Rod(2.0, GJ=0.8, EI=(1.0, 1.0))
    line = cosserat_rod.cantilever(rod, moment=moment)
    r, R = cosserat_rod.rolled(rod, moment, line.s)
    np.testing.assert_allclose(line.r, r, atol=1e-12)
    np.testing.assert_allclose(line.R, R, atol=1e-12)


def test_rod_rolls_to_two_circles() -> None:
    # Simo and Vu-Quoc (1986), section 7.1: L = 1, EI = 2, M = 8π
    r, R = cosserat_rod.rolled(Rod(1.0, 1.0, (2.0, 2.0)), (0.0, 0.0, 8.0 * np.pi), [0.25, 0.5, 1.0])
    np.testing.assert_allclose(r, [[0.0, 0.5 / np.pi, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], atol=1e-15)
    np.testing.assert_allclose(R[-1], np.eye(3), atol=1e-14)


# with extension and shear of the whole section, J = 1/6: computed with another program, stable to 2e-5
BEND = [
    (300.0, (58.77912, 22.24478, 40.19189)),
    (450.0, (52.23856, 18.50818, 48.50293)),
    (600.0, (47.15044, 15.68480, 53.47486)),
]


@pytest.mark.validation
@pytest.mark.parametrize(("load", "tip"), BEND)
def test_bend_in_numbers(load: float, tip: tuple[float, float, float]) -> None:
    line = cosserat_rod.cantilever(rod_cases.bend(stretch=True, shear=True), (0.0, 0.0, load))
    np.testing.assert_allclose(line.r[-1], tip, atol=2e-5)


@pytest.mark.parametrize(("stretch", "shear"), [(False, False), (True, False), (True, True)])
def test_bend_by_collocation(stretch: bool, shear: bool) -> None:
    rod = rod_cases.bend(0.1406, stretch, shear)
    line = cosserat_rod.cantilever(rod, (0.0, 0.0, 600.0))
    np.testing.assert_allclose(_collocate(rod, line)[:, :3], line.r, atol=1e-7)


def test_strip_with_a_weight_and_a_torque() -> None:
    # stiffnesses as printed: 36.28, 2.429 and 3.103 N m²
    rod = rod_cases.princeton_beam(0.5 * np.pi)
    np.testing.assert_allclose((*rod.EI, rod.GJ), (36.28, 2.429, 3.103), rtol=2e-4)
    line = cosserat_rod.cantilever(rod, (0.0, 0.0, -13.345), (5.0, 0.0, 0.0))
    np.testing.assert_allclose(line.m[-1], (5.0, 0.0, 0.0), atol=1e-10)
    np.testing.assert_allclose(_collocate(rod, line)[:, :3], line.r, atol=1e-9)

    # flat, and without the torque, it bends in its plane
    flat = cosserat_rod.cantilever(rod, (0.0, 0.0, -13.345)).r[-1] / rod.length
    tip = elastica.end_force(13.345 * rod.length**2 / rod.EI[1])
    np.testing.assert_allclose(flat, (tip.x, 0.0, -tip.y), atol=1e-11)


def test_half_ring_with_a_twisted_end() -> None:
    rod = Rod(1.0, GJ=0.8, EI=(4.0, 1.0))
    line = rod_cases.twisted_half_ring(rod, 0.5 * np.pi, steps=6)
    np.testing.assert_allclose(line.r[-1], (0.0, 2.0 / np.pi, 0.0), atol=1e-11)
    np.testing.assert_allclose(line.R[-1], [[-1, 0, 0], [0, 0, 1], [0, 1, 0]], atol=1e-11)
    np.testing.assert_allclose(_collocate(rod, line)[:, :3], line.r, atol=1e-8)


def test_torsion_of_a_rectangle() -> None:
    # Timoshenko and Goodier, table: 0.1406 of a square, 0.229 of sides 1:2, 0.312 of 1:10
    for ratio, factor in ((1.0, 0.1406), (2.0, 0.229), (10.0, 0.312)):
        assert rod_cases.rectangle_torsion(ratio, 1.0) / ratio == pytest.approx(factor, abs=6e-4)


# ── arch and frame ───────────────────────────────────────────────────────────────────────────────────────────────────

FRAMES = {
    "arch": (critical_loads.deep_arch(EA=np.inf), np.arange(2.0, 140.0, 4.0)),
    "frame": (critical_loads.lee_frame(EA=np.inf), np.arange(3.0, 60.0, 6.0)),
}


@pytest.fixture(scope="module")
def limits() -> dict[str, critical_loads.Limit]:
    return {name: critical_loads.limit(frame, path) for name, (frame, path) in FRAMES.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", FRAMES)
def test_limit_load_by_a_chain_of_bars(name: str, limits: dict[str, critical_loads.Limit]) -> None:
    # stiff bars and springs at their joints converge with order two; extrapolated
    (frame, path), limit = FRAMES[name], limits[name]
    way = np.append(path[path < limit.deflection], limit.deflection)
    coarse, fine = _chain(frame, way, 100), _chain(frame, way, 200)
    assert (4.0 * fine - coarse) / 3.0 == pytest.approx(limit.load, rel=1e-6)

    # the load is at its limit: at this load the equations are singular
    before, after = (critical_loads.stiffness_under_load(frame, limit.deflection + d, way[:-1]) for d in (-0.1, 0.1))
    assert before * after < 0.0


@pytest.mark.slow
@pytest.mark.validation
def test_limit_loads_in_numbers(limits: dict[str, critical_loads.Limit]) -> None:
    # DaDeppo and Schmidt (1975): 897 to three digits, without extension
    assert limits["arch"].load == pytest.approx(897.0, abs=0.5)

    # Simo and Vu-Quoc (1986): 18532, with shear and by finite elements; extension and shear lower the load a little
    soft = critical_loads.limit(critical_loads.lee_frame(GA=7.2e6 / 2.6 * 6.0), FRAMES["frame"][1])
    assert soft.load < limits["frame"].load
    assert soft.load == pytest.approx(18532.0, rel=1e-3)


# ── second ways ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _collocate(rod: Rod, line: Line) -> np.ndarray:
    """r, q, N, M at the places of a line, by collocation on the equations in the axes of the sections.

    N' = −κ × N, M' = −κ × M − (e₁ + ε) × N and Euler parameters for the frames; the line gives the first guess, with
    an error put on it, and the conditions at the far end: position and frame.
    """
    soft = np.array([[1.0 / rod.EA], [1.0 / rod.GA[0]], [1.0 / rod.GA[1]]])
    bending = np.array([[1.0 / rod.GJ], [1.0 / rod.EI[0]], [1.0 / rod.EI[1]]])
    drawn, e1 = np.array(rod.curvature)[:, None], np.array([[1.0], [0.0], [0.0]])

    def rates(_: np.ndarray, y: np.ndarray) -> np.ndarray:
        q, N, M = y[3:7], y[7:10], y[10:13]
        gamma, kappa = e1 + soft * N, drawn + bending * M
        v, w = q[:3], q[3]
        twice = 2.0 * np.cross(v, gamma, axis=0)
        r_s = gamma + w * twice + np.cross(v, twice, axis=0)
        q_s = np.vstack([0.5 * (w * kappa + np.cross(v, kappa, axis=0)), -0.5 * (v * kappa).sum(axis=0)])
        N_s = -np.cross(kappa, N, axis=0)
        return np.vstack([r_s, q_s, N_s, -np.cross(kappa, M, axis=0) - np.cross(gamma, N, axis=0)])

    # the line in these coordinates, Euler parameters without jumps of sign
    q = Rotation.from_matrix(line.R).as_quat()
    q *= np.cumprod(np.concatenate([[1.0], np.sign((q[1:] * q[:-1]).sum(axis=1))]))[:, None]
    N, M = line.n @ line.R, np.einsum("sji,sj->si", line.R, line.m)
    first = np.hstack([line.r, q, N, M]).T
    size = np.abs(first).max(axis=1, keepdims=True)

    # at the far end the largest Euler parameter follows from the other three
    known = np.delete(np.arange(7), 3 + int(np.argmax(np.abs(q[-1]))))

    def ends(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.concatenate([(a - first[:, 0])[:7], (b - first[:, -1])[known]])

    guess = first + 1e-2 * size * np.sin(np.pi * line.s / rod.length) * np.cos(np.arange(13.0))[:, None]
    run = solve_bvp(rates, ends, line.s, guess, tol=1e-9, max_nodes=20000)
    assert run.success
    return np.asarray(run.sol(line.s).T)


def _chain(frame: Frame, deflections: np.ndarray, bars: int) -> float:
    """The load that holds a deflection: the energy of springs between bars, least under three conditions."""
    # bars, and the angles between them when unloaded
    total = sum(piece.length for piece in frame.pieces)
    h, kinks, before = [], [], []
    last = 0.0
    for number, piece in enumerate(frame.pieces):
        n = round(bars * piece.length / total)
        half = 0.5 * piece.curvature * piece.length / n
        h += [piece.length / n] * n
        kinks += [last + piece.turn + half] + [2.0 * half] * (n - 1)
        before += [float(number <= frame.loaded)] * n
        last = half
    l, loaded, drawn = np.array(h), np.array(before), frame.slope + np.cumsum(kinks)
    gaps = np.concatenate([[0.5 * l[0]], 0.5 * (l[1:] + l[:-1])])
    springs = frame.EI / gaps * np.concatenate([[float(frame.clamped)], np.ones(l.size - 1)])
    d = np.eye(l.size) - np.eye(l.size, k=-1)
    K = d.T @ (springs[:, None] * d)

    # Newton on angles and multipliers
    def places(angle: np.ndarray) -> np.ndarray:
        return np.array([l @ np.cos(angle), l @ np.sin(angle), (loaded * l) @ np.sin(angle)])

    angle, force = drawn.copy(), np.zeros(3)
    for v in deflections:
        for _ in range(40):
            c, s = l * np.cos(angle), l * np.sin(angle)
            J = np.stack([-s, c, loaded * c])
            H = K - np.diag(force[0] * c + force[1] * s + force[2] * loaded * s)
            miss = np.concatenate([K @ (angle - drawn) + J.T @ force, places(angle) - places(drawn) + [0.0, 0.0, v]])
            step = -np.linalg.solve(np.block([[H, J.T], [J, np.zeros((3, 3))]]), miss)
            angle, force = angle + step[: l.size], force + step[l.size :]
            if np.abs(step[: l.size]).max() < 1e-11:
                break
    return float(force[2])
