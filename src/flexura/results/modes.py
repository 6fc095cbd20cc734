"""Undamped modes with names: frequencies, shapes, effective masses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.model.model import Model
from flexura.model.names import AXES, Address, Names
from flexura.results.figures import MODE, MOVING_MODE, SHAPES, figure
from flexura.results.marks import Axes, Labels, Named
from flexura.results.result import Result
from flexura.results.scene import Scene
from flexura.results.summary import MOST_ROWS, Summary
from flexura.results.vibrations import Vibrations

Array = NDArray[np.float64]


class Modes(Result):
    """Free vibrations without damping about a state of rest: a column for each mode, of unit modal mass."""

    model: Model
    squares: Annotated[Array, Axes("mode"), Unit("rad²/s²")]
    """ω², negative for a growing motion"""
    shapes: Annotated[Array, Axes("coordinate", "mode")]
    """changes of all coordinates"""
    strains: Annotated[Array, Axes("deformation", "mode")]
    """changes of all strains"""
    position: Annotated[Array, Axes("coordinate")]
    coordinates: Annotated[tuple[Address, ...], Labels("coordinate")]
    deformations: Annotated[tuple[Address, ...], Labels("deformation")]
    """the strains"""
    participation: Annotated[Array, Axes("mode", "axis")]
    """factors: a row for each mode, a column for each direction of space"""
    mass: Annotated[float, Unit("kg")]
    """of the whole model"""

    @property
    def frequencies(self) -> Annotated[Array, Axes("mode"), Unit("rad/s")]:
        """Frequencies in rad/s; zero without a restoring force, NaN for a growing motion."""
        return np.sqrt(np.where(self.squares >= 0.0, self.squares, np.nan))

    @property
    def stable(self) -> bool:
        """True if no mode grows."""
        return bool(np.all(self.squares >= 0.0))

    @property
    def effective_masses(self) -> Annotated[Array, Axes("mode", "axis"), Named("effective_mass"), Unit("kg")]:
        """Effective mass of each mode for motions of the ground along x, y, (z): one row for each mode.

        They sum to the mass that can move: all except that at fixed nodes.
        """
        return np.asarray(self.participation**2)

    def __getitem__(self, signal: str) -> Array:
        """A coordinate or a strain in each of the modes."""
        address = self._names.resolve(signal)
        if address in self.coordinates:
            return np.asarray(self.shapes[self.coordinates.index(address)])
        if address not in self.deformations:
            what = "a mode has coordinates and strains only"
            raise ModelError(f"signal '{signal}'", what, "ask for these, as in 'B.x' or 'rod.elongation'")
        return np.asarray(self.strains[self.deformations.index(address)])

    @cached_property
    def _names(self) -> Names:
        return Names(self.model)

    # -- pictures ----------------------------------------------------------------------------------------------

    @cached_property
    def _vibrations(self) -> Vibrations:
        return Vibrations(self.model, self.coordinates, self.position, self.shapes)

    def scene(self, mode: int, size: float = 0.1, frames: int = 33, points: int = 17) -> Scene:
        """A mode through one period, its largest displacement a part ``size`` of the model's extent."""
        return self._vibrations.scene(mode, size, frames, points)

    @figure("draw", SHAPES, "_mode.png", each="value")
    def plot(self, mode: int = 0, size: float = 0.1, path: str | None = None, **options: Any) -> Any:
        """The shape of a mode, over the position of rest."""
        return self._vibrations.plot(mode, size, path, **options)

    @figure("animate", MOVING_MODE, "", default="", mode=MODE)
    def animate(self, mode: int, path: str, size: float = 0.1, **options: Any) -> Any:
        """A mode as a moving picture (``.gif``, ``.mp4``, ``.html``)."""
        return self._vibrations.animate(mode, path, size, **options)

    # -- words -------------------------------------------------------------------------------------------------

    @property
    def axes(self) -> Annotated[tuple[str, ...], Labels("axis")]:
        """Directions of space."""
        return tuple(AXES[: self.participation.shape[1]])

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Frequencies and effective masses."""
        heads = ("mode", "frequency [rad/s]", "[Hz]", *(f"mass {axis} [kg]" for axis in self.axes))
        rows = [
            (str(k), *_frequency(square), *(f"{part:.4g}" for part in masses))
            for k, (square, masses) in enumerate(zip(self.squares, self.effective_masses, strict=True))
        ]
        total = ("all", "", "", *(f"{part:.4g}" for part in self.effective_masses.sum(axis=0)))
        return Summary(f"{len(self)} modes, {self.mass:.4g} kg", heads, (*rows[:MOST_ROWS], total), heads)

    def __len__(self) -> int:
        return len(self.squares)

    def __repr__(self) -> str:
        return f"<Modes: {len(self)} of {self.model.title or 'a model'}>"

    def __str__(self) -> str:
        directions = AXES[: self.participation.shape[1]]
        lines = [f"{self.model.title or 'Modes'}: {len(self)} modes, {self.mass:.6g} kg"]
        lines.append(f"         rad/s           Hz  {'  '.join(f'mass {axis}' for axis in directions)}")
        for k, (square, masses) in enumerate(zip(self.squares, self.effective_masses, strict=True)):
            w = np.sqrt(abs(square))
            said = f"{w:11.6g}  {w / (2.0 * np.pi):11.6g}" if square >= 0.0 else f"grows by {w:.6g}/s     "
            lines.append(f"  {k:3d}{said}  {'  '.join(f'{part:6.1%}' for part in masses / (self.mass or 1.0))}")
        total = self.effective_masses.sum(axis=0) / (self.mass or 1.0)
        lines.append(f"  all{'':24}  {'  '.join(f'{part:6.1%}' for part in total)}")
        return "\n".join(lines)


def _frequency(square: float) -> tuple[str, str]:
    size = float(np.sqrt(abs(square)))
    return (f"{size:.6g}", f"{size / (2.0 * np.pi):.6g}") if square >= 0.0 else (f"grows by {size:.6g}/s", "")
