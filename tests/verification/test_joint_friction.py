"""Friction in joints, pressed by their own reactions: decay to rest and the position in which a joint sticks."""

from __future__ import annotations

from math import asin, pi, sin, sqrt
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from references import pin_friction

M, D, J, G, RADIUS = 2.0, 0.5, 0.1, 9.81, 0.1


def exact(mu: float) -> fx.Friction:
    return fx.Friction(mu, regularisation_speed=0.0)


def pendulum(friction: fx.Friction, angle: float, joint: str = "hinge", scale: float = 1.0) -> fx.Model:
    """Pendulum on a pin, hanging down at zero and let go at an angle."""
    friction_in: dict[str, Any] = {"friction": friction, "radius": RADIUS * scale}
    kinds: dict[str, Any] = {"hinge": planar.Hinge, "bearing": planar.Bearing}
    return fx.Model(
        nodes={"O": (0, 0), "P": (0, 0)},
        elements={
            "pin": kinds[joint]("O", "bob.p", **friction_in),
            "bob": planar.Body("P", M, J * scale**2, centre=(0.0, -D * scale)),
        },
        fixed=["pin.p"] if joint == "bearing" else ["O", "pin.p.phi"],
        gravity=(0.0, -G),
        start={"bob.p.phi": angle},
    )


def deep_pendulum(friction: fx.Friction, angle: float, joint: str = "hinge") -> fx.Model:
    """The same in space, about the y axis."""
    kinds: dict[str, Any] = {"hinge": spatial.Hinge, "bearing": spatial.Bearing}
    stiff = {} if joint == "hinge" else {"kby": float("inf"), "kbz": float("inf")}
    return fx.Model(
        nodes={"O": (0, 0, 0), "P": (0, 0, 0)},
        elements={
            "pin": kinds[joint]("O", "bob.p", axis=(0, 1, 0), friction=friction, radius=RADIUS, **stiff),
            "bob": spatial.Body("P", M, Jxx=J, Jyy=J, Jzz=J, centre=(0.0, 0.0, -D)),
        },
        fixed=["pin.p"],
        gravity=(0.0, 0.0, -G),
        start={"pin.rotation": angle},
    )


@pytest.mark.parametrize("joint", ["hinge", "bearing"])
@pytest.mark.parametrize(("mu", "angle"), [(0.3, 1.0), (0.8, 2.5)])
def test_pendulum_comes_to_rest(joint: str, mu: float, angle: float) -> None:
    """Time and angle of rest against the equation of one angle with its implicit reaction."""
    time, stuck = pin_friction.rest(angle, M, D, J, G, mu * RADIUS)
    motion = fx.simulate(pendulum(exact(mu), angle, joint), times=[0.0, time * 1.1, time * 1.2])
    assert motion["bob.p.phi"][1:] == pytest.approx([stuck, stuck], abs=1e-6)
    assert motion["bob.p.phi'"][1:] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert motion.outcome is fx.Outcome.DONE


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_size_does_not_matter(scale: float) -> None:
    """The same pendulum a thousand times smaller or larger: times go with the root of the size."""
    time, stuck = pin_friction.rest(1.0, M, D, J, G, 0.3 * RADIUS)
    motion = fx.simulate(pendulum(exact(0.3), 1.0, scale=scale), times=[0.0, time * 1.1 * sqrt(scale)])
    assert motion["bob.p.phi"][1] == pytest.approx(stuck, abs=1e-6)


@pytest.mark.parametrize("joint", ["hinge", pytest.param("bearing", marks=pytest.mark.slow)])
def test_spatial_pendulum_comes_to_rest(joint: str) -> None:
    """The hinge in space rubs like the pin in the plane."""
    time, stuck = pin_friction.rest(1.0, M, D, J, G, 0.3 * RADIUS)
    motion = fx.simulate(deep_pendulum(exact(0.3), 1.0, joint), times=[0.0, time * 1.1])
    assert motion["pin.rotation"][1] == pytest.approx(stuck, abs=1e-6)


def test_stick_angle() -> None:
    """The pendulum hangs still up to sin θ = μr/d, and not beyond."""
    limit = asin(0.8 * RADIUS / D)
    for part, moves in ((0.999, False), (1.001, True)):
        motion = fx.simulate(pendulum(exact(0.8), part * limit), 1.0, samples=3)
        assert (abs(motion["bob.p.phi"][-1] - part * limit) > 1e-7) == moves
    # the moment in the pin is that of the weight while it sticks
    still = fx.simulate(pendulum(exact(0.8), 0.5 * limit), 1.0, samples=3)
    assert abs(still.force("pin.friction.slide")[-1]) * RADIUS == pytest.approx(M * G * D * sin(0.5 * limit), rel=1e-9)


def test_regularised_friction() -> None:
    """Regularised friction tends to the exact one with its speed."""
    time, stuck = pin_friction.rest(1.0, M, D, J, G, 0.3 * RADIUS)
    soft = fx.Friction(0.3, regularisation_speed=1e-4)
    motion = fx.simulate(pendulum(soft, 1.0), times=[0.0, time])
    assert motion["bob.p.phi"][1] == pytest.approx(stuck, abs=2e-3)
    # below its speed it is less than μN, which is no fault
    assert motion.outcome is fx.Outcome.DONE


def rail(friction: fx.Friction, **more: Any) -> fx.Model:
    """Block on a guide along x, with gravity across it."""
    given: dict[str, Any] = {
        "nodes": {"O": (0, 0), "B": (0, 0)},
        "elements": {
            "rail": planar.Slider("O", "block.p", direction=(1, 0), friction=friction),
            "block": planar.Body("B", 3.0, 0.2),
        },
        "fixed": ["rail.p"],
        "gravity": (0.0, -G),
    }
    return fx.Model(**(given | more))


def test_block_on_a_rail_stops() -> None:
    """Distance v²/2μg and rest at v/μg."""
    motion = fx.simulate(rail(exact(0.25), start={"B.x'": 2.0}), times=[0.0, 0.5, 2.0])
    assert motion["B.x"][1] == pytest.approx(2.0 * 0.5 - 0.5 * 0.25 * G * 0.25, rel=1e-9)
    assert motion["B.x"][2] == pytest.approx(4.0 / (2 * 0.25 * G), rel=1e-9)
    # the other side of the guide rubs as well
    lifted = fx.simulate(rail(exact(0.25), start={"B.x'": 2.0}, gravity=(0.0, G)), times=[0.0, 2.0])
    assert lifted["B.x"][1] == pytest.approx(4.0 / (2 * 0.25 * G), rel=1e-9)


@pytest.mark.parametrize("form", ["threlfall", "ramp"])
def test_block_with_regularised_friction_stops(form: str) -> None:
    """Braked by μg above the speed of 1 mm/s, which takes v²/2μg to 1e-6; then it creeps to a rest."""
    soft = fx.Friction(0.25, form=form)
    motion = fx.simulate(rail(soft, start={"B.x'": 2.0}), times=[0.0, 2.0])
    assert motion["B.x"][1] == pytest.approx(4.0 / (2 * 0.25 * G), rel=2e-6)
    assert motion.outcome is fx.Outcome.DONE


def test_oscillator_with_dry_friction() -> None:
    """Amplitudes fall by 2μN/k each half period, until the spring no longer overcomes friction."""
    k, mu, x0 = 300.0, 0.1, 0.1
    step = mu * 3.0 * G / k
    model = rail(exact(mu), start={"B.x": x0})
    slider = planar.Slider("O", "block.p", direction=(1, 0), friction=exact(mu), k=k)
    model = model.replace(elements={"rail": slider, "block": model.elements["block"]})
    half = pi / sqrt(k / 3.0)
    halves = int(np.ceil((x0 / step - 1.0) / 2.0))
    motion = fx.simulate(model, times=[0.0, half, (halves + 2) * half])
    assert motion["B.x"][1] == pytest.approx(-(x0 - 2.0 * step), abs=1e-8)
    assert motion["B.x"][2] == pytest.approx((-1) ** halves * (x0 - 2.0 * step * halves), abs=1e-8)


def test_moment_presses_on_both_ends_of_a_guide() -> None:
    """A load at an arm a beyond the ends of a short guide of length b: N = 2 F a / b."""
    arm, long = 0.4, 0.2
    slider = planar.Slider("O", "block.p", direction=(1, 0), friction=exact(0.1), guide_length=long)
    model = rail(exact(0.1), start={"B.x'": 2.0})
    body = planar.Body("B", 3.0, 0.2, centre=(arm, 0.0))
    model = model.replace(elements={"rail": slider, "block": body})
    motion = fx.simulate(model, times=[0.0, 0.1])
    assert motion["B.x'"][1] == pytest.approx(2.0 - 0.1 * 0.1 * G * 2.0 * arm / long, rel=1e-9)


def test_errors_say_what_to_do() -> None:
    friction = exact(0.3)
    with pytest.raises(fx.ModelError) as bare:
        planar.Hinge("O", "bob.p", friction=friction)
    assert str(bare.value) == "Hinge.radius: friction of a pin without a radius has no moment; give the radius"
    with pytest.raises(fx.ModelError) as shared:
        fx.Model(
            nodes={"O": (0, 0)},
            elements={
                "pin": planar.Hinge("O", "bob.p", friction=friction, radius=0.1),
                "bob": planar.Body("O", 1.0, 0.1),
            },
        )
    assert str(shared.value) == (
        "elements.pin: its ends share the node 'O', so that it does not carry the force that presses its friction; "
        "give each part its own node at this place"
    )
    with pytest.raises(fx.ModelError) as apart:
        pendulum(friction, 0.0).replace(nodes={"O": (0, 0), "P": (0.5, 0)})
    assert str(apart.value) == (
        "elements.pin: the nodes 'O' and 'P' of a pin with friction are drawn 0.5 m apart; "
        "draw both at the place of the pin"
    )
    with pytest.raises(fx.ModelError) as negative:
        fx.Friction(-0.1)
    assert "Friction.mu: -0.1" in str(negative.value)
