"""Figures of results: curves, drawings of the mechanism, animations. Matplotlib is imported when the first is made.

Each module registers what it draws; being there is enough.
"""

from importlib import import_module
from pkgutil import iter_modules

from flexura.plotting.animation import animate
from flexura.plotting.curves import curves
from flexura.plotting.histories import energies, histories, phase
from flexura.plotting.orbits import orbits
from flexura.plotting.scenes import draw, poses

__all__ = ["animate", "curves", "draw", "energies", "histories", "orbits", "phase", "poses"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
