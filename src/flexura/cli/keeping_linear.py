"""What to keep of the analyses of small motions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from flexura.analyses.buckling import Buckling
from flexura.cli.keeping import Keep, Save, Write, chosen, plain_name
from flexura.cli.saving import save
from flexura.laws.units import Bounds, Positive, Unit
from flexura.laws.validation import validate
from flexura.results.campbell import Campbell
from flexura.results.linear_system import LinearSystem
from flexura.results.modes import Modes
from flexura.results.root_locus import RootLocus
from flexura.results.sensitivity import Sensitivity

Shapes = Annotated[Sequence[int], Unit("", "numbers of modes to draw, the first is 0")]
Animate = Annotated[str, Unit("", "a moving mode, as name.gif, name.mp4 or name.html")]
Animated = Annotated[int, Unit("", "the number of the mode that moves"), Bounds(0, 100_000)]
Draw = Annotated[bool, Unit("", "draw the result")]


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


@dataclass(frozen=True, kw_only=True)
class KeepLinear(Keep):
    """What to keep of a linear system."""

    save: Save = True
    response: Annotated[Sequence[Response], Unit("", "frequency responses to draw")] = ()
    draw: Shapes = ()
    animate: Animate = ""
    mode: Animated = 0

    @property
    def signals(self) -> tuple[str, ...]:
        return tuple(each.signal for each in self.response)

    @property
    def loads(self) -> tuple[str, ...]:
        return tuple(each.load for each in self.response)

    @property
    def places(self) -> tuple[str, ...]:
        return ()

    def files(self, result: LinearSystem, name: str) -> dict[str, Write]:
        found = chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path)),
            (self.animate, plain_name(self.animate), lambda path: result.animate_mode(self.mode, path)),
        )
        for number, each in enumerate(self.response):
            found[f"{name}_response{number or ''}.png"] = _responding(result, each)
        return found | {f"{name}_mode_{mode}.png": _drawing(result.plot_mode, mode) for mode in self.draw}


class KeepNameless(Keep):
    """What names no signals."""

    @property
    def signals(self) -> tuple[str, ...]:
        return ()

    @property
    def loads(self) -> tuple[str, ...]:
        return ()

    @property
    def places(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, kw_only=True)
class KeepModes(KeepNameless):
    """What to keep of modes."""

    save: Save = True
    draw: Shapes = ()
    animate: Animate = ""
    mode: Animated = 0

    def files(self, result: Modes, name: str) -> dict[str, Write]:
        found = chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path)),
            (self.animate, plain_name(self.animate), lambda path: result.animate(self.mode, path)),
        )
        return found | {f"{name}_mode_{mode}.png": _drawing(result.plot, mode) for mode in self.draw}


@dataclass(frozen=True, kw_only=True)
class KeepCampbell(KeepNameless):
    """What to keep of a Campbell diagram."""

    save: Save = True
    draw: Draw = False

    def files(self, result: Campbell, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path)),
            (self.draw, f"{name}.png", lambda path: result.plot(path=path)),
        )


@dataclass(frozen=True, kw_only=True)
class KeepRootLocus(KeepNameless):
    """What to keep of a root locus."""

    save: Save = True
    draw: Draw = False
    reach: Annotated[float | None, Unit("1/s", "how far real parts are drawn, up and down")] = None

    def files(self, result: RootLocus, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path)),
            (self.draw, f"{name}.png", lambda path: result.plot(path=path, reach=self.reach)),
        )


@dataclass(frozen=True, kw_only=True)
class KeepSensitivity(KeepNameless):
    """What to keep of sensitivities."""

    save: Save = True
    draw: Draw = False

    def files(self, result: Sensitivity, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path)),
            (self.draw, f"{name}.png", lambda path: result.plot(path=path)),
        )


@dataclass(frozen=True, kw_only=True)
class KeepBuckling(KeepNameless):
    """What to keep of a loss of stability."""

    save: Save = True
    draw: Draw = False

    def files(self, result: Buckling, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path)),
            (self.draw, f"{name}.png", lambda path: result.plot_mode(path=path)),
        )


def _responding(result: LinearSystem, each: Response) -> Write:
    frequencies = np.geomspace(each.start, each.stop, each.count)
    return lambda path: result.plot_response(each.load, each.signal, frequencies, path=path)


def _drawing(plot: Any, mode: int) -> Write:
    return lambda path: plot(mode, path=path)
