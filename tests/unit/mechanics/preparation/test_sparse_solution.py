"""Solutions of large sparse equations with dependent rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

import flexura as fx
from flexura.mechanics.preparation import sparse_solution
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.mechanics.preparation.sparse_solution import LARGE, solved
from flexura.planar import Beam


def chain_of_rows(count: int, seed: int) -> np.ndarray:
    """Rows that couple neighbouring unknowns."""
    random = np.random.default_rng(seed)
    rows = np.zeros((count, 2 * count))
    for k in range(count):
        rows[k, 2 * k : 2 * k + 4] = random.normal(size=min(4, 2 * count - 2 * k))
        rows[k, 2 * k] += 4.0
    return rows


@pytest.mark.parametrize("square", [True, False])
def test_dependent_rows_give_the_solution_of_least_norm(square: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeated, combined and empty rows, in matrices that are square or not."""
    monkeypatch.setattr(sparse_solution, "lsmr", None)
    rows = chain_of_rows(LARGE, 1)
    rows = np.vstack([rows, 3.0 * rows[:20], rows[20:40] + rows[40:60], np.zeros((5, 2 * LARGE))])
    if square:
        rows = np.vstack([rows, rows[: 2 * LARGE - len(rows)]])
    right = rows @ np.random.default_rng(2).normal(size=2 * LARGE)
    exact = np.linalg.lstsq(rows, right, rcond=1e-12)[0]
    assert np.abs(solved(csr_array(rows), right) - exact).max() <= 1e-10 * np.abs(exact).max()


def test_contradictory_rows_give_least_squares() -> None:
    rows = np.vstack([chain_of_rows(LARGE, 1), chain_of_rows(LARGE, 1)[:3]])
    right = np.random.default_rng(2).normal(size=len(rows))
    exact = np.linalg.lstsq(rows, right, rcond=1e-12)[0]
    assert np.abs(solved(csr_array(rows), right) - exact).max() <= 1e-8 * np.abs(exact).max()


def test_cells_of_rigid_links_are_prepared_without_iterations(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Squares of rigid links, of which one column stands on the ground: its upright links are redundant."""
    monkeypatch.setattr(sparse_solution, "lsmr", None)
    bar, side, elements = fx.Section(rhoA=1.0), 6, {}
    for i in range(side + 1):
        for j in range(side + 1):
            for k, l in ((i + 1, j), (i, j + 1)):
                if max(k, l) <= side:
                    elements[f"e{i}_{j}_{k}_{l}"] = Beam(f"n{i}_{j}", f"n{k}_{l}", bar, rigid=True)
    nodes = {f"n{i}_{j}": (float(i), float(j)) for i in range(side + 1) for j in range(side + 1)}
    prepared = prepare(fx.Model(nodes=nodes, elements=elements, fixed=[f"n0_{j}" for j in range(side + 1)]))
    assert len(prepared.layout.redundancy.left_out) == side
    printed = capfd.readouterr()
    assert "DGEMV" not in printed.out + printed.err
