"""Frequency response of a machine at rest, in equilibrium or in steady motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from flexura.analyses.arguments import Time
from flexura.analyses.declaration import FileForm, FileKeys, analysis
from flexura.analyses.linear.linearisation_arguments import Attachments, Balanced, NominalState
from flexura.analyses.linear.linearise import At, linearise
from flexura.analyses.linear.steady import steady as steady_motion
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Bounds, Positive, Unit
from flexura.laws.validation import validate
from flexura.model.mentions import LOAD, SIGNAL
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.response import Response
from flexura.results.state import State
from flexura.results.units import signal_unit

Complex = NDArray[np.complex128]
Matrices = tuple[Floats, Floats, Floats, Floats]

_TOGETHER = 64
"""Number of frequencies at which the equations are solved together."""


@dataclass(frozen=True)
class Band:
    """Frequencies at equal ratios."""

    start: Annotated[float, Unit("rad/s", "lowest frequency"), Positive()]
    stop: Annotated[float, Unit("rad/s", "highest frequency"), Positive()]
    count: Annotated[int, Unit("", "number of frequencies"), Bounds(2, 1_000_000)] = 400

    def __post_init__(self) -> None:
        validate(self)

    @staticmethod
    def of(model: Model, given: Band | Sequence[float]) -> Floats:
        """The frequencies of a band, or those listed."""
        if isinstance(given, Band):
            return np.geomspace(given.start, given.stop, given.count)
        return np.array(given, dtype=float)


@dataclass(frozen=True)
class RunningState:
    """Nominal state of a machine, in files: a time of the nominal motion, an equilibrium, or a steady motion."""

    at: Time = 0.0
    equilibrium: Balanced = False
    steady: Annotated[bool, Unit("", "linearise about the steady motion near the initial state")] = False

    @staticmethod
    def of(model: Model, given: RunningState) -> float | State:
        """Time, or the state found."""
        if given.steady:
            return steady_motion(model, at=given.at)
        return NominalState.of(model, NominalState(given.at, given.equilibrium))


@analysis
def response(
    model: Model,
    loads: Annotated[
        Sequence[str], Unit("", "signals that are loaded by a unit harmonic force cos ωt, one at a time"), LOAD
    ],
    signals: Annotated[Sequence[str], Unit("", "signals of the response; also rates and forces"), SIGNAL],
    frequencies: Annotated[
        Sequence[float] | Floats,
        Unit("rad/s", "list, or a table of start, stop and count, logarithmically spaced"),
        FileForm(Sequence[float] | Band, Band.of),
    ],
    *,
    at: Annotated[At, Unit("s", "time, state, or a motion and a time"), FileKeys(RunningState, RunningState.of)] = 0.0,
    attached: Attachments = (),
) -> Response:
    """Steady-state response of signals to harmonic loads over the frequency, by linearised equations.

    ``at`` is the nominal state as :func:`linearise` takes it: a time of the motion that the inputs prescribe (rest,
    where nothing moves), an equilibrium, a steady motion. Each load has unit size, in N or N·m; the response to several
    is the sum of theirs. Signals may be rates (``B.x'``), accelerations and forces (``rod.elongation.force``).
    """
    w = np.asarray(frequencies, dtype=float)
    if w.ndim != 1 or not w.size or not np.all(np.isfinite(w)) or w.min() < 0.0:
        raise ModelError("frequencies", "these are no frequencies", "give a list of numbers in rad/s, none negative")
    if isinstance(loads, str) or isinstance(signals, str) or not loads or not signals:
        raise ModelError("response", "loads and signals are lists of names", 'write ["B.x"]')
    names = Names(model)
    for load in loads:
        names.resolve(load)
    system = linearise(model, at, attached=attached)
    return Response(
        title=model.title,
        loads=tuple(loads),
        signals=tuple(signals),
        units=tuple(signal_unit(names, signal) for signal in signals),
        frequencies=w,
        amplitudes=_transfer(system.to_state_space(loads, signals), w),
        stable=system.stable,
    )


def _transfer(matrices: Matrices, w: Floats) -> Complex:
    """C (iω - A)⁻¹ B + D at all frequencies: one row for each load and signal."""
    A, B, C, D = matrices
    found = np.empty((len(w), *D.shape), dtype=np.complex128)
    for first in range(0, len(w), _TOGETHER):
        some = w[first : first + _TOGETHER]
        turning = 1j * some[:, None, None] * np.eye(len(A))
        try:
            states = np.linalg.solve(turning - A, np.broadcast_to(B, (len(some), *B.shape)))
        except np.linalg.LinAlgError:
            what = f"an undamped motion has one of the frequencies from {some.min():g} to {some.max():g} rad/s"
            raise AnalysisError(f"{what}: choose other frequencies, or give it damping") from None
        found[first : first + _TOGETHER] = C @ states + D
    return found.transpose(2, 1, 0)
