"""Sampled controllers: they measure at equal intervals, and hold their actions from one sample to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from flexura.errors import ModelError
from flexura.laws.control import Controller, given_signal
from flexura.laws.filters import SensorFilter
from flexura.laws.sampled_laws import Discrete, SampledLaw
from flexura.laws.signals import Constant, Signal
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.laws.validation import validate

Resolution = Annotated[float, NonNegative()]
Limit = Annotated[float, Positive(infinite=True)]


@dataclass(frozen=True)
class Sampled:
    """Controller in a computer: every 1/rate seconds it measures, and after the delay its actions change.

    Between samples the actions are held. The sensors may have a ``resolution``, to whose multiples values are rounded,
    and a ``filter``. Actions beyond their ``limits`` are limited, and the ``law`` is told. The states and actions of a
    controller ``servo`` are the signals ``servo.z1``, ``servo.u1`` and so on. An action that is not ``acting`` on a
    signal may stand in formulas, such as that of a motor's voltage. Forces of strains can be measured, as in
    ``gauge.elongation.force``.
    """

    rate: Annotated[float, Unit("Hz", "samples per second"), Positive()]
    law: Annotated[SampledLaw, Unit("", "control law: Discrete, PID, Observer, or a law of your own")]
    measured: Annotated[tuple[str, ...], Unit("", "signals y, or their rates with a prime, or forces of strains")]
    acting: Annotated[
        tuple[str, ...], Unit("", "signals on which the actions act as loads; none if only formulas use them")
    ] = ()
    reference: Annotated[tuple[Signal, ...], Unit("", "references r as functions of time; zero by default")] = ()
    delay: Annotated[float, Unit("s", "delay from a sample to the change of the actions"), NonNegative()] = 0.0
    resolution: Annotated[tuple[Resolution, ...], Unit("", "resolution of each sensor; zero for exact values")] = ()
    filter: Annotated[SensorFilter | None, Unit("", "analogue filter of all measured signals")] = None
    limits: Annotated[tuple[Limit, ...], Unit("", "largest magnitude of each action")] = ()

    def __post_init__(self) -> None:
        given: Iterable[Any] = self.reference
        object.__setattr__(self, "reference", tuple(map(given_signal, given)))
        validate(self)
        if not self.measured:
            raise ModelError("Sampled.measured", "it measures nothing", "give a list, such as ['hub.phi']")
        _, actions, references = self.law.sizes(len(self.measured))
        if not self.reference:
            object.__setattr__(self, "reference", (Constant(0.0),) * references)
        wanted = {"reference": references, "acting": actions, "limits": actions, "resolution": len(self.measured)}
        for name, count in wanted.items():
            found = len(getattr(self, name))
            if found != count and (found or name == "reference"):
                what = f"{found} are given where the law has {count}"
                raise ModelError(f"Sampled.{name}", what, f"give {count}, or none")
        if self.filter is not None:
            self.filter.refuse_rate(self.rate)

    @staticmethod
    def of(
        system: Any,
        measured: Sequence[str],
        acting: Sequence[str],
        reference: Sequence[float | str | Signal] = (),
        **more: Any,
    ) -> Sampled:
        """Controller from a discrete ``StateSpace`` of python-control, which acts on the error."""
        if not system.dt or system.dt is True:
            what = "the system has no sample time"
            raise ModelError("Sampled", what, "discretise it with a number of seconds, or use Controller.of")
        A, B, C, D = (tuple(map(tuple, matrix.tolist())) for matrix in (system.A, system.B, system.C, system.D))
        wanted: Any = tuple(reference)
        law = Discrete(D, A, B, C) if A else Discrete(D)
        return Sampled(1.0 / float(system.dt), law, tuple(measured), tuple(acting), wanted, **more)

    @property
    def period(self) -> float:
        """Period of the samples in s."""
        return 1.0 / self.rate

    def actions(self, name: str) -> tuple[str, ...]:
        """The names of its actions in a model where it has this name."""
        return tuple(f"{name}.u{i}" for i in range(1, self.law.sizes(len(self.measured))[1] + 1))

    def states(self, name: str) -> tuple[str, ...]:
        """The names of its states, then of its actions."""
        count = self.law.sizes(len(self.measured))[0]
        return (*(f"{name}.z{i}" for i in range(1, count + 1)), *self.actions(name))

    def limited(self, u: Any) -> Any:
        """Actions limited to their range."""
        if not self.limits:
            return u
        return [math.copysign(min(abs(value), most), value) for value, most in zip(u, self.limits, strict=True)]

    def steady(self, name: str) -> Controller:
        """Continuous-time controller with the same constant solutions."""
        if not self.acting:
            what = "its actions stand in formulas, which a steady state cannot resolve"
            raise ModelError(f"sampled.{name}", what, "name the signals that it acts on, or leave it out")
        A, B, C, D = self.law.steady(self.period)
        if len(self.acting) > len(D):
            A, B, C, D = (_block(table, len(self.acting)) for table in (A, B, C, D))
        return Controller(A, B, C, D, self.measured, self.acting, self.reference)


def _block(table: Any, count: int) -> Any:
    """Block-diagonal matrix of equal numbers."""
    if not table:
        return ()
    return tuple(tuple(table[0][0] if i == j else 0.0 for j in range(count)) for i in range(count))
