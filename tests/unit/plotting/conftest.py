"""A slider-crank by hand: its scene, and a motion as plotting sees one."""

from __future__ import annotations

import numpy as np
import pytest

from flexura.results.scene import Scene

CRANK, ROD = 0.15, 0.306


@pytest.fixture
def scene() -> Scene:
    """Two turns in two seconds, 100 frames; the rod bends."""
    n = 100
    t = np.linspace(0.0, 2.0, n)
    angle, s = 2.0 * np.pi * t, np.linspace(0.0, 1.0, 17)[None, :, None]
    o = np.zeros((n, 2))
    a = CRANK * np.column_stack([np.cos(angle), np.sin(angle)])
    b = np.column_stack([a[:, 0] + np.sqrt(ROD**2 - a[:, 1] ** 2), np.zeros(n)])
    bow = 0.02 * np.sin(5.0 * angle)[:, None, None] * np.sin(np.pi * s) * np.array([0.0, 1.0])
    lines = {
        "crank": (o[:, None] + s * (a - o)[:, None],),
        "rod": (a[:, None] + s * (b - a)[:, None] + bow,),
        "piston": (b[:, None],),
    }
    return Scene(t, lines, {"O": o, "A": a, "B": b, "C": b.copy()}, ("O",), "Slider-crank")


@pytest.fixture
def still() -> Scene:
    """One frame of one hanging bar."""
    bar = np.array([[[0.0, 0.0], [0.0, -1.0]]])
    return Scene(np.zeros(1), {"bar": (bar,)}, {"top": bar[:, 0], "end": bar[:, 1]}, ("top",))


class Record:
    """A motion with a few signals."""

    title = "Slider-crank"

    def __init__(self) -> None:
        self.t = np.linspace(0.0, 2.0, 50)
        self.energy = {"kinetic": np.sin(self.t) ** 2, "strain": np.cos(self.t) ** 2, "gravity": 0.0 * self.t}
        self.units = {"B.x": "m", "B.y": "m", "B.x'": "m/s", "rod.elongation.force": "N"}

    def __getitem__(self, signal: str) -> np.ndarray:
        return np.cos((1 + list(self.units).index(signal)) * self.t)

    def unit(self, signal: str) -> str:
        return self.units[signal]


@pytest.fixture
def motion() -> Record:
    return Record()
