"""Outcomes of analyses, with advice."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """Outcome of an analysis; the value is a message to the user."""

    DONE = "done"
    STOPPED = "stopped by an event"
    DOUBTFUL = (
        "doubtful: the end was reached, but the findings say that the result may be wrong; read them before you use it"
    )
    INTERRUPTED = "interrupted; the result holds what was reached"
    STEP_TOO_SMALL = (
        "the step became too small for the tolerance: the motion is stiff or not smooth there; "
        "try GeneralisedAlpha, or a looser tolerance"
    )
    SINGULAR = (
        "a singular position: the constraints become dependent and the mechanism could go on in more than one way; "
        "release or give stiffness to one of the signals named, or stop before this position"
    )
    NOT_CLOSED = (
        "the links could not be fitted together: the motion asked for leads out of reach; "
        "check the inputs, or take smaller steps"
    )
    NOT_FINITE = "numbers grew beyond all bounds; the step is too large for this method, or the model is unstable"
    BLOCKED = (
        "a driven part ran into another and nothing could give way; "
        "let something move that is driven or fixed, or leave more room"
    )
    JAMMED = (
        "friction presses a contact together harder than it slides: rigid bodies have no answer there; "
        "give the contact a stiffness, or less friction"
    )
    STALLED = (
        "the run made no headway: events follow each other without end, or the steps shrink to nothing; "
        "the result holds what was reached; give the contacts a stiffness, or a looser tolerance"
    )
    LIMITED = "a limit of the run was reached; the result holds what was computed until then"
    NO_CONVERGENCE = "the iteration of an implicit step did not converge; try smaller steps"

    @property
    def good(self) -> bool:
        """True if the analysis reached its goal without a doubt."""
        return self in {Outcome.DONE, Outcome.STOPPED}
