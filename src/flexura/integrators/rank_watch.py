"""Watch on the rank of the held strains, and steps that pass a singular position.

The distance σ of the constraints from dependence goes to zero like |t - t*| where a mechanism passes a singular
position. With ε the precision of numbers, states that are closed are off by ε/σ across the constraints, their rates by
ε/σ², their accelerations by ε/σ³. So the stages of a step near t* are closed before they are evaluated, the step is
chosen such that none of its stages comes too near to t*, and the error is measured along the constraints.
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, Ints, Record

# places in ``flag``: whether there is anything to watch; whether the step is near a singular position; whether it is
# expected to pass it; whether a step was examined that is still to be accepted; whether it has passed; how often a step
# of fixed size has failed
WATCHED, NEAR, CROSSING, EXAMINED, PASSED, FAILED = range(6)
# places in ``value``: σ at the end of the last step and of the one before, the time between them; the step that is
# examined; the sign of det D_I and σ at the end of the trial; tolerance of a step; σ below which another set of
# redundant constraints is sought
MARGIN, BEFORE, SPAN, TRIAL, HAND_END, MARGIN_END, TOLERANCE, SOUGHT = range(8)

WEAK = 0.2
"""σ below which another set of redundant constraints is sought."""
APPROACH = 0.5
"""σ, against the largest so far, below which the time to a singular position is estimated."""
_CLOSE = 0.03
"""σ below which all stages are closed."""
_CLEARANCE = 0.02
"""Distance of stages from a singular position, against the step."""
_ROUNDING = 1e-15
"""Error of a step by rounding, times σ."""
_MOST_FAILURES = 5
_MOST_NODES = 16


class RankWatch(Record):
    """Distance from dependence along a run."""

    flag: Ints
    value: Floats
    node: Floats
    """times of the stages, against the step"""


def rank_watch(watched: bool) -> RankWatch:
    """Watch for a run; the method fills in its nodes if it has others than the end."""
    flag, value = np.zeros(6, dtype=np.int64), np.zeros(8)
    flag[WATCHED] = watched
    value[MARGIN] = value[BEFORE] = 1.0
    value[SOUGHT] = WEAK
    return RankWatch(flag=flag, value=value, node=np.ones(_MOST_NODES))


def set_nodes(r: RankWatch, nodes: Floats, tolerance: float = 0.0) -> None:
    """Times of the stages of a method, against the step, and its tolerance."""
    r.value[TOLERANCE] = tolerance
    r.node[:] = 1.0
    r.node[: nodes.size] = nodes


@compiled
def record_margin(r: RankWatch, h: float) -> None:
    """Remember σ at the end of a step."""
    r.value[BEFORE], r.value[MARGIN], r.value[SPAN] = r.value[MARGIN], r.value[MARGIN_END], h
    r.flag[FAILED] = 0
    if r.value[MARGIN] > WEAK:
        r.value[SOUGHT] = WEAK


@compiled
def allowed_error(r: RankWatch) -> float:
    """Error of a step against its tolerance that is accepted: near a singular position rounding makes some of it."""
    if r.flag[NEAR] == 0 or r.value[TOLERANCE] == 0.0:
        return 1.0
    return max(1.0, _ROUNDING / (max(r.value[MARGIN], 1e-12) * r.value[TOLERANCE]))


@compiled
def tries_again(r: RankWatch) -> bool:
    """True where a step of fixed size that failed near a singular position may be tried with another length."""
    r.flag[FAILED] += 1
    return r.flag[WATCHED] == 1 and r.flag[NEAR] == 1 and r.flag[FAILED] <= _MOST_FAILURES


@compiled
def plan_step(r: RankWatch, h: float) -> float:
    """The step, shortened such that its stages keep clear of a singular position ahead."""
    now, before = r.value[MARGIN], r.value[BEFORE]
    ahead = math.inf
    h *= 1.0 - 0.15 * r.flag[FAILED]
    if now < APPROACH and now < before:
        ahead = now * r.value[SPAN] / (before - now)
    r.flag[NEAR] = 1 if ahead < 2.0 * h or now < _CLOSE else 0
    r.flag[CROSSING] = 0
    if ahead > 1.5 * h:
        return h
    best, chosen = -1.0, h
    for k in range(12):
        step = (1.0 - 0.06 * k) * h
        clear = 0.2 * abs(step - ahead)
        for i in range(r.node.size):
            clear = min(clear, abs(r.node[i] * step - ahead))
        if clear > best:
            best, chosen = clear, step
        if best > _CLEARANCE * h:
            break
    # an estimate: one too many is examined rather than one too few
    r.flag[CROSSING] = 1 if ahead < 1.3 * chosen else 0
    return chosen
