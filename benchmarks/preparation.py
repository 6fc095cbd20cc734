"""``python -m benchmarks.preparation``: processor time of whole calls for chains of beams, the first and the second.

A clamped chain with a load at its tip: ``equilibrium``, three outputs of ``simulate``, and ``modes`` about the
equilibrium. The first call prepares the model; the second borrows it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import flexura as fx
from flexura import planar, spatial

COUNTS = (100, 1000, 4000)
STEEL = fx.Material(E=2.1e11, rho=7850.0)


def chain(space: str, count: int) -> fx.Model:
    """Beams welded to each other in a row of 1 m."""
    beam, rest = (planar.Beam, (0.0,)) if space == "planar" else (spatial.Beam, (0.0, 0.0))
    nodes = {f"n{i}": (i / count, *rest) for i in range(count + 1)}
    elements = {f"b{i}": beam(f"b{i - 1}.q" if i else "n0", f"n{i + 1}", fx.Circle(0.01), STEEL) for i in range(count)}
    return fx.Model(nodes=nodes, elements=elements, fixed=["n0", "b0.p"], loads={f"n{count}.y": -1.0})


CALLS: dict[str, Callable[[fx.Model], object]] = {
    "equilibrium": fx.equilibrium,
    "simulate": lambda model: fx.simulate(model, until=1e-3, samples=3, method=fx.KennedyCarpenter()),
    "modes": lambda model: fx.modes(model, 4, at=fx.equilibrium(model)),
}


def _seconds(call: Callable[[fx.Model], object], model: fx.Model) -> float:
    start = time.process_time()
    call(model)
    return time.process_time() - start


def main() -> None:
    """Print a row for each space, call and number of beams."""
    for space in ("planar", "spatial"):
        for name, call in CALLS.items():
            call(chain(space, 3))  # compile
            for count in COUNTS:
                model = chain(space, count)
                first, second = _seconds(call, model), _seconds(call, model)
                print(f"{space:8} {name:12} {count:5}  first {first:7.3f} s  second {second:7.3f} s", flush=True)


if __name__ == "__main__":
    main()
