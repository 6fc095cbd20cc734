"""Return map of a model with contacts, exact friction, rolling constraints or states.

The derivative of the end of a motion with respect to its start is integrated along it, through touches, impacts, stick
and slip [Hiskens2000]. If a contact sticks at the start, disturbances of its slip vanish immediately: they have the
multiplier zero. A gap that is closed at the start remains a constraint of all starts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexura.analyses.gradients.neighbours import FINE, Direction, Neighbour, derivative, on_some_side
from flexura.analyses.gradients.observed_neighbours import moved, observed
from flexura.analyses.gradients.recorded_run import RecordedRun, States
from flexura.analyses.gradients.tangent_motion import TangentMotion
from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.motion.simulate import simulate
from flexura.analyses.periodic.floquet import from_matrix
from flexura.analyses.periodic.periodic_methods import DirectIntegration, Shooting, StabilityMethod
from flexura.analyses.periodic.return_map import Shot, confirm, finished, own_name, without_advance
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.methods import DormandPrince
from flexura.mechanics.core.row_switches import switch_width
from flexura.mechanics.preparation.mobility import mobility
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.feedback import states_of
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results import fourier
from flexura.results.cycle import Cycle
from flexura.results.floquet import Floquet
from flexura.results.fourier import Array
from flexura.results.motion import Motion

_POSITIONS = 512
"""Default number of times of a period at which the motion is recorded."""
_SAMPLES = 64
"""Number of times of a period from which the scale of the rates is determined."""
_ERROR = 1e-8
"""Relative error of the slopes."""
_SOON = 1e-6
"""Fraction of a period after which the contacts of a start are determined."""
_HARDLY = 1e-7
"""Slip rate, relative to that of a coordinate that moves by its own scale in a period, that is rounding."""
_REPEATS = 1e-5
"""Difference of the rates of the state at both ends of a cycle, relative to their largest, that counts as zero."""


def has_events(model: Model) -> bool:
    """True if constraints or laws of contacts change along a motion, or if more than coordinates are states."""
    if states_of(model):
        return True
    with borrowed(model) as prepared:
        layout, system = prepared.layout, prepared.whole.plain
        return bool(layout.switched or layout.rolling or system.restored().touch.strain.size)


class SwitchedReturnMap:
    """Model whose motions have events, with the signals of its state."""

    def __init__(self, model: Model, period: float, method: Shooting) -> None:
        self.names, self.method = Names(model), method.integrator or DormandPrince(tolerance=0.1 * method.tolerance)
        self.driven, self.period = not method.free_period, period
        if model.sampled:
            what = "shooting does not follow sampled controllers"
            raise ModelError(f"sampled.{next(iter(model.sampled))}", what, "give a Controller in continuous time")
        start = {**self._without(model.start, method.start), **method.start}
        first = model.replace(start=start)
        self.closed, motion = self._closed(first, _SOON * period)
        self.model = model.replace(start={}, independent=[*self.closed, *model.independent])
        self.places, self.rates = places, rates = self._independent(self.model, method.start)
        self.states = tuple(states_of(model))
        self.signals = (*places, *(f"{name}'" for name in rates), *self.states)
        self.first = np.array([float(motion[name][0]) for name in self.signals])
        units = [self.names.unit(self.names.resolve(name)) for name in places]
        self.angles = (*(unit == "rad" for unit in units), *(False for _ in self.signals[len(places) :]))

    def _without(self, start: Mapping[str, object], other: Mapping[str, float]) -> dict[str, object]:
        """Start values that are not replaced by others."""
        given = {own_name(self.names, name) + "'" * name.endswith("'") for name in other}
        return {
            name: value
            for name, value in start.items()
            if own_name(self.names, name) + "'" * name.endswith("'") not in given
        }

    def _closed(self, model: Model, soon: float) -> tuple[tuple[str, ...], Motion]:
        """Gaps that are closed at the start, and the motion from it."""
        with borrowed(model) as prepared:
            run = RecordedRun(prepared, model, np.array([0.0, soon]), self.method, ())
            on = run.states(np.zeros(1)).switches[0]
            closed = [str(run.layout.strains[k]) for k, held in zip(run.layout.contacts, on, strict=False) if held]
            self.grips = bool(run.layout.grips)
            self.size = {unit: 1.0 if unit != "m" else run.layout.size for unit in ("m", "rad", "")}
            return tuple(closed), run.motion

    def _independent(self, model: Model, start: Mapping[str, float]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Coordinates and rates that determine the state, without closed gaps; those of a guess if possible."""
        values, rates = ([n for n in start if n.endswith("'") == moving] for moving in (False, True))
        with borrowed(model) as prepared:
            machine = prepared.start(model)
            layout, system = machine.layout, machine.whole.plain.restored()
            given = [layout.names.resolve(own_name(self.names, n)) for n in (*model.independent, *rates, *values)]
            given = [address for address in given if str(address) not in states_of(model)]
            found = placed = mobility(layout, system, machine.x, list(dict.fromkeys(given)), about=False)
            if layout.rolling:
                first = [layout.names.resolve(own_name(self.names, n)) for n in values]
                placed = mobility(layout, system, machine.x, [*first, *found.independent], rolling=False, about=False)
        places, moving = ([n for n in each.names if n not in self.closed] for each in (placed, found))
        return tuple(places), tuple(moving)

    def scale(self, period: float) -> Array:
        """Factors of the state for comparison."""
        sizes = [self.size.get(self.names.unit(self.names.resolve(n)), 1.0) for n in (*self.places, *self.rates)]
        factors = [*(1.0 for _ in self.places), *(period for _ in self.rates)]
        return np.array([*(f / s for f, s in zip(factors, sizes, strict=True)), *(1.0 for _ in self.states)])

    # -- motions -----------------------------------------------------------------------------------------------

    def started(self, y: Array) -> Model:
        """Model that starts in a state."""
        start = dict(zip(self.signals, map(float, y), strict=True))
        shut = {name + prime: 0.0 for name in self.closed for prime in ("", "'")}
        return self.model.replace(start={**start, **shut}, independent=[*self.closed, *self.rates])

    def motion(self, y: Array, times: Array) -> Motion:
        """Motion from a state."""
        model = self.started(self._at_rest(y))
        return finished(simulate(model, times=list(times), method=self.method, progress=False), times[-1])

    def trajectory(self, y: Array, times: Array) -> tuple[Array, Array]:
        """State and its rate at the times of the motion from a start."""
        motion = self.motion(y, times)
        return self._states(motion), self._states(motion, "'")

    def _states(self, motion: Motion, prime: str = "") -> Array:
        return np.array([motion[name + prime] for name in self.signals]).T

    # -- slopes ------------------------------------------------------------------------------------------------

    def fire(self, y: Array, period: float) -> Shot:
        """Motion from a start, and the derivative of its end."""
        scale = self.scale(period)
        try:
            y = self._at_rest(y)
            model = self.started(y)
            with borrowed(model) as prepared:
                start = self._start_slopes(prepared, y, scale)
                run = RecordedRun(prepared, model, np.linspace(0.0, period, _SAMPLES + 1), self.method, ())
                return self._sloped(run, start, scale)
        except ModelError as error:  # a start that the contacts do not permit
            raise AnalysisError(str(error)) from None

    def _at_rest(self, y: Array) -> Array:
        """State with slip rates set to zero if they are negligible, so that contacts stick exactly."""
        if not self.grips:
            return y
        scale = self.scale(self.period)
        with borrowed(self.started(y)) as prepared:
            slips = self._slips(prepared, y)
            moving = np.arange(len(self.places), len(self.places) + len(self.rates))
            steps = np.zeros((moving.size, y.size))
            steps[np.arange(moving.size), moving] = 1.0 / scale[moving]
            slopes = np.array([self._slips(prepared, y + step) - slips for step in steps]).T
        largest = np.abs(slopes).max(axis=1)
        hardly = (slips != 0.0) & (np.abs(slips) <= _HARDLY * largest)
        correction = np.linalg.pinv(slopes[hardly]) @ slips[hardly] if hardly.any() else np.zeros(moving.size)
        return np.asarray(y - correction @ steps)

    def _slips(self, prepared: PreparedModel, y: Array) -> Array:
        """Rates of the slips that friction can hold, at a start; they are linear in the rates of the state."""
        machine = prepared.start(self.started(y))
        layout, system = machine.condensed
        x, v = (machine.narrow(layout, values)[None] for values in (machine.x, machine.v))
        tracked = system.number[system.track_target][None]
        at = States(np.zeros(1), x, v, tracked, np.zeros((1, switch_width(system))))
        motion = observed(Neighbour.at(machine), at)
        return np.array(
            [motion.strain[1][0, motion.column(layout.strains[k])] for held in layout.grips for k in held.slips]
        )

    def _start_slopes(self, prepared: PreparedModel, y: Array, scale: Array) -> tuple[Array, Array]:
        """Derivatives of all coordinates and rates of the condensed model with respect to the state."""
        columns = []
        for k, name in enumerate(self.signals):

            def slopes(steps: Sequence[tuple[float, float]], k: int = k) -> Array:
                found = np.zeros((2, 0))
                for number, (offset, weight) in enumerate(steps):
                    near = y.copy()
                    near[k] += offset
                    machine = prepared.start(self.started(near))
                    layout, _ = machine.condensed
                    x, v = (machine.narrow(layout, values)[layout.free] for values in (machine.x, machine.v))
                    part = weight * np.array([x, v])
                    found = found + part if number else part
                return found

            columns.append(on_some_side(slopes, f"start.{name}", float(y[k]), 1.0 / scale[k]))
        x, v = np.stack(columns, axis=2)
        return x, v

    def _sloped(self, run: RecordedRun, start: tuple[Array, Array], scale: Array) -> Shot:
        directions = [_along(run, name, 1.0 / unit) for name, unit in zip(self.signals, scale, strict=True)]
        course = TangentMotion(run, directions, start)
        states, tangents = course.at(np.array([run.end]))
        slopes = self._observed(directions, states, (tangents.x[0], tangents.v[0], tangents.tracked[0]), self._row)
        slips = self._stuck(run, directions, start)
        # disturbances of sticking contacts vanish immediately
        scaled = slips / scale
        keep = np.eye(len(scale)) - np.linalg.pinv(scaled) @ scaled if len(slips) else np.eye(len(scale))
        rates = self._states(run.motion, "'")
        free = keep * scale / scale[:, None]
        return Shot(self._states(run.motion)[-1], (rates[0], rates[-1]), slopes @ free, free)

    def _row(self, motion: Motion) -> Array:
        return np.asarray(self._states(motion)[0])

    def _stuck(self, run: RecordedRun, directions: list[Direction], start: tuple[Array, Array]) -> Array:
        """Derivatives of the slip rates held at the start with respect to the state."""
        states, gaps = run.states(np.zeros(1)), len(run.layout.contacts)
        on = states.switches[0][gaps : len(run.layout.switched)]
        stuck = [run.layout.strains[k] for k, held in zip(run.layout.switched[gaps:], on, strict=True) if held]
        if not stuck:
            return np.zeros((0, len(directions)))
        none = np.zeros((run.system.track_target.size, len(directions)))
        return self._observed(
            directions,
            # held slips have no rate
            states._replace(switches=np.zeros_like(states.switches)),
            (*start, none),
            lambda motion: np.array([motion.strain[1][0, motion.column(a)] for a in stuck]),
        )

    @staticmethod
    def _observed(
        directions: list[Direction], states: States, slopes: tuple[Array, Array, Array], of: Callable[[Motion], Array]
    ) -> Array:
        """Derivatives of values of a motion of one moment, one column for each direction."""
        columns: list[Array] = [
            derivative(
                along.wide,
                lambda near, j=j: of(observed(near, moved(near, states, *(part[:, j] for part in slopes)))),  # type: ignore[misc]
            )
            for j, along in enumerate(directions)
        ]
        return np.stack(columns, axis=1)

    # -- results -----------------------------------------------------------------------------------------------

    def cycle(self, y: Array, period: float, positions: int | None) -> Cycle:
        """Result of a start that repeats."""
        scale, count = self.scale(period), positions or _POSITIONS
        shot = self.fire(y, period)
        motion = self.motion(y, period * np.arange(count + 1) / count)
        first, last = shot.rates
        if np.abs(scale * (last - first)).max() > _REPEATS * np.abs(scale * self._states(motion, "'")).max():
            what = f"the equations do not repeat after {period:g} s"
            raise ModelError("period", what, "give the time after which inputs, loads and positions repeat")
        confirm(self, y, period, (shot.monodromy, shot.free))
        coordinates = self.places
        coefficients = fourier.coefficients(without_advance(np.array([motion[name] for name in coordinates]).T))
        sizes = 1.0 / scale[: len(coordinates)]
        matrix = scale[:, None] * shot.monodromy / scale
        words = f"monodromy matrix through {_events(motion)} events"
        found = from_matrix(matrix, period, _ERROR, words)
        source = SwitchedSource(motion, found if self.driven else found.with_trivial())
        return Cycle(
            model=self.model,
            period=period,
            coordinates=coordinates,
            coefficients=coefficients,
            start=(motion.position[0][0].copy(), motion.position[1][0].copy()),
            error=fourier.tail(coefficients / sizes),
            method="shooting through events",
            positions=count,
            disturbances=source.disturbances,
            recorded=motion,
            driven=self.driven,
        ).prefilled(source=source)


@dataclass(frozen=True, eq=False)
class SwitchedSource:
    """Signals and stability of a cycle with events."""

    motion: Motion
    disturbances: Floquet

    def observe(self) -> Motion:
        """All signals over a period."""
        return self.motion

    def floquet(self, method: StabilityMethod) -> Floquet:
        """Exponents by a method that can pass events."""
        if isinstance(method, DirectIntegration):
            return self.disturbances
        what = (
            f"{type(method).__name__} needs smooth equations of motion without contacts, dry friction, rolling, states"
        )
        raise AnalysisError(f"{what}: take DirectIntegration(), whose monodromy matrix passes events")


def _along(run: RecordedRun, name: str, size: float) -> Direction:
    """Direction of a part of the state: neighbours with the numbers of the run itself."""

    def near(offset: float, weight: float) -> Neighbour:
        return Neighbour.at(run.machine, offset, weight)

    wide = tuple(near(*step) for step in on_some_side(list, name, 0.0, size))
    step = FINE * size
    fine = near(-step, -0.5 / step), near(step, 0.5 / step)
    return Direction(f"start.{name}", 0.0, wide, (lambda: fine,) if run.touches else ())


def _events(motion: Motion) -> int:
    return sum(event.kind != "crossing" for event in motion.events)
