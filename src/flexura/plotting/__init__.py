"""Pictures of motions: curves, the mechanism drawn, and animations. Matplotlib is imported when the first is made."""

from collections.abc import Callable
from typing import Any

from flexura.plotting.animation import animate
from flexura.plotting.bars import sensitivity
from flexura.plotting.bifurcations import bifurcation
from flexura.plotting.branches import branch
from flexura.plotting.chaos_figures import lyapunov, poincare
from flexura.plotting.curves import curves
from flexura.plotting.figure_files import write_figure
from flexura.plotting.histories import energies, histories, phase
from flexura.plotting.journal import journal, locus
from flexura.plotting.linear import bode, campbell, nyquist
from flexura.plotting.orbits import orbits
from flexura.plotting.periodic import exponents, exponents_over, harmonics, stability, stability_chart
from flexura.plotting.root_locus import root_locus
from flexura.plotting.scenes import draw, poses
from flexura.plotting.spectra import spectra
from flexura.plotting.sweeps import sweep, sweep_harmonics
from flexura.results import pictures

__all__ = ["animate", "curves", "draw", "energies", "histories", "orbits", "phase", "poses"]

_DRAWERS: dict[str, Callable[..., Any]] = {
    "animate": animate,
    "bifurcation": bifurcation,
    "bode": bode,
    "branch": branch,
    "campbell": campbell,
    "draw": draw,
    "energies": energies,
    "exponents": exponents,
    "exponents_over": exponents_over,
    "harmonics": harmonics,
    "histories": histories,
    "journal": journal,
    "locus": locus,
    "lyapunov": lyapunov,
    "nyquist": nyquist,
    "orbits": orbits,
    "phase": phase,
    "poincare": poincare,
    "poses": poses,
    "root_locus": root_locus,
    "sensitivity": sensitivity,
    "spectra": spectra,
    "stability": stability,
    "stability_chart": stability_chart,
    "sweep": sweep,
    "sweep_harmonics": sweep_harmonics,
    "write": write_figure,
}
for _name, _draw in _DRAWERS.items():
    pictures.register(_name, _draw)
