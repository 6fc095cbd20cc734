"""Cost of contacts in space, in evaluations of the equations of motion, against those in the plane."""

from time import process_time

import numpy as np
import pytest
from numba import njit

import flexura as fx
from flexura import planar, spatial
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.prepared_model import prepare

LAW = fx.KelvinVoigt(1e6, 10.0)
RUBBING = {"friction": fx.Friction(0.1, 1e-3), "radius": 0.01}
COUNT = 20


@njit
def _evaluate(system, x, v, a, stress, times):
    for _ in range(times):
        accelerate(system, 0.0, x, v, a, stress)


def seconds(model):
    """Processor time of an evaluation, the least of several measurements."""
    machine = prepare(model)
    layout, system = machine.condensed
    x, v = (machine.narrow(layout, full) for full in (machine.x, machine.v))
    a, stress, found = np.zeros_like(x), np.zeros(max(len(layout.strains), 1)), []
    _evaluate(system, x, v, a, stress, 1)
    for _ in range(7):
        began = process_time()
        _evaluate(system, x, v, a, stress, 2000)
        found.append((process_time() - began) / 2000)
    return min(found)


def pairs(space, joint):
    """Bodies that press on others, with a joint between each pair or none."""
    zero = (0.0,) * (len(space) - 1)
    body = planar.Body if len(space) == 2 else spatial.Body
    inertia = (1.0, 0.01) if len(space) == 2 else (1.0, 0.01, 0.01, 0.01)
    nodes = {f"{word}{i}": (float(i), *zero) for i in range(COUNT) for word in "OB"}
    elements = {f"body_{node}": body(node, *inertia) for node in nodes}
    if joint is not None:
        elements |= {f"joint{i}": joint(f"body_O{i}.p", f"body_B{i}.p") for i in range(COUNT)}
    start = {f"B{i}.y": -1.1e-4 for i in range(COUNT)}
    return fx.Model(nodes=nodes, elements=elements, fixed=[f"O{i}" for i in range(COUNT)], start=start)


@pytest.mark.slow
@pytest.mark.parametrize("rubbing", [{}, RUBBING])
def test_a_contact_in_space_costs_at_most_three_in_the_plane(rubbing):
    edges = {"friction": rubbing["friction"], "end_friction": rubbing["friction"]} if rubbing else {}
    tips = {"friction": rubbing["friction"]} if rubbing else {}
    bare = seconds(pairs("xy", None)), seconds(pairs("xyz", None))
    plane = seconds(pairs("xy", lambda p, q: planar.Clearance(p, q, 1e-4, LAW, **rubbing))) - bare[0]
    joints = {
        1: lambda p, q: spatial.BallSocket(p, q, 1e-4, LAW, **rubbing),
        4: lambda p, q: spatial.PinSleeve(p, q, 0.05, 0.01, 1e-4, 1e-4, LAW, LAW, **edges),
        8: lambda p, q: spatial.Guide(p, q, 0.02, 0.05, 1e-4, LAW, **tips),
    }
    for contacts, joint in joints.items():
        assert (seconds(pairs("xyz", joint)) - bare[1]) / contacts < 3.0 * plane
