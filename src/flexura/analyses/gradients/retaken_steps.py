"""Repetition of the steps of a run by an explicit method, from its snapshots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexura.analyses.gradients.recorded_run import RecordedRun, States
from flexura.derive.records import Floats, Ints
from flexura.integrators.methods import DormandPrince, Method, RungeKutta4
from flexura.integrators.runge_kutta_tableaux import Tableau, tableau_of
from flexura.integrators.step_log import Snapshot
from flexura.integrators.tangent_memory import Columns, StageMemory, columns_of, recorded_rows, stage_memory
from flexura.integrators.tangent_samples import samples_of
from flexura.integrators.tangent_steps import evaluate_start, take_steps
from flexura.mechanics.core.row_switches import restore_switches
from flexura.mechanics.linear.column_blocks import column_block, kinds_in, renew_numbers
from flexura.mechanics.linear.column_code import ColumnCode, code_key
from flexura.mechanics.linear.variation_tables import Numbers, Variations, number_changes, variations_of

_NONE = np.zeros(0, dtype=np.int64)
_NO_TIMES = np.zeros(0)
CHUNK = 64
"""Number of steps whose stages are recorded at a time."""


def follows_steps(run: RecordedRun) -> bool:
    """True if the steps of a run can be differentiated: by an explicit method, without dry friction."""
    return isinstance(run.method, RungeKutta4 | DormandPrince) and not run.system.grips.sticks.size


def _tableau(method: Method) -> Tableau:
    assert isinstance(method, RungeKutta4 | DormandPrince)
    return tableau_of(method)


class RetakenSteps:
    """Steps of one run; the system has the tracked numbers and the active rows of the last state set."""

    def __init__(self, run: RecordedRun) -> None:
        self.run, self.system, self.tableau = run, run.system, _tableau(run.method)
        self.variations: Variations = run.prepared.keep(
            ("variations", id(run.system)), lambda: variations_of(run.layout, run.system, run.machine.formulas)
        )
        self._evaluations = recorded_rows(self.tableau, len(run.log.ends))
        self.no_columns = self.columns(number_changes(self.system, 0), _NONE, _NONE)
        self.switches = np.zeros(run.memory.switch_out.shape[1])
        self._single = stage_memory(self.system, self.tableau)
        self._no_samples = samples_of(self.system, _NO_TIMES, 0)
        self.taken = 0
        """number of repeated steps, counted for all parameters"""

    def columns(self, changes: Numbers, timed: Ints, forced: Ints) -> Columns:
        """Memory for derivatives by parameters that change numbers, formulas of time, or are differenced."""
        layout, system, keep = self.run.layout, self.system, self.run.prepared.keep
        block = column_block(layout, system, changes, timed, keep)
        key = code_key(layout, system, block)
        code = keep(("code of columns", key), lambda: ColumnCode(key))
        block.code[:] = code.for_run(system, block, lambda: kinds_in(layout, system, changes), self._evaluations)
        renew_numbers(self.system, block)
        return columns_of(self.tableau, self.system.coordinate_place.size, block, forced)

    def resume_from(self, start: Snapshot) -> None:
        """Set tracked numbers and active rows to those of a state."""
        self.switches = start.switches
        self.restore(start.tracked)

    def restore(self, tracked: Floats) -> None:
        """Restore tracked numbers, and the active rows set last."""
        self.system.number[self.system.track_target] = tracked
        if self.switches.size:
            restore_switches(self.system, self.switches)

    def stages(self, x: Floats, v: Floats, ends: Floats, samples: Floats) -> tuple[StageMemory, States]:
        """Stages of some steps from a state, recorded; tracked numbers remain those of the start.

        Stages of the dense output are computed only in steps with ``samples`` inside.
        """
        s, before = self.system, self.system.number[self.system.track_target]
        self.taken += ends.size - 1
        recorded = stage_memory(s, self.tableau, max(ends.size - 1, 1))  # without a step only the first state
        recorded.x[:], recorded.v[:] = x, v
        evaluate_start(self.variations, recorded, self.no_columns, ends[0], 0, 0)
        # the last step includes all samples that differ from its end by rounding
        inside = samples[(samples > ends[0] * (1.0 - 1e-13)) & (samples <= ends[-1] * (1.0 + 1e-13))]
        take_steps(self.variations, recorded, self.no_columns, self.tableau, ends, samples_of(s, inside, 0))
        s.number[s.track_target] = before
        rows, per_step = recorded_rows(self.tableau, ends.size - 1), recorded_rows(self.tableau, 1) - 1
        if ends.size < 2:
            recorded.tracked_rows[0] = before
        steps = np.clip((np.arange(rows) - 1) // per_step, 0, recorded.tracked_rows.shape[0] - 1)
        switches = np.repeat(self.switches[None], rows, axis=0)
        t, x, v = (part[:rows] for part in (recorded.t_rows, recorded.x_rows, recorded.v_rows))
        return recorded, States(t, x, v, recorded.tracked_rows[steps], switches)

    def ends(self, states: States) -> States:
        """Ends of steps among the stages of some steps, including the first state."""
        stages, extras = self.tableau.b.size, self.tableau.extra_c.size
        return states.at(np.append(0, np.arange(stages, states.t.size, stages + extras)))

    def reached(self, start: Snapshot, ends: Floats) -> Snapshot:
        """State after some steps from another one."""
        if ends.size < 2:
            return start
        self.resume_from(start)
        if ends.size == 2:
            m = self._single
            m.x[:], m.v[:] = start.x, start.v
            evaluate_start(self.variations, m, self.no_columns, ends[0], 0, 0)
            take_steps(self.variations, m, self.no_columns, self.tableau, ends, self._no_samples)
            self.system.number[self.system.track_target] = start.tracked
            self.taken += 1
            return replace(start, t=float(ends[-1]), x=m.x.copy(), v=m.v.copy())
        recorded, states = self.stages(start.x, start.v, ends, _NO_TIMES)
        return replace(
            start, t=float(ends[-1]), x=recorded.x.copy(), v=recorded.v.copy(), tracked=states.tracked[-1].copy()
        )
