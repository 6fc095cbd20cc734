"""Sampled controllers in a run: measurements, laws and held actions, at their sampling times."""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf

import numpy as np

from flexura.analyses.motion.signal_events import Event, event_rows
from flexura.derive.records import Floats
from flexura.laws.sampled_controllers import Sampled
from flexura.laws.signals import value
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import accelerate


class _Loop:
    """One controller: its sensors, its filter, and the places of its states and actions among the rates."""

    def __init__(self, layout: Layout, system: System, name: str, law: Sampled) -> None:
        self.system, self.sampled, self.count = system, law, 0
        self.rows, _ = event_rows(layout, [Event(signal) for signal in law.measured])
        index = [layout.coordinate_index[layout.names.resolve(state)] for state in law.states(name)]
        states = len(index) - len(law.actions(name))
        self.states, self.actions = index[:states], index[states:]
        self.sections = None if law.filter is None else law.filter.sections(law.rate)
        self.memory: Floats | None = None

    def measured(self, x: Floats, v: Floats, stress: Floats) -> Floats:
        """Values of the sensors, rounded and filtered."""
        s, found = self.system, []
        call_level(s, s.shape, x, v)
        for kind, k, order, *_ in self.rows:
            if kind == 2:
                found.append(stress[k])
            elif kind == 0:
                found.append(v[k] if order else x[k])
            elif not order:
                found.append(s.shape.out[s.shape_slopes.strain[k]])
            else:
                part = slice(s.shape_slopes.start[k], s.shape_slopes.start[k + 1])
                found.append(s.shape.out[s.shape_slopes.source[part]] @ v[s.shape_slopes.column[part]])
        y = np.array(found)
        for i, step in enumerate(self.sampled.resolution):
            y[i] = step * np.round(y[i] / step) if step else y[i]
        return self._filtered(y)

    def _filtered(self, y: Floats) -> Floats:
        if self.sections is None:
            return y
        # imported only for controllers with a filter, because the import takes long
        from scipy.signal import sosfilt, sosfilt_zi

        if self.memory is None:
            # as if the first values had been constant before
            self.memory = sosfilt_zi(self.sections)[:, None, :] * y[None, :, None]
        smooth, self.memory = sosfilt(self.sections, y[:, None], axis=1, zi=self.memory)
        return np.asarray(smooth[:, 0])

    def decide(self, t: float, x: Floats, v: Floats, stress: Floats) -> Floats:
        """Actions of a sample; the states change immediately."""
        law, period = self.sampled.law, self.sampled.period
        y = self.measured(x, v, stress)
        r = np.array([value(signal, t)[0] for signal in self.sampled.reference], dtype=float)
        z = law.begin(v[self.states], r, y) if self.count == 0 else v[self.states]
        u = np.asarray(law.output(z, r, y, period), dtype=float)
        limited = np.asarray(self.sampled.limited(u), dtype=float)
        v[self.states] = law.update(z, r, y, u, limited, period)
        self.count += 1
        return limited


class SampledControl:
    """All sampled controllers of a run, with the times at which they measure and act."""

    def __init__(self, loops: list[_Loop]) -> None:
        self.loops = loops
        self.queue: list[tuple[float, int, int, Floats | None]] = []
        self._order = 0
        for i in range(len(loops)):
            self._add(0.0, i, None)

    def _add(self, t: float, loop: int, action: Floats | None) -> None:
        self._order += 1
        heappush(self.queue, (t, self._order, loop, action))

    @property
    def due(self) -> float:
        """Next time at which a controller measures or acts."""
        return self.queue[0][0] if self.queue else inf

    def act(self, t: float, x: Floats, v: Floats, stress: Floats) -> None:
        """Measure and act at a time; events within its rounding are due now."""
        sensed, changes = v.copy(), []
        while self.due <= t + 1e-12 * max(abs(t), 1e-3):
            due, _, i, action = heappop(self.queue)
            loop = self.loops[i]
            if action is None:
                action = loop.decide(due, x, sensed, stress)
                v[loop.states] = sensed[loop.states]
                self._add(loop.count / loop.sampled.rate, i, None)
                if loop.sampled.delay:
                    self._add(due + loop.sampled.delay, i, action)
                    continue
            changes.append((loop, action))
        # sensors do not see changes at the same time
        for loop, action in changes:
            v[loop.actions] = action


def sampling_of(layout: Layout, system: System, x: Floats, v: Floats) -> SampledControl | None:
    """Sampled controllers of a model, which measure and act for the first time; None without any."""
    if not layout.model.sampled:
        return None
    control = SampledControl([_Loop(layout, system, name, law) for name, law in layout.model.sampled.items()])
    stress = np.zeros(max(len(layout.strains), 1))
    accelerate(system, 0.0, x.copy(), v.copy(), np.zeros_like(x), stress)
    control.act(0.0, x, v, stress)
    return control
