"""The numbers of periodic motions, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from flexura.cli.listing import MOST_ROWS, Listing
from flexura.cli.verbs_periodic import Branches
from flexura.results.branch import Branch
from flexura.results.cycle import Cycle
from flexura.results.floquet import Floquet
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.small_motion import SmallMotion
from flexura.results.stability import Limit, Stability, StabilityChart
from flexura.results.sweep import Sweep

SHOWN = 5
"""Harmonics in a table."""


def periodic(motion: PeriodicMotion | Cycle, signals: Sequence[str]) -> Listing:
    """Amplitudes of signals and of their first harmonics."""
    rows = []
    for name in list(signals or motion.coordinates)[:MOST_ROWS]:
        sizes = motion.amplitudes(name)[: SHOWN + 1]
        parts = [f"{size:.4g}" for _, size in zip_longest(range(SHOWN + 1), sizes, fillvalue=0.0)]
        rows.append([name, motion.unit(name) or "1", f"{motion.amplitude(name):.6g}", *parts])
    size = "vibration ±" if isinstance(motion, PeriodicMotion) else "amplitude"
    heads = [size, "mean", *(f"{order}ω" for order in range(1, SHOWN + 1))]
    said = f"{motion.period:.6g} s, {motion.harmonics} harmonics, {_verdict(motion.floquet)}"
    return Listing(said, ["signal", "unit", *heads], rows, heads)


def _verdict(found: Floquet) -> str:
    if found.stable:
        return f"stable: growth {found.growth:.4g} 1/s"
    return f"unstable, beyond a {found.kind}: growth {found.growth:.4g} 1/s"


def small(motion: SmallMotion, signals: Sequence[str]) -> Listing:
    """Ranges of signals, and the largest part of the small motion in them."""
    rows = []
    for name in list(signals or motion.linear.coordinates)[:MOST_ROWS]:
        values, change = motion[name], motion.change(name)
        numbers = (values[0], values[-1], values.min(), values.max(), np.abs(change).max())
        rows.append([name, motion.unit(name) or "1", *(f"{number + 0.0:.6g}" for number in numbers)])
    heads = ["start", "end", "lowest", "highest", "small motion"]
    said = f"{len(motion.linear.coordinates)} coordinates until {motion.t[-1]:g} s"
    return Listing(said, ["signal", "unit", *heads], rows, heads)


def sweep(found: Sweep, signals: Sequence[str]) -> Listing:
    """The largest amplitudes of signals, and where they are."""
    rows = []
    for name in list(signals or found.motions[0].coordinates)[:MOST_ROWS]:
        sizes = found.amplitude(name)
        top = int(sizes.argmax())
        rows.append([name, found.unit(name) or "1", f"{sizes[top]:.6g}", f"{found.values[top]:.6g}"])
    heads = ["largest amplitude", f"at {found.parameter}"]
    unstable = int(np.count_nonzero(~found.stable))
    return Listing(f"{len(found)} motions, {unstable} unstable", ["signal", "unit", *heads], rows, heads)


def stability(found: Stability, signals: Sequence[str]) -> Listing:
    """The limits of stability."""
    start = "unstable" if found.unstable else "stable"
    rows = [[f"{found.values[0]:.9g}", start, "", ""], *(_limit(limit) for limit in found.limits)]
    heads = [found.parameter, "what", "kind", "multiplier"]
    said = f"{len(found.values)} values, {len(found.limits)} limits of stability"
    return Listing(said, heads, rows, [found.parameter])


def _limit(limit: Limit) -> list[str]:
    number = limit.multiplier
    shown = f"{number.real:.5g}" if abs(number.imag) < 1e-4 else f"{number.real:.5g} {number.imag:+.5g}i"
    return [f"{limit.value:.9g}", f"stability {'lost' if limit.lost else 'regained'}", limit.kind, shown]


def chart(found: StabilityChart, signals: Sequence[str]) -> Listing:
    """The limits of stability over the first parameter, for each value of the second."""
    first, second = found.parameters
    rows = [
        [f"{value:.9g}", *_limit(limit)]
        for value, row in zip(found.values[1], found.limits, strict=True)
        for limit in row
    ]
    unstable = int(np.count_nonzero(found.growth > 0.0))
    said = f"{found.growth.size} points, {unstable} unstable"
    return Listing(said, [second, first, "what", "kind", "multiplier"], rows[:MOST_ROWS], [first, second])


def branches(found: Branches, signals: Sequence[str]) -> Listing:
    """Where branches begin, what happens on them, and where they end, with amplitudes of signals."""
    shown = list(signals or found.branch.cycles[0].coordinates)[:3]
    rows: list[list[str]] = []
    for number, branch in enumerate((found.branch, *found.doubled)):
        rows += _along(branch, shown, "twice the period" if number else "")
    heads = [found.branch.parameter, *(f"± {name}" for name in shown)]
    counted = sum(len(branch) for branch in (found.branch, *found.doubled))
    said = f"{counted} motions, {len(found.branch.specials)} special points"
    return Listing(said, [heads[0], "what", "branch", *heads[1:]], rows, heads)


def _along(branch: Branch, signals: Sequence[str], name: str) -> list[list[str]]:
    points = [(branch.values[0], "start", branch.cycles[0])]
    points += [(special.value, special.kind, special.cycle) for special in branch.specials]
    points.append((branch.values[-1], "end", branch.cycles[-1]))
    return [
        [f"{value:.9g}", what, name, *(f"{cycle.amplitude(signal):.6g}" for signal in signals)]
        for value, what, cycle in points
    ]
