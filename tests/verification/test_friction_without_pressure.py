"""Exact friction on open contacts and at dead centres: no force, no stick and no energy where nothing presses."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass, PointContact

BAR = fx.Section(rhoA=1.0)


def foot(mu: float = 0.1, e: float = 0.4) -> dict:
    return {"contact": fx.Restitution(e), "friction": fx.Friction(mu, regularisation_speed=0.0)}


def test_open_contacts_make_no_energy():
    """A chain through its dead centre, its feet half a metre over the ground."""
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "B": (3, 0), "C": (4, 0), "g": (0, -0.5)},
        elements={
            "crank": Beam("O", "A", BAR, rigid=True),
            "rod": Beam("A", "B", BAR, rigid=True),
            "shoe": Beam("B", "C", BAR, rigid=True),
            "heel": PointContact("g", "B", **foot()),
            "toe": PointContact("g", "C", **foot()),
        },
        fixed=["O", "g"],
        start={"crank.p.phi'": 1.0, "rod.p.phi'": -0.5},
    )
    motion = fx.simulate(model, until=0.1)
    free = fx.simulate(
        model.replace(elements={n: e for n, e in model.elements.items() if n not in {"heel", "toe"}}), 0.1
    )
    assert motion.outcome is fx.Outcome.DONE
    assert motion.events == ()
    assert motion.energy["kinetic"] == pytest.approx(free.energy["kinetic"], rel=1e-7)
    assert motion["C.x"] == pytest.approx(free["C.x"], abs=1e-8)


@pytest.mark.parametrize("mu", [0.01, 0.1, 0.3])
@pytest.mark.parametrize("start", [0.0, 0.7])
def test_slider_on_a_floor_slides_through_its_dead_centres(mu, start):
    """A driven slider-crank whose slider rubs: friction is μN against the motion, reversed at each dead centre."""
    crank, rod, mass, speed = 0.1, 0.3, 2.0, 5.0
    place = crank * np.cos(start) + np.sqrt(rod**2 - (crank * np.sin(start)) ** 2)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (crank * np.cos(start), crank * np.sin(start)), "B": (place, 0), "g": (0, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(), rigid=True),
            "rod": Beam("A", "B", fx.Section(), rigid=True),
            "slider": Mass("B", mass),
            "foot": PointContact("g", "B", **foot(mu, 0.0)),
        },
        fixed=["O", "g"],
        inputs={"crank.p.phi": fx.Ramp(rate=speed)},
        start={"B.y'": 0.0},
        gravity=(0, -50.0),
    )
    motion = fx.simulate(model, until=3.0, samples=1201, method=fx.DormandPrince(tolerance=1e-11))
    assert motion.outcome is fx.Outcome.DONE
    slides = np.abs(motion["B.x'"]) > 1e-3
    normal = motion.force("foot.gap")
    assert normal.min() > 0.0
    assert np.abs(motion.force("foot.slide"))[slides] == pytest.approx(mu * normal[slides], rel=1e-9)
    # against the motion: the power of friction is negative
    assert (motion.force("foot.slide") * motion["foot.slide'"])[slides].max() < 0.0
    assert motion.imbalance < 1e-8
