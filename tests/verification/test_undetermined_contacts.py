"""Contact forces that rigid bodies do not determine, and motions that depend on them, are told."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Body, PointContact
from flexura.results.findings import Finding

HALF, HEIGHT, PLAY = 0.05, 0.1, 1e-3


def exact(mu: float) -> fx.Friction:
    return fx.Friction(mu, regularisation_speed=0.0)


def sleeve(order: tuple[str, str], mu: float = 0.3) -> fx.Model:
    """Sleeve on a pole, pinned to its middle line, which a moment tilts: two corners touch at the same angle."""
    corners = {
        "upper": PointContact("R", "u", fx.Restitution(0.0), normal=(-1, 0), friction=exact(mu)),
        "lower": PointContact("L", "l", fx.Restitution(0.0), normal=(1, 0), friction=exact(mu)),
    }
    return fx.Model(
        nodes={"C": (0, 0), "L": (-HALF - PLAY, 0), "R": (HALF + PLAY, 0), "u": (HALF, HEIGHT), "l": (-HALF, -HEIGHT)},
        elements={"sleeve": Body("C", 1.0, 0.01, points=("u", "l"))} | {name: corners[name] for name in order},
        fixed=["C.x", "L", "R"],
        loads={"sleeve.p.phi": -2.0},
        gravity=(0.0, -9.81),
        start={"C.y'": -1.0},
    )


def table(mu: tuple[float, ...], slip: float) -> fx.Model:
    """Body on legs in a row on a floor."""
    legs = np.linspace(-1.0, 1.0, len(mu)) ** 3
    nodes = {"C": (0.1, 0.5), "g": (0, 0)} | {f"leg{i}": (x, 0.0) for i, x in enumerate(legs)}
    contacts = {
        f"on{i}": PointContact("g", f"leg{i}", fx.Restitution(0.0), friction=exact(m) if m else None)
        for i, m in enumerate(mu)
    }
    body = Body("C", 1.0, 0.2, points=tuple(f"leg{i}" for i in range(len(mu))))
    return fx.Model(
        nodes=nodes,
        elements={"table": body} | contacts,
        fixed=["g"],
        gravity=(0.0, -9.81),
        start={"C.x'": slip},
    )


def told(motion: fx.Motion, start: str) -> list[Finding]:
    return [finding for finding in motion.findings if finding.what.startswith(start)]


@pytest.mark.parametrize("order", [("upper", "lower"), ("lower", "upper")])
def test_sleeve_whose_corners_have_the_same_gap(order):
    """Friction at one corner or the other turns the sleeve differently, and the fall depends on it."""
    motion = fx.simulate(sleeve(order), 0.3, samples=4)
    (doubt,) = told(motion, "the motion is not unique")
    assert doubt.doubtful
    assert {"upper.gap", "lower.gap"} == set(doubt.where.split(", "))
    assert motion.outcome is fx.Outcome.DOUBTFUL
    assert fx.simulate(sleeve(order, mu=0.0), 0.3, samples=4).outcome is fx.Outcome.DONE


@pytest.mark.parametrize("slip", [0.0, 1.0])
@pytest.mark.parametrize("mu", [(0.0,) * 3, (0.3,) * 3, (0.3,) * 5])
def test_table_on_many_legs(mu, slip):
    """Forces are not unique, which a note says; the motion is: all legs slide alike on one line."""
    motion = fx.simulate(table(mu, slip), 0.1, samples=3)
    assert motion.outcome is fx.Outcome.DONE
    (note,) = told(motion, "contact forces that are not unique")
    assert set(note.where.split(", ")) == {f"on{i}.gap" for i in range(len(mu))}
    assert sum(motion.force(f"on{i}.gap")[-1] for i in range(len(mu))) == pytest.approx(9.81, rel=1e-9)


def test_table_on_legs_of_different_friction():
    """Which leg carries the weight decides how fast it stops."""
    motion = fx.simulate(table((0.1, 0.3, 0.3), 1.0), 0.1, samples=3)
    assert motion.outcome is fx.Outcome.DOUBTFUL
    assert told(motion, "the motion is not unique")


@pytest.mark.parametrize("slip", [0.0, 1.0])
def test_nothing_is_told_of_two_legs(slip):
    motion = fx.simulate(table((0.1, 0.5), slip), 0.1, samples=3)
    assert not told(motion, "contact forces") + told(motion, "the motion is not unique")


def disc(stiffness: float) -> fx.Model:
    """Disc that flies at a plate of 0.1 m."""
    plate = ((-1.0, -0.05), (1.0, -0.05), (1.0, 0.05), (-1.0, 0.05))
    law = fx.KelvinVoigt(k=stiffness, c=1.0)
    return fx.Model(
        nodes={"A": (0, 0), "B": (0, 0.5)},
        elements={
            "disc": Body("B", 1.0, 0.01),
            "hit": fx.planar.BodyContact("A", "disc.p", law, outline_p=plate, radius_q=0.06),
        },
        fixed=["A"],
        start={"B.y'": -5.0},
    )


@pytest.mark.parametrize(("stiffness", "passes"), [(1e3, True), (1e6, False)])
def test_soft_contacts_that_let_bodies_pass(stiffness, passes):
    motion = fx.simulate(disc(stiffness), 0.4)
    assert (motion["B.y"][-1] < 0.0) == passes
    notes = told(motion, "a contact is so soft")
    assert len(notes) == passes
    assert all(note.where == "hit.q1.gap" and note.value > note.allowed == 0.05 for note in notes)
