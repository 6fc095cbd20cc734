"""The numbers of analyses that are no motions, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexura.analyses.linear.buckling import Buckling
from flexura.cli import numbers_periodic
from flexura.cli.listing import MOST_ROWS, Listing
from flexura.cli.verbs_periodic import Branches
from flexura.model.names import AXES
from flexura.results.campbell import Campbell
from flexura.results.cycle import Cycle
from flexura.results.linear_system import LinearSystem
from flexura.results.modes import Modes
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.root_locus import RootLocus
from flexura.results.sensitivity import Sensitivity, number
from flexura.results.small_motion import SmallMotion
from flexura.results.stability import Stability, StabilityChart
from flexura.results.sweep import Sweep


def listing(result: Any, signals: Sequence[str] = ()) -> Listing:
    """What to print of a result, and of the signals that its run names."""
    for kind, describe in _FORMS.items():
        if isinstance(result, kind):
            found: Listing = describe(result, tuple(dict.fromkeys(signals)))
            return found
    return Listing("", [], [], [])


def _linear(system: LinearSystem, signals: Sequence[str]) -> Listing:
    rows = [[str(k), *_root(complex(root))] for k, root in enumerate(system.eigenvalues)]
    heads = ["mode", "growth [1/s]", "frequency [rad/s]", "[Hz]", "damping ratio"]
    said = f"{len(system.coordinates)} coordinates, {'stable' if system.stable else 'unstable'}"
    return Listing(said, heads, rows[:MOST_ROWS], heads)


def _root(root: complex) -> tuple[str, str, str, str]:
    """Growth, frequency twice and damping ratio; what is left by rounding is nothing."""
    growth, speed = (part if abs(part) > 1e-12 * abs(root) else 0.0 for part in (root.real, root.imag))
    ratio = -growth / (abs(root) or 1.0) + 0.0
    return f"{growth:.6g}", f"{speed:.6g}", f"{speed / (2.0 * np.pi):.6g}", f"{ratio:.4g}"


def _modes(modes: Modes, signals: Sequence[str]) -> Listing:
    axes = AXES[: modes.participation.shape[1]]
    heads = ["mode", "frequency [rad/s]", "[Hz]", *(f"mass {axis} [kg]" for axis in axes)]
    rows = [
        [str(k), *_frequency(square), *(f"{part:.4g}" for part in masses)]
        for k, (square, masses) in enumerate(zip(modes.squares, modes.effective_masses, strict=True))
    ]
    rows = [*rows[:MOST_ROWS], ["all", "", "", *(f"{part:.4g}" for part in modes.effective_masses.sum(axis=0))]]
    return Listing(f"{len(modes)} modes, {modes.mass:.4g} kg", heads, rows, heads)


def _frequency(square: float) -> tuple[str, str]:
    size = float(np.sqrt(abs(square)))
    return (f"{size:.6g}", f"{size / (2.0 * np.pi):.6g}") if square >= 0.0 else (f"grows by {size:.6g}/s", "")


def _campbell(found: Campbell, signals: Sequence[str]) -> Listing:
    places = [(c.value, f"order {c.order:g}", str(c.branch), c.label) for c in found.crossings]
    places += [(float(value), "limit of stability", "", "") for value in found.limits]
    rows = [[f"{value:.9g}", *words] for value, *words in sorted(places)]
    said = f"{found.eigenvalues.shape[1]} branches at {len(found.values)} values"
    return Listing(said, [found.parameter, "what", "branch", "whirl"], rows, [found.parameter, "branch"])


def _root_locus(found: RootLocus, signals: Sequence[str]) -> Listing:
    rows = [
        [f"{each.value:.9g}", "begins to grow" if each.rising else "ceases to grow", f"{each.eigenvalue.imag:.6g}"]
        for each in found.limits
    ]
    said = f"{found.eigenvalues.shape[1]} roots at {len(found.values)} values"
    heads = [found.parameter, "a motion", "frequency [rad/s]"]
    return Listing(said, heads, rows, [heads[0], heads[2]])


def _sensitivity(found: Sensitivity, signals: Sequence[str]) -> Listing:
    rows = [
        [name, str(k), number(root), number(slope), f"{error:.1e}", number(part, 4)]
        for name, k, root, slope, part, error in found.rows
    ]
    heads = ["parameter", "mode", "eigenvalue [rad/s]", "derivative", "error", "relative"]
    return Listing(f"{len(found.eigenvalues)} eigenvalues", heads, rows, heads[1:])


def _buckling(found: Buckling, signals: Sequence[str]) -> Listing:
    largest = sorted(found.mode.items(), key=lambda item: -abs(item[1]))[:8]
    rows = [[name, f"{value:.6g}"] for name, value in largest]
    return Listing(f"{found.kind} at {found.time:.9g} s", ["buckling shape", "change"], rows, ["change"])


_FORMS: dict[type, Any] = {
    LinearSystem: _linear,
    Modes: _modes,
    Campbell: _campbell,
    RootLocus: _root_locus,
    Sensitivity: _sensitivity,
    Buckling: _buckling,
    PeriodicMotion: numbers_periodic.periodic,
    Cycle: numbers_periodic.periodic,
    SmallMotion: numbers_periodic.small,
    Sweep: numbers_periodic.sweep,
    Stability: numbers_periodic.stability,
    StabilityChart: numbers_periodic.chart,
    Branches: numbers_periodic.branches,
}
