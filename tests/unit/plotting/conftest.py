"""A slider-crank by hand, in the plane and in space: its scene, and a motion as plotting sees one."""

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


@pytest.fixture
def spatial() -> Scene:
    """One turn of a crank about x in two seconds, 60 frames; a rod drives a slider along x, a coil hangs beside."""
    n = 60
    t = np.linspace(0.0, 2.0, n)
    angle, s = np.pi * t, np.linspace(0.0, 1.0, 17)[None, :, None]
    o = np.broadcast_to([0.0, 0.0, 0.3], (n, 3)).copy()
    a = o + CRANK * np.column_stack([np.zeros(n), np.cos(angle), np.sin(angle)])
    b = np.column_stack([np.sqrt(0.45**2 - (a[:, 1] + 0.1) ** 2 - (a[:, 2] - 0.15) ** 2), 0 * t - 0.1, 0 * t + 0.15])
    turns = np.linspace(0.0, 10.0 * np.pi, 121)
    wide = 0.04 * np.minimum(1.0, np.minimum(turns, turns[-1] - turns))
    reach = 0.2 + 0.05 * np.sin(2.0 * angle)[:, None]
    top = np.array([0.2, 0.25, 0.4])
    coil = np.stack(
        np.broadcast_arrays(wide * np.cos(turns), wide * np.sin(turns), -reach * turns / turns[-1]), axis=-1
    )
    lines = {
        "crank": (o[:, None] + s * (a - o)[:, None],),
        "rod": (np.stack([a, b], axis=1),),
        "slider": (b[:, None],),
        "coil": (top + coil,),
    }
    points = {"O": o, "A": a, "B": b, "top": np.broadcast_to(top, (n, 3)), "end": top + coil[:, -1]}
    return Scene(t, lines, points, ("O", "top"), "Spatial slider-crank")


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

    def scene(self, points: int) -> Scene:
        places = np.column_stack([self["B.x"], self["B.y"]])
        return Scene(self.t, {}, {"B": places}, (), self.title)


class SpatialRecord:
    """A motion whose points are those of a scene in space."""

    def __init__(self, scene: Scene) -> None:
        self.t, self.title, self.energy, self.shown = scene.t, scene.title, {}, scene

    def __getitem__(self, signal: str) -> np.ndarray:
        point, axis = signal.split(".")
        return self.shown.points[point][:, "xyz".index(axis)]

    def unit(self, signal: str) -> str:
        return "m"

    def scene(self, points: int) -> Scene:
        return self.shown


@pytest.fixture
def motion() -> Record:
    return Record()


@pytest.fixture
def spatial_motion(spatial: Scene) -> SpatialRecord:
    return SpatialRecord(spatial)
