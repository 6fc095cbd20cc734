"""Pairs of surfaces in space: balls, ball and cylinder, edges on faces."""

from math import acos, pi, sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.spatial import Ball, BallBox, BallCylinder, BallPair, Body, EdgeFace, Mass, RimFace

GRAVITY = 9.81


def test_equal_balls_exchange_their_normal_velocity():
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (0.05, 0.012, -0.016)},
        elements={
            "a": Mass("A", 0.2),
            "b": Mass("B", 0.2),
            "pair": BallPair("A", "B", fx.Restitution(1.0), radius_p=0.02, radius_q=0.01),
        },
        start={"A.x'": 1.0},
    )
    motion = fx.simulate(model, 0.1, samples=11)
    # the centres are 0.02 apart across the path: the normal is inclined by asin 2/3
    n = np.array([sqrt(5.0) / 3.0, 0.4, -1.6 / 3.0])
    after = np.array([motion[f"B.{axis}'"][-1] for axis in "xyz"])
    assert after == pytest.approx(n * n[0], rel=1e-9)
    assert motion["A.x'"][-1] == pytest.approx(1.0 - n[0] ** 2, rel=1e-9)


def test_ball_slides_off_a_ball_at_two_thirds():
    # without friction a ball leaves a larger one where cos θ = 2/3, whatever their radii
    first = 0.05
    model = fx.Model(
        nodes={"O": (0, 0, 0), "B": (0.3 * np.sin(first), 0.0, 0.3 * np.cos(first))},
        elements={
            "ball": Mass("B", 1.0),
            "pair": BallPair("O", "B", fx.Restitution(0.0), radius_p=0.25, radius_q=0.05),
        },
        fixed=["O"],
        gravity=(0, 0, -GRAVITY),
    )
    motion = fx.simulate(model, 2.0, events=[fx.Event("B.z", 0.0, stop=True)], samples=1001)
    (left,) = (event.time for event in motion.events if event.kind == "release")
    leaving = np.interp(left, motion.t, np.arctan2(motion["B.x"], motion["B.z"]))
    assert leaving == pytest.approx(acos(2.0 / 3.0 * np.cos(first)), abs=1e-4)


@pytest.mark.parametrize(("inertia", "friction"), [(0.0, None), (0.4, fx.Friction(1.0, 0.0))])
def test_ball_swings_in_a_bore(inertia, friction):
    # a ball that slides has the frequency g/(b - r); one that rolls the frequency g/((b - r)(1 + J/mr²))
    bore, r, m = 0.3, 0.05, 0.8
    J = max(inertia, 1e-9) * m * r**2
    swing, angle = bore - r, 1e-3
    model = fx.Model(
        nodes={"O": (0, 0, 0), "B": (0, swing * np.sin(angle), -swing * np.cos(angle))},
        elements={
            "ball": Body("B", m, J, J, J),
            "bore": BallCylinder("O", "ball.p", bore, fx.Restitution(0.0), r, inside=True, friction=friction),
        },
        fixed=["O"],
        gravity=(0, 0, -GRAVITY),
    )
    period = 2.0 * pi * sqrt(swing * (1.0 + inertia) / GRAVITY)
    motion = fx.simulate(model, period, samples=101)
    assert motion["B.y"][-1] == pytest.approx(motion["B.y"][0], rel=1e-5)
    assert motion["B.y"][50] == pytest.approx(-motion["B.y"][0], rel=1e-5)


def test_edge_rests_on_both_ends():
    law = fx.KelvinVoigt(1e6, 100.0)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "B": (0, 0, 0)},
        elements={
            "floor": Body("O", 1.0),
            "edge": EdgeFace("floor.p", "bar.p", 0.2, law, edge=(1.0, 1.0, 0.0)),
            "bar": Body("B", 2.0, 1e-2, 1e-2, 1e-2, centre=(0.02 / sqrt(2.0), 0.02 / sqrt(2.0), 0.0)),
        },
        fixed=["O", "floor.p", "B.x", "B.y", "bar.p.e1", "bar.p.e3"],
        gravity=(0, 0, -GRAVITY),
    )
    state = fx.equilibrium(model)
    # levers of 0.1 ± 0.02 about the ends
    assert state.force("edge.end_1") == pytest.approx(0.6 * 2.0 * GRAVITY, rel=1e-3)
    assert state.force("edge.end_2") == pytest.approx(0.4 * 2.0 * GRAVITY, rel=1e-3)


def test_disc_rolls_on_its_rim():
    r, speed = 0.1, 0.5
    model = fx.Model(
        nodes={"O": (0, 0, 0), "C": (0, 0, r)},
        elements={
            "floor": Body("O", 1.0),
            "rim": RimFace("floor.p", "disc.p", r, fx.Restitution(0.0), axis=(0, 1, 0), friction=fx.Friction(0.5, 0.0)),
            "disc": Body("C", 1.0, 0.25 * r**2, 0.5 * r**2, 0.25 * r**2),
        },
        fixed=["O", "floor.p"],
        gravity=(0, 0, -GRAVITY),
        start={"C.x'": speed, "disc.p.about_y'": speed / r},
    )
    motion = fx.simulate(model, 1.0, samples=11)
    assert motion["C.x"][-1] == pytest.approx(speed, rel=1e-9)
    assert motion["C.z"] == pytest.approx(r, abs=1e-12)
    assert motion.force("rim.gap") == pytest.approx(GRAVITY, rel=1e-9)


# ── ball and box ─────────────────────────────────────────────────────────────────────────────────────────────────────


def boxed(place, law, start=(), gravity=(0.0, 0.0, 0.0), **options):
    """A ball of radius 0.1 m and 0.5 kg before a fixed box of 0.6 m, 0.4 m and 0.2 m."""
    return fx.Model(
        nodes={"O": (0.2, -0.1, 0.3), "B": place},
        elements={
            "ball": Body("B", 0.5, 2e-3, 2e-3, 2e-3),
            "box": BallBox("O", "ball.p", 0.6, 0.4, 0.2, law, 0.1, **options),
        },
        fixed=["O"],
        start=dict(start),
        gravity=gravity,
    )


def test_ball_before_a_box():
    """The gap is the least distance from the points of the box, found by trying many, less the radius."""
    random = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(*(np.linspace(-h, h, 41) for h in (0.3, 0.2, 0.1))), axis=-1).reshape(-1, 3)
    for _ in range(6):
        away = random.standard_normal(3)
        away *= 0.8 / np.linalg.norm(away)
        model = boxed(tuple(np.add((0.2, -0.1, 0.3), away)), fx.KelvinVoigt(1e4, 1.0))
        gap = fx.simulate(model, 1e-6, samples=2)["box.gap"][0]
        nearest = np.linalg.norm(grid - away, axis=1).min()
        assert nearest - 0.1 - 5e-4 < gap <= nearest - 0.1 + 1e-9


@pytest.mark.parametrize("normal", [(0, 0, 1), (-1, 0, 0), (0, 0.6, 0.8), (-0.48, 0.6, 0.64)])
def test_ball_bounces_from_face_edge_and_corner(normal):
    """It leaves with the normal component of its velocity reversed, e times as fast."""
    n, halves, e = np.array(normal, dtype=float), np.array((0.3, 0.2, 0.1)), 0.7
    place = np.array((0.2, -0.1, 0.3)) + np.where(n != 0.0, np.sign(n) * halves, 0.05) + (0.1 + 1e-3) * n
    v = np.array((0.3, -0.2, 0.1)) - 1.5 * n
    model = boxed(tuple(place), fx.Restitution(e), {f"B.{c}'": w for c, w in zip("xyz", v, strict=True)})
    motion = fx.simulate(model, 2e-3, samples=3)
    (impact,) = motion.impacts
    after = np.array([motion[f"B.{c}'"][-1] for c in "xyz"])
    # the ball goes aside by less than a millimetre before it meets an edge or a corner
    assert impact.approach == pytest.approx(-v @ n, abs=1e-2)
    change = (after - v) / np.linalg.norm(after - v)
    assert change == pytest.approx(n, abs=1e-2)
    assert np.linalg.norm(after - v) == pytest.approx((1.0 + e) * impact.approach, rel=1e-9)


def test_ball_slides_over_an_edge():
    """Without friction it leaves an edge where cos θ = 2/3 of that at its start, as it leaves a ball."""
    first, edge = 0.05, np.array((0.5, -0.1, 0.4))
    place = edge + 0.1 * np.array((np.sin(first), 0.0, np.cos(first)))
    model = boxed(tuple(place), fx.Restitution(0.0), gravity=(0, 0, -GRAVITY))
    motion = fx.simulate(model, 0.5, samples=1001)
    left = next(event.time for event in motion.events if event.kind == "release")
    leaving = np.interp(left, motion.t, np.arctan2(motion["B.x"] - edge[0], motion["B.z"] - edge[2]))
    assert leaving == pytest.approx(acos(2.0 / 3.0 * np.cos(first)), abs=1e-4)


def test_ball_rolls_on_a_tilted_box():
    """Down a slope of 0.2 rad with 5/7 of g sin α; the box is drawn with its faces along the slope."""
    slope = 0.2
    t, up = np.array((np.cos(slope), 0.0, -np.sin(slope))), np.array((np.sin(slope), 0.0, np.cos(slope)))
    place = np.array((0.2, -0.1, 0.3)) + 0.2 * up - 0.1 * t
    model = boxed(
        tuple(place), fx.Restitution(0.0), gravity=(0, 0, -GRAVITY), direction=tuple(t), friction=fx.Friction(0.5, 0.0)
    )
    motion = fx.simulate(model, 0.3, samples=4)
    way = np.array([motion[f"B.{c}"][-1] for c in "xyz"]) - place
    assert way @ t == pytest.approx(0.5 * GRAVITY * np.sin(slope) / 1.4 * 0.09, rel=1e-9)
    assert way @ up == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("mu", "way"), [(0.3, (1.0, 0.0)), (0.6, (1.0, 0.7))])
def test_box_slides_on_four_corners(mu, way):
    """Distance v²/2μg: friction loads the corners in front more than those behind, and none of them opens."""
    sides = np.array([0.2, 0.15, 0.1])
    squares = (sides @ sides - sides**2) / 12.0
    corners = {f"P{k}": (0.1 * (2 * (k % 2) - 1), 0.075 * (2 * (k // 2) - 1), 0.0) for k in range(4)}
    rough = fx.Friction(mu, regularisation_speed=0.0)
    model = fx.Model(
        nodes={"G": (0, 0, 0), "C": (0, 0, 0.05)} | corners,
        elements={"box": Body("C", 1.0, *map(float, squares), points=tuple(corners))}
        | {f"foot{k}": Ball("G", f"P{k}", fx.Restitution(0.2), friction=rough) for k in range(4)},
        fixed=["G"],
        gravity=(0, 0, -GRAVITY),
        start={"C.x'": way[0], "C.y'": way[1]} | {f"box.p.about_{c}'": 0.0 for c in "xyz"} | {"C.z'": 0.0},
    )
    speed = float(np.hypot(*way))
    motion = fx.simulate(model, times=[0.0, 0.01, 0.4], limits=fx.Limits(steps=1000))
    assert motion.outcome is fx.Outcome.DONE
    assert np.hypot(motion["C.x"][-1], motion["C.y"][-1]) == pytest.approx(speed**2 / (2 * mu * GRAVITY), rel=1e-7)
    loads = np.array([motion.force(f"foot{k}.gap")[1] for k in range(4)])
    places = np.array(list(corners.values()))[:, :2]
    # at the height of the centre, friction has the moment μmgh about the axis across the way
    ahead = places @ np.array(way) / speed
    assert loads.min() >= 0.0
    assert loads.sum() == pytest.approx(GRAVITY, rel=1e-9)
    assert loads @ ahead == pytest.approx(mu * GRAVITY * 0.05, rel=1e-7)
    assert len(motion.impacts) == 0
