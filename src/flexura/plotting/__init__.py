"""Pictures of motions: curves, the mechanism drawn, and animations. Matplotlib is imported when the first is made."""

from flexura.plotting.animation import animate
from flexura.plotting.histories import energies, histories, orbits, phase
from flexura.plotting.scenes import draw, poses

__all__ = ["animate", "draw", "energies", "histories", "orbits", "phase", "poses"]
