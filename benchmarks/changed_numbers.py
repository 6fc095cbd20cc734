"""``python -m benchmarks.changed_numbers``: milliseconds of processor time to prepare a model, by what is new in it.

A slider-crank with clearance and one with two elastic beams, each with two outputs after 0.1 µs, so that hardly a step
is taken: with other names the structure is new; with another mass, clearance or stiffness only a number is; and the
same model is called once more. Then sweeps of a number, with the cache of prepared models and without. The least of
several repeats counts.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from time import process_time

import flexura as fx
from flexura.analyses.motion.model_cache import CACHE
from flexura.planar import Beam, Clearance, Mass

Analysis = Callable[[fx.Model], object]
REPEATS = 25
STEEL = fx.Material(E=2.06e11, rho=7850.0)
HERTZ = fx.Hertz(radii=(9.5e-3, -10e-3), materials=(STEEL, STEEL), restitution=0.95, dissipation="lankarani_nikravesh")


def loose(name: str = "", slider: float = 0.145, clearance: float = 0.5e-3) -> fx.Model:
    """A slider-crank of rigid links with clearance in the slider's pin; names begin with ``name``."""
    return fx.Model(
        nodes={f"{name}O": (0, 0), f"{name}A": (0.05, 0), f"{name}B": (0.17, 0), f"{name}C": (0.17, 0)},
        elements={
            f"{name}crank": Beam(f"{name}O", f"{name}A", fx.Section(), rigid=True),
            f"{name}rod": Beam(f"{name}A", f"{name}B", fx.Section(rhoA=1.2), rigid=True),
            f"{name}pin": Clearance(f"{name}C", f"{name}rod.q", clearance=clearance, contact=HERTZ),
            f"{name}slider": Mass(f"{name}C", slider),
        },
        fixed=[f"{name}O", f"{name}C.y"],
        inputs={f"{name}crank.p.phi": fx.Ramp(rate=523.6)},
        start={f"{name}pin.along'": 0.0, f"{name}pin.across'": 0.0},
    )


def elastic(name: str = "", slider: float = 0.5, E: float = 2.06e11) -> fx.Model:
    """A slider-crank whose rod is two beams."""
    material = fx.Material(E=E, rho=7850.0)
    return fx.Model(
        nodes={f"{name}O": (0, 0), f"{name}A": (0.15, 0), f"{name}B": (0.6, 0)},
        elements={
            f"{name}crank": Beam(f"{name}O", f"{name}A", fx.Section(), rigid=True),
            f"{name}rod": Beam(f"{name}A", f"{name}B", fx.Circle(0.012), material, parts=2),
            f"{name}slider": Mass(f"{name}B", slider),
        },
        fixed=[f"{name}O", f"{name}B.y"],
        inputs={f"{name}crank.p.phi": fx.Ramp(rate=60.0)},
    )


def moved(model: fx.Model) -> object:
    """Preparation and hardly a step."""
    return fx.simulate(model, until=1e-7, samples=2, method=fx.DormandPrince())


def anew(action: Analysis) -> Analysis:
    """The analysis with an empty cache of prepared models."""

    def alone(model: fx.Model) -> object:
        CACHE.models.clear()
        return action(model)

    return alone


def least(action: Analysis, models: Sequence[fx.Model]) -> float:
    """Milliseconds of the fastest of several models; the first two are not counted."""
    found = []
    for model in models:
        started = process_time()
        action(model)
        found.append(process_time() - started)
    return 1e3 * min(found[2:])


def main() -> None:
    """Print the table, and the sweeps."""
    gc.disable()
    shares = [1.0 + 1e-6 * k for k in range(1, REPEATS)]
    print(f"{'ms':24}{'new names':>12}{'new mass':>12}{'new law':>12}{'again':>12}")
    laws = [loose(clearance=0.5e-3 * share) for share in shares], [elastic(E=2e11 * share) for share in shares]
    for make, law in zip((loose, elastic), laws, strict=True):
        names, masses = [make(f"n{k}_") for k in range(REPEATS)], [make(slider=0.3 * share) for share in shares]
        cases = (names, masses, law, [make()] * REPEATS)
        print(f"{make.__name__:24}" + "".join(f"{least(moved, models):12.2f}" for models in cases), flush=True)
    print(f"\n{'a sweep, ms a value':24}{'in place':>12}{'anew':>12}{'ratio':>12}")
    sweeps: dict[str, Analysis] = {"simulate": moved, "linearise": fx.linearise}
    for name, action in sweeps.items():
        models = [elastic(slider=0.4 * k) for k in shares]
        place, new = least(action, models), least(anew(action), models)
        print(f"{name:24}{place:12.2f}{new:12.2f}{new / place:12.1f}", flush=True)


if __name__ == "__main__":
    main()
