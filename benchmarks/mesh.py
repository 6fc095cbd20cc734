"""A grid frame beside bare sparse solves: SciPy's SuperLU of the same matrix, and eigsh with its factors."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.linalg import null_space
from scipy.sparse import coo_array, csc_array
from scipy.sparse.linalg import eigsh, splu

import flexura as fx
from benchmarks.large_models import grid
from flexura.mechanics.core.factors import factorise, solve
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.linear.sparse_linearisation import Pencil, assemble, inverted_by_blocks
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.mechanics.motion.iteration_matrix import tangent
from flexura.mechanics.preparation.prepared_model import prepare

MODES = 20


def _best(call: Callable[[], Any], repeats: int = 3) -> tuple[float, Any]:
    best, found = np.inf, None
    for _ in range(repeats):
        start = time.process_time()
        found = call()
        best = min(best, time.process_time() - start)
    return best, found


def _superlu(matrix: csc_array) -> Any:
    options = {"SymmetricMode": True}
    return splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)


def mesh_rows(space: str, side: int) -> Iterator[tuple[str, float]]:
    """Statics, modes and steps of a grid, as multiples of the bare solves that they need."""
    model = grid(space, side)
    start = time.process_time()
    state = fx.equilibrium(model)
    yield "first statics, s", time.process_time() - start

    # the package's factors of the matrix of an implicit step, and SuperLU of the same matrix
    matrix, right, own, own_solve = _factors(model)
    bare, factors = _best(lambda: _superlu(matrix))
    bare_solve, solved = _best(lambda: factors.solve(right))
    yield "factors over SuperLU", own / bare
    yield "solution over SuperLU", own_solve[0] / bare_solve
    yield "difference of solutions", float(np.abs(own_solve[1] - solved).max() / np.abs(solved).max())

    # statics: a factorisation and a solution for each iteration
    iterations = state.motion.statistics["iterations"]
    again, _ = _best(lambda: fx.equilibrium(model))
    yield "statics over bare solves", again / (iterations * (bare + bare_solve))

    # steps
    def run(steps: int) -> Any:
        return fx.simulate(model, until=steps * 1e-3, samples=2, method=fx.KennedyCarpenter(step=1e-3))

    few, many = _best(lambda: run(5)), _best(lambda: run(25))
    made = {key: many[1].statistics[key] - few[1].statistics[key] for key in ("factorisations", "evaluations")}
    cost = made["factorisations"] * bare + made["evaluations"] * bare_solve
    yield "steps over bare solves", (many[0] - few[0]) / cost

    # modes
    seconds, modes = _best(lambda: fx.modes(model, MODES, at=state))
    stiffness, mass = _bare_modes(_pencil(model, state))
    bare, found = _best(lambda: eigsh(stiffness, MODES, mass, sigma=0.0, tol=1e-13))
    yield "modes over eigsh", seconds / bare
    yield "difference of modes", float(np.abs(modes.squares / np.sort(found[0]) - 1.0).max())


def _factors(model: fx.Model) -> tuple[csc_array, Any, float, tuple[float, Any]]:
    """Matrix of an implicit step, a right-hand side, seconds of its factors, and seconds and values of a solution."""
    machine = prepare(model)
    s, x, v = machine.stiff, machine.x.copy(), machine.v.copy()
    a, stress = np.zeros_like(x), np.zeros(s.strain.size)
    accelerate(machine.system, 0.0, x, v, a, stress)
    call_level(s, s.motion, x, v)
    tangent(s, x, v, stress, 1e8, 1e4, True)
    values = s.factors.values.copy()
    n = s.z.size
    low = coo_array((values[n:], (s.factors.row.astype(int), s.factors.column.astype(int))), shape=(n, n))
    diagonal = coo_array((values[:n], (np.arange(n), np.arange(n))), shape=(n, n))
    matrix = csc_array(low + low.T + diagonal)
    matrix.eliminate_zeros()
    right = np.random.default_rng(1).standard_normal(n)

    best = np.inf
    for _ in range(3):
        s.factors.values[:] = values
        start = time.process_time()
        factorise(s.factors, np.zeros(n))
        best = min(best, time.process_time() - start)

    def solution() -> Any:
        z = right.copy()
        solve(s.factors, z)
        return z

    return matrix, right, best, _best(solution)


def _pencil(model: fx.Model, state: fx.State) -> Pencil:
    """Sparse matrices at an equilibrium."""
    machine = prepare(model)
    motion, layout = state.motion, machine.layout
    places = {address: k for k, address in enumerate(motion.nodal_coordinates)}
    x = np.array([motion.position[0][0][places[address]] for address in layout.coordinates])
    return assemble(layout, machine.whole.plain.restored(), 0.0, x)


def _bare_modes(pencil: Pencil) -> tuple[csc_array, csc_array]:
    """Assembled stiffness and mass over a basis of the motions that the held strains leave free."""
    basis = _tangents(pencil.held)
    stiff = pencil.geometric + pencil.elastic.T @ inverted_by_blocks(pencil.flexibility.tocsr())[1] @ pencil.elastic
    return csc_array(basis.T @ stiff @ basis), csc_array(basis.T @ pencil.mass @ basis)


def _tangents(held: csc_array) -> csc_array:
    """Orthonormal basis of all changes that rows without a column in common allow."""
    rows, n = held.tocsr(), held.shape[1]
    bound = np.zeros(n, dtype=bool)
    bound[rows.indices] = True
    free = np.flatnonzero(~bound)
    place, column, value = [free], [np.arange(free.size)], [np.ones(free.size)]
    used = free.size
    for r in range(rows.shape[0]):
        own = rows.indices[rows.indptr[r] : rows.indptr[r + 1]]
        basis = null_space(rows.data[None, rows.indptr[r] : rows.indptr[r + 1]])
        place.append(np.repeat(own, basis.shape[1]))
        column.append(np.tile(used + np.arange(basis.shape[1]), own.size))
        value.append(basis.ravel())
        used += basis.shape[1]
    joined = (np.concatenate(part) for part in (value, place, column))
    entries, i, j = joined
    return coo_array((entries, (i, j)), shape=(n, used)).tocsc()
