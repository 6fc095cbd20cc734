"""The spring between two points, in space."""

from __future__ import annotations

from typing import ClassVar

from flexura.elements.planar import spring


class Spring(spring.Spring):
    __doc__ = spring.Spring.__doc__

    space: ClassVar = "spatial"
