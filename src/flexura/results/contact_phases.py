"""The phases in which a contact is closed: times, peak force and impulse of each, also of contacts by a law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.results.marks import Axes, Labels
from flexura.results.motion import Motion
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Phase:
    """A time in which surfaces push against each other."""

    begin: Annotated[float, Unit("s")]
    end: Annotated[float, Unit("s")]
    peak: Annotated[float, Unit("N")]
    """the largest force"""
    peak_time: Annotated[float, Unit("s")]
    impulse: Annotated[float, Unit("N·s")]
    """integral of the force"""
    approach: Annotated[float, Unit("m/s")]
    """velocity at which the surfaces met; zero if they touched from the start"""

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.end - self.begin


class ContactPhases(Result):
    """All phases of a contact in a motion, with its impacts that take no time among them."""

    title: str
    signal: str
    phases: Annotated[tuple[Phase, ...], Axes("phase")]
    t: Annotated[Array, Labels("time"), Unit("s")]
    force: Annotated[Array, Axes("time"), Unit("N")]
    """force that pushes the surfaces apart, over time"""

    @property
    def peak(self) -> float:
        """The largest force of all, N."""
        return max((phase.peak for phase in self.phases), default=0.0)

    @property
    def impulse(self) -> float:
        """The impulse of all, N·s."""
        return float(sum(phase.impulse for phase in self.phases))

    @property
    def share(self) -> float:
        """Fraction of the time in which the contact is closed."""
        return float(sum(phase.duration for phase in self.phases)) / float(self.t[-1] - self.t[0])

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Times, peaks and impulses of the strongest phases."""
        strongest = sorted(self.phases, key=lambda phase: -phase.peak)[:10]
        rows = tuple(
            (f"{p.begin:.6g}", f"{p.duration:.6g}", f"{p.peak:.6g}", f"{p.impulse:.6g}", f"{p.approach:.6g}")
            for p in strongest
        )
        heads = ("begin [s]", "duration [s]", "peak [N]", "impulse [N·s]", "approach [m/s]")
        return Summary(f"contact {self.signal}: {len(self.phases)} phases", heads, rows, heads)

    def __repr__(self) -> str:
        return f"<ContactPhases of {self.signal}: {len(self.phases)}, peak {self.peak:g} N>"


def contact_phases(motion: Motion, signal: str, *, after: float = 0.0) -> ContactPhases:
    """Phases of the contact of a gap, such as ``joint.gap``, from a time on.

    They are found in the samples of the motion: ask for enough of them. Where a contact begins and ends is interpolated
    with the rates of the gap; peaks are those of parabolas through three samples, impulses those of lines. Impacts that
    take no time are phases without duration.
    """
    address = motion.names.resolve(signal)
    if not motion.names.between_surfaces(address):
        raise ModelError(f"signal '{signal}'", "it is no gap of a contact", "name one, such as 'joint.gap'")
    later = motion.t >= after
    t, gap, rate = motion.t[later], motion[signal][later], motion[f"{signal}'"][later]
    force = motion.force(signal)[later]
    # a damper may hold the force at zero while the surfaces still overlap
    pressed = force > 0.0
    changes = np.flatnonzero(np.diff(pressed.astype(int)))
    edges = [0, *(changes + 1), len(t)]
    phases = [
        _phase(t, gap, rate, force, first, last) for first, last in pairwise(edges) if last > first and pressed[first]
    ]
    blows = [event for event in motion.impacts if event.signal == signal and event.time >= after]
    phases += [Phase(b.time, b.time, b.force, b.time, b.impulse, b.approach) for b in blows]
    return ContactPhases(motion.title, signal, tuple(sorted(phases, key=lambda p: p.begin)), t, force)


def _phase(t: Array, gap: Array, rate: Array, force: Array, first: int, last: int) -> Phase:
    """Phase of the samples from ``first`` up to, but without, ``last``."""
    begin, end, approach = float(t[first]), float(t[last - 1]), 0.0
    if first > 0:
        begin, approach = _crossing(t, gap, rate, first - 1)
    if last < len(t):
        end = _crossing(t, gap, rate, last - 1)[0] if gap[last] >= 0.0 else 0.5 * float(t[last - 1] + t[last])
    times = np.concatenate([[begin], t[first:last], [end]])
    values = np.concatenate([[force[first] if first == 0 else 0.0], force[first:last], [0.0]])
    if last == len(t):
        values[-1] = force[last - 1]
    peak_time, peak = _top(t, force, first + int(np.argmax(force[first:last])))
    impulse = float(np.sum(0.5 * (values[1:] + values[:-1]) * np.diff(times)))
    return Phase(begin, end, peak, peak_time, impulse, max(approach, 0.0))


def _crossing(t: Array, gap: Array, rate: Array, k: int) -> tuple[float, float]:
    """Time between samples k and k + 1 at which the gap is zero, by Hermite's cubic, and the closing velocity."""
    h = t[k + 1] - t[k]
    a, b = gap[k], gap[k + 1]
    if a * b > 0.0:
        return float(t[k] if abs(a) < abs(b) else t[k + 1]), float(-rate[k])
    da, db = h * rate[k], h * rate[k + 1]
    cubic = np.array([2.0 * (a - b) + da + db, -3.0 * (a - b) - 2.0 * da - db, da, a])
    roots = np.roots(np.trim_zeros(cubic, "f"))
    inside = [r.real for r in roots if abs(r.imag) < 1e-9 and -1e-9 <= r.real <= 1.0 + 1e-9]
    u = min(inside) if inside else a / (a - b)
    return float(t[k] + u * h), float(-np.polyval(np.polyder(cubic), u) / h)


def _top(t: Array, force: Array, k: int) -> tuple[float, float]:
    """Time and height of the vertex of the parabola through a maximal sample and its neighbours."""
    if not 0 < k < len(t) - 1 or force[k - 1] <= 0.0 or force[k + 1] <= 0.0:
        return float(t[k]), float(force[k])
    a, b, c = np.polyfit(t[k - 1 : k + 2] - t[k], force[k - 1 : k + 2] - force[k], 2)
    if not a < 0.0:
        return float(t[k]), float(force[k])
    shift = -0.5 * b / a
    return float(t[k] + shift), float(force[k] + c + 0.5 * b * shift)
