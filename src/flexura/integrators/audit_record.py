"""Record of the auditor: the sums that it keeps of a run, the bounds that it applies, and the worst that it found."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record
from flexura.mechanics.core.index_arrays import ints

# places in ``tally``: the greatest kinetic energy, strain energy, work, loss, energy of the weight and rate; the energy
# at the start; the mass and the size of the model, and the energy of a fall by this size
KINETIC, STRAIN, WORK, LOSS, WEIGHT, FASTEST, START, MASS, SIZE, FALL = range(10)
# places in ``bound``: error of the energy at first, by each step and at most; of held strains, of their rates, and of
# forces; rate that is not resolved, by the size of the model in a second
ENERGY_BASE, ENERGY_STEP, ENERGY_MOST, POSITION_BOUND, RATE_BOUND, FORCE_BOUND, UNRESOLVED = range(7)
# places in ``count``: 1 in an audited run; evaluations at the last audit of a state; audits of states
ON, EVALUATED, STATES = range(3)
# rows of ``worst``: of the whole model, then of each grip, gap, contact with a force law and conserved momentum
ENERGY, DRIFT, DRIFT_RATE, BLOW, WHOLE = range(5)
FRICTION_POWER, CONE, STICK = range(3)
TENSION, PENETRATION, COMPLEMENTARITY = range(3)
LAW_POWER, LAW_PULL = range(2)
GRIPS, GAPS, LAWS, MOMENTA = range(4)
"""places in ``first``"""
# columns of ``worst``: the time of the first breach, then value, bound and their ratio where it is worst, and the
# number of the row or contact
TIME, VALUE, ALLOWED, RATIO, WHICH = range(5)


class Audit(Record):
    """Sums, bounds and findings of the auditor."""

    count: Ints
    tally: Floats
    bound: Floats
    worst: FloatTable
    first: Ints
    """first rows of grips, gaps, force laws and momenta in ``worst``"""
    body: Floats
    """mass of each element, in the order of the momentum level"""
    gravity: Floats
    momentum: Floats
    """scratch"""
    conserved: FloatTable
    """directions in which the momentum is conserved, a row each"""
    momentum_start: Floats
    law_load: IntTable
    """(contact element, strain, register) of the loads by force laws of contacts"""
    law_rate: Ints
    """registers of the rates that these laws read"""
    law_gap: IntTable
    """(contact element, strain, register of the displayed force or -1) of gaps that may only push"""
    law_power: FloatTable
    """scratch: power, and sum of its absolute parts, of each contact element"""


@compiled
def turnover(audit: Audit) -> float:
    """Energy that a run has turned over."""
    tally = audit.tally
    return float(tally[KINETIC] + tally[STRAIN] + tally[WORK] + tally[LOSS])


def renewed(audit: Audit) -> Audit:
    """Record with nothing found yet, for another run of the same problem."""
    tally, worst = audit.tally.copy(), np.zeros_like(audit.worst)
    tally[:MASS] = 0.0
    worst[:, TIME] = np.inf
    return audit.replaced(tally=tally, worst=worst, count=ints([audit.count[ON], 0, 0]))
