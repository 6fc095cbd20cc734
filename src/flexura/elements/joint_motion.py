"""Declaration of the motion that a joint leaves free."""

from __future__ import annotations

from typing import NamedTuple


class JointMotion(NamedTuple):
    """One strain of a joint whose other strains are held: a rotation about the axis t of p, or a shift along it."""

    strain: str
    turns: bool
