"""The spatial bar."""

from __future__ import annotations

from typing import ClassVar

from flexura.elements.planar import truss


class Truss(truss.Truss):
    __doc__ = truss.Truss.__doc__

    space: ClassVar = "spatial"
