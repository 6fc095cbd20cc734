"""Watch on the rank of the constraints, and steps that pass a singular position.

The distance σ of the constraints from dependence tends to zero as |t - t*| when a mechanism passes a singular
position. With ε the machine precision, closed states have errors ε/σ normal to the constraints, their rates
ε/σ², their accelerations ε/σ³. Near t* the stages of a step are therefore closed before they are evaluated, the step is
chosen such that no stage comes too near to t*, and the error is measured tangentially to the constraints.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, Ints, Record

# places in ``flag``: whether there is anything to watch; whether the step is near a singular position; whether it is
# expected to pass it; whether a step was examined that is still to be accepted; whether it has passed; how often a step
# of fixed size has failed; whether the motion only comes near to a position
WATCHED, NEAR, CROSSING, EXAMINED, PASSED, FAILED, MISSED = range(7)
# places in ``value``: σ at the end of the last step and of the one before, the time between them; the step that is
# examined; the sign of det D_I and σ at the end of the trial; tolerance of a step; σ below which another set of
# redundant constraints is sought; part of a step at which a singular position is farthest from all stages, and how
# far; σ at the stage that is nearest to one; the last step away from singular positions; the ratio of the step to that
# requested, if it is longer; σ two steps before the last, and the time of the step after it
MARGIN, BEFORE, SPAN, TRIAL, HAND_END, MARGIN_END, TOLERANCE, SOUGHT, WINDOW, WIDTH, NEAREST, REGULAR, LONGER = range(
    13
)
EARLIER, SPAN_BEFORE = 13, 14

WEAK = 0.2
"""σ below which another set of redundant constraints is sought."""
APPROACH = 0.5
"""σ, relative to the largest so far, below which the time to a singular position is estimated."""
_CLOSE = 0.03
"""σ below which all stages are closed."""
_REACH, _REACH_TIGHT = 3.0, 10.0
"""Distance of a singular position, in steps, below which all stages are closed: a step farther away ends with two
thirds of its initial σ if σ decreases linearly. The second value is for steps whose tolerance is as
small as the rounding of stages that are not closed."""
_REACH_TURNING, _TURNS = 1.0, 0.3
"""Smaller reach if σ falls ever more slowly: the minimum of the parabola through its last three squares, relative to
the last one, above which it is expected to turn."""
_TIGHT = 1e-11
"""Tolerance of a step below which the second value applies."""
_ROUNDING = 1e-15
"""Error of a step due to rounding, times σ."""
_SUSPECT = 3.0
"""Part of the way to a singular position, for linearly decreasing σ, after which a step is examined: σ may decrease
faster."""
_MIDDLE = 0.35
"""Distance from the middle of a step within which it passes a singular position."""
_GROWTH = 1.5
"""Step near a singular position, relative to the last one away from it."""
_CLEAR = 0.6
"""Sufficient clearance of a step, relative to the largest."""
_LEAST = 2e-3
"""σ at the stages of a step that passes a singular position: accelerations with errors ε/σ³ are accurate there."""
_LONGEST = 100.0
"""Step that passes a singular position, relative to the requested one."""
_ORDER = 4.0
"""Maximum order of the error of a step that is longer than requested."""
_CANDIDATES = 20
_MOST_FAILURES = 5
_MOST_NODES = 16


class RankWatch(Record):
    """Distance of the constraints from dependence along a run."""

    flag: Ints
    value: Floats
    node: Floats
    """times of the stages, relative to the step"""


def rank_watch(watched: bool) -> RankWatch:
    """Watch for a run; methods with inner stages set their nodes."""
    flag, value = np.zeros(7, dtype=np.int64), np.zeros(15)
    flag[WATCHED] = watched
    value[MARGIN] = value[BEFORE] = value[NEAREST] = 1.0
    value[SOUGHT] = WEAK
    value[WINDOW] = value[WIDTH] = 0.5
    value[REGULAR] = math.inf
    return RankWatch(flag=flag, value=value, node=np.ones(_MOST_NODES))


def set_nodes(r: RankWatch, nodes: Floats, tolerance: float = 0.0) -> None:
    """Set the times of the stages of a method, relative to the step, and its tolerance."""
    r.value[TOLERANCE] = tolerance
    r.node[:] = 1.0
    r.node[: nodes.size] = nodes
    r.value[WINDOW], r.value[WIDTH] = _widest_gap(tuple(r.node.tolist()))


@cache
def _widest_gap(nodes: tuple[float, ...]) -> tuple[float, float]:
    """Middle and half width of the widest gap between the stages of a method."""
    inner = np.unique([0.0, 1.0, *nodes])
    centres, widths = 0.5 * (inner[1:] + inner[:-1]), np.diff(inner)
    # a singular position at the very start or end of a step belongs to the neighbouring one
    widths[np.abs(centres - 0.5) > _MIDDLE] = 0.0
    widest = int(np.argmax(widths))
    return float(centres[widest]), 0.5 * float(widths[widest])


@compiled
def record_margin(r: RankWatch, h: float) -> None:
    """Record σ at the end of a step, with a negative sign before a position that was passed."""
    before = -r.value[MARGIN] if r.flag[PASSED] else r.value[MARGIN]
    r.value[EARLIER], r.value[SPAN_BEFORE] = r.value[BEFORE], r.value[SPAN]
    r.value[BEFORE], r.value[MARGIN], r.value[SPAN] = before, r.value[MARGIN_END], h
    r.flag[FAILED] = 0
    if r.value[MARGIN] > WEAK:
        r.value[SOUGHT] = WEAK
        r.flag[MISSED] = 0


@compiled
def allowed_error(r: RankWatch) -> float:
    """Accepted error of a step relative to its tolerance, raised by rounding near a singular position."""
    if r.flag[NEAR] == 0 or r.value[TOLERANCE] == 0.0:
        return 1.0
    longer = r.value[LONGER] ** _ORDER if r.value[LONGER] > 1.0 else 1.0
    return max(longer, _ROUNDING / (max(r.value[NEAREST], 1e-12) * r.value[TOLERANCE]))


@compiled
def refuse_longer_step(r: RankWatch) -> None:
    """Permit no steps longer than requested until the position is passed, if such a step has failed."""
    if r.value[LONGER] > 1.0:
        r.flag[MISSED] = 1


@compiled
def tries_again(r: RankWatch) -> bool:
    """True if a failed step of fixed size near a singular position may be retried with another length."""
    r.flag[FAILED] += 1
    return r.flag[WATCHED] == 1 and r.flag[NEAR] == 1 and r.flag[FAILED] <= _MOST_FAILURES


@compiled
def _turns(r: RankWatch, h: float) -> bool:
    """True if σ is expected to have its minimum far from zero; the last two steps tell nothing about a longer one."""
    first, last = r.value[SPAN_BEFORE], r.value[SPAN]
    if first == 0.0 or last == 0.0 or h > first + last:
        return False
    a, b, c = r.value[EARLIER] ** 2, r.value[BEFORE] ** 2, r.value[MARGIN] ** 2
    slope = (c - b) / last
    bend = (slope - (b - a) / first) / (first + last)
    slope += bend * last
    return bool(bend > 0.0 and c - slope * slope / (4.0 * bend) > _TURNS * c)


@compiled
def _quality(r: RankWatch, step: float, ahead: float, h: float) -> float:
    """Clearance of a step from a singular position ahead, relative to the largest that a passing step can have.

    A step that ends before the position leaves room for the next one, of length h, to pass it.
    """
    if step <= ahead:
        return min((ahead - step) / (r.value[WINDOW] * h), 1.0)
    clear = step - ahead
    for i in range(r.node.size):
        clear = min(clear, abs(r.node[i] * step - ahead))
    return clear / (r.value[WIDTH] * step)


@compiled
def _span(r: RankWatch, h: float, ahead: float, longest: float) -> float:
    """Longest step that may pass a singular position ahead.

    Shorter steps than some would end in rounding; one longer step among the many between two passages adds little to
    the error.
    """
    if r.flag[MISSED]:
        return h
    resolved = _LEAST * ahead / (r.value[MARGIN] * r.value[WIDTH])
    return max(h, min(resolved, _LONGEST * h, longest))


@compiled
def plan_step(r: RankWatch, h: float, longest: float) -> float:
    """Step changed such that its stages stay away from a singular position ahead, at most ``longest``."""
    now, before = r.value[MARGIN], r.value[BEFORE]
    h *= 1.0 - 0.15 * r.flag[FAILED]
    away, r.flag[CROSSING] = math.inf, 0
    if now < APPROACH and now != before:
        away = now * r.value[SPAN] / abs(before - now)
    ahead = away if now < before else math.inf
    if 0.0 < now < before and now * r.value[SPAN] < _SUSPECT * h * (before - now):
        # long steps may begin far from a position and end beyond it; if the choice of coordinates fails
        # in the same position, no sign reveals it
        r.flag[CROSSING] = 1
    reach = _REACH if r.value[TOLERANCE] > _TIGHT else _REACH_TIGHT
    if reach == _REACH and _turns(r, h):
        reach = _REACH_TURNING
    r.flag[NEAR] = 1 if away < reach * h or now < _CLOSE else 0
    if r.flag[NEAR]:
        # errors normal to the constraints are closed and not measured there, so that they do not limit the step
        h = min(h, _GROWTH * r.value[REGULAR])
    else:
        r.value[REGULAR] = h
    r.value[NEAREST], r.value[LONGER] = now, 1.0
    span = _span(r, h, ahead, longest)
    if ahead > (1.0 + r.value[WINDOW]) * span:
        return h
    best, chosen = _quality(r, h, ahead, span), h
    for k in range(_CANDIDATES):
        step = (1.0 - k / _CANDIDATES) * span
        if best > _CLEAR or h < step <= ahead:
            continue
        quality = _quality(r, step, ahead, span)
        if quality > best:
            best, chosen = quality, step
    if chosen > ahead:
        r.value[NEAREST] = now * best * r.value[WIDTH] * chosen / ahead
        r.value[LONGER] = chosen / min(h, r.value[REGULAR])
    # an estimate: it is better to examine one step too many
    if ahead < 1.3 * chosen:
        r.flag[CROSSING] = 1
    return chosen
