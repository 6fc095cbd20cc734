"""Redundant constraints are found and named, and may be released."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Belt, Truss

ROD = fx.Section(rhoA=1.0)


def braced(**given: object) -> fx.Model:
    """A square of rigid bars with hinged corners on two fixed points, braced along both diagonals."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "B": (1, 1), "C": (0, 1)},
        elements={
            "left": Truss("O", "C", ROD),
            "right": Truss("A", "B", ROD),
            "top": Truss("C", "B", ROD),
            "one": Truss("O", "B", ROD),
            "two": Truss("A", "C", ROD),
        },
        fixed=["O", "A"],
        loads={"C.x": 1.0},
        **given,
    )


def frame(**given: object) -> fx.Model:
    """A portal of rigid beams, clamped at both feet: three times indeterminate."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0, 1), "B": (1, 1), "C": (1, 0)},
        elements={
            "left": Beam("O", "A", ROD, rigid=True),
            "beam": Beam("left.q", "B", ROD, rigid=True),
            "right": Beam("beam.q", "C", ROD, rigid=True),
        },
        fixed=["left.p", "right.q"],
        **given,
    )


def test_doubly_braced_link() -> None:
    """All five bars hold each other: each can be released."""
    text = fx.kinematics(braced(), [0.0]).note
    assert "1 redundant constraint" in text
    assert all(f"{name}.elongation" in text for name in ("left", "right", "top", "one", "two"))


@pytest.mark.parametrize("name", ["left", "right", "top", "one", "two"])
def test_released_bar_carries_nothing(name: str) -> None:
    motion = fx.kinematics(braced(released=[f"{name}.elongation"]), [0.0, 1.0])
    assert motion.outcome is fx.Outcome.DONE
    assert motion.force(f"{name}.elongation") == pytest.approx([0.0, 0.0], abs=1e-14)
    # the supports carry the load whatever is released
    total = motion.force("O.x") + motion.force("A.x")
    assert total == pytest.approx([-1.0, -1.0], abs=1e-12)


def test_indeterminate_frame() -> None:
    text = fx.kinematics(frame(), [0.0]).note
    assert "3 redundant constraints" in text
    assert all(name in text for name in ("left.elongation", "beam.bending_p", "right.bending_q"))


def test_frame_released_three_times_stands() -> None:
    free = frame(released=["beam.elongation", "beam.bending_p", "beam.bending_q"], loads={"A.y": -3.0})
    motion = fx.kinematics(free, [0.0])
    assert motion.force("O.y")[0] == pytest.approx(3.0, abs=1e-12)
    assert motion.force("C.y")[0] == pytest.approx(0.0, abs=1e-12)


def test_stiffness_instead_of_release() -> None:
    """The middle bar shares the load by its stiffness: two springs in parallel against closed form."""
    section = fx.Section(EA=2.0)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "B": (2, 0)},
        elements={"one": Truss("O", "A", section), "two": Truss("A", "B", fx.Section(EA=6.0))},
        fixed=["O", "B", "A.y"],
        loads={"A.x": 1.0},
    )
    state = fx.equilibrium(model)
    assert state["A.x"] == pytest.approx(1.0 + 1.0 / 8.0, rel=1e-12)
    assert state.force("one.elongation") == pytest.approx(-2.0 / 8.0, rel=1e-12)
    assert np.isclose(state.force("two.elongation"), 6.0 / 8.0)


def test_a_drum_out_of_reach() -> None:
    """Slopes of a held strain that vanish beside the size of the model: how many depend is decided once."""
    cable = Belt("P", "C", radius_p=0.0, radius_q=-1.0, rhoA=0.16, wound_q=60.0)
    model = fx.Model(
        nodes={"P": (-0.5, -1.0), "C": (0.0, 1e12)}, elements={"cable": cable}, fixed=["P", "cable.p.phi", "C.y"]
    )
    assert fx.simulate(model, until=1e-3, samples=2).outcome is not fx.Outcome.STALLED
