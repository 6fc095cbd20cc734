"""Cost of one evaluation of a model by operation counts, the same on all machines, in seconds of a reference one."""

from __future__ import annotations

import numpy as np

from flexura.mechanics.core.factors import Factors
from flexura.mechanics.core.system import System

_OUTPUT, _PRODUCT, _ENTRY = 2.6e-9, 1.25e-9, 1.0e-9
"""Seconds of an output of a kernel, of a product of the factorisation, and of an entry of the factors."""
_ITERATION_OUTPUT, _ITERATION_ENTRY = 3.2e-9, 4.0e-9
"""Seconds of an output and of an entry in an iteration of an implicit method, which solves with existing factors."""
_NEW_FACTORS = 0.03
"""Factorisations for each evaluation of an implicit method."""


def explicit_evaluation(system: System) -> float:
    """Seconds of an evaluation of the equations of motion, which factorises the masses."""
    factors = system.factors
    return _OUTPUT * system.motion.out.size + _PRODUCT * _products(factors) + _ENTRY * factors.values.size


def implicit_evaluation(system: System) -> float:
    """Seconds of an evaluation by an implicit method, with its share of the factorisations."""
    factors = system.factors
    iteration = _ITERATION_OUTPUT * system.balance.out.size + _ITERATION_ENTRY * factors.values.size
    return iteration + _NEW_FACTORS * _PRODUCT * _products(factors)


def _products(factors: Factors) -> float:
    """Products of the factorisation: each column changes all columns in which it has entries."""
    entries = np.diff(factors.start)
    return float((entries * (entries + 1)).sum()) / 2.0
