"""Outcomes of analyses, with advice."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """Outcome of an analysis; the value is a message to the user."""

    DONE = "done"
    STOPPED = "stopped by an event"
    DOUBTFUL = (
        "doubtful: the run reached its end, but its findings say that the result may be wrong; "
        "read them before you use it"
    )
    INTERRUPTED = "interrupted; the result contains the motion up to this time"
    STEP_TOO_SMALL = (
        "the step size became too small for the tolerance: the motion is stiff or not smooth there; "
        "try GeneralisedAlpha, or a larger tolerance"
    )
    SINGULAR = (
        "singular position: the constraints become dependent, and the mechanism can continue in more than one way; "
        "release one of the signals named or give it a stiffness, or end the run before this position"
    )
    NOT_CLOSED = (
        "the links cannot be assembled: the prescribed motion leads out of their reach; "
        "check the inputs, or take smaller steps"
    )
    NOT_FINITE = "the numbers grew without bound; the step is too large for this method, or the model is unstable"
    BLOCKED = (
        "a driven part struck an obstacle that cannot yield; "
        "let one of the driven or fixed signals move, or leave more room"
    )
    JAMMED = (
        "friction jams a contact: the equations of rigid bodies have no solution there; "
        "give the contact a stiffness, or less friction"
    )
    STALLED = (
        "the run made no progress: events follow each other without end, or the steps become too small; "
        "the result contains the motion up to this time; give the contacts a stiffness, or use a larger tolerance"
    )
    LIMITED = "a limit of the run was reached; the result contains the motion up to this time"
    NO_CONVERGENCE = "the iteration of an implicit step did not converge; try smaller steps"

    @property
    def good(self) -> bool:
        """True if the analysis reached its goal without a doubt."""
        return self in {Outcome.DONE, Outcome.STOPPED}
