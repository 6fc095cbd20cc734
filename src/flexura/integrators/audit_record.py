"""Record of the auditor: its sums over a run, its bounds, and the worst values found."""

from __future__ import annotations

import numpy as np

from flexura.derive.compiled import compiled
from flexura.derive.records import Floats, FloatTable, Ints, IntTable, Record
from flexura.mechanics.core.index_arrays import ints

# places in ``tally``: the greatest kinetic energy, strain energy, work, loss, energy of the weight and rate; the energy
# at the start; the mass and the size of the model, and the energy of a fall by this size
KINETIC, STRAIN, WORK, LOSS, WEIGHT, FASTEST, START, MASS, SIZE, FALL = range(10)
# places in ``bound``: error of the energy initially, per step and at most; of held strains, of their rates, and of
# forces; rate that is not resolved, relative to the size of the model per second
ENERGY_BASE, ENERGY_STEP, ENERGY_MOST, POSITION_BOUND, RATE_BOUND, FORCE_BOUND, UNRESOLVED = range(7)
# places in ``count``: 1 in an audited run; evaluations at the last audit of a state; audits of states
ON, EVALUATED, STATES = range(3)
# rows of ``worst``: the whole model, then each frictional contact, gap, contact with a force law and conserved momentum
ENERGY, DRIFT, DRIFT_RATE, BLOW, WHOLE = range(5)
FRICTION_POWER, CONE, STICK = range(3)
TENSION, PENETRATION, COMPLEMENTARITY = range(3)
LAW_POWER, LAW_PULL = range(2)
GRIPS, GAPS, LAWS, MOMENTA = range(4)
"""places in ``first``"""
# columns of ``worst``: the time of the first violation, then value, bound and ratio of the worst one, and the
# number of the row or contact
TIME, VALUE, ALLOWED, RATIO, WHICH = range(5)


class Audit(Record):
    """Sums, bounds and findings of the auditor."""

    count: Ints
    tally: Floats
    bound: Floats
    worst: FloatTable
    first: Ints
    """first rows of frictional contacts, gaps, force laws and momenta in ``worst``"""
    body: Floats
    """mass of each element, in the order of the momentum level"""
    gravity: Floats
    momentum: Floats
    """scratch"""
    conserved: FloatTable
    """directions of conserved momenta, one row each"""
    momentum_start: Floats
    law_load: IntTable
    """(contact element, strain, register) of the loads by force laws of contacts"""
    law_rate: Ints
    """registers of the rates in these laws"""
    law_gap: IntTable
    """(contact element, strain, register of the displayed force or -1) of gaps that must not pull"""
    law_power: FloatTable
    """scratch: power, and sum of its absolute terms, of each contact element"""


@compiled
def turnover(audit: Audit) -> float:
    """Energy turnover of a run."""
    tally = audit.tally
    return float(tally[KINETIC] + tally[STRAIN] + tally[WORK] + tally[LOSS])


def renewed(audit: Audit) -> Audit:
    """Empty record for another run of the same problem."""
    tally, worst = audit.tally.copy(), np.zeros_like(audit.worst)
    tally[:MASS] = 0.0
    worst[:, TIME] = np.inf
    return audit.replaced(tally=tally, worst=worst, count=ints([audit.count[ON], 0, 0]))
