"""``python -m benchmarks.methods [WORD …]``: the default method beside the fastest one of the package at its accuracy.

All runs of the gallery that move a model, and forty machines (``tests/references/accuracy_models.py``), or those whose
names contain a word. Milliseconds of processor time. The errors of the default are of positions, relative to the size
of the model, and of forces, relative to their ranges. Methods count whose errors are at most twice as large.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import flexura as fx


def _cases() -> Iterator[tuple[str, fx.Model, float, int]]:
    """Name, model, duration and number of outputs of each run."""
    from references.accuracy_models import cases
    from references.gallery import moving

    for name, (model, told) in moving().items():
        yield name, model, told["until"], told["samples"]
    for name, model, until in cases():
        yield name, model, until, 201


def main(words: list[str]) -> None:
    """Print a line for each run."""
    from references.method_costs import cost_of

    print(f"{'run':38}{'default':>10}{'fastest':>10}{'ratio':>7}{'positions':>10}{'forces':>9}  fastest method")
    for name, model, until, samples in _cases():
        if words and not any(word in name for word in words):
            continue
        found = cost_of(model, until, samples)
        if found is None:
            print(f"{name:38} the default does not reach the end, or no method agrees with another one", flush=True)
            continue
        times = f"{1e3 * found.default:10.1f}{1e3 * found.fastest:10.1f}{found.ratio:7.1f}"
        print(f"{name:38}{times}{found.errors[0]:10.0e}{found.errors[1]:9.0e}  {found.method}", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, "tests")
    main(sys.argv[1:])
