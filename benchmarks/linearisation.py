"""What a linearisation costs, in evaluations of the equations of motion: the gallery, and a chain that grows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numba import njit

import flexura as fx
from flexura.analyses.linear.linearise import PreparedLinearisation
from flexura.mechanics.linear.reduced_equations import linearise
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.planar import Beam

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
REPEATS = 7


@njit
def _evaluate(system, t, x, v, a, stress, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        accelerate(system, t, x, v, a, stress)


@njit
def _linearise(small, t, x, v, a, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        linearise(small, t, x, v, a)


def measure(model: fx.Model) -> tuple[int, float, float]:
    """The number of independent coordinates, and the seconds of an evaluation and of a linearisation."""
    ready = PreparedLinearisation.of(model)
    at = ready.prescribed(0.0)
    small = ready.linearisation(at.x)
    linear = _best(lambda n: _linearise(small.small, at.t, at.x.copy(), at.v.copy(), at.a.copy(), n))
    machine = prepare(model)
    layout, system = machine.condensed
    x, v = (machine.narrow(layout, full) for full in (machine.x, machine.v))
    a, stress = np.zeros_like(x), np.zeros(max(len(layout.strains), 1))
    return len(small.independent), _best(lambda n: _evaluate(system, 0.0, x, v, a, stress, n)), linear


def _best(job: Callable[[int], None]) -> float:
    """Seconds of one of many turns, in the best of several runs."""
    job(1)
    times, found = 1, np.inf
    while True:
        start = time.process_time()
        job(times)
        if time.process_time() - start > 2e-2:
            break
        times *= 4
    for _ in range(REPEATS):
        start = time.process_time()
        job(times)
        found = min(found, (time.process_time() - start) / times)
    return found


def chain(beams: int) -> fx.Model:
    """A cantilever strip of so many beams, in one line, at rest."""
    section = fx.Section(EA=4.2e6, EI=0.35, rhoA=0.157)
    return fx.Model(
        nodes={f"P{k}": (k / beams, 0.0) for k in range(beams + 1)},
        elements={f"b{k}": Beam(f"P{k}", f"P{k + 1}", section) for k in range(beams)},
        fixed=["P0", "b0.p"],
    )


def whole(model: fx.Model, rate: str) -> tuple[float, float, float]:
    """Milliseconds of ``fx.linearise`` for a model not seen before, and again at other rates; of these, with roots.

    Programs are compiled before; the first call of a process reads them from the cache besides.
    """
    fx.linearise(model)
    unseen = model.replace(title=f"{model.title} again")
    start = time.process_time()
    fx.linearise(unseen)
    first = time.process_time() - start
    others = [model.with_parameter(f"start.{rate}", value) for value in np.linspace(1.0, 30.0, 25)]

    def best(job: Callable[[fx.Model], object]) -> float:
        found = np.inf
        for _ in range(REPEATS):
            start = time.process_time()
            for other in others:
                job(other)
            found = min(found, (time.process_time() - start) / len(others))
        return found

    return 1e3 * first, 1e3 * best(fx.linearise), 1e3 * best(lambda other: fx.linearise(other).eigenvalues)


def main() -> None:
    """Print the table."""
    bicycle = fx.Model.from_file(EXAMPLES / "bicycle.toml")
    first, again, roots = whole(bicycle, "rear_axle.rotation'")
    print(f"bicycle by fx.linearise: {first:.1f} ms, at other speeds {again:.2f} ms, with eigenvalues {roots:.2f} ms")
    print(f"{'model':28}{'coordinates':>12}{'evaluation, µs':>16}{'linearisation, µs':>20}{'ratio':>8}")
    models = {path.stem: fx.Model.from_file(path) for path in sorted(EXAMPLES.glob("*.toml"))}
    models |= {f"chain of {beams} beams": chain(beams) for beams in (4, 8, 16, 32, 64)}
    for name, model in models.items():
        try:
            count, evaluation, linear = measure(model)
        except fx.ModelError as error:
            print(f"{name:28}{error}"[:84])
            continue
        print(f"{name:28}{count:12d}{1e6 * evaluation:16.2f}{1e6 * linear:20.2f}{linear / evaluation:8.1f}", flush=True)
