"""Watch over the headway of a run: trials that do not advance the time end it.

The headway is measured over windows of several lengths. A short one finds a run that stands still, a long one a run
whose steps are so small, or whose events follow each other so fast, that it would never end.
"""

from __future__ import annotations

from flexura.derive.compiled import compiled
from flexura.derive.records import FloatTable

# rows of ``Memory.windows``: accepted steps within the rounding of the time; trials that hardly advance it; all trials
STANDING, REJECTING, CRAWLING = range(3)
# columns: trials since the mark, accepted steps at the mark, its time; then, in the first row, the smooth step
TRIALS, STEPPED, MARKED, SMOOTH = range(4)

_STEPS = 50
"""Accepted steps after which the time must have advanced by more than its rounding."""
_REJECTIONS = 1000
"""Trials after which it must have advanced by a part of a smooth step."""
_PART = 1e-6
"""That part."""
_DECAY = 0.999
"""Decay of the smooth step with each shorter one."""
_LONG = 100_000
"""Trials of the long window."""
_MOST = 1e12
"""Trials for a whole run at which it counts as endless."""


@compiled
def stalls(w: FloatTable, now: float, last_step: float, steps: int, span: float, least: float) -> bool:
    """True if the last trial of a run of length ``span`` was one too many; ``least`` is the rounding of the time."""
    for n in range(w.shape[0]):
        w[n, TRIALS] += 1.0
    if steps > w[REJECTING, STEPPED]:
        # thousands of short steps are smooth for what happens there
        w[STANDING, SMOOTH] = max(last_step, _DECAY * w[STANDING, SMOOTH])
        w[REJECTING, STEPPED] = steps
    if steps - w[STANDING, STEPPED] >= _STEPS:
        if now - w[STANDING, MARKED] < 10.0 * least:
            return True
        _mark(w, STANDING, now, steps)
    if now - w[REJECTING, MARKED] >= _PART * w[STANDING, SMOOTH] and now > w[REJECTING, MARKED]:
        _mark(w, REJECTING, now, steps)
    elif w[REJECTING, TRIALS] >= _REJECTIONS:
        return True
    if w[CRAWLING, TRIALS] >= _LONG:
        if now - w[CRAWLING, MARKED] < span * _LONG / _MOST:
            return True
        _mark(w, CRAWLING, now, steps)
    return False


@compiled
def _mark(w: FloatTable, n: int, now: float, steps: int) -> None:
    """Begin a window anew."""
    w[n, TRIALS], w[n, STEPPED], w[n, MARKED] = 0.0, steps, now
