"""Rigid bodies in the plane with points, and elements attached between the ends of a divided beam."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Body, Mass


def test_compound_pendulum() -> None:
    """A plate hung up at one of its points: small oscillations with ω² = m g d / (J + m d²)."""
    model = fx.Model(
        nodes={"C": (0.0, -0.3), "O": (0.0, 0.0)},
        elements={"plate": Body("C", 2.0, inertia=0.1, points=("O",))},
        fixed=["O"],
        gravity=(0.0, -9.81),
    )
    assert fx.linearise(model).frequencies[0] == pytest.approx(sqrt(2 * 9.81 * 0.3 / (0.1 + 2 * 0.09)), rel=1e-9)


def test_centre_away_from_its_node() -> None:
    """The same plate by a node of its own and the place of its centre: the same motion."""
    start = {"plate.p.phi'": 3.0}
    held = fx.Model(
        nodes={"O": (0, 0)},
        elements={"plate": Body("O", 2.0, inertia=0.1, centre=(0.0, -0.3))},
        fixed=["O"],
        gravity=(0.0, -9.81),
        start=start,
    )
    hung = fx.Model(
        nodes={"C": (0.0, -0.3), "O": (0, 0)},
        elements={"plate": Body("C", 2.0, inertia=0.1, points=("O",))},
        fixed=["O"],
        gravity=(0.0, -9.81),
        start=start,
    )
    one, two = (fx.simulate(model, 1.0, samples=11) for model in (held, hung))
    assert one["plate.p.phi"] == pytest.approx(two["plate.p.phi"], abs=1e-8)


def test_mass_between_the_ends() -> None:
    """A mass welded at the middle of a divided beam equals one between two beams."""
    section = fx.Section(EA=1e6, EI=10.0, rhoA=0.5)
    divided = fx.Model(
        nodes={"A": (0, 0), "B": (2, 0)},
        elements={"rod": Beam("A", "B", section, parts=2), "m": Mass("rod.1.q", 3.0, inertia=0.2)},
        fixed=["A", "B.y"],
    )
    joined = fx.Model(
        nodes={"A": (0, 0), "M": (1, 0), "B": (2, 0)},
        elements={
            "one": Beam("A", "M", section),
            "two": Beam("one.q", "B", section),
            "m": Mass("one.q", 3.0, inertia=0.2),
        },
        fixed=["A", "B.y"],
    )
    found, known = (np.sort(fx.linearise(model).frequencies) for model in (divided, joined))
    assert found == pytest.approx(known, rel=1e-10)
    # a light beam carries the heavy mass: ω² = 48 EI / m L³, to the share of the beam's own mass
    assert found[0] == pytest.approx(sqrt(48 * 10.0 / ((3.0 + 17 / 35 * 1.0) * 8.0)), rel=2e-3)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("rod.3.q", "element 'm', end p: 'rod' has no part '3'; its parts are 'rod.1' to 'rod.2'"),
        ("rod.1.r", "element 'm', end p: 'rod.1' has no end 'r'; its ends are p, q"),
        ("bar.1.q", "element 'm', end p: 'bar' has no part '1'; it has one part"),
    ],
)
def test_parts_that_do_not_exist(target: str, message: str) -> None:
    section = fx.Section(EI=1.0, rhoA=1.0)
    with pytest.raises(fx.ModelError) as error:
        fx.Model(
            nodes={"A": (0, 0), "B": (2, 0)},
            elements={
                "rod": Beam("A", "B", section, parts=2),
                "bar": Beam("A", "B", section),
                "m": Mass(target, 3.0),
            },
        )
    assert str(error.value) == message
