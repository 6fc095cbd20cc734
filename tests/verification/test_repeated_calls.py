"""Cost of calling again: a known model is not prepared again, and a study changes numbers in place."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.analyses.motion.model_cache import CACHE
from flexura.integrators import step_loop
from flexura.planar import Beam, Clearance, Mass, Truss

STEEL = fx.Material(E=2.06e11, rho=7850.0)


def loose() -> fx.Model:
    """A slider-crank with an elastic rod and clearance in the pin of the slider."""
    hertz = fx.Hertz(radii=(9.5e-3, -10e-3), materials=(STEEL, STEEL), restitution=0.95)
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.05, 0), "B": (0.17, 0), "C": (0.17, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=0.5), rigid=True),
            "rod": Beam("A", "B", fx.Section(EA=1e6, EI=60.0, rhoA=1.2, damping=1e-5)),
            "pin": Clearance("C", "rod.q", clearance=0.5e-3, contact=hertz),
            "slider": Mass("C", 0.145),
            "spring": Truss("O", "C", fx.Section(EA=0.0)),
        },
        fixed=["O", "C.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=300.0)},
        laws={"spring.elongation": fx.LinearLaw(k=100.0)},
        loads={"C.x": fx.Sine(amplitude=1.0, frequency=10.0)},
        start={"pin.along'": 0.0, "pin.across'": 0.0},
        gravity=(0.0, -9.81),
    )


PARAMETERS = {
    "elements.slider.mass": [0.1, 0.2],
    "elements.pin.clearance": [3e-4, 5e-4],
    "elements.pin.contact.restitution": [0.8, 0.9],
    "elements.rod.section.EI": [50.0, 70.0],
    "elements.rod.section.rhoA": [1.0, 1.4],
    "inputs.crank.p.phi.rate": [200.0, 300.0],
    "loads.C.x.amplitude": [1.0, 2.0],
    "laws.spring.elongation.k": [50.0, 150.0],
    "nodes.A.x": [0.049, 0.051],
    "gravity.y": [-5.0, 5.0],
    "start.pin.along'": [0.05, 0.1],
    "start.pin.along": [1e-5, 2e-5],
}
KEPT = ["C.x", "max(abs(pin.gap.force))", "rod.elongation.force", "energy.total"]


@pytest.mark.parametrize("path", PARAMETERS)
def test_runs_with_numbers_changed_in_place_are_those_of_new_models(path: str) -> None:
    values = [*PARAMETERS[path], PARAMETERS[path][0]]
    run = partial(fx.simulate, until=2e-3, samples=5, method=fx.DormandPrince())
    data = fx.study(loose(), {path: values, "elements.crank.section.rhoA": [0.5, 0.6]}, run, KEPT, workers=1)
    assert set(data["status"].values.ravel()) <= {"done", "doubtful"}
    for i, value in enumerate(values):
        for j, crank in enumerate([0.5, 0.6]):
            CACHE.models.clear()
            motion = run(_constructed(_constructed(loose(), path, value), "elements.crank.section.rhoA", crank))
            np.testing.assert_array_equal(data["C.x"].values[i, j], motion["C.x"])
            np.testing.assert_array_equal(data["rod.elongation.force"].values[i, j], motion["rod.elongation.force"])
            np.testing.assert_array_equal(data["energy.total"].values[i, j], motion.energy["total"])
            assert data["max(abs(pin.gap.force))"].values[i, j] == np.abs(motion["pin.gap.force"]).max()


def _constructed(model: fx.Model, path: str, value: float) -> fx.Model:
    """Model with another value, through the constructor of models."""
    if path.startswith("start."):
        return model.replace(start={**model.start, path.removeprefix("start."): value})
    revised = model.with_parameter(path, value)
    constructed = revised.replace(title="")
    assert constructed == revised
    assert "_names" not in vars(constructed)
    return constructed


def test_what_a_revised_model_refuses_is_what_its_constructor_refuses() -> None:
    model = loose()
    with pytest.raises(fx.ModelError, match=r"parameter 'elements.slider.mass': .*-1 is out of range"):
        model.with_parameter("elements.slider.mass", -1.0)
    with pytest.raises(fx.ModelError, match="is not a number"):
        model.with_parameter("start.pin.along'", float("nan"))
    with pytest.raises(fx.ModelError, match="there is no 'mas'"):
        model.with_parameter("elements.slider.mas", 1.0)
    # other parts are other names: the constructor resolves them
    assert len(model.with_parameter("elements.rod.parts", 3).check().coordinates) > 3


def test_another_number_of_a_load() -> None:
    model = loose().replace(loads={"C.x": 1.0, "C.y": "t"})
    assert model.with_parameter("loads.C.x", 2) == model.replace(loads={"C.x": 2.0, "C.y": "t"})
    assert model.with_parameter("loads.C.x", "2*t") == model.replace(loads={"C.x": "2*t", "C.y": "t"})
    for wrong in (float("nan"), True, "u"):
        with pytest.raises(fx.ModelError, match=r"loads\.C\.x"):
            model.with_parameter("loads.C.x", wrong)


def chain(links: int) -> fx.Model:
    """Rigid links that hang from a point in a row."""
    nodes = {f"N{i}": (0.1 * i, 0.0) for i in range(links + 1)}
    bars = {f"bar{i}": Beam(f"N{i}", f"N{i + 1}", fx.Section(rhoA=1.0), rigid=True) for i in range(links)}
    return fx.Model(nodes, bars, fixed=["N0"], gravity=(0, -9.81))


@pytest.mark.parametrize(("links", "method"), [(200, fx.DormandPrince()), (201, None)])
def test_a_second_call_takes_a_small_part_of_the_first_before_its_first_step(
    links: int, method: fx.DormandPrince | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """About a hundredth of the time that preparing the model takes: 1.2 of 110 ms on a slow processor."""
    model, advance, called = chain(links), step_loop.advance, time.process_time()
    fx.simulate(model, 1e-6, samples=2, method=method)
    first = time.process_time() - called
    before = [_before_first_step(monkeypatch, advance, model, method) for _ in range(20)]
    assert min(before) < 0.03 * first


def _before_first_step(
    monkeypatch: pytest.MonkeyPatch, advance: Callable[..., None], model: fx.Model, method: Any
) -> float:
    """Processor time of a call up to its first step."""
    began: list[float] = []

    def noted(system: Any, memory: Any, budget: int) -> None:
        if budget:
            began.append(time.process_time())
        advance(system, memory, budget)

    monkeypatch.setattr(step_loop, "advance", noted)
    called = time.process_time()
    fx.simulate(model, 1e-6, samples=2, method=method)
    return began[0] - called
