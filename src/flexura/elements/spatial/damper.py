"""The damper between two points, in space."""

from __future__ import annotations

from typing import ClassVar

from flexura.elements.planar import damper


class Damper(damper.Damper):
    __doc__ = damper.Damper.__doc__

    space: ClassVar = "spatial"
