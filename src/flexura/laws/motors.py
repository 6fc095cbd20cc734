"""Electric motors: torques that depend on a voltage and the speed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from flexura.derive.expression import Expr, as_expr
from flexura.laws.control import given_signal
from flexura.laws.signals import Expression, Signal
from flexura.laws.tables import Tables
from flexura.laws.units import NonNegative, Positive, Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class DCMotor:
    r"""Direct-current motor with a gear: its torque acts on a rotation :math:`\varphi`, such as that of a hinge.

    With the current i, the constant k of torque and back-EMF, the gear ratio n, the resistance R, the inductance L and
    the friction b of the rotor,

    .. math:: M = n\,(k\,i - b\,n\,\dot\varphi), \qquad L\,\dot i = U - R\,i - k\,n\,\dot\varphi .

    Without inductance the current follows at once; with it, that of a motor ``drive`` is the state ``drive.current``.
    The inertia of the rotor is an element, ``Rotor``, with the same gear ratio.
    """

    acting: Annotated[str, Unit("", "rotation on which the torque acts, at the output of the gear")]
    voltage: Annotated[Signal, Unit("V", "formula of time, signals and states, such as 'servo.u1'")]
    constant: Annotated[float, Unit("N·m/A", "torque per current, and voltage per speed"), Positive()]
    resistance: Annotated[float, Unit("Ω", "resistance of the armature"), Positive()]
    inductance: Annotated[float, Unit("H", "inductance of the armature"), NonNegative()] = 0.0
    gear: Annotated[float, Unit("", "speed of the rotor over that of the output"), Positive()] = 1.0
    friction: Annotated[float, Unit("N·m·s/rad", "viscous friction of the rotor"), NonNegative()] = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "voltage", given_signal(self.voltage))
        validate(self)

    def states(self, name: str) -> tuple[str, ...]:
        """The name of the current, in a model where the motor has this name."""
        return (f"{name}.current",) if self.inductance else ()

    def torque(self, speed: Expr, current: Any, voltage: Expr) -> Expr:
        """The torque on the output."""
        if not self.inductance:
            current = (voltage - self.constant * self.gear * speed) / self.resistance
        return as_expr(self.gear * (self.constant * current - self.friction * self.gear * speed))

    def rate(self, speed: Expr, current: Any, voltage: Expr) -> Expr:
        """The rate of the current."""
        drop = self.resistance * current + self.constant * self.gear * speed
        return as_expr((voltage - drop) / self.inductance)

    def applied(self, variables: Mapping[str, Expr], tables: Tables, parse: Any) -> Expr:
        """The voltage, of the signals by name."""
        if isinstance(self.voltage, Expression):
            voltage: Expr = parse(self.voltage.text, variables)
            return voltage
        return self.voltage.expression(variables["t"], tables)
