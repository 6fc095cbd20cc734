"""Time up to which a motion can be predicted, and from which it is known again, by two runs of different tolerances.

Errors of most machines grow slowly or not at all. If they grow by decades within a short time, no tolerance that
is affordable predicts the motion for long. Parts that rattle in a clearance are never far from each other, so that
the scale of contacts is that of their gaps and forces. A motion that settles is known again afterwards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.motion.accuracy import POSITIONS_WITHIN, compared
from flexura.derive.records import Floats
from flexura.results.accuracy import coordinate_sizes
from flexura.results.findings import Finding
from flexura.results.motion import Motion

NEAR, PROPORTIONAL = 1e-2, 0.1
"""Differences of two runs up to which errors go with the tolerances: of positions, relative to the size of the model
or in radians, and of forces, rates and gaps, relative to their ranges."""
_LEAST_RANGE = 1e-5
"""Range of a gap, relative to the size of the model, below which only its force is compared."""
_CONSTANT = 1e-2
"""Range of a contact force, relative to its maximum, that counts as zero: a machine at rest."""
_SMALL, _WORTH = 1e-4, 5.0
"""Difference of positions from which growth by two decades is timed, and the expected gain in time for an error
two decades smaller."""
_DECADES, _SUDDEN = 1e-2, 0.6
"""Two decades, and the part of the time passed within which they are faster than any power of the time."""
_FEWEST = 20
"""Minimum number of outputs to show that contacts diverge, and that a motion is known again."""
ADVICE = "small errors grow in this motion: read averages and spectra, or give a smaller tolerance or a shorter time"


def near(motion: Motion, other: Motion, away: float = 0.0) -> bool:
    """True if two runs are so near that errors are proportional to tolerances, at outputs ``away`` from events."""
    return differences_small(compared(motion, other, 1.0, "", away))


def differences_small(motion: Motion) -> bool:
    """True if errors that are differences from another run are so small that they are proportional to tolerances."""
    accuracy = motion.accuracy
    assert accuracy is not None
    others = max(accuracy.worst_force[1], accuracy.worst_rate[1])
    gaps = accuracy.errors.strain[0][_gaps(motion)] / _ranges(motion)
    return accuracy.worst_position[1] <= NEAR and max(others, gaps.max(initial=0.0)) <= PROPORTIONAL


def distances(first: Motion, second: Motion) -> tuple[Floats, Floats, str]:
    """Common times of two motions, their largest relative distances in position there, and the farthest signal."""
    times, one, two = np.intersect1d(first.t, second.t, return_indices=True)
    apart = np.abs(first.position[0][one] - second.position[0][two]) / coordinate_sizes(first)
    if not apart.size:
        return times, np.zeros(times.size), ""
    return times, apart.max(axis=1), str(first.nodal_coordinates[int(np.argmax(apart.max(axis=0)))])


def end_of_prediction(motion: Motion, loose: Motion) -> tuple[float, str] | None:
    """Time of the end of prediction, and the signal that is unknown afterwards, if no smaller tolerance helps.

    Errors that grow by two decades long before the end outgrow those of a run with a smaller tolerance, too.
    """
    times, apart, farthest = distances(motion, loose)
    grown = np.maximum.accumulate(apart)
    first, last = np.searchsorted(grown, _SMALL), int(np.searchsorted(grown, NEAR))
    if last < times.size and times[last] + _WORTH * (times[last] - times[first]) <= times[-1]:
        return float(times[last]), farthest
    rattled, gap = _contact_distances(motion, loose)
    last = int(np.searchsorted(np.maximum.accumulate(rattled), 1.0))
    if last == times.size or times.size < _FEWEST:
        return None
    taken = times[last] - times[np.searchsorted(grown, _DECADES * grown[last])]
    if taken > _SUDDEN * times[last] or times[last] + _WORTH * taken > times[-1]:
        return None
    return float(times[last]), gap


def known_again(motion: Motion, loose: Motion) -> float | None:
    """Time, at a tenth part of the run, from which on contacts and positions of two runs agree again.

    None without contacts, or if the runs stay apart.
    """
    times = np.intersect1d(motion.t, loose.t)
    for start in np.linspace(0.0, times[-1], 11)[1:-1]:
        late = times[times >= start]
        if late.size < _FEWEST:
            return None
        one, two = (each.only(np.searchsorted(each.t, late)) for each in (motion, loose))
        contacts, gap = _contact_distances(one, two)
        if gap and contacts.max() <= 1.0 and distances(one, two)[1].max() <= POSITIONS_WITHIN:
            return float(late[0])
    return None


def sensitive(time: float, where: str, again: float | None = None) -> Finding:
    """Doubt about a motion from a time on, or until it is known again."""
    what = "the motion is sensitive: errors grow along it, and positions are not known to 1e-4 from here on"
    if again is not None and again > time:
        what = f"the motion is sensitive: errors grow along it, and its contacts are not known until {again:.4g} s"
    return Finding(what, "doubt", time, where, advice=ADVICE)


def _gaps(motion: Motion) -> NDArray[np.int64]:
    """Columns of the gaps of contacts among the strains."""
    elements = motion.names.elements
    gaps = [a.owner in elements and a.component in elements[a.owner].gaps for a in motion.strains]
    return np.flatnonzero(np.array(gaps, dtype=bool))


def _ranges(motion: Motion) -> Floats:
    """Ranges of the gaps of contacts that are compared."""
    size = float(coordinate_sizes(motion).max(initial=0.0)) or 1.0
    return np.asarray(np.maximum(np.ptp(motion.strain[0][:, _gaps(motion)], axis=0), _LEAST_RANGE * size))


def _contact_distances(first: Motion, second: Motion) -> tuple[Floats, str]:
    """Distances of two motions in gaps and contact forces at common times, 1 if they are far, and the gap."""
    _, one, two = np.intersect1d(first.t, second.t, return_indices=True)
    gaps = _gaps(first)
    if not gaps.size or not one.size:
        return np.zeros(one.size), ""
    apart = np.abs(first.strain[0][one][:, gaps] - second.strain[0][two][:, gaps]) / _ranges(first)
    stress = first.stress[:, gaps]
    strongest = max(float(np.ptp(stress, axis=0).max()), _CONSTANT * float(np.abs(stress).max())) or 1.0
    forces = np.abs(first.stress[one][:, gaps] - second.stress[two][:, gaps]) / strongest
    worst = np.maximum(apart, forces) / PROPORTIONAL
    return worst.max(axis=1), str(first.strains[gaps[int(np.argmax(worst.max(axis=0)))]])
