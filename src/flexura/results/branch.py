"""Periodic motions along a parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.results import pictures
from flexura.results.cycle import Cycle

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Special:
    """A point of a branch where it turns back or its stability changes."""

    kind: str
    """fold, flip, Neimark–Sacker, or crossing (of another branch)"""
    value: float
    """of the parameter"""
    cycle: Cycle
    index: int
    """of the point of the branch that comes after"""

    def __repr__(self) -> str:
        return f"<Special: {self.kind} at {self.value:.9g}>"


@dataclass(frozen=True, eq=False, repr=False)
class Branch:
    """Periodic motions along a parameter, in the order in which the branch goes."""

    title: str
    parameter: str
    values: Array
    cycles: tuple[Cycle, ...]
    growth: Array
    """of the least stable disturbance, in a period: the logarithm of the size of its multiplier"""
    specials: tuple[Special, ...]
    double: Callable[[Special, float, int], Branch]
    note: str = ""
    """why it ends where it does, if not at an end of the span"""

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, number: int) -> Cycle:
        return self.cycles[number]

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether no disturbance grows, motion by motion."""
        return np.array([cycle.stable for cycle in self.cycles])

    def amplitude(self, signal: str) -> Array:
        """Half of the range of a signal, motion by motion."""
        return np.array([cycle.amplitude(signal) for cycle in self.cycles])

    def switch(self, special: Special, step: float = 0.05, points: int = 200) -> Branch:
        """The branch of motions of twice the period that begins at a flip."""
        return self.double(special, step, points)

    def plot(self, signal: str, path: str | None = None, **options: Any) -> Any:
        """The amplitude of a signal along the parameter: stable motions drawn full, unstable ones dashed."""
        return pictures.finish(pictures.drawer("branch")(self, signal, **options), path)

    def __repr__(self) -> str:
        return f"<Branch: {len(self)} motions over {self.parameter}, {len(self.specials)} special points>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Branch'}: {len(self)} periodic motions over {self.parameter}"]
        lines.append(f"  from {self.values[0]:.9g} to {self.values[-1]:.9g}")
        lines += [f"  {special.value:.9g}  {special.kind}" for special in self.specials]
        lines += [f"  note: {self.note}"] if self.note else []
        return "\n".join(lines)
