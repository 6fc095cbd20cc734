"""Machines at rest in their loose joints, from any start and with gravity in any direction."""

from math import asin, cos, sin

import numpy as np
import pytest
from scipy.optimize import brentq

import flexura as fx
from flexura.planar import Beam, Clearance, Mass
from flexura.spatial import BallSocket, Body, Guide, PinSleeve

WALL = fx.KelvinVoigt(2e7, 100.0)
ROOM = 1e-4


def four_bar(law):
    """Three links in four sleeves."""
    nodes = {"O": (0, 0, 0), "K": (0, 0, 0), "A": (0, 0.1, 0), "B": (0.27, 0.2, 0), "C": (0.32, 0, 0)}
    links = {
        "crank": ("K", 0.5, (0, 0.05, 0)),
        "coupler": ("A", 0.8, (0.135, 0.05, 0.01)),
        "rocker": ("B", 0.6, (0.025, -0.1, 0)),
    }
    elements = {name: Body(at, mass, 2e-4, 3e-4, 4e-4, centre=centre) for name, (at, mass, centre) in links.items()}
    elements |= {"base": Body("O", 1.0), "post": Body("C", 1.0)}
    for p, q in (("base", "crank"), ("crank", "coupler"), ("coupler", "rocker"), ("rocker", "post")):
        elements[f"{p}_{q}"] = PinSleeve(f"{p}.p", f"{q}.p", 0.03, 0.008, ROOM, 2e-4, law, law)
    return fx.Model(nodes=nodes, elements=elements, fixed=["O", "base.p", "C", "post.p"], space="spatial")


def two_bars(law):
    """Two bars in three sockets, which may spin about their length."""
    nodes = dict.fromkeys("OP", (0, 0, 0)) | dict.fromkeys("QR", (0.3, 0, 0)) | dict.fromkeys("ST", (0.5, 0.1, 0))
    elements = {
        "base": Body("O", 1.0, points=("T",)),
        "one": Body("P", 1.5, 1e-4, 1e-2, 1e-2, centre=(0.15, 0, 0), points=("Q",)),
        "two": Body("R", 0.9, 2e-3, 2e-3, 3e-3, centre=(0.1, 0.05, 0.03), points=("S",)),
        "left": BallSocket("base.p", "P", ROOM, law),
        "middle": BallSocket("Q", "R", ROOM, law),
        "right": BallSocket("S", "T", ROOM, law),
    }
    return fx.Model(nodes=nodes, elements=elements, fixed=["O", "base.p"], space="spatial")


def block(law, rod="round"):
    guide = Guide("base.p", "block.p", 0.02, 0.05, ROOM, law, rod=rod)
    elements = {"base": Body("O", 1.0), "block": Body("B", 2.0, 1e-3, 1.2e-3, 1.5e-3), "guide": guide}
    return fx.Model(nodes={"O": (0, 0, 0), "B": (0, 0, 0)}, elements=elements, fixed=["O", "base.p"], space="spatial")


@pytest.mark.parametrize("law", [WALL, fx.Hertz(k=5e9, restitution=0.8)], ids=["linear", "Hertz"])
@pytest.mark.parametrize("machine", [four_bar, two_bars])
@pytest.mark.parametrize("seed", [1, 2])
def test_linkages_come_to_rest_in_their_loose_joints(machine, law, seed):
    random = np.random.default_rng(seed)
    down = random.standard_normal(3)
    down *= 9.81 / np.linalg.norm(down)
    model = machine(law).replace(gravity=tuple(down.tolist()))
    free = [node for node in model.nodes if node in "KABPR" and node not in model.fixed]
    at = {
        f"{node}.{axis}": model.nodes[node][i] + 3.0 * ROOM * random.uniform(-1.0, 1.0)
        for node in free
        for i, axis in enumerate("xyz")
    }
    rest = fx.equilibrium(model.replace(start=at))
    weight = down * sum(element.mass for element in model.elements.values() if isinstance(element, Body))
    carried = [sum(rest.force(f"{node}.{axis}") for node in model.fixed if "." not in node) for axis in "xyz"]
    assert carried == pytest.approx(-weight, abs=1e-8 * np.abs(weight).max())
    motion = fx.simulate(model, 0.02, start=rest, samples=3)
    assert motion.outcome is fx.Outcome.DONE
    for name in at:
        assert np.ptp(motion[name]) < 1e-10


@pytest.mark.parametrize("down", [(0, 0, -9.81), (0, -3, -9), (0, 9, 1)])
def test_block_hangs_on_two_tips_of_each_end(down):
    # two neighbouring tips at the distance R + c, an angle of 45° from the vertical, on a rod of radius R: with the
    # depth d, |(R + c)(sin 45°, cos 45°) - (0, d)| = R - F/k, and the directions of both forces carry the weight
    rest = fx.equilibrium(block(WALL).replace(gravity=down))
    weight, room, radius = 2.0 * np.linalg.norm(down), 0.01 + ROOM, 0.01

    def unbalanced(depth):
        aside, up = room * sin(np.pi / 4), room * cos(np.pi / 4) - depth
        far = np.hypot(aside, up)
        return 4.0 * 2e7 * (radius - far) * up / far - weight

    depth = brentq(unbalanced, 0.5 * ROOM, 3.0 * ROOM, xtol=1e-18)
    sunk = np.array([rest["B.x"], rest["B.y"], rest["B.z"]]) @ down / np.linalg.norm(down)
    assert sunk == pytest.approx(depth, rel=1e-6)
    forces = np.array([rest.force(f"guide.{tip}") for tip in ("top_far", "left_far", "bottom_far", "right_far")])
    lean = asin(room * sin(np.pi / 4) / np.hypot(room * sin(np.pi / 4), room * cos(np.pi / 4) - depth))
    assert np.sort(forces) == pytest.approx([0.0, 0.0] + [weight / (4.0 * cos(lean))] * 2, rel=1e-6, abs=1e-9)


def test_what_nothing_carries_is_refused():
    model = block(WALL)
    elements = {**model.elements, "stone": Body("S", 1.0, 1.0, 1.0, 1.0)}
    model = model.replace(nodes={**model.nodes, "S": (1, 0, 0)}, elements=elements, gravity=(0, 0, -9.81))
    with pytest.raises(fx.AnalysisError, match="no equilibrium was found"):
        fx.equilibrium(model)


@pytest.mark.parametrize("angle", [0.3, 2.0, 4.5])
def test_slider_crank_with_two_loose_joints(angle):
    link = fx.Section(rhoA=1.0)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.1, 0.1), "K": (0.1, 0.1), "B": (0.4, 0), "C": (0.4, 0)},
        elements={
            "crank": Beam("O", "A", link, rigid=True),
            "crank_pin": Clearance("A", "K", ROOM, WALL),
            "rod": Beam("K", "B", link, rigid=True),
            "pin": Clearance("B", "C", ROOM, fx.Hertz(k=5e9, restitution=0.8)),
            "piston": Mass("C", 0.5),
        },
        fixed=["O", "C.y"],
        gravity=(9.81 * cos(angle), 9.81 * sin(angle)),
    )
    rest = fx.equilibrium(model)
    # the piston presses its guide and is held by the pin alone
    pull = [rest.force("pin.gap"), rest.force("crank_pin.gap")]
    assert min(pull) > 0.0
    rod = np.hypot(0.3, 0.1) * 9.81
    end = rest.force("C.y") + 0.5 * 9.81 * sin(angle)
    assert np.hypot(0.5 * 9.81 * cos(angle), end) == pytest.approx(pull[0], rel=1e-8)
    assert np.hypot((0.5 * 9.81 + rod) * cos(angle), end + rod * sin(angle)) == pytest.approx(pull[1], rel=1e-8)
    motion = fx.simulate(model, 0.02, start=rest, samples=3)
    assert max(np.ptp(motion[f"{node}.{axis}"]) for node in "AKBC" for axis in "xy") < 1e-10
