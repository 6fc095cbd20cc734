"""Frames of a scene: their extent, and interpolation at other times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean
from flexura.results.force_arrows import LENGTH
from flexura.results.scene import Scene

Array = NDArray[np.float64]


def places(scene: Scene) -> Iterator[Array]:
    """Every place of the scene, as arrays (…, coordinates)."""
    yield from scene.points.values()
    for polylines in scene.lines.values():
        yield from polylines
    yield from arrow_tips(scene)


def arrow_tips(scene: Scene) -> Iterator[Array]:
    """Tips of force arrows; those of impacts, which have another scale, have the length of the largest others."""
    reach = LENGTH * _extent(scene) if scene.forces else 0.0
    for arrow in scene.forces:
        long = scene.force_scale * np.linalg.norm(arrow.force, axis=1, keepdims=True)
        part = np.minimum(1.0, reach / np.maximum(long, 1e-300))
        tips = arrow.place + scene.force_scale * part * arrow.force
        yield np.where(long > 0.0, tips, np.nan)


def _extent(scene: Scene) -> float:
    """Greatest extent of the lines and nodes in any frame together."""
    places = [place.reshape(-1, place.shape[-1]) for lines in scene.lines.values() for place in lines]
    rows = np.concatenate([*places, *scene.points.values()]) if places or scene.points else np.zeros((1, 2))
    known = rows[np.isfinite(rows).all(axis=1)]
    return float(np.ptp(known, axis=0).max()) if len(known) else 0.0


def bounds(scene: Scene) -> tuple[Array, Array]:
    """The lowest and highest coordinates over all frames."""
    rows = [place.reshape(-1, place.shape[-1]) for place in places(scene)]
    known = np.concatenate([row[np.isfinite(row).all(axis=1)] for row in rows]) if rows else np.empty((0, 2))
    if not len(known):
        raise ModelError("scene", "there is nothing to draw", "give the model an element or a node")
    return known.min(axis=0), known.max(axis=0)


def span(scene: Scene) -> float:
    """Largest extent of the scene, for tolerances and margins; 1 if it is a single point."""
    low, high = bounds(scene)
    return float(np.max(high - low)) or 1.0


def upward(scene: Scene) -> Array:
    """The upward direction, of length one."""
    up = np.array(scene.up if scene.dimension == 3 else (0.0, 1.0))
    return np.asarray(up / np.linalg.norm(up))


def window(scene: Scene, margin: float = 0.12, slimmest: float = 0.3) -> tuple[Array, Array]:
    """Rectangle to show: all frames with a margin, no narrower than a fraction of its longer side."""
    low, high = (corner[:2] for corner in bounds(scene))
    centre, half = (low + high) / 2, (high - low) / 2
    reach = (half.max() or 0.5) * (1.0 + margin)
    half = np.maximum(half + (half.max() or 0.5) * margin, slimmest * reach)
    return centre - half, centre + half


def distinct(scene: Scene) -> Scene:
    """Scene without repeated times, which events cause; the later frame is kept."""
    kept = np.append(np.diff(scene.t) > 0.0, True)
    return scene if kept.all() else each(scene, scene.t[kept], lambda place: place[kept])


def resample(scene: Scene, times: Array) -> Scene:
    """The scene at other times, smooth between its frames: cubic, with the slopes of the neighbouring frames."""
    t = scene.t
    if len(t) < 2:
        return scene
    left = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    h = t[left + 1] - t[left]
    s = (times - t[left]) / h
    basis = (1.0 - s) ** 2 * (1.0 + 2.0 * s), s**2 * (3.0 - 2.0 * s), h * s * (1.0 - s) ** 2, h * s**2 * (s - 1.0)

    def at(place: Array) -> Array:
        slope = np.gradient(place, t, axis=0, edge_order=2 if len(t) > 2 else 1)
        a, b, c, d = (part.reshape(-1, *[1] * (place.ndim - 1)) for part in basis)
        return np.asarray(a * place[left] + b * place[left + 1] + c * slope[left] + d * slope[left + 1])

    # forces may jump, and are straight between frames
    def along(force: Array) -> Array:
        part = s[:, None]
        return np.asarray((1.0 - part) * force[left] + part * force[left + 1])

    return each(scene, times, at, along)


def paths(scene: Scene, names: tuple[str, ...], finer: int = 4, most: int = 4000) -> Scene:
    """Scene of the named points only, at times close enough for smooth curves."""
    count = max(min(finer * len(scene.t), most), len(scene.t))
    chosen = replace(scene, lines={}, forces=(), points={name: scene.points[name] for name in names})
    return resample(chosen, np.linspace(scene.t[0], scene.t[-1], count))


def each(
    scene: Scene,
    times: Array,
    change: Callable[[Array], Array],
    change_forces: Callable[[Array], Array] | None = None,
) -> Scene:
    """Scene with other times, and with positions (and forces, unless they have their own) changed by a function."""
    lines = {name: tuple(change(line) for line in polylines) for name, polylines in scene.lines.items()}
    points = {name: change(place) for name, place in scene.points.items()}
    touching = {name: change(place) for name, place in scene.touching.items()}
    turned = change_forces or change
    forces = tuple(arrow._replace(place=turned(arrow.place), force=turned(arrow.force)) for arrow in scene.forces)
    return replace(scene, t=times, lines=lines, points=points, touching=touching, forces=forces)


def moving(scene: Scene) -> tuple[str, ...]:
    """Names of the points that move."""
    least = 1e-6 * span(scene)
    return tuple(name for name, place in scene.points.items() if np.nanmax(np.ptp(place, axis=0)) > least)


def traced(scene: Scene, trace: Iterable[str]) -> tuple[str, ...]:
    """Names of the points to trace, after a check."""
    names = (trace,) if isinstance(trace, str) else tuple(trace)
    for name in names:
        if name not in scene.points:
            raise ModelError("trace", f"there is no point '{name}'", did_you_mean(name, scene.points))
    return names
