"""Impacts that accumulate, on one corner and on several: times of rest and final states."""

import numpy as np
import pytest

import flexura as fx
from flexura.laws.restitution import Restitution
from flexura.planar import Beam, Body, Mass, PointContact, Truss
from references.corner_impacts import Corner, CornerImpacts
from references.impact import Bounces
from references.surfaces import Floor, Wall

WIDTH, HEIGHT, PLAY = 1.0, 0.3, 0.05


def block(corners: list[Corner], inertia: float, size: float = 1.0, **more) -> fx.Model:
    """A body of unit mass at the origin, held together by weightless links to its corners."""
    nodes, elements, fixed = {"M": (0.0, 0.0)}, {}, []
    for i, corner in enumerate(corners):
        nodes[f"c{i}"] = tuple(size * np.array(corner.place))
        nodes[f"line{i}"] = tuple(size * corner.line * np.array(corner.normal))
        elements[f"arm{i}"] = Beam("arm0.p" if i else "M", f"c{i}", fx.Section(), rigid=True)
        elements[f"gap{i}"] = PointContact(f"line{i}", f"c{i}", Restitution(corner.e), normal=corner.normal)
        fixed.append(f"line{i}")
    elements["body"] = Mass("arm0.p", 1.0, inertia * size**2)
    return fx.Model(nodes=nodes, elements=elements, fixed=fixed, **more)


def guide(e: float, box: bool = False) -> list[Corner]:
    """Corners between floor and ceiling, in a box between its walls too."""
    w, h, y, x = WIDTH, HEIGHT, -HEIGHT - PLAY, -WIDTH - PLAY
    found = [Corner((side * w, -h), (0, 1), y, e) for side in (-1, 1)]
    found += [Corner((side * w, h), (0, -1), y, e) for side in (1, -1)]
    if box:
        found += [Corner((-w, side * h), (1, 0), x, e) for side in (-1, 1)]
        found += [Corner((w, side * h), (-1, 0), x, e) for side in (-1, 1)]
    return found


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("box", [False, True], ids=["guide", "box"])
@pytest.mark.parametrize(("e", "inertia"), [(0.2, 0.0117), (0.2, 0.05), (0.397, 0.0117), (0.6, 0.0117), (0.8, 0.3)])
def test_block_in_a_guide_strikes_corner_by_corner(e, inertia, box, size):
    """Two corners that strike in turn come to rest together where their blows accumulate, or they separate."""
    corners, start, until = guide(e, box), np.array([0.2, 0.3, 1.0]), 3.0
    exact = CornerImpacts(1.0, inertia, corners, np.zeros(3), start)
    exact.run(until)
    rates = {"M.x'": size * start[0], "M.y'": size * start[1], "arm0.p.phi'": start[2]}
    model = block(corners, inertia, size, start=rates)
    motion = fx.simulate(model, until, samples=3, method=fx.DormandPrince(1e-10))
    assert motion.outcome is fx.Outcome.DONE
    scale = np.array([size, size, 1.0])
    place = [motion[name][-1] for name in ("M.x", "M.y", "arm0.p.phi")] / scale
    speed = [motion[name][-1] for name in ("M.x'", "M.y'", "arm0.p.phi'")] / scale
    assert place == pytest.approx(exact.position.astype(float), abs=1e-9)
    assert speed == pytest.approx(exact.velocity.astype(float), abs=1e-9)
    assert len(exact.rests) == (0 if e > 0.7 else 1)
    for time, group in exact.rests:
        found = [event for event in motion.events if event.kind == "contact" and event.time < time + 1e-6]
        assert {event.signal for event in found} == {f"gap{i}.gap" for i in group}
        assert [event.time for event in found] == pytest.approx([time] * len(group), abs=1e-9)
    apart = exact.blows[:5]
    struck = sorted((event.time, event.signal) for event in motion.impacts)[: len(apart)]
    assert [time for time, _ in struck] == pytest.approx([time for time, _, _ in apart], abs=1e-9)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
def test_rest_of_two_corners_does_not_depend_on_the_tolerance(tolerance):
    corners, start = guide(0.397), {"M.y'": 0.3, "arm0.p.phi'": 1.0}
    motion = fx.simulate(block(corners, 0.0117, start=start), 1.0, method=fx.DormandPrince(tolerance))
    exact = CornerImpacts(1.0, 0.0117, corners, np.zeros(3), np.array([0.0, 0.3, 1.0]))
    exact.run(1.0)
    rest = next(event.time for event in motion.events if event.kind == "contact")
    assert rest == pytest.approx(exact.rests[0][0], abs=1e-9)
    assert motion["M.y'"][-1] == pytest.approx(0.0, abs=1e-12)
    assert motion["M.y"][-1] == pytest.approx(PLAY, abs=1e-9)


def test_mass_between_two_walls():
    """Each wall leaves e of the speed: the times of the blows are a geometric series."""
    e, width, speed = 0.6, 0.8, 2.0
    law = Restitution(e)
    model = fx.Model(
        nodes={"L": (0, 0), "B": (0.1, 0), "R": (width, 0)},
        elements={"ball": Mass("B", 3.0), "left": Wall("L", "B", law), "right": Wall("B", "R", law)},
        fixed=["L", "R", "B.y"],
        start={"B.x'": speed},
    )
    motion = fx.simulate(model, 20.0)
    times = [event.time for event in motion.impacts]
    count = np.arange(len(times))
    assert len(times) == 6
    flights = (1.0 / e**count - 1.0) / (1.0 / e - 1.0) * width / e
    assert times == pytest.approx((width - 0.1 + flights) / speed, abs=1e-9)
    assert motion["B.x'"][-1] == pytest.approx((-1.0) ** len(times) * speed * e ** len(times), abs=1e-12)


@pytest.mark.parametrize("mu", [0.2, 1.5])
@pytest.mark.parametrize("e", [0.5, 0.9])
def test_ball_on_an_incline_with_friction(e, mu):
    """Friction acts in its bounces and after them; it sticks where the slope is less than the friction."""
    slope, gravity, speed = 0.6, 9.81, 1.0
    normal = (-np.sin(slope), np.cos(slope))
    along, across = gravity * np.sin(slope), gravity * np.cos(slope)
    exact = Bounces(0.3, across, e)
    model = fx.Model(
        nodes={"O": (0, 0), "B": (0.3 * normal[0], 0.3 * normal[1])},
        elements={
            "ball": Mass("B", 2.0),
            "plane": PointContact(
                "O", "B", Restitution(e), normal=normal, friction=fx.Friction(mu, regularisation_speed=0.0)
            ),
        },
        fixed=["O"],
        start={"B.x'": -speed * np.cos(slope), "B.y'": -speed * np.sin(slope)},
        gravity=(0, -gravity),
    )
    until = exact.rest + 1.0
    motion = fx.simulate(model, until, method=fx.DormandPrince(1e-11))
    rest = next(event.time for event in motion.events if event.kind == "contact")
    assert rest == pytest.approx(exact.rest, abs=1e-9)
    # each blow takes μ(1 + e) of its approach from the speed, or all of it, and flights give it back
    now = way = 0.0
    fast = speed
    for n in range(400):
        flight = exact.time(n) - now
        way += fast * flight + along * flight**2 / 2
        fast = max(fast + along * flight - mu * (1.0 + e) * exact.approach(n), 0.0)
        now = exact.time(n)
    gain = along - mu * across
    stops = -fast / gain if gain < 0.0 else np.inf
    last = min(until - exact.rest, stops)
    way += fast * last + gain * last**2 / 2
    # down the slope, positive
    place = -motion["B.x"][-1] * np.cos(slope) - motion["B.y"][-1] * np.sin(slope)
    assert place == pytest.approx(way, abs=1e-9)
    if stops < until - exact.rest:
        stuck = next(event.time for event in motion.events if event.kind == "stick")
        assert stuck == pytest.approx(exact.rest + stops, abs=1e-5)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("e", [0.5, 0.9])
def test_low_flights_of_many_steps_come_to_rest(e, tolerance):
    """A method that starts anew with short steps passes the top of a flight lower than surfaces are told apart."""
    exact = Bounces(1.0, 9.81, e)
    model = fx.Model(
        nodes={"T": (0, 0), "B": (0, 1)},
        elements={"ball": Mass("B", 2.0), "floor": Floor("T", "B", Restitution(e))},
        fixed=["T"],
        gravity=(0, -9.81),
    )
    motion = fx.simulate(model, 1.2 * exact.rest, method=fx.Adams(tolerance=tolerance))
    assert [event.time for event in motion.events if event.kind == "contact"] == pytest.approx([exact.rest], abs=1e-9)
    assert motion["B.y'"][-1] == 0.0


@pytest.mark.parametrize("legs", [2, 3, 8])
@pytest.mark.parametrize("e", [0.0, 0.5])
def test_table_lands_on_its_legs(legs, e):
    """More legs than are needed: all come to rest, and their forces carry the weight without a moment."""
    corners = [Corner((x, -0.5), (0, 1), -0.6, e) for x in np.linspace(-1.0, 1.0, legs)]
    model = block(corners, 0.4, start={"arm0.p.phi'": 0.5}, gravity=(0, -10.0))
    motion = fx.simulate(model, 3.0, samples=11)
    assert motion.outcome is fx.Outcome.DONE
    force = np.array([motion.force(f"gap{i}.gap")[-1] for i in range(legs)])
    assert force.min() >= 0.0
    assert force.sum() == pytest.approx(10.0, rel=1e-10)
    assert force @ np.linspace(-1.0, 1.0, legs) == pytest.approx(0.0, abs=1e-8)
    assert [motion[f"gap{i}.gap"][-1] for i in range(legs)] == pytest.approx([0.0] * legs, abs=1e-11)
    assert np.diff(motion.energy["total"]).max() < 1e-9


@pytest.mark.parametrize("parts", [5, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("stiffness", [1.0, 1e6])
def test_elastic_bars_in_contact_let_go_once(parts, stiffness):
    """A bar strikes another of twice its length: by d'Alembert's waves they are in contact for 2 ℓ/c."""
    section = fx.Section(EA=1e3 * stiffness, rhoA=1.0)
    nodes = {f"a{k}": (k / parts, 0.0) for k in range(parts + 1)}
    nodes |= {f"b{k}": (1.001 + k / parts, 0.0) for k in range(2 * parts + 1)}
    bars = {f"A{k}": Truss(f"a{k}", f"a{k + 1}", section) for k in range(parts)}
    bars |= {f"B{k}": Truss(f"b{k}", f"b{k + 1}", section) for k in range(2 * parts)}
    wave = np.sqrt(1e3 * stiffness)
    speed = 1e-3 * wave
    model = fx.Model(
        nodes=nodes,
        elements={**bars, "gap": Wall(f"a{parts}", "b0", Restitution(0.0))},
        fixed=[f"{name}.y" for name in nodes],
        start={f"a{k}.x'": speed for k in range(parts + 1)},
    )
    motion = fx.simulate(model, 8.0 / wave, method=fx.DormandPrince(1e-8))
    assert motion.outcome is fx.Outcome.DONE
    assert motion.statistics["steps"] < 120 * parts
    release = next(event.time for event in motion.events if event.kind == "release")
    # the elements spread the front of the wave
    assert (release * wave - 1.0) == pytest.approx(2.0, rel=1.0 / np.sqrt(parts))
    assert np.diff(motion.energy["total"]).max() < 1e-8 * motion.energy["kinetic"][0]
    assert motion["gap.gap"].min() > -1e-11


def test_disc_comes_to_rest_in_a_corner():
    """A rolling disc is lifted by each impact on a wall, and rolls back to it: speeds and times shrink by one factor.

    The impact lifts it by μ(1 + e)v and leaves it rolling towards the wall with ρv; nothing else has a scale of time,
    so that the flights and ways of a cycle last as long as its speed is large.
    """
    mu, e, radius = 0.1, 0.2, 0.1
    rough = {"contact": Restitution(e), "radius": radius, "friction": fx.Friction(mu, regularisation_speed=0.0)}
    model = fx.Model(
        nodes={"G": (0, 0), "W": (0.6, 0), "C": (0, radius)},
        elements={
            "disc": Body("C", 1.0, 0.5 * radius**2),
            "floor": PointContact("G", "disc.p", **rough),
            "wall": PointContact("W", "disc.p", normal=(-1, 0), **rough),
        },
        fixed=["G", "W"],
        gravity=(0, -9.81),
        start={"C.x'": 1.0, "disc.p.phi'": -1.0 / radius},
    )
    motion = fx.simulate(model, 1.5, samples=3)
    assert motion.outcome is fx.Outcome.DONE
    struck = [impact for impact in motion.impacts if impact.signal == "wall.gap"]
    assert struck[0].time == pytest.approx(0.5, rel=1e-9)
    ratio = struck[1].approach / struck[0].approach
    assert struck[2].approach / struck[1].approach == pytest.approx(ratio, rel=1e-7)
    cycles = np.diff([impact.time for impact in struck[:5]])
    assert cycles[1:] / cycles[:-1] == pytest.approx([ratio] * 3, rel=1e-7)
    # from the fifth cycle on, slips with less than 1e-10 of the energy stick at once
    rest = struck[0].time + cycles[0] / (1.0 - ratio)
    assert max(event.time for event in motion.events if event.kind == "contact") == pytest.approx(rest, abs=2e-6)
    ends = [motion[name][-1] for name in ("C.x", "C.x'", "C.y'", "disc.p.phi'")]
    assert ends == pytest.approx([0.5, 0.0, 0.0, 0.0], abs=1e-7)
