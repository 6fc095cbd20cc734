"""What no choice of axes, of origin or of the direction of time may change."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.planar import Beam, Mass, Truss
from properties.small_motion import small_motion

METHOD = fx.DormandPrince(tolerance=1e-13)
SAME = 1e-10
quick = settings(max_examples=12, deadline=None)
angles = st.floats(-3.0, 3.0)
moderate = st.floats(0.2, 1.0)


def machine(
    bend: float, mass: float, turn: float = 0.0, shift: tuple[float, float] = (0.0, 0.0), **more: object
) -> fx.Model:
    """A flexible arm with a rigid link and an elastic stay, drawn turned and shifted."""
    c, s = np.cos(turn), np.sin(turn)

    def place(x: float, y: float) -> tuple[float, float]:
        return (c * x - s * y + shift[0], s * x + c * y + shift[1])

    return fx.Model(
        nodes={"O": place(0, 0), "A": place(0.7, 0.2), "B": place(1.1, -0.4), "C": place(0.3, -0.8)},
        elements={
            "arm": Beam("O", "A", fx.Section(EA=2e3, EI=3.0, rhoA=1.0), parts=2),
            "link": Beam("A", "B", fx.Section(rhoA=0.5), rigid=True),
            "stay": Truss("B", "C", fx.Section(EA=20.0 * bend, rhoA=0.1)),
            "end": Mass("link.q", mass, inertia=0.01),
        },
        fixed=["O", "C"],
        gravity=(9.81 * s, -9.81 * c),
        **more,
    )


@quick
@given(bend=moderate, mass=moderate, turn=angles, x=st.floats(-5, 5), y=st.floats(-5, 5))
def test_turned_and_shifted_model_moves_alike(bend: float, mass: float, turn: float, x: float, y: float) -> None:
    plain = fx.simulate(machine(bend, mass), 0.3, samples=7, method=METHOD)
    moved = fx.simulate(machine(bend, mass, turn, (x, y)), 0.3, samples=7, method=METHOD)
    c, s = np.cos(turn), np.sin(turn)
    np.testing.assert_allclose(moved["B.x"], c * plain["B.x"] - s * plain["B.y"] + x, atol=SAME)
    np.testing.assert_allclose(moved["B.y"], s * plain["B.x"] + c * plain["B.y"] + y, atol=SAME)
    for signal in ("arm.1.bending_q", "stay.elongation", "link.p.phi"):
        np.testing.assert_allclose(moved[signal], plain[signal], atol=SAME)
    force = plain.force("link.elongation")
    np.testing.assert_allclose(moved.force("link.elongation"), force, atol=SAME * np.abs(force).max())


@quick
@given(bend=moderate, mass=moderate, turn=angles, x=st.floats(-5, 5), y=st.floats(-5, 5))
def test_turned_and_shifted_model_has_the_same_frequencies(
    bend: float, mass: float, turn: float, x: float, y: float
) -> None:
    coordinates, *plain = small_motion(machine(bend, mass))
    found_coordinates, *found = small_motion(machine(bend, mass, turn, (x, y), independent=coordinates))
    order = np.ix_(*2 * [[found_coordinates.index(name) for name in coordinates]])
    for matrix, expected in zip(found, plain, strict=True):
        np.testing.assert_allclose(matrix[order], expected, atol=SAME * np.abs(expected).max())


@quick
@given(bend=moderate, mass=moderate)
def test_motion_runs_back(bend: float, mass: float) -> None:
    """Without losses the motion, reversed, returns to its start."""
    model = machine(bend, mass)
    there = fx.simulate(model, 0.3, samples=2, method=METHOD)
    freedoms = there.coordinates
    start = {name: float(there[name][-1]) for name in freedoms}
    start |= {f"{name}'": -float(there[f"{name}'"][-1]) for name in freedoms}
    back = fx.simulate(model.replace(start=start), 0.3, samples=2, method=METHOD)
    for signal in ("A.x", "A.y", "B.x", "B.y", "link.p.phi"):
        np.testing.assert_allclose(back[signal][-1], there[signal][0], atol=1e-9)
        np.testing.assert_allclose(back[f"{signal}'"][-1], 0.0, atol=1e-8)


@quick
@given(bend=moderate, mass=moderate, speed=st.floats(-3.0, 3.0))
def test_two_formulations_agree(bend: float, mass: float, speed: float) -> None:
    model = machine(bend, mass).replace(start={"link.p.phi'": speed})
    one, other = (
        fx.simulate(model, 0.3, samples=5, method=METHOD, formulation=formulation)
        for formulation in (fx.Multipliers(), fx.Minimal())
    )
    for signal in ("B.x", "B.y", "arm.2.bending_p", "link.q.phi"):
        np.testing.assert_allclose(one[signal], other[signal], atol=SAME)
