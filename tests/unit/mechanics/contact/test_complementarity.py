"""Which contacts press: against all combinations that there are."""

from itertools import product

import numpy as np
import pytest

from flexura.mechanics.contact.complementarity import close_together, press
from flexura.mechanics.core.contact_tables import Gaps


def gaps(count: int) -> Gaps:
    """So many that touch."""
    tables = {"law": 5, "state": 4, "response": 0, "course": 12, "coupling": 3}
    tables |= dict.fromkeys(("admittance", "pressing", "work"), count)
    shapes = {name: (count, tables[name]) if name in tables else (count,) for name in Gaps.numba_type.members}
    found = Gaps(**{name: np.zeros(shape) for name, shape in shapes.items()})
    found.touching[:] = 1
    return found


def by_trial(W: np.ndarray, b: np.ndarray) -> float:
    """The least ½λᵀWλ + bᵀλ over all sets of those that press."""
    best = 0.0
    for pressing in product([False, True], repeat=len(b)):
        chosen = np.flatnonzero(pressing)
        if chosen.size:
            found = np.linalg.lstsq(W[np.ix_(chosen, chosen)], -b[chosen], rcond=None)[0]
            whole = np.zeros(len(b))
            whole[chosen] = found
            if found.min() >= 0.0 and (W @ whole + b).min() > -1e-9:
                best = min(best, 0.5 * whole @ W @ whole + b @ whole)
    return best


@pytest.mark.parametrize("seed", range(30))
def test_what_presses_is_the_least_of_all(seed):
    random = np.random.default_rng(seed)
    count, freedoms = int(random.integers(1, 7)), int(random.integers(1, 7))
    slopes = random.standard_normal((count, freedoms))
    # fewer freedoms than contacts leave some of them dependent; b is a rate that is possible
    W, b = slopes @ slopes.T, slopes @ random.standard_normal(freedoms)
    result = np.zeros(count)
    press(gaps(count), W, b, 1e-10 * np.diag(W), result)
    w = W @ result + b
    assert result.min() >= 0.0
    assert w.min() > -1e-9
    assert np.abs(result * w).max() < 1e-9
    assert 0.5 * result @ W @ result + b @ result == pytest.approx(by_trial(W, b), abs=1e-8)


@pytest.mark.parametrize("seed", range(30))
def test_what_presses_with_sliding_friction(seed):
    """Friction that moves the forces by part of their levers: the conditions hold, with dependent rows, too."""
    random = np.random.default_rng(seed)
    count, freedoms = int(random.integers(1, 7)), int(random.integers(2, 7))
    slopes = random.standard_normal((count, freedoms))
    W = slopes @ (slopes + 0.1 * slopes @ random.standard_normal((freedoms, freedoms))).T
    b, result = slopes @ random.standard_normal(freedoms), np.zeros(count)
    press(gaps(count), W, b, 1e-10 * np.diag(W), result)
    w = W @ result + b
    assert result.min() >= 0.0
    assert w.min() > -1e-9
    assert np.abs(result * w).max() < 1e-9


def test_what_takes_no_part_does_not_press():
    record, result = gaps(3), np.zeros(3)
    record.touching[1] = 0
    press(record, np.eye(3), np.array([-1.0, -1.0, np.inf]), np.full(3, 1e-10), result)
    assert result.tolist() == [1.0, 0.0, 0.0]


def test_positions_are_corrected_together():
    """Three corners of which the third is the mean of the others: W c = -g for the first two, nothing for it."""
    record = gaps(3)
    slopes = np.array([[1.0, 1.0], [1.0, -1.0], [1.0, 0.0]])
    W, distance = slopes @ slopes.T, np.array([1e-12, -3e-12, -1e-12])
    close_together(record, W, distance, 1e-10 * np.diag(W))
    change = slopes[:2].T @ record.trial[:2]
    assert record.chosen.tolist() == [1, 1, -1]
    assert slopes @ change == pytest.approx(-distance, abs=1e-26)
