"""Linear equations of motion with names: matrices, eigenvalues, modes, responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eig, eigh

from flexura.errors import ModelError
from flexura.laws.units import Unit
from flexura.laws.validation import number_list
from flexura.model.mentions import parse
from flexura.model.model import Model
from flexura.results import figure_registry
from flexura.results.attachment_matrices import added_matrices
from flexura.results.figures import MODE, MOVING_MODE, SHAPES, figure
from flexura.results.frequency_range import FrequencyRange
from flexura.results.imbalance import imbalance, note_on
from flexura.results.inertia import accelerations, undamped_modes
from flexura.results.linear_point import Addition, LinearPoint, Rolls
from flexura.results.marks import Axes, Labels
from flexura.results.providers import provider
from flexura.results.result import Result
from flexura.results.scene import Scene
from flexura.results.signal_rows import Following
from flexura.results.summary import MOST_ROWS, Summary, eigenvalue_cells
from flexura.results.vibrations import Vibrations

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

RESPONSES = Annotated[Sequence[FrequencyRange], Unit("", "frequency responses to draw")]


class LinearSystem(Result):
    """Small motions about a nominal one: M q̈ + C q̇ + K q = forcing, in the independent ``coordinates`` q.

    A state is the rate of a coordinate of its name, one of the last; nothing depends on that coordinate itself.
    """

    model: Model
    t: float
    coordinates: Annotated[tuple[str, ...], Labels("coordinate")]
    drives: Annotated[tuple[str, ...], Labels("drive")]
    M: Annotated[Array, Axes("coordinate", "other")]
    C: Annotated[Array, Axes("coordinate", "other")]
    K: Annotated[Array, Axes("coordinate", "other")]
    forcing: Annotated[Array, Axes("coordinate")]
    """unbalanced forces in the nominal motion, which drive the small motion"""
    drive_matrices: Annotated[tuple[Array, Array, Array], Axes("coordinate", "drive")]
    """forces on q from changes u of the drives: -(M_u ü + C_u u̇ + K_u u)"""
    point: LinearPoint
    """the state of the nominal motion"""
    states: Annotated[tuple[str, ...], Axes("state")] = ()
    """the last of the coordinates, whose rates are states"""
    rolls: Rolls | None = None
    """kinematic coordinates, with rolling constraints"""
    additions: tuple[Addition, ...] = ()
    """of attachments"""

    @cached_property
    def following(self) -> Following:
        """Rows of all signals over the independent coordinates."""
        found: Following = provider("following")(self)
        return found

    @cached_property
    def contributions(self) -> Mapping[str, tuple[Array, Array]]:
        """Parts of C and K, by name.

        Material, damping, geometric (the stress of the nominal motion), weight, inertia (velocity terms), convective
        (the motion of the coordinates themselves), feedback (loads and states that follow signals), what is attached.
        """
        found: Mapping[str, tuple[Array, Array]] = provider("contributions")(self)
        return {**found, **{each.name: (each.C, each.K) for each in self.additions}}

    @cached_property
    def imbalance(self) -> float:
        """Displacement that the unbalanced forces cause, relative to the size of the model; see ``forcing``."""
        return imbalance(self)

    # -- free vibrations ---------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.model.title

    @cached_property
    def _solved(self) -> tuple[Complex, Complex]:
        """Eigenvalues with positive (or zero) imaginary part, by their size, and the shapes in q."""
        if self.plain:
            return undamped_modes(self.coordinates, self.K, self.M)
        values, vectors = eig(self._first_order)
        kept = values.imag >= -1e-12 * np.abs(values).max(initial=1.0)
        order = np.argsort(np.abs(values[kept]), kind="stable")
        # the shapes of states are their own values
        m, k = self._moving, self._rolling
        places = [*range(m), *range(2 * m + k, m + k + len(self.M)), *range(m, m + k)]
        return values[kept][order], vectors[places][:, kept][:, order]

    @property
    def _moving(self) -> int:
        """Number of coordinates that are not integrals of states."""
        return len(self.M) - len(self.states)

    @property
    def _rolling(self) -> int:
        """The number of kinematic coordinates."""
        return 0 if self.rolls is None else len(self.rolls.coordinates)

    @cached_property
    def _orders(self) -> tuple[Array, Array, Array]:
        """K, C and M over (q, k), with the equations of the kinematic coordinates below."""
        plain = self.K, self.C, self.M
        return plain if self.rolls is None else self.rolls.coupled(*plain)

    @property
    def _valued(self) -> list[int]:
        """Places in (q, k) of coordinates that are not integrals of states."""
        return [*range(self._moving), *range(len(self.M), len(self.M) + self._rolling)]

    @cached_property
    def _first_order(self) -> Array:
        """A of ẋ = A x with x = (q, k, q̇); of a state only the rate, which is the state, is included."""
        n, m, valued = len(self.M), self._moving, self._valued
        zeroth = self._orders[0][:, valued]
        first = np.vstack([self.C, self._orders[1][n:, :n]])
        return np.vstack(
            [
                np.hstack([np.zeros((m, len(valued))), np.eye(m, n)]),
                -np.hstack([zeroth[n:], first[n:]]),
                -accelerations(self.coordinates, self.M, np.hstack([zeroth[:n], self.C])),
            ]
        )

    @property
    def plain(self) -> bool:
        """True if there is neither damping nor gyroscopic coupling: real modes."""
        size = max(np.abs(self.K).max(initial=0.0), 1e-300)
        simple = not self.states and self.rolls is None
        return simple and not np.any(self.C) and np.abs(self.K - self.K.T).max(initial=0.0) <= 1e-12 * size

    @property
    def eigenvalues(self) -> Annotated[Complex, Axes("root"), Unit("rad/s")]:
        """λ in rad/s of motions exp(λt), one of each conjugate pair, the slowest first."""
        return self._solved[0]

    @property
    def frequencies(self) -> Array:
        """The frequencies in rad/s of the motions that oscillate, the lowest first."""
        values = self.eigenvalues.imag
        return np.sort(values[values > 1e-9 * max(np.abs(self.eigenvalues).max(initial=0.0), 1e-300)])

    @property
    def modes(self) -> Annotated[Complex, Axes("part_of_mode", "root")]:
        """Mode shapes in q, a column for each eigenvalue, of unit modal mass if they are real.

        The last rows are the states themselves, where there are any, and then the kinematic coordinates.
        """
        return self._solved[1]

    @property
    def damping_ratios(self) -> Array:
        """The part of critical damping, minus the real part over the size, of each eigenvalue."""
        values = self.eigenvalues
        return np.divide(0.0 - values.real, np.abs(values), out=np.zeros(len(values)), where=np.abs(values) > 0.0)

    @property
    def stable(self) -> bool:
        """True if no small motion grows."""
        return bool(self.eigenvalues.real.max(initial=-np.inf) <= 1e-9 * np.abs(self.eigenvalues).max(initial=0.0))

    def effective_mass(self, direction: Sequence[float]) -> Array:
        """The mass that takes part in each undamped mode when the ground moves in a direction."""
        if self.rolls is not None:
            what = "a system with rolling constraints has no undamped modes"
            raise ModelError("effective_mass", what, "use the eigenvalues, or a frequency response")
        push = self.following.translation(direction)
        inertia = self.following.tables.mass
        m, u = self._moving, len(self.drives)
        _, shapes = eigh(0.5 * (self.K + self.K.T)[:m, :m], self.M[:m, :m])
        carried = self.following.F[:, u : u + m] @ shapes
        return np.asarray((carried.T @ inertia @ push) ** 2)

    # -- inputs and outputs ------------------------------------------------------------------------------------

    def input(self, signal: str) -> Array:
        """The forces on q of a unit load on a signal."""
        return self.following.load(signal)[len(self.drives) :]

    def output(self, signal: str) -> tuple[Array, Array, Array]:
        """Δ(signal) = a q + b q̇ + c q̈: the rows a, b, c; also of rates, accelerations and forces (``.force``).

        Where something rolls, a has the kinematic coordinates after q.
        """
        rows = self.following.rows(*parse(signal))
        return rows[0][len(self.drives) :], rows[1][len(self.drives) :], rows[2][len(self.drives) :]

    def to_state_space(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[Array, Array, Array, Array]:
        """A, B, C, D of ẋ = A x + B u, y = C x + D u with x = (q, q̇), loads u and signals y.

        Where something rolls, x is (q, k, q̇) with the kinematic coordinates k. Of the states of the model x has the
        values, at its end.
        """
        n, k, valued = len(self.M), self._rolling, self._valued
        inverse = np.linalg.inv(self.M)
        loads = np.array([self.input(name) for name in inputs]).reshape(-1, n).T
        B = np.vstack([np.zeros((len(valued), len(inputs))), inverse @ loads])
        rows = [self.output(name) for name in outputs]
        zeroth = np.array([row[0] for row in rows]).reshape(-1, n + k)
        first, second = (np.array([row[order] for row in rows]).reshape(-1, n) for order in (1, 2))
        C = np.hstack([(zeroth - second @ inverse @ self._orders[0][:n])[:, valued], first - second @ inverse @ self.C])
        at_once = np.array([[self._direct(signal, load) for load in inputs] for signal in outputs])
        return self._first_order, B, C, second @ inverse @ loads + at_once.reshape(len(outputs), len(inputs))

    def _direct(self, signal: str, load: str) -> float:
        """Direct response of a signal to a load, without motion: reactions have one."""
        name, _, force = parse(signal)
        return self.following.direct(name, load) if force else 0.0

    def to_control(self, inputs: Sequence[str], outputs: Sequence[str]) -> Any:
        """A ``StateSpace`` of python-control; in the names of its inputs and outputs dots become ``_``."""
        from control import StateSpace  # the user's own

        names = ([name.replace(".", "_") for name in given] for given in (inputs, outputs))
        return StateSpace(*self.to_state_space(inputs, outputs), **dict(zip(("inputs", "outputs"), names, strict=True)))

    def frequency_response(
        self,
        load: str,
        signal: str,
        frequencies: Sequence[float] | Array,
        attached: tuple[Sequence[str], Callable[[float], Any]] | None = None,
    ) -> Complex:
        """The complex amplitude of a signal under a unit harmonic load, at frequencies in rad/s.

        ``attached`` are signals and a function that gives their dynamic stiffness (a complex matrix) by frequency.
        """
        column = np.concatenate([self.input(load), np.zeros(self._rolling)])
        rows, work = self.output(signal), np.zeros((0, len(self.M)))
        joined = np.array([self.output(name)[0] for name in attached[0]]) if attached else None
        work = np.array([self.input(name) for name in attached[0]]) if attached else work
        found = []
        for w in number_list("frequencies", frequencies, "frequencies in rad/s"):
            dynamic = self._amplitudes(*self._orders, w)
            if attached and joined is not None:
                dynamic[: len(self.M)] += work.T @ np.asarray(attached[1](w)) @ joined
            found.append(self._amplitudes(*rows, w) @ np.linalg.solve(dynamic, column))
        return np.asarray(np.array(found) + self._direct(signal, load), dtype=np.complex128)

    def _amplitudes(self, zeroth: Array, first: Array, second: Array, w: float) -> Complex:
        """Factors of the amplitudes of the coordinates, and of those of states instead of their integrals."""
        whole, n = zeroth.astype(np.complex128), first.shape[-1]
        whole[..., :n] += 1j * w * first - w * w * second
        states = slice(self._moving, len(self.M))
        whole[..., states] = (first + 1j * w * second)[..., states]
        return whole

    def plot_response(
        self,
        load: str,
        signal: str,
        frequencies: Sequence[float] | Array,
        nyquist: bool = False,
        path: str | None = None,
    ) -> Any:
        """Amplitude and phase of a frequency response (Bode), or its path in the complex plane (Nyquist)."""
        curve = {f"{signal} / {load}": self.frequency_response(load, signal, frequencies)}
        draw = figure_registry.drawer("nyquist" if nyquist else "bode")
        return figure_registry.finish(draw(np.asarray(frequencies, dtype=float), curve), path)

    def attach(self, signals: Sequence[str], K: Any = 0.0, C: Any = 0.0, M: Any = 0.0) -> LinearSystem:
        """The system with forces -(K y + C ẏ + M ÿ) on signals y: a seal, a film, a bearing [Schwab2002 (2.14)-(2.15)].

        The forces act on the changes of the signals, in whatever axes these are.
        """
        u, end = len(self.drives), len(self.drives) + len(self.M)
        added = added_matrices(self.following, u, signals, (K, C, M))
        label = f"attached to {', '.join(signals)}"
        return replace(
            self,
            M=self.M + added[0][:, u:],
            C=self.C + added[1][:, u:],
            K=self.K + added[2][:, u:end],
            rolls=self.rolls and replace(self.rolls, K=self.rolls.K + added[2][:, end:]),
            additions=(*self.additions, Addition(label, added[1][:, u:], added[2][:, u:end])),
            drive_matrices=(
                self.drive_matrices[0] + added[0][:, :u],
                self.drive_matrices[1] + added[1][:, :u],
                self.drive_matrices[2] + added[2][:, :u],
            ),
        ).prefilled(following=self.following)

    # -- pictures ----------------------------------------------------------------------------------------------

    @cached_property
    def _vibrations(self) -> Vibrations:
        follows = self.following
        return Vibrations(self.model, tuple(follows.coordinate_index), follows.position, follows.carried(self.modes))

    def mode_scene(self, mode: int, size: float = 0.1, frames: int = 33, points: int = 17) -> Scene:
        """A mode through one period, its largest displacement a part ``size`` of the model's extent."""
        return self._vibrations.scene(mode, size, frames, points)

    @figure("response", RESPONSES, "_response.png", each="number")
    def plot_range(self, over: FrequencyRange, path: str | None = None) -> Any:
        """Amplitude and phase of a frequency response over a range of frequencies."""
        return self.plot_response(over.load, over.signal, over.frequencies, path=path)

    @figure("draw", SHAPES, "_mode.png", each="value")
    def plot_mode(self, mode: int, size: float = 0.1, path: str | None = None, **options: Any) -> Any:
        """The shape of a mode, over the nominal position."""
        return self._vibrations.plot(mode, size, path, **options)

    @figure("animate", MOVING_MODE, "", default="", mode=MODE)
    def animate_mode(self, mode: int, path: str, size: float = 0.1, **options: Any) -> Any:
        """A mode as a moving picture (``.gif``, ``.mp4``, ``.html``)."""
        return self._vibrations.animate(mode, path, size, **options)

    # -- words -------------------------------------------------------------------------------------------------

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """Eigenvalues with their frequencies and damping ratios."""
        rows = tuple((str(k), *eigenvalue_cells(complex(root))) for k, root in enumerate(self.eigenvalues))
        heads = ("mode", "growth [1/s]", "frequency [rad/s]", "[Hz]", "damping ratio")
        said = f"{len(self.coordinates)} coordinates, {'stable' if self.stable else 'unstable'}"
        return Summary(said, heads, rows[:MOST_ROWS], heads, trouble=note_on(self))

    def __repr__(self) -> str:
        rolls = "" if self.rolls is None else f" and {self._rolling} kinematic ones"
        return f"<LinearSystem: {len(self.coordinates)} coordinates{rolls} at t = {self.t:g} s>"

    def __str__(self) -> str:
        rolls = "" if self.rolls is None else f" and {self._rolling} kinematic ones"
        count = f"{len(self.coordinates)} coordinates{rolls}"
        lines = [f"{self.title or 'Linear system'}: {count} at t = {self.t:g} s"]
        lines.append(f"  {'stable' if self.stable else 'unstable'}")
        lines += [f"  note: {note}" for note in [note_on(self)] if note]
        for k, (value, ratio) in enumerate(zip(self.eigenvalues[:12], self.damping_ratios[:12], strict=True)):
            hertz = abs(value.imag) / (2.0 * np.pi)
            lines.append(f"  {k:3d}  {value.real: .6g} {value.imag:+.6g}i rad/s  {hertz:.6g} Hz  damping {ratio:.3g}")
        if len(self.eigenvalues) > 12:
            lines.append(f"  … {len(self.eigenvalues) - 12} more")
        return "\n".join(lines)
