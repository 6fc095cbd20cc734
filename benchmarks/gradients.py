"""``python -m benchmarks.gradients [times]``: cost of gradients, in simulations.

A simulation is ``simulate`` of the same run with the method of the gradient, prepared before, in processor time. Each
run of the test models is made so many times as long, ten by default, so that steps count and not preparation.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import flexura as fx
from flexura.analyses.gradients.recorded_run import RecordedRun
from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.motion.output_times import output_times

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

REPEATS = 4


def least(run: Callable[[], object]) -> float:
    """Least processor time of some repetitions, in seconds."""
    found = []
    for _ in range(REPEATS + 1):
        began = time.process_time()
        run()
        found.append(time.process_time() - began)
    return min(found[1:])


def main(longer: float) -> None:
    """Print the cost of both ways for one and for all parameters, and of one quantity backwards."""
    from references.gradient_models import MODELS

    print(f"{'model':14} {'run, ms':>8} {'forward 1':>10} {'all':>6} {'aim':>5} {'adjoint':>8}  (aim 6)")
    for name, case in MODELS.items():
        model, until = case.model(), case.until * (longer if "impact" not in name else 1.0)

        def gradient(of: list[str], by: list[str], way: str) -> Callable[[], object]:
            options = {"until": until, "samples": case.samples, "way": way}  # noqa: B023
            return lambda: fx.gradient(model, of, by, **options)  # type: ignore[arg-type]  # noqa: B023

        with borrowed(model) as prepared:
            method = RecordedRun(prepared, model, output_times(until, case.samples, None), None, ()).method
        run = least(lambda: fx.simulate(model, until=until, samples=case.samples, method=method))  # noqa: B023
        costs = [
            least(gradient(of, by, way)) / run
            for of, by, way in (
                (case.of, case.by[:1], "forward"),
                (case.of, case.by, "forward"),
                (case.of[:1], case.by, "adjoint"),
            )
        ]
        aim = 1.0 + 0.7 * len(case.by)
        print(f"{name:14} {1e3 * run:8.2f} {costs[0]:10.1f} {costs[1]:6.1f} {aim:5.1f} {costs[2]:8.1f}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
