"""Figures and pages of a motion."""

from __future__ import annotations

import os
import tempfile
import webbrowser
from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.laws.units import Bounds, Unit
from flexura.model.mentions import LINK, POINT
from flexura.results import figure_registry
from flexura.results.events import MotionEvent
from flexura.results.figures import FORCES, MOVING, OVER_TIME, SHOWN_UNITS, TRACE, figure
from flexura.results.result import Result
from flexura.results.scene import Scene
from flexura.results.section_forces import SectionForces
from flexura.results.spectrum import Spectrum, Window

Array = NDArray[np.float64]

POSES = Annotated[
    bool | int, Unit("", "draw the mechanism at several times, or at this number of times"), Bounds(0, 1000)
]
SECTIONS = Annotated[Sequence[str], Unit("", "links whose envelopes of the bending moment are drawn"), LINK]


class MotionFigures(Result, abstract=True):
    """Figures and files of a motion, from its signals and its scene."""

    @abstractmethod
    def __getitem__(self, signal: str) -> Array: ...

    @abstractmethod
    def unit(self, signal: str) -> str:
        """The unit of a signal."""

    @property
    @abstractmethod
    def impacts(self) -> tuple[MotionEvent, ...]:
        """The events that are impacts."""

    @abstractmethod
    def scene(self, points: int = 17, forces: bool | float = False) -> Scene:
        """The shapes of the elements over time, ready to be drawn; with ``forces`` also these as arrows."""

    @abstractmethod
    def section(self, element: str, s: float | Sequence[float] | None = None) -> SectionForces:
        """Section forces and stresses of a slender link."""

    @abstractmethod
    def spectrum(self, signal: str, *, after: float = 0.0, window: Window = "hann") -> Spectrum:
        """The amplitudes of the frequencies that a signal is made of, from a time on."""

    @figure("plot", OVER_TIME, unit=SHOWN_UNITS)
    def plot(self, *signals: str, path: str | None = None, **options: Any) -> Any:
        """Histories of signals; written to ``path`` if given.

        ``unit="rpm"`` or ``unit=("mm", "rpm")`` shows them in other units, ``labels`` are words for them in their
        order, and ``overlay=True`` draws those of one unit together.
        """
        return figure_registry.finish(figure_registry.drawer("histories")(self, *signals, **options), path)

    @figure("orbits", Annotated[Sequence[str], Unit("", "points whose paths to draw"), POINT], "_orbits.png")
    def plot_orbits(self, *points: str, path: str | None = None, **options: Any) -> Any:
        """The paths of nodes; in space as seen from ``view=(azimuth, elevation)``."""
        return figure_registry.finish(figure_registry.drawer("orbits")(self, *points, **options), path)

    def plot_journal(self, joint: str, path: str | None = None, marks: int = 72) -> Any:
        """Path of the journal of a joint with clearance, with ``marks`` dots at equal times."""
        return figure_registry.finish(figure_registry.drawer("journal")(self, joint, marks=marks), path)

    def plot_locus(self, joint: str, path: str | None = None, marks: int = 72) -> Any:
        """Polar diagram of the force on the journal of a joint with clearance, with ``marks`` dots at equal times."""
        return figure_registry.finish(figure_registry.drawer("locus")(self, joint, marks=marks), path)

    def plot_impulse(self, number: int = 0, path: str | None = None) -> Any:
        """An impact of a planar model in the plane of its normal and tangential impulse; the first has the number 0."""
        if number not in range(-len(self.impacts), len(self.impacts)):
            what = f"there is no impact with the number {number}: the motion has {len(self.impacts)}"
            raise ModelError("plot_impulse", what, "choose a smaller number, or run longer")
        drawn = figure_registry.drawer("impulse plane")("", self.impacts[number])
        return figure_registry.finish(drawn, path)

    def plot_spectrum(
        self, *signals: str, path: str | None = None, after: float = 0.0, window: Window = "hann", **options: Any
    ) -> Any:
        """The amplitude spectra of signals, from a time on; up to ``highest`` rad/s if given."""
        spectra = [self.spectrum(signal, after=after, window=window) for signal in signals]
        return figure_registry.finish(figure_registry.drawer("spectra")(*spectra, **options), path)

    @figure("sections", SECTIONS, "_section.png", each="value")
    def plot_section(self, element: str, path: str | None = None) -> Any:
        """Envelopes over time of the bending moments along a link."""
        return self.section(element).plot(path=path)

    @figure("energies", Annotated[bool, Unit("", "draw the energies over time")], "_energies.png", default=False)
    def plot_energies(self, path: str | None = None) -> Any:
        """The energies over time."""
        return figure_registry.finish(figure_registry.drawer("energies")(self), path)

    @figure("poses", POSES, "_poses.png", default=False)
    def plot_poses(self, count: int = 8, path: str | None = None, forces: bool | float = False, **options: Any) -> Any:
        """The mechanism at several times, one over the other; in space as seen from ``view=(azimuth, elevation)``.

        With ``forces`` the last pose has the arrows of :meth:`animate`.
        """
        scene = self.scene(forces=forces)
        return figure_registry.finish(figure_registry.drawer("poses")(scene, count=count, **options), path)

    @figure("animate", MOVING, "", default="", trace=TRACE, forces=FORCES)
    def animate(
        self,
        path: str,
        trace: tuple[str, ...] | list[str] = (),
        signals: tuple[str, ...] = (),
        forces: bool | float = False,
        **options: Any,
    ) -> Any:
        """A moving picture: ``.gif``, ``.mp4``, or ``.html`` (a page that plays without a network).

        With ``forces``, reactions, loads and contact forces are arrows to scale; a number is their length [m/N].
        """
        curves = {name: (self[name], self.unit(name)) for name in signals} or None
        scene = self.scene(forces=forces)
        return figure_registry.drawer("animate")(scene, path, trace=tuple(trace), signals=curves, **options)

    @figure("page", Annotated[bool, Unit("", "write the results page")], "_page.html", default=False)
    def write_page(self, *signals: str, path: str | os.PathLike[str], **options: Any) -> Any:
        """Results page in one HTML file: the player, plots of any signal, a spectrum, events, summary and model.

        ``signals`` are plotted when it opens. ``trace`` names points whose paths are shown; ``view`` is that of
        ``animate``. The button with an arrow shows and hides forces; with ``forces`` they are shown at first.
        """
        return figure_registry.drawer("results page")(self, path, signals, **options)

    def show(self, open_browser: bool = True, **options: Any) -> str:
        """Write the results page to a temporary file, open it in the browser, and return its path."""
        handle, path = tempfile.mkstemp(".html", "flexura_")
        os.close(handle)
        self.write_page(path=path, **options)
        if open_browser:
            webbrowser.open(f"file://{path}")
        return path
