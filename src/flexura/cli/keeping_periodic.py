"""What to keep of the analyses of periodic motions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from flexura.cli.keeping import Keep, Save, Table, Write, chosen, plain_name
from flexura.cli.keeping_linear import Draw, KeepNameless
from flexura.cli.saving import save
from flexura.cli.verbs_periodic import Branches
from flexura.laws.units import Unit
from flexura.plotting.periodic import harmonics as draw_harmonics
from flexura.plotting.writing import write_figure
from flexura.results.branch import Branch
from flexura.results.cycle import Cycle
from flexura.results.periodic_motion import PeriodicMotion
from flexura.results.small_motion import SmallMotion
from flexura.results.stability import Stability, StabilityChart
from flexura.results.sweep import Sweep
from flexura.results.tables import write_csv

Plot = Annotated[Sequence[str], Unit("", "signals to draw over time")]
Animate = Annotated[str, Unit("", "the moving mechanism, as name.gif, name.mp4 or name.html")]
Trace = Annotated[Sequence[str], Unit("", "points whose paths the animation shows")]


@dataclass(frozen=True, kw_only=True)
class KeepPeriodic(Keep):
    """What to keep of a periodic motion."""

    save: Save = True
    csv: Table = ()
    plot: Annotated[Sequence[str], Unit("", "signals to draw over a period")] = ()
    spectrum: Annotated[Sequence[str], Unit("", "signals whose harmonics to draw")] = ()
    exponents: Annotated[bool, Unit("", "draw exponents and multipliers")] = False
    animate: Animate = ""
    trace: Trace = ()

    @property
    def signals(self) -> tuple[str, ...]:
        return (*self.plot, *self.spectrum, *self.csv)

    @property
    def loads(self) -> tuple[str, ...]:
        return ()

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(self.trace)

    def files(self, result: PeriodicMotion | Cycle, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path, self.signals)),
            (self.csv, f"{name}.csv", lambda path: write_csv(result, path, *self.csv)),
            (self.plot, f"{name}.png", lambda path: result.plot(*self.plot, path=path)),
            (
                self.spectrum,
                f"{name}_harmonics.png",
                lambda path: write_figure(draw_harmonics(result, *self.spectrum), path),
            ),
            (self.exponents, f"{name}_exponents.png", lambda path: result.plot_exponents(path=path)),
            (self.animate, plain_name(self.animate), lambda path: result.animate(path, trace=tuple(self.trace))),
        )


@dataclass(frozen=True, kw_only=True)
class KeepSmall(Keep):
    """What to keep of a small motion on a nominal one."""

    save: Save = True
    csv: Table = ()
    plot: Plot = ()
    animate: Animate = ""
    trace: Trace = ()

    @property
    def signals(self) -> tuple[str, ...]:
        return (*self.plot, *self.csv)

    @property
    def loads(self) -> tuple[str, ...]:
        return ()

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(self.trace)

    def files(self, result: SmallMotion, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path, self.signals)),
            (self.csv, f"{name}.csv", lambda path: write_csv(result, path, *self.csv)),
            (self.plot, f"{name}.png", lambda path: result.plot(*self.plot, path=path)),
            (self.animate, plain_name(self.animate), lambda path: result.animate(path, trace=tuple(self.trace))),
        )


@dataclass(frozen=True, kw_only=True)
class KeepSweep(Keep):
    """What to keep of periodic motions over a parameter."""

    save: Save = True
    plot: Annotated[Sequence[str], Unit("", "signals whose amplitudes to draw over the parameter")] = ()
    spectrum: Annotated[Sequence[str], Unit("", "signals whose harmonics to draw over the parameter")] = ()

    @property
    def signals(self) -> tuple[str, ...]:
        return (*self.plot, *self.spectrum)

    @property
    def loads(self) -> tuple[str, ...]:
        return ()

    @property
    def places(self) -> tuple[str, ...]:
        return ()

    def files(self, result: Sweep, name: str) -> dict[str, Write]:
        found = chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path, self.signals)),
            (self.plot, f"{name}.png", lambda path: result.plot(*self.plot, path=path)),
        )
        for number, signal in enumerate(self.spectrum):
            found[f"{name}_harmonics{number or ''}.png"] = _spectrum(result, signal)
        return found


@dataclass(frozen=True, kw_only=True)
class KeepStability(KeepNameless):
    """What to keep of the stability over a parameter."""

    save: Save = True
    draw: Annotated[bool, Unit("", "draw the growth over the parameter")] = False
    exponents: Annotated[bool, Unit("", "draw the exponents over the parameter, in space")] = False

    def files(self, result: Stability, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path)),
            (self.draw, f"{name}.png", lambda path: result.plot(path=path)),
            (self.exponents, f"{name}_exponents.png", lambda path: result.plot_exponents(path=path)),
        )


@dataclass(frozen=True, kw_only=True)
class KeepChart(KeepNameless):
    """What to keep of the stability over two parameters."""

    save: Save = True
    draw: Draw = False

    def files(self, result: StabilityChart, name: str) -> dict[str, Write]:
        return chosen(
            (self.save, f"{name}.nc", lambda path: save(result, path)),
            (self.draw, f"{name}.png", lambda path: result.plot(path=path)),
        )


@dataclass(frozen=True, kw_only=True)
class KeepBranches(Keep):
    """What to keep of branches of periodic motions."""

    save: Save = True
    plot: Annotated[Sequence[str], Unit("", "signals whose amplitudes to draw over the parameter")] = ()

    @property
    def signals(self) -> tuple[str, ...]:
        return tuple(self.plot)

    @property
    def loads(self) -> tuple[str, ...]:
        return ()

    @property
    def places(self) -> tuple[str, ...]:
        return ()

    def files(self, result: Branches, name: str) -> dict[str, Write]:
        found: dict[str, Write] = {}
        for number, branch in enumerate((result.branch, *result.doubled) if self.save else ()):
            found[f"{name}{f'_double{number}' if number else ''}.nc"] = self._saving(branch)
        for number, signal in enumerate(self.plot):
            found[f"{name}{number or ''}.png"] = _drawing(result, signal)
        return found

    def _saving(self, branch: Branch) -> Write:
        return lambda path: save(branch, path, self.signals)


def _drawing(result: Branches, signal: str) -> Write:
    return lambda path: result.branch.plot(signal, path=path, others=result.doubled)


def _spectrum(result: Sweep, signal: str) -> Write:
    return lambda path: result.plot_harmonics(signal, path=path)
