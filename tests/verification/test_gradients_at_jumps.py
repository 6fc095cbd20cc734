"""Models whose numbers jump with a parameter: axes of sections, halves of turns, inputs that begin at the start."""

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam as PlanarBeam
from flexura.planar import Clearance, Mass
from flexura.spatial import Beam, Body, Hinge, TorsionSpring
from references.gradient_models import Case, differences

FLAT = fx.Section(EA=1e5, EIy=20.0, EIz=35.0, GIt=12.0, rhoA=0.6, rhoIy=1e-4, rhoIz=2e-4, damping=1e-4)


def cantilever(tip: tuple[float, float, float]) -> fx.Model:
    """A beam of a flat section without a given y axis, under its weight."""
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": tip},
        elements={"beam": Beam("O", "A", FLAT), "load": Body("beam.q", 0.3, Jxx=1e-3, Jyy=2e-3, Jzz=1e-3)},
        fixed=["O", "beam.p"],
        gravity=(2, -3, -9.81),
    )


def compare(case: Case, relative: float = 1e-6) -> None:
    wanted, errors = differences(case)
    assert np.all(errors <= relative * np.abs(wanted))
    for way in ("forward", "adjoint"):
        found = fx.gradient(case.model(), case.of, case.by, until=case.until, samples=case.samples, way=way)
        assert np.all(np.abs(found.derivatives - wanted) <= relative * np.abs(wanted))


@pytest.mark.parametrize("tip", [(1, 0, 0), (-1, 0, 0), (0, 0, -1)])
def test_sections_do_not_turn_over_beside_an_axis(tip: tuple[float, float, float]) -> None:
    """Two global axes are equally normal to a beam along the third; half a turn has two sets of Euler parameters."""
    across = ["nodes.A.x", "nodes.A.y", "nodes.A.z"]
    of = ["final(A.x)", "final(A.y)", "final(A.z)"]
    case = Case(lambda: cantilever(tip), of, across, 0.05, samples=5, halvings=3)
    compare(case)


def test_frequencies_and_equilibria_beside_an_axis() -> None:
    """Derivatives are those of a beam whose y axis is given."""
    held, free = cantilever((1, 0, 0)), cantilever((1, 0, 0)).replace(gravity=(0, 0, 0))
    given = {**held.elements, "beam": Beam("O", "A", FLAT, y_axis=(0, 1, 0))}
    for model, result, of in ((held, "equilibrium", ["A.y", "A.z"]), (free, "vibrations", ["frequency.1"])):
        same = model.replace(elements=given)
        found, wanted = (fx.gradient(one, of, ["nodes.A.y", "nodes.A.x"], result=result) for one in (model, same))
        assert found.derivatives == pytest.approx(wanted.derivatives, rel=1e-9, abs=1e-9)


def test_axes_of_joints() -> None:
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0, 0.4, 0), "B": (0.3, 0.4, 0)},
        elements={
            "a": Beam("O", "A", fx.Section(rhoA=1.0, rhoIy=1e-3, rhoIz=1e-3), rigid=True),
            "hinge": Hinge("a.q", "b.p", axis=(0, 0, 1)),
            "spring": TorsionSpring("a.q", "b.p", axis=(0, 0, 1), k=2.0, c=0.01),
            "b": Beam("A", "B", fx.Section(rhoA=1.0, rhoIy=1e-3, rhoIz=2e-3), rigid=True),
        },
        fixed=["O"],
        gravity=(0, -1.0, -9.81),
        start={"a.p.about_z'": 1.0},
    )
    by = ["nodes.A.x", "nodes.B.z"]
    compare(Case(lambda: model, ["final(B.x)", "final(B.z)"], by, 0.2, samples=3, halvings=3))


def loose_crank(start: float) -> fx.Model:
    """A crank whose drive begins at a time, with a loose pin."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.3, 0), "B": (0.8, 0), "C": (0.8, 0)},
        elements={
            "crank": PlanarBeam("O", "A", fx.Section(rhoA=2.0), rigid=True),
            "rod": PlanarBeam("A", "B", fx.Section(rhoA=1.0), rigid=True),
            "pin": Clearance("B", "C", clearance=1e-3, contact=fx.Hertz(k=1e8, restitution=0.8)),
            "piston": Mass("C", 0.5),
        },
        fixed=["O", "C.y"],
        inputs={"crank.p.phi": fx.Ramp(20.0, start=start)},
    )


def test_a_drive_that_begins_at_the_start_of_the_run_is_refused() -> None:
    """It runs already for an earlier time, and begins with an impulse at a later one: the derivative was 10⁹."""
    with pytest.raises(fx.AnalysisError, match=r"'inputs.crank.p.phi.start': the .* jumps? at 0"):
        fx.gradient(loose_crank(0.0), "final(C.x)", "inputs.crank.p.phi.start", until=0.01, samples=3, scale=0.01)


def test_results_that_jump_are_refused() -> None:
    """All neighbours agree with each other, and not with the model."""

    of = {"jump": lambda model: float(model.gravity[1] != -9.81) + model.gravity[1]}
    pendulum = loose_crank(0.1).replace(gravity=(0, -9.81))
    with pytest.raises(fx.AnalysisError, match=r"'jump' does not vary smoothly with 'gravity\.y'"):
        fx.gradient(pendulum, of, "gravity.y", result=lambda model: model)


def test_nodes_at_the_same_place_may_move_apart() -> None:
    """The distance of the nodes of a clearance has a kink, and no law depends on it."""
    model = loose_crank(-1.0)
    compare(Case(lambda: model, ["final(C.x)"], ["nodes.B.x", "nodes.C.x"], 0.002, samples=3, step=1e-5), 1e-5)


def test_steps_of_differences_that_leave_a_bearing() -> None:
    """An oil film has no force beyond its clearance, where the widest steps of the state lead."""
    film = fx.OilFilm(viscosity=0.02, radius=0.02, length=0.02)
    model = fx.Model(
        nodes={"J": (0, 0), "B": (0, 0)},
        elements={"pin": Clearance("B", "J", clearance=1e-4, contact=film), "m": Mass("J", 2.0)},
        fixed=["B"],
        gravity=(0, -9.81),
        start={"J.x": 2e-5, "J.y": -3e-5},
    )
    of, by = ["final(J.x)", "max(abs(pin.gap.force))"], ["elements.m.mass", "elements.pin.clearance"]
    forward, adjoint = (
        fx.gradient(model, of, by, until=0.02, samples=11, way=way).derivatives for way in ("forward", "adjoint")
    )
    assert adjoint == pytest.approx(forward, rel=1e-6)
