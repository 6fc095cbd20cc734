"""Undamped modes with names: frequencies, shapes, and how much mass takes part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.model.model import Model
from flexura.model.names import AXES, Address, Names
from flexura.results.scene import Scene
from flexura.results.vibrations import Vibrations

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Modes:
    """Free vibrations without damping about a state of rest, a column a mode, of unit modal mass."""

    model: Model
    squares: Array
    """ω², negative where a motion grows"""
    shapes: Array
    """changes of all coordinates"""
    strains: Array
    """changes of all strains"""
    position: Array
    coordinate_index: Mapping[Address, int]
    strain_index: Mapping[Address, int]
    participation: Array
    """factors: a row a mode, a column a direction of space"""
    mass: float
    """of the whole model"""

    @property
    def frequencies(self) -> Array:
        """The frequencies in rad/s; zero where nothing brings a motion back, not a number where it grows."""
        return np.sqrt(np.where(self.squares >= 0.0, self.squares, np.nan))

    @property
    def stable(self) -> bool:
        """Whether none of the modes grows."""
        return bool(np.all(self.squares >= 0.0))

    @property
    def effective_masses(self) -> Array:
        """The mass that takes part in each mode when the ground moves along x, y, (z): a row a mode.

        Over all modes they add up to the mass that can move: all but what is at fixed nodes.
        """
        return np.asarray(self.participation**2)

    def __getitem__(self, signal: str) -> Array:
        """A coordinate or a strain in each of the modes."""
        address = self._names.resolve(signal)
        if address in self.coordinate_index:
            return np.asarray(self.shapes[self.coordinate_index[address]])
        if address not in self.strain_index:
            what = "a mode has coordinates and strains only"
            raise ModelError(f"signal '{signal}'", what, "ask for these, as in 'B.x' or 'rod.elongation'")
        return np.asarray(self.strains[self.strain_index[address]])

    @cached_property
    def _names(self) -> Names:
        return Names(self.model)

    # -- pictures ----------------------------------------------------------------------------------------------

    @cached_property
    def _vibrations(self) -> Vibrations:
        return Vibrations(self.model, self.coordinate_index, self.position, self.shapes)

    def scene(self, mode: int, size: float = 0.1, frames: int = 33, points: int = 17) -> Scene:
        """A mode through one period, its largest displacement a part ``size`` of the model's extent."""
        return self._vibrations.scene(mode, size, frames, points)

    def plot(self, mode: int = 0, size: float = 0.1, path: str | None = None, **options: Any) -> Any:
        """The shape of a mode, over the position of rest."""
        return self._vibrations.plot(mode, size, path, **options)

    def animate(self, mode: int, path: str, size: float = 0.1, **options: Any) -> Any:
        """A mode as a moving picture (``.gif``, ``.mp4``, ``.html``)."""
        return self._vibrations.animate(mode, path, size, **options)

    # -- words -------------------------------------------------------------------------------------------------

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
