"""Summary and description of a motion, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from flexura.results.accuracy import coordinate_sizes
from flexura.results.outcome import Outcome
from flexura.results.summary import ROUNDING, Summary

if TYPE_CHECKING:
    from flexura.results.motion import Motion

MOST_EVENTS = 10
"""Maximum number of events in a summary."""

ESTIMATES = ("fastest", "predicted")
"""First words of statistics about the choice of a method, which are not effort."""

OWN_ROUNDING = 1e-12
"""Fraction of the largest value of a signal below which its values are printed as zero."""

MOST_SIGNALS = 8
"""Number of signals in a summary if none are named."""


def summary_of(motion: Motion, signals: Sequence[str] = ()) -> Summary:
    """Ranges of signals, by default of the first nodal coordinates that vary; the events and the findings."""
    sizes = coordinate_sizes(motion)
    named = tuple(dict.fromkeys(signals)) or _varying(motion, sizes)
    heads = ("start", "end", "lowest", "highest")
    events = [f"{event.signal} at {event.time:.9g} s" for event in motion.events[:MOST_EVENTS]]
    more = len(motion.events) - MOST_EVENTS
    return Summary(
        heads=("signal", "unit", *heads) if named else (),
        rows=tuple((name, motion.unit(name) or "1", *_range(motion, name, sizes)) for name in named),
        right=heads,
        remarks=(*events, *[f"and {more} events more"][: more > 0], *map(str, motion.findings)),
        outcome=motion.outcome.name.lower().replace("_", " "),
        reached=f"{motion.t[-1]:g} s" if motion.t.size > 1 else "",
        method=motion.method.partition("(")[0].partition(",")[0],
        effort=_effort(motion, ("steps", "evaluations")),
        balance="" if motion.imbalance is None else f"{motion.imbalance:.1e}",
        accuracy="" if motion.accuracy is None else motion.accuracy.figures,
        trouble="" if motion.outcome.good else ": ".join(filter(None, (motion.outcome.value, _reason(motion)))),
        failed=not motion.outcome.good and motion.outcome is not Outcome.DOUBTFUL,
        doubtful=motion.outcome is Outcome.DOUBTFUL,
        interrupted=motion.outcome is Outcome.INTERRUPTED,
    )


def _varying(motion: Motion, sizes: NDArray[np.float64]) -> tuple[str, ...]:
    """First nodal coordinates that vary by more than rounding."""
    spread = np.ptp(motion.position[0], axis=0) > ROUNDING * sizes
    nodes = [a for a in motion.nodal_coordinates if a.owner in motion.model.nodes and spread[motion.column(a)]]
    return tuple(map(str, nodes))[:MOST_SIGNALS]


def _reason(motion: Motion) -> str:
    """Findings that explain a bad outcome: the first doubt, or the notes."""
    return str(motion.doubts[0]) if motion.outcome is Outcome.DOUBTFUL else motion.note


def _effort(motion: Motion, only: Sequence[str] = ()) -> str:
    counts = {name: value for name, value in motion.statistics.items() if not name.startswith(ESTIMATES)}
    if counts.keys() & {*only}:
        counts = {name: counts[name] for name in only if name in counts}
    return ", ".join(f"{_count(value)} {name}" for name, value in counts.items())


def _count(value: float) -> str:
    """Number with all digits if it is whole."""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.6g}"


def _range(motion: Motion, signal: str, sizes: NDArray[np.float64]) -> tuple[str, ...]:
    """First, last, smallest and largest value; zero if it is rounding, for lengths relative to the machine."""
    values, unit = motion[signal], motion.unit(signal)
    least = max(OWN_ROUNDING * np.abs(values).max(), ROUNDING * sizes.max(initial=0.0) if unit == "m" else 0.0)
    shown = values[0], values[-1], values.min(), values.max()
    return tuple(f"{0.0 if abs(value) < least else value:.6g}" for value in shown)


def _first(names: Sequence[str], width: int) -> str:
    """As many names as fit in a line."""
    fitting = 1
    while fitting < len(names) and len(", ".join(names[: fitting + 1])) <= width:
        fitting += 1
    return ", ".join(names[:fitting]) + (" …" if fitting < len(names) else "")


def description_of(motion: Motion) -> str:
    """Text of several lines: the outcome, the method, the effort, the first events and all findings."""
    lines = [
        f"{motion.title or 'Motion'}: {motion.t[0]:g} to {motion.t[-1]:g} s at {len(motion.t)} times",
        f"  outcome   {motion.outcome.value}",
        f"  method    {motion.method}",
    ]
    if motion.coordinates:
        lines.append(f"  dof       {len(motion.coordinates)}: {_first(motion.coordinates, 72)}")
    if motion.statistics:
        lines.append(f"  effort    {_effort(motion)}")
    if motion.imbalance is not None:
        lines.append(f"  energy    balanced to {motion.imbalance:.1e}")
    if motion.accuracy is not None:
        lines += [f"  accuracy  {motion.accuracy.figures}", f"            ({motion.accuracy.source})"]
    lines += [f"  {finding.severity:9} {finding}" for finding in motion.findings]
    lines += [f"  event     {event}" for event in motion.events[:5]]
    if len(motion.events) > 5:
        lines.append(f"            and {len(motion.events) - 5} more")
    return "\n".join(lines)
