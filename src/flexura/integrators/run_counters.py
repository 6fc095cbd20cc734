"""Named counters of a run, for its statistics."""

from __future__ import annotations

from flexura.integrators.run_memory import CHOICES, EVALUATIONS, FACTORS, JOINTS, REJECTED, SETS, STEPS, WAVE, Memory


def effort(m: Memory) -> dict[str, float]:
    """Counters of a run by name."""
    counters = {
        "steps": float(m.count[STEPS]),
        "rejected": float(m.count[REJECTED]),
        "evaluations": float(m.count[EVALUATIONS]),
    }
    if m.count[JOINTS]:
        counters["joint coordinates"] = float(m.count[JOINTS])
    if m.count[FACTORS]:
        counters["factorisations"] = float(m.count[FACTORS])
    if m.count[CHOICES]:
        counters["new choices of coordinates"] = float(m.count[CHOICES])
    if m.count[SETS]:
        counters["new sets of constraints"] = float(m.count[SETS])
    if m.clock[WAVE]:
        counters["wave step"] = float(m.clock[WAVE])
    return counters
