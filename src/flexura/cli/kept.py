"""What can be kept of each result, a key a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from flexura.cli.keeping import File, Keep, Members, Movie, Naming, numbered, picture
from flexura.laws.units import Bounds, Positive, Unit
from flexura.laws.validation import validate

# ── what keys write ──────────────────────────────────────────────────────────────────────────────────────────────────


def _save(keep: Keep, result: Any, part: Any, path: str) -> None:
    result.save(path, keep.signals)


def _tabulate(keep: Keep, result: Any, signals: Sequence[str], path: str) -> None:
    result.write_csv(*signals, path=path)


def _by_number(result: Any, modes: Sequence[int]) -> Members:
    return [(f"_{mode}", mode) for mode in modes]


SIGNALS, PLACES = Naming("signals"), Naming("places")

Save = Annotated[bool, Unit("", "write the result file"), File(".nc", _save)]
Table = Annotated[
    Sequence[str], Unit("", "signals to write as a table; none for no table"), SIGNALS, File(".csv", _tabulate)
]
Plot = Annotated[Sequence[str], Unit("", "signals to draw over time"), SIGNALS, picture("plot")]
Draw = Annotated[bool, Unit("", "draw the result"), picture("plot")]
Trace = Annotated[Sequence[str], Unit("", "points whose paths the animation shows"), PLACES]
MOVING = "the moving mechanism, as name.gif, name.mp4 or name.html"
Animate = Annotated[str, Unit("", MOVING), Movie("animate", "trace")]
A_MODE = Unit("", "a moving mode, as name.gif, name.mp4 or name.html")
Mode = Annotated[int, Unit("", "the number of the mode that moves"), Bounds(0, 100_000)]
SHAPES = Unit("", "numbers of modes to draw, the first is 0")


@dataclass(frozen=True)
class Response:
    """A signal under a harmonic load, over the frequency."""

    load: Annotated[str, Unit("", "the signal that is loaded")]
    signal: Annotated[str, Unit("", "the signal that is looked at")]
    start: Annotated[float, Unit("rad/s", "the lowest frequency"), Positive()]
    stop: Annotated[float, Unit("rad/s", "the highest frequency"), Positive()]
    count: Annotated[int, Unit("", "how many frequencies"), Bounds(2, 1_000_000)] = 400

    def __post_init__(self) -> None:
        validate(self)


def _respond(keep: Keep, result: Any, each: Response, path: str) -> None:
    result.plot_response(each.load, each.signal, np.geomspace(each.start, each.stop, each.count), path=path)


def _draw_roots(keep: Any, result: Any, value: bool, path: str) -> None:
    result.plot(path=path, reach=keep.reach)


# ── of results over time ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class KeepMotion(Keep):
    """What to keep of a motion."""

    save: Save = True
    plot: Plot = ()
    csv: Table = ()
    orbits: Annotated[
        Sequence[str], Unit("", "points whose paths to draw"), PLACES, picture("plot_orbits", "_orbits.png")
    ] = ()
    energies: Annotated[bool, Unit("", "draw the energies over time"), picture("plot_energies", "_energies.png")] = (
        False
    )
    poses: Annotated[
        bool | int,
        Unit("", "draw the mechanism at several times, or at this many"),
        Bounds(0, 1000),
        picture("plot_poses", "_poses.png"),
    ] = False
    animate: Animate = ""
    trace: Trace = ()


@dataclass(frozen=True, kw_only=True)
class KeepState(Keep):
    """What to keep of a state."""

    save: Save = True
    draw: Annotated[bool, Unit("", "draw the mechanism in this state"), picture("plot")] = False
    values: Annotated[Sequence[str], Unit("", "signals to print; all coordinates and strains if none"), SIGNALS] = ()
    csv: Table = ()


@dataclass(frozen=True, kw_only=True)
class KeepSmall(Keep):
    """What to keep of a small motion on a nominal one."""

    save: Save = True
    plot: Plot = ()
    csv: Table = ()
    animate: Animate = ""
    trace: Trace = ()


@dataclass(frozen=True, kw_only=True)
class KeepPeriodic(Keep):
    """What to keep of a periodic motion."""

    save: Save = True
    plot: Annotated[Sequence[str], Unit("", "signals to draw over a period"), SIGNALS, picture("plot")] = ()
    spectrum: Annotated[
        Sequence[str],
        Unit("", "signals whose harmonics to draw"),
        SIGNALS,
        picture("plot_harmonics", "_harmonics.png"),
    ] = ()
    csv: Table = ()
    exponents: Annotated[
        bool, Unit("", "draw exponents and multipliers"), picture("plot_exponents", "_exponents.png")
    ] = False
    animate: Animate = ""
    trace: Trace = ()


# ── of linear equations ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class KeepLinear(Keep):
    """What to keep of a linear system."""

    save: Save = True
    response: Annotated[
        Sequence[Response],
        Unit("", "frequency responses to draw"),
        Naming("signals", by="signal"),
        Naming("loads", by="load"),
        File("_response.png", _respond, numbered),
    ] = ()
    draw: Annotated[Sequence[int], SHAPES, picture("plot_mode", "_mode.png", _by_number)] = ()
    animate: Annotated[str, A_MODE, Movie("animate_mode", "mode")] = ""
    mode: Mode = 0


@dataclass(frozen=True, kw_only=True)
class KeepModes(Keep):
    """What to keep of modes."""

    save: Save = True
    draw: Annotated[Sequence[int], SHAPES, picture("plot", "_mode.png", _by_number)] = ()
    animate: Annotated[str, A_MODE, Movie("animate", "mode")] = ""
    mode: Mode = 0


@dataclass(frozen=True, kw_only=True)
class KeepDrawn(Keep):
    """What to keep of a Campbell diagram, sensitivities, or stability over two parameters."""

    save: Save = True
    draw: Draw = False


@dataclass(frozen=True, kw_only=True)
class KeepRoots(Keep):
    """What to keep of a root locus."""

    save: Save = True
    draw: Annotated[bool, Unit("", "draw the result"), File(".png", _draw_roots)] = False
    reach: Annotated[float | None, Unit("1/s", "how far real parts are drawn, up and down")] = None


@dataclass(frozen=True, kw_only=True)
class KeepBuckling(Keep):
    """What to keep of a loss of stability."""

    save: Save = True
    draw: Annotated[bool, Unit("", "draw the result"), picture("plot_mode")] = False


# ── over a parameter ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class KeepSweep(Keep):
    """What to keep of periodic motions over a parameter."""

    save: Save = True
    plot: Annotated[
        Sequence[str], Unit("", "signals whose amplitudes to draw over the parameter"), SIGNALS, picture("plot")
    ] = ()
    spectrum: Annotated[
        Sequence[str],
        Unit("", "signals whose harmonics to draw over the parameter"),
        SIGNALS,
        picture("plot_harmonics", "_harmonics.png", numbered),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class KeepStability(Keep):
    """What to keep of the stability over a parameter."""

    save: Save = True
    draw: Annotated[bool, Unit("", "draw the growth over the parameter"), picture("plot")] = False
    exponents: Annotated[
        bool,
        Unit("", "draw the exponents over the parameter, in space"),
        picture("plot_exponents", "_exponents.png"),
    ] = False


@dataclass(frozen=True, kw_only=True)
class KeepBranches(Keep):
    """What to keep of branches of periodic motions."""

    save: Save = True
    plot: Annotated[
        Sequence[str],
        Unit("", "signals whose amplitudes to draw over the parameter"),
        SIGNALS,
        picture("plot", ".png", numbered),
    ] = ()
