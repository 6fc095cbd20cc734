"""What drives put in is in the mechanism, or is lost: the balance of energy of every kind of contact, by default.

The turnover of a run is the range of its kinetic energy, what goes to and fro once. It does not grow with the length of
the run, as the work of the drives does, so that nothing is hidden behind a long one. Energy stored in a contact counts
as dissipated until it comes back.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Mass, PointContact
from references import offset_crank
from references.ravn_contact import TURN
from references.ravn_model import FILM, HERTZ, IMPACT, STEEL, slider_crank

SPHERES = {"radii": (9.5e-3, -10e-3), "materials": (STEEL, STEEL)}
RULES = ("hunt_crossley", "lankarani_nikravesh", "flores", "gonthier")


class Case(NamedTuple):
    """A model, how long it runs, and at how many times one looks."""

    model: fx.Model
    until: float
    samples: int = 4001
    method: fx.DormandPrince | None = None


def sphere(law: object) -> Case:
    """The sphere on a barrier of [Schwab2002, 5.2.1]."""
    return Case(
        fx.Model(
            nodes={"W": (0, 0), "S": (0, 1e-3)},
            elements={"wall": PointContact("W", "S", law), "ball": Mass("S", 0.145)},
            fixed=["W", "S.x"],
            start={"S.y'": -5.0},
        ),
        6e-4,
    )


def ball(law: object, **more: object) -> Case:
    """A ball that falls from a metre and comes to rest, or bounces on a table."""
    given = {"fixed": ["F", "B.x"]} | more
    return Case(
        fx.Model(
            nodes={"F": (0, 0), "B": (0, 1)},
            elements={"floor": PointContact("F", "B", law), "ball": Mass("B", 2.0)},
            gravity=(0, -9.81),
            **given,
        ),
        6.0,
    )


SHAKEN = {"fixed": ["F.x", "B.x"], "inputs": {"F.y": "0.05*sin(20*t)"}}

CASES: dict[str, Callable[[], Case]] = {
    **{
        f"sphere, {rule}, {e}": lambda rule=rule, e=e: sphere(fx.Hertz(**SPHERES, restitution=e, dissipation=rule))
        for rule in RULES
        for e in (0.95, 0.5)
    },
    "sphere, elastic": lambda: sphere(fx.Hertz(**SPHERES)),
    "sphere, fixed damping": lambda: sphere(fx.Hertz(**SPHERES, damping=0.01)),
    "sphere, spring and damper": lambda: sphere(fx.KelvinVoigt(1e8, 400.0)),
    "sphere, line": lambda: sphere(fx.LineContact(20e-3, **SPHERES, restitution=0.9)),
    "ball, impacts": lambda: ball(fx.Restitution(0.8)),
    "ball, Hertz": lambda: ball(fx.Hertz(1e8, restitution=0.8, dissipation="gonthier")),
    "ball on a shaken table, impacts": lambda: ball(fx.Restitution(0.5), **SHAKEN),
    "ball on a shaken table, Hertz": lambda: ball(fx.Hertz(1e8, restitution=0.5, dissipation="gonthier"), **SHAKEN),
    "Ravn, Hertz": lambda: Case(slider_crank(HERTZ), 2.0 * TURN),
    "Ravn, impacts": lambda: Case(slider_crank(IMPACT), 2.0 * TURN),
    "Ravn, elastic rod": lambda: Case(slider_crank(HERTZ, elastic=True), 2.0 * TURN),
    "Ravn, elastic rod, impacts": lambda: Case(
        slider_crank(IMPACT, elastic=True), 2.0 * TURN, method=fx.DormandPrince()
    ),
    "Ravn, oil film": lambda: Case(slider_crank(FILM), 3.0 * TURN),
    "Rogers and Andrews": lambda: Case(offset_crank.slider_crank(offset_crank.EQUILIBRIUM), 1.5 * offset_crank.TURN),
}


@pytest.mark.parametrize("name", CASES)
def test_energy_closes(name):
    case = CASES[name]()
    motion = fx.simulate(case.model, case.until, samples=case.samples, method=case.method)
    # contacts may magnify errors until the motion cannot be predicted; its energy closes all the same
    assert all(doubt.what.startswith("the motion is sensitive") for doubt in motion.doubts)
    assert motion.outcome in {fx.Outcome.DONE, fx.Outcome.DOUBTFUL}
    energy = motion.energy
    # what is told as the balance is the sum of its parts
    put_together = energy["kinetic"] + energy["strain"] + energy["gravity"] + energy["dissipated"] - energy["work"]
    turnover = np.ptp(energy["kinetic"])
    assert np.abs(energy["balance"] - (put_together - put_together[0])).max() < 1e-12 * turnover
    closing = np.abs(energy["balance"]).max() / turnover
    print(f"\n{name}: {closing:.1e} of {turnover:.4g} J; lost {energy['dissipated'][-1]:.4g} J")
    assert closing < 1e-6
