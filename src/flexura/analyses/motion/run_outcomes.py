"""Outcomes of runs, by the status in which the integration ends."""

from __future__ import annotations

from flexura.integrators.run_memory import (
    BLOCKED,
    DONE,
    JAMMED,
    LIMITED,
    NO_CONVERGENCE,
    NOT_CLOSED,
    NOT_FINITE,
    SINGULAR,
    STALLED,
    STEP_TOO_SMALL,
    STOPPED,
)
from flexura.results.outcome import Outcome

OUTCOMES = {
    DONE: Outcome.DONE,
    STOPPED: Outcome.STOPPED,
    STEP_TOO_SMALL: Outcome.STEP_TOO_SMALL,
    SINGULAR: Outcome.SINGULAR,
    NOT_CLOSED: Outcome.NOT_CLOSED,
    NOT_FINITE: Outcome.NOT_FINITE,
    NO_CONVERGENCE: Outcome.NO_CONVERGENCE,
    BLOCKED: Outcome.BLOCKED,
    JAMMED: Outcome.JAMMED,
    STALLED: Outcome.STALLED,
    LIMITED: Outcome.LIMITED,
}
