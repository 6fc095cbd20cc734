"""Names that other programs have for elements, and for parts of a model that are no elements."""

from __future__ import annotations

from collections.abc import Iterable

from flexura.errors import did_you_mean

_NAMES = {
    "a Hinge in space; in the plane two links that share a node": ("revolute", "revolutejoint", "pin", "pinjoint"),
    "a node that links share": ("ball", "spherical", "sphericaljoint", "joint", "balljoint"),
    "a Slider": ("prismatic", "translational", "prismaticjoint", "cylindrical", "guideway", "rail"),
    "a Hinge whose bendings are released": ("universal", "cardan", "hooke", "universaljoint"),
    "a part attached to the end of another, such as 'rod.q'": ("weld", "fixedjoint", "rigidjoint", "clamp"),
    "the key 'fixed' of the model": ("ground", "support", "fix", "anchor", "constraint"),
    "an entry of the table 'motors' of the model, DCMotor, or of 'inputs' for a given motion": ("motor", "actuator"),
    "an entry of the table 'inputs' of the model": ("drive", "driver", "input"),
    "an entry of the table 'loads' of the model": ("force", "torque", "moment", "load"),
    "an entry of the table 'controllers' of the model": ("controller", "pid"),
    "a Spring": ("coil", "coilspring", "springdamper", "strut", "spring_damper"),
    "a TorsionSpring": ("torsionalspring", "rotationalspring"),
    "a Body, or a Mass for a point": ("rigidbody", "inertia", "pointmass", "link_body"),
    "a Beam with rigid = true": ("rigidlink", "bar", "rod", "crank", "rigidbeam"),
    "a Truss or a Belt": ("cable", "rope", "string", "wire"),
    "a Beam, with Discs at its nodes; in Python flexura.RotorSystem builds one": ("shaft", "rotorshaft"),
    "a PointContact or a BodyContact": ("contact", "stop", "bumpstop", "cam", "follower"),
    "a Body, and a Belt for each span of the belt": ("pulley", "sprocket", "chain", "beltdrive"),
    "a Hinge, and a law of its rotation or a friction": ("clutch", "brake", "coupling"),
    "a Truss, and its elongation in 'inputs' or 'loads'": ("cylinder", "hydraulic", "piston", "jack", "winch"),
    "a Bearing": ("bush", "bushing"),
    "a Mass with an inertia, or a Body": ("flywheel",),
}
_REMEDIES = {name: remedy for remedy, names in _NAMES.items() for name in names}


def remedy_for(name: str, known: Iterable[str]) -> str:
    """Remedy for an unknown element: its name here where other programs have another, else the nearest name."""
    wanted = "".join(letter for letter in name.lower() if letter.isalnum())
    return f"write {_REMEDIES[wanted]}" if wanted in _REMEDIES else did_you_mean(name, known)
