"""Random machines by the thousand: ``python tests/properties/machines.py --count 1000 --seed 7``.

Each machine has a number; seed and number make the same machine again. A failure is shrunk by hypothesis to a smaller
machine that fails, which is printed as a script.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis.internal.conjecture import providers
from hypothesis.strategies import SearchStrategy

from properties import random_machines, random_spatial_machines
from properties.machine_checks import CHECKS, Case, Disagreement, Marked, Unsolvable
from properties.machine_source import script
from references.plain.description import Machine

KINDS = {
    random_machines.linkages: 3,
    random_machines.landings: 2,
    random_machines.carts: 1,
    random_spatial_machines.spatial_linkages: 2,
    random_spatial_machines.spatial_landings: 1,
    random_spatial_machines.discs: 1,
}
"""Kinds of machines and how often they come."""


@dataclass
class Tally:
    """Counts of machines and checks, and the failures as scripts."""

    machines: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    marks: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        total = sum(self.machines.values())
        parts = ", ".join(f"{count} {what}" for what, count in sorted(self.machines.items()))
        return f"{total} machines: {parts}; {sum(self.checks.values())} checks"


def kind_of(number: int) -> Callable[[], SearchStrategy[Machine]]:
    """Kind of the machine with a number; they come in turn."""
    turns = [kind for kind, often in KINDS.items() for _ in range(often)]
    return turns[number % len(turns)]


def checks_of(number: int, every: bool) -> list[str]:
    """Checks of the machine with a number: all, or the reference and one other in turn."""
    names = list(CHECKS)
    if every:
        return names
    # errors of these methods add up to more than ten times their tolerances over a run: they are left to the long test
    others = [name for name in names[1:] if name not in {"Kennedy-Carpenter", "order 5"}]
    return [names[0], others[(number // sum(KINDS.values())) % len(others)]]


def examine(machine: Machine, names: list[str], tally: Tally) -> str:
    """Do the checks, and return what came out: agreed, marked, or no reference."""
    result, wrong = "agreed", []
    try:
        case = Case(machine)
    except Unsolvable:
        return "without reference"
    for name in names:
        try:
            CHECKS[name](case)
            tally.checks[name] += 1
        except Marked as mark:
            result = "marked"
            tally.marks.append(script(machine, f"# {name}: {mark}\nprint(fx.simulate(model, {machine.duration!r}))"))
        except Disagreement as difference:
            wrong.append(str(difference))
        except Unsolvable:
            tally.checks["growth unknown"] += 1
    if wrong:
        raise Disagreement("; ".join(wrong))
    return result


def try_machine(seed: int, number: int, every: bool, tally: Tally, shrink: bool = True) -> None:
    """Make a machine and examine it; failures go to the tally."""
    results: list[str] = []
    last: list[Machine] = []
    first = True

    def body(machine: Machine) -> None:
        nonlocal first
        if first:  # hypothesis begins with the simplest example, which is always the same
            first = False
            return
        last.append(machine)
        results.append(examine(machine, checks_of(number, every), tally))

    phases = [Phase.generate, Phase.shrink] if shrink else [Phase.generate]
    quiet = settings(
        max_examples=2,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=phases,
        print_blob=False,
    )
    test = with_seed(seed * 1_000_003 + number)(quiet(given(kind_of(number)())(body)))
    try:
        test()
        tally.machines[results[0] if results else "trivial"] += 1
    except Exception as error:
        tally.machines["failed"] += 1
        reason = "".join(traceback.format_exception_only(error)).strip().splitlines()[0]
        source = script(last[-1], f"print(fx.simulate(model, {last[-1].duration!r}))") if last else ""
        tally.failures.append(f"# seed {seed}, machine {number} ({kind_of(number).__name__}): {reason}\n{source}")


@contextmanager
def same_machines() -> Iterator[None]:
    """Leave out the numbers that hypothesis reads from the source of imported modules: they would change machines."""
    providers.CONSTANTS_CACHE.cache.clear()
    with patch.object(providers, "_get_local_constants", providers.Constants):
        yield
    providers.CONSTANTS_CACHE.cache.clear()


def run(seed: int, numbers: range, every: bool, shrink: bool = True, report: bool = False) -> Tally:
    """Examine many machines."""
    tally = Tally()
    with warnings.catch_warnings(), np.errstate(all="ignore"), same_machines():
        warnings.simplefilter("ignore")
        for number in numbers:
            known = len(tally.failures)
            try_machine(seed, number, every, tally, shrink)
            if report and len(tally.failures) > known:
                print(tally.failures[-1], flush=True)
    return tally


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="number of machines (default 100)")
    parser.add_argument("--seed", type=int, default=7, help="seed of all of them (default 7)")
    parser.add_argument("--first", type=int, default=0, help="number of the first (default 0)")
    parser.add_argument("--every", action="store_true", help="every check for each machine, not two")
    parser.add_argument("--no-shrink", action="store_true", help="print failures as they are found")
    parser.add_argument("--marks", action="store_true", help="print machines whose runs are marked, too")
    given_ = parser.parse_args()
    print(f"seed {given_.seed}, machines {given_.first} to {given_.first + given_.count - 1}", flush=True)
    numbers = range(given_.first, given_.first + given_.count)
    started = time.process_time()
    tally = run(given_.seed, numbers, given_.every, not given_.no_shrink, report=True)
    if given_.marks:
        print("\n".join(tally.marks))
    print(f"{tally}; {time.process_time() - started:.0f} s")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
