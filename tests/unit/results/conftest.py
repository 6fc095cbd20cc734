"""A motion with every kind of content, made of random numbers: storage has nothing to do with mechanics."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.model.names import Address, Names
from flexura.planar import Beam, Mass
from flexura.results.events import MotionEvent

FORMS = ("kinetic", "strain", "gravity", "total", "work", "dissipated", "balance")


@pytest.fixture
def model() -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.5, 0)},
        elements={"arm": Beam("O", "A", fx.Section(EI=12.7, rhoA=0.22), parts=2), "bob": Mass("A", 2.0)},
        fixed=["O"],
        gravity=(0, -9.81),
        loads={"A.x": "10*sin(20*t)"},
        title="Pendel für Prüfungen",
    )


@pytest.fixture
def motion(model: fx.Model) -> fx.Motion:
    return random_motion(model)


def random_motion(model: fx.Model, times: int = 7) -> fx.Motion:
    names, random = Names(model), np.random.default_rng(5)
    coordinates = [Address("coordinate", name, c) for name in names.positions for c in "xy"]
    coordinates += [Address("coordinate", name, "phi") for name in names.orientations]
    strains = [Address("strain", name, s) for name, element in names.elements.items() for s in element.deformations()]

    def table(columns: int) -> np.ndarray:
        return random.standard_normal((times, columns))

    return fx.Motion(
        model=model,
        t=np.sort(random.random(times)),
        nodal_coordinates=tuple(coordinates),
        strains=tuple(strains),
        position=(table(len(coordinates)), table(len(coordinates)), table(len(coordinates))),
        strain=(table(len(strains)), table(len(strains)), table(len(strains))),
        coordinate_force=table(len(coordinates)),
        stress=table(len(strains)),
        energy={name: random.random(times) for name in FORMS},
        momentum=table(3),
        outcome=fx.Outcome.SINGULAR,
        method="DormandPrince(tolerance=1e-08)",
        statistics={"steps": 12.0, "rejected": 1.0},
        events=(
            MotionEvent(0.1, "A.x'"),
            MotionEvent(1 / 3, "arm.1.elongation", "impact", 1 / 7, 0.3, 2.0, 1e5, 1e-3),
        ),
        coordinates=("arm.1.bending_p", "A.x"),
        findings=(
            fx.Finding("arm.1.elongation becomes dependent"),
            fx.Finding("friction does work", "doubt", 1 / 3, "arm.1.elongation", 0.3, 1e-9, "take smaller steps"),
        ),
    )
