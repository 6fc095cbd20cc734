"""Memory for steps of explicit Runge–Kutta methods and their derivatives."""

from __future__ import annotations

import numpy as np

from flexura.derive.records import Floats, FloatTable, Ints, Record
from flexura.integrators.runge_kutta_tableaux import Tableau
from flexura.mechanics.core.system import System
from flexura.mechanics.linear.column_blocks import ColumnBlock


class StageMemory(Record):
    """State and stages of one step, and the states of all stages if they are recorded."""

    x: Floats
    v: Floats
    a: Floats
    x0: Floats
    v0: Floats
    a0: Floats
    stress: Floats
    xs: FloatTable
    vs: FloatTable
    as_: FloatTable
    t_rows: Floats
    x_rows: FloatTable
    v_rows: FloatTable
    """states of stages, one row each; empty if they are not recorded"""
    tracked_rows: FloatTable
    """tracked numbers (element numbers that follow the motion) in each step"""


class Columns(Record):
    """Derivatives of the state and of the stages of a step: rows are stages, columns those of each coordinate."""

    block: ColumnBlock
    x: Floats
    v: Floats
    a: Floats
    x0: Floats
    v0: Floats
    a0: Floats
    at: Floats
    """of the positions of the current stage"""
    vs: FloatTable
    as_: FloatTable
    timed: FloatTable
    """changes of the values of formulas of time, a row for each stage and column"""
    forced: Ints
    """columns of parameters with a differenced effect on the accelerations"""
    forcing: FloatTable
    """derivatives of accelerations with respect to these at fixed states: row i·columns + j belongs to stage i"""


def stage_count(tableau: Tableau) -> int:
    """Number of stages, including the end of the step and the stages of the dense output."""
    return int(tableau.b.size + 1 + tableau.extra_c.size)


def recorded_rows(tableau: Tableau, steps: int) -> int:
    """Number of recorded states: the first, and for each step its other stages, its end and those of dense output."""
    return 1 + steps * (stage_count(tableau) - 1)


def stage_memory(system: System, tableau: Tableau, steps: int = 0) -> StageMemory:
    """Memory for a step, and for the states of the stages of this number of steps."""
    n, stages = system.coordinate_place.size, stage_count(tableau)
    rows = recorded_rows(tableau, steps) if steps else 0
    arrays = {name: np.zeros(n) for name in ("x", "v", "a", "x0", "v0", "a0")}
    tables = {name: np.zeros((stages, n)) for name in ("xs", "vs", "as_")}
    kept = {name: np.zeros((rows, n)) for name in ("x_rows", "v_rows")}
    return StageMemory(
        **arrays,
        **tables,
        **kept,
        t_rows=np.zeros(rows),
        tracked_rows=np.zeros((steps, system.track_target.size)),
        stress=np.zeros(max(system.strain.size, 1)),
    )


def columns_of(tableau: Tableau, n: int, block: ColumnBlock, forced: Ints) -> Columns:
    """Memory for the derivatives of this number of coordinates."""
    count = block.z.shape[1]
    state = {name: np.zeros(n * count) for name in ("x", "v", "a", "x0", "v0", "a0", "at")}
    stages = {name: np.zeros((stage_count(tableau), n * count)) for name in ("vs", "as_")}
    none = {name: np.zeros((0, 0)) for name in ("timed", "forcing")}
    return Columns(block=block, **state, **stages, **none, forced=forced)


def stage_times(tableau: Tableau, ends: Floats) -> Floats:
    """Times of the stages of some steps, in the order in which they are recorded."""
    parts = np.concatenate([tableau.c[1:], [1.0], tableau.extra_c])
    inside = ends[:-1, None] + parts * np.diff(ends)[:, None]
    return np.append(ends[0], inside)
