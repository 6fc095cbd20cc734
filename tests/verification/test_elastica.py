"""Cantilevers bent far, against elliptic integrals and circles."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam
from references.elastica import end_force


def cantilever(beams: int, loads: dict[str, float]) -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"beam": Beam("O", "A", fx.Section(EI=1.0), parts=beams)},
        fixed=["beam.p"],
        loads=loads,
    )


@pytest.mark.parametrize("load", [1.0, 2.0, 5.0, 10.0])
def test_end_force(load: float) -> None:
    """Of fourth order in the number of beams; 16 beams are far within 0.1 %."""
    tip = end_force(load)
    errors = []
    for beams in (4, 8, 16):
        state = fx.equilibrium(cantilever(beams, {"A.y": load}))
        found = (state["A.x"], state["A.y"], state["beam.q.phi"])
        errors.append(np.abs(np.array(found) - (tip.x, tip.y, tip.rotation)).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 3.8)
    assert errors[-1] < 5e-6


@pytest.mark.parametrize("beams", [4, 16])
def test_end_moment_to_a_full_circle(beams: int) -> None:
    state = fx.equilibrium(cantilever(beams, {"beam.q.phi": 2 * np.pi}))
    assert (state["A.x"], state["A.y"], state["beam.q.phi"]) == pytest.approx((0, 0, 2 * np.pi), abs=1e-13)
    assert state.force("beam.p.phi") == pytest.approx(-2 * np.pi, rel=1e-12)


def test_plain_beam_is_of_second_order() -> None:
    """The plain beam of the source measures sines: second order, 0.14 % with 16 beams."""
    tip, errors = end_force(10.0), []
    for beams in (8, 16, 32):
        model = cantilever(beams, {"A.y": 10.0})
        plain = model.replace(elements={"beam": Beam("O", "A", fx.Section(EI=1.0), parts=beams, second_order=False)})
        errors.append(abs(fx.equilibrium(plain)["A.y"] - tip.y))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(orders - 2.0).max() < 0.1
