"""Designs of the gallery against independent optima, with the numbers of evaluations with and without gradients."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

import flexura as fx
from references.four_bar_synthesis import coupler_points, synthesis

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
def test_a_linkage_passes_the_points_as_its_loop_equation_says() -> None:
    script = runpy.run_path(str(EXAMPLES / "path_synthesis.py"))
    model, angles = script["model"], np.array(script["ANGLES"])
    points, first = np.array(list(script["POINTS"].values())), np.array([model.parameter(p) for p in script["VARY"]])
    motion = fx.kinematics(model, [0.0, *angles])
    drawn = np.array([motion["C.x"][1:], motion["C.y"][1:]])
    assert drawn == pytest.approx(coupler_points(first, angles), abs=1e-12)
    fit, _ = script["compute"]()
    wanted = synthesis(first, angles, points)
    assert fit.converged
    assert fit.values == pytest.approx(wanted.x, rel=1e-5)
    assert np.sum(fit.residuals**2) == pytest.approx(2.0 * wanted.cost, rel=1e-8)
    # differences of third order take twelve evaluations for each Jacobian
    assert fit.evaluations < 0.2 * wanted.nfev * 13


def test_steps_without_residual_vibration_are_the_closed_form() -> None:
    script = runpy.run_path(str(EXAMPLES / "shaped_command.py"))
    delay, part = script["shaper"]()
    design, start = script["compute"]()
    assert design.converged
    assert start == pytest.approx(delay, rel=1e-4)
    assert design.values[1] / design.values[:2].sum() == pytest.approx(part, rel=1e-4)
    assert design.evaluations <= 8


@pytest.mark.slow
def test_the_stiffest_frame_is_that_of_a_search_without_derivatives() -> None:
    script = runpy.run_path(str(EXAMPLES / "stiff_frame.py"))
    model, paths = script["model"], list(script["VARY"])
    lengths = np.array([1.2, 0.9, 0.6])
    total = float(np.sum(lengths) * script["FIRST"] ** 2)
    count = [0]

    def slowest(two: np.ndarray) -> float:
        count[0] += 1
        square = (total - two**2 @ lengths[:2]) / lengths[2]
        if square <= 1e-5:
            return 0.0
        changed = model
        for path, value in zip(paths, [*two, np.sqrt(square)], strict=True):
            changed = changed.with_parameter(path, float(value))
        return -float(fx.linearise(changed).frequencies[0])

    found = minimize(slowest, [0.04, 0.04], method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-9})
    design, frequency = script["compute"]()
    assert design.converged
    assert frequency == pytest.approx(-found.fun, rel=1e-6)
    assert design.values[:2] == pytest.approx(found.x, rel=1e-4)
    assert 4 * design.evaluations < count[0]


def test_derivatives_do_not_depend_on_the_number_of_outputs() -> None:
    """The arm is at rest at both ends of its move, which are the outputs of the optimisation."""
    script = runpy.run_path(str(EXAMPLES / "shaped_command.py"))
    model, aims, paths = script["model"], script["AIMS"], list(script["VARY"])
    few, many = (fx.gradient(model, aims, paths, until=script["END"], samples=count) for count in (2, 201))
    np.testing.assert_allclose(few.derivatives, many.derivatives, rtol=1e-8, atol=1e-9)
