"""Motions along which errors grow: default settings are right, or say from when on they are not."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam

BAR = fx.Section(rhoA=1.0)


def pendulum(links: int) -> fx.Model:
    return fx.Model(
        nodes={f"P{i}": (float(i), 0.0) for i in range(links + 1)},
        elements={f"bar{i}": Beam(f"P{i - 1}", f"P{i}", BAR, rigid=True) for i in range(1, links + 1)},
        fixed=["P0"],
        gravity=(0.0, -9.81),
    )


def balanced(rate: float) -> fx.Model:
    """A rod that leaves its upright position at a small rate."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (0, 1)},
        elements={"rod": Beam("O", "A", BAR, rigid=True)},
        fixed=["O"],
        start={"rod.p.phi'": rate},
        gravity=(0.0, -9.81),
    )


def error(model: fx.Model, motion: fx.Motion, signal: str) -> np.ndarray:
    exact = fx.simulate(model, times=motion.t.tolist(), method=fx.DormandPrince(1e-13))
    return np.abs(motion[signal] - exact[signal])


def test_regular_motion_keeps_its_run():
    motion = fx.simulate(pendulum(1), until=20.0)
    assert motion.outcome is fx.Outcome.DONE
    assert motion.method == repr(fx.DormandPrince())


@pytest.mark.parametrize(("model", "until"), [(pendulum(2), 15.0), (balanced(1e-3), 10.0)])
def test_growing_errors_are_reduced(model, until):
    """The error is within 1e-4, and within its estimate."""
    tip = max(model.nodes)
    motion = fx.simulate(model, until=until)
    assert motion.outcome is fx.Outcome.DONE
    assert motion.method != repr(fx.DormandPrince())
    assert motion.accuracy is not None
    assert error(model, motion, f"{tip}.x").max() <= min(1e-4, motion.accuracy[f"{tip}.x"] + 1e-12)


@pytest.mark.parametrize(("links", "until"), [(2, 40.0), (3, 20.0)])
def test_chaos_is_predicted_until_a_time(links, until):
    """Until the time of the finding positions are right, at the end they are not."""
    model, tip = pendulum(links), f"P{links}.x"
    motion = fx.simulate(model, until=until)
    assert motion.outcome is fx.Outcome.DOUBTFUL
    (finding,) = [found for found in motion.findings if found.what.startswith("the motion is sensitive")]
    wrong = error(model, motion, tip)
    assert finding.time is not None
    assert wrong[motion.t < finding.time].max() <= 1e-4 * links
    assert wrong.max() > 0.1


def test_studies_and_sections_leave_it_out():
    """A section through chaos is a result although its single points cannot be predicted."""
    section = fx.poincare(pendulum(2), until=40.0, when=1.0, skip=5.0)
    assert section.motion.outcome is fx.Outcome.DONE
