"""Watch over the progress of a run: it ends when trials no longer advance the time.

Progress is measured over windows of several lengths. A short window detects a run that stands still, a long one a run
whose steps are so small, or whose events are so frequent, that it would never end.
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
"""Trials after which the time must have advanced by a fraction of a smooth step."""
_PART = 1e-6
"""Required fraction of a smooth step."""
_DECAY = 0.999
"""Factor by which the smooth step decays with each shorter one."""
_LONG = 100_000
"""Trials of the long window."""
_MOST = 1e12
"""Trials for a whole run above which it counts as endless."""


@compiled
def stalls(w: FloatTable, now: float, last_step: float, steps: int, span: float, least: float) -> bool:
    """True if the last trial of a run of length ``span`` exceeds a limit; ``least`` is the rounding of the time."""
    for n in range(w.shape[0]):
        w[n, TRIALS] += 1.0
    if steps > w[REJECTING, STEPPED]:
        # after thousands of short steps, their size counts as smooth
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
    """Begin a new window."""
    w[n, TRIALS], w[n, STEPPED], w[n, MARKED] = 0.0, steps, now
