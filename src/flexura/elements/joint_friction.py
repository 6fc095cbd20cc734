"""Friction in joints: fields that joints share, and the forces that press their surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from flexura.errors import ModelError
from flexura.laws.friction import Friction
from flexura.laws.grip import Grip, Pressure
from flexura.laws.units import NonNegative, Unit

JointFriction = Annotated[Friction | None, Unit("", "dry friction in the joint, under the force that it transmits")]
PinRadius = Annotated[float, Unit("m", "radius of the pin, for friction"), NonNegative()]
GuideLength = Annotated[
    float,
    Unit("m", "length of the guide, at whose ends a moment adds normal forces; zero if moments have no effect"),
    NonNegative(),
]


def joint_grip(friction: Friction, pressure: Pressure) -> Grip:
    """Dry friction on the slip of a joint, exact or regularised."""
    static = max(friction.static, friction.mu)
    ramp = friction.form == "ramp"
    return Grip(("slide",), friction.mu, static, pressure=pressure, creep=friction.regularisation_speed, ramp=ramp)


def pair_pressure(forces: Sequence[str], moments: Sequence[tuple[str, float]], length: float) -> Pressure:
    """Transverse forces, shared by the two ends of a guide; moments with the given signs press on them in pairs."""
    if not length:
        return (tuple(((force, 1.0),) for force in forces),)
    return tuple(
        tuple(
            ((force, 0.5), (moment, side * sign / length))
            for force, (moment, sign) in zip(forces, moments, strict=True)
        )
        for side in (1.0, -1.0)
    )


def require_radius(where: str, friction: Friction | None, radius: float) -> None:
    """Refuse friction of a pin without a radius: it would have no moment."""
    if friction is not None and friction.mu and not radius:
        raise ModelError(f"{where}.radius", "friction of a pin without a radius has no moment", "give the radius")
