"""Results page of a motion: the player with plots of any signal, a spectrum, events, summary and model, in one file."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from flexura.errors import ModelError
from flexura.model.files import dumps
from flexura.plotting.animation import choose_speed
from flexura.plotting.page import packed_signal, write_page
from flexura.plotting.scene_frames import distinct, traced
from flexura.plotting.view import USUAL, View
from flexura.results.events import MotionEvent
from flexura.results.figure_registry import draws
from flexura.results.motion import Motion

MOST_NUMBERS = 2_000_000
"""numbers of all signals of a page, about 11 MB"""
MOST_EVENTS = 2000
_FRAMES = 25.0


@draws("results page")
def results_page(
    motion: Motion,
    path: str | Path,
    signals: Iterable[str] = (),
    trace: Iterable[str] = (),
    view: View | None = None,
    forces: bool | float = False,
) -> Path:
    """Write the page; ``signals`` are plotted when it opens, all others can be chosen there.

    The page has the arrows of forces in any case; with ``forces`` it shows them when it opens.
    """
    path, first = Path(path), tuple(signals)
    if path.suffix.lower() not in (".html", ".htm"):
        raise ModelError(str(path), "a results page is an HTML file", "let it end in .html")
    scene = distinct(motion.scene(forces=forces or True))
    curves = {name: (motion.t, motion[name], motion.unit(name)) for name in first}
    speed = choose_speed(float(motion.t[-1] - motion.t[0]))
    beside = panel(motion, first)
    write_page(
        scene, path, traced(scene, trace), speed, _FRAMES, curves, view or USUAL, beside, show_forces=bool(forces)
    )
    return path


def panel(motion: Motion, shown: tuple[str, ...]) -> dict[str, Any]:
    """Panel beside the scene: further signals, events, summary and model."""
    further = {name: values for name, values in histories(motion).items() if name not in shown}
    each = max(32, min(2000, MOST_NUMBERS // max(len(further), 1) // 2))
    return {
        "signals": [packed_signal(name, motion.t[0], motion.t, *found, most=each) for name, found in further.items()],
        "events": [{"time": event.time, "text": _without_time(event)} for event in motion.events[:MOST_EVENTS]],
        "summary": str(motion),
        "model": dumps(motion.model),
    }


def _without_time(event: MotionEvent) -> str:
    """Description of an event without its time."""
    return str(event).replace(f" at {event.time:.9g} s", "")


def histories(motion: Motion) -> dict[str, tuple[Any, str]]:
    """Values and units of all signals with their rates and forces, and of the energies."""
    found: dict[str, tuple[Any, str]] = {}
    for signal in motion.signals:
        for name in (signal, f"{signal}'", f"{signal}''", f"{signal}.force"):
            values = _history(motion, name)
            if values is not None:
                found[name] = values, motion.unit(name)
    return found | {f"energy {form}": (values, "J") for form, values in motion.energy.items()}


def _history(motion: Motion, name: str) -> Any:
    """History of a signal; None if there is none, or where it is zero throughout."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values = motion[name]
    except ModelError:
        return None
    return values if np.any(values) and np.all(np.isfinite(values)) else None
