"""Motion of a machine by the plain simulator: integration between the events of its contacts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import null_space, qr

from references.plain.assembly import assemble
from references.plain.contacts import (
    CLOSED,
    OPEN,
    STICK,
    Gap,
    Scale,
    Solution,
    State,
    Unsolvable,
    choose,
    collide,
    gaps,
    solve,
    solve_any,
)
from references.plain.description import Hard, Machine, Soft
from references.plain.equations import Equations, Instant, soft_force
from references.plain.frames import Array

LIMIT = 8_000
"""Evaluations of the equations in one run."""
BENT = 1.0
"""Largest bending of an element [rad], and elongation by its length."""


@dataclass
class History:
    """Sampled motion: values and forces by name, one array each."""

    t: Array
    signals: dict[str, list[float]] = field(default_factory=dict)
    forces: dict[str, list[float]] = field(default_factory=dict)
    kinetic: list[float] = field(default_factory=list)
    """Kinetic energy."""
    events: list[tuple[str, str, float]] = field(default_factory=list)

    def __getitem__(self, name: str) -> Array:
        return np.array(self.signals[name])


class Simulator:
    """A machine with its state."""

    def __init__(self, machine: Machine, tolerance: float = 1e-11, duration: float = 1.0) -> None:
        self.machine, self.tolerance, self.duration = machine, tolerance, duration
        self.equations = Equations(assemble(machine))
        frames, size = self.equations.frames, machine.size
        self.nq, self.nu = len(self.equations.q), self.equations.nu
        one = [size] * machine.space + [1.0] * (frames.positions - machine.space)
        rate = [size / duration] * machine.space + [1.0 / duration] * (frames.rates - machine.space)
        pivots = len(self.equations.made.pivots)
        self.weights = np.concatenate([np.tile(one, frames.count), np.tile(rate, frames.count), np.ones(pivots)])
        self.scale = Scale(1e-11 * size, 1e-9 * size / duration, 1e-8 * size / duration**2)
        stir = np.resize(machine.stir, self.nu) * np.tile(rate, frames.count)
        y = np.concatenate([self.equations.q, stir, np.zeros(pivots)])
        self.evaluations = 0
        self.y = self.project(0.0, y, unstrained=True)

    def parts(self, y: Array) -> tuple[Array, Array, Array]:
        """Coordinates, rates and angles of pivots of a state."""
        return y[: self.nq], y[self.nq : self.nq + self.nu], y[self.nq + self.nu :]

    def at(self, t: float, y: Array) -> Instant:
        """Terms of the equations of motion at a state."""
        self.evaluations += 1
        if self.evaluations > LIMIT:
            raise Unsolvable("too many evaluations")
        at = self.equations.instant(t, *self.parts(y))
        beams = self.equations.made.beams
        if beams is not None and np.abs(beams.strains(at.z[beams.vectors]) / beams.length[:, None]).max() > BENT:
            raise Unsolvable("a beam bends more than its element describes")
        return at

    # ── constraints ──────────────────────────────────────────────────────────────────────────────────────────────────

    def project(self, t: float, y: Array, states: dict[str, State] | None = None, unstrained: bool = False) -> Array:
        """Nearest state that satisfies all constraints: positions by Newton's method, rates by kinetic energy.

        Unstrained, the rates of the strains of flexible bars are zero, too.
        """
        q, u, turned = (part.copy() for part in self.parts(y))
        for _ in range(10):
            wrong, G = self.equations.errors(t, q, turned)
            if not len(wrong) or np.abs(wrong).max() < 1e-14 * self.machine.size:
                break
            scale = self.weights[self.nq : self.nq + self.nu]
            step = scale * np.linalg.lstsq(G * scale, -wrong, rcond=1e-10)[0]
            # a small step along rates u changes the coordinates by change(q, u)
            turned += self.equations.turning(q, step)
            q = self.equations.frames.normalise(q + self.equations.frames.change(q, step))
        at = self.equations.instant(t, q, u, turned, forces=False)
        rows, level = at.G, at.level
        beams = self.equations.made.beams
        if unstrained and beams is not None:
            _, slopes = beams.evaluate(at.z[beams.vectors])
            strained = np.einsum("bsvi,bvij->bsj", slopes, at.J[beams.vectors]).reshape(-1, self.nu)
            rows, level = np.concatenate([rows, strained]), np.append(level, np.zeros(len(strained)))
        for name, gap in gaps(self.equations, at).items():
            state = (states or {}).get(name, State())
            if isinstance(gap.touch.law, Hard) and state.normal == CLOSED:
                rows, level = np.concatenate([rows, gap.normal[None]]), np.append(level, 0.0)
            if state.slide == STICK and state.normal == CLOSED:
                rows, level = np.concatenate([rows, gap.along[None]]), np.append(level, 0.0)
        size, count = self.nu, len(rows)
        system = np.zeros((size + count, size + count))
        system[:size, :size], system[:size, size:], system[size:, :size] = at.M, rows.T, rows
        right = np.concatenate([at.M @ u, level])
        u = solve_any(system, right)[:size]
        return np.concatenate([q, u, turned])

    def initial_rates(self) -> dict[str, float]:
        """Initial rates that determine all others: in the plane as many as degrees of freedom, in space all."""
        at = self.at(0.0, self.y)
        _, u, _ = self.parts(self.y)
        made, frames, space, size = self.equations.made, self.equations.frames, self.machine.space, self.machine.size
        rows = {f"{node}.{'xyz'[a]}'": at.J[k, a] for node, k in made.nodes.items() for a in range(space)}
        for end, (_, k) in made.ends.items():
            if end.count(".") == 2:
                rows |= {f"{end}.{'xyz'[a]}'": at.J[k, a] for a in range(space)}
        turns = {}
        for end, (frame, _) in made.ends.items():
            names = ("phi",) if space == 2 else ("about_x", "about_y", "about_z")
            turns |= {
                f"{end}.{name}'": np.eye(self.nu)[c] for name, c in zip(names, frames.turning[frame], strict=True)
            }
        if space == 3:
            return {name: float(row @ u) for name, row in (rows | turns).items()}
        scale = self.weights[self.nq : self.nq + self.nu]
        null = scale[:, None] * null_space(at.G * scale)
        owned = {frame for frame, _ in made.ends.values()}
        freedoms = null.shape[1] - sum(frame not in owned for frame in range(frames.count))
        table = np.array([row / size for row in rows.values()] + list(turns.values()))
        _, r, order = qr((table @ null).T, mode="economic", pivoting=True)
        if freedoms > min(r.shape) or (freedoms and abs(r[freedoms - 1, freedoms - 1]) < 1e-3 * abs(r[0, 0])):
            raise Unsolvable("the rates of nodes and ends do not determine the motion well")
        names = [*rows, *turns]
        return {names[k]: float((rows | turns)[names[k]] @ u) for k in sorted(order[:freedoms])}

    # ── motion ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def simulate(self, times: Array) -> History:
        """Motion at given times, the first of which is zero."""
        history = History(np.asarray(times, dtype=float))
        states = self._settle(0.0, history)
        self._record(history, 0.0, states)
        for start, end in pairwise(times):
            states = self._advance(start, end, states, history)
            self.y = self.project(end, self.y, states)
            self._record(history, end, states)
        return history

    def _advance(self, t: float, end: float, states: dict[str, State], history: History) -> dict[str, State]:
        """Integrate from event to event."""
        for _ in range(2000):
            run = solve_ivp(
                lambda t, y, s=states: self._rate(t, y, s), (t, end), self.y, method="DOP853",
                rtol=max(self.tolerance, 3e-14), atol=self.tolerance * self.weights, events=self._events(states),
                max_step=self._longest(t, states),
            )  # fmt: skip
            if run.status < 0:
                raise Unsolvable(run.message)
            t, self.y = float(run.t[-1]), run.y[:, -1]
            if run.status == 0:
                return states
            self.y = self.project(t, self.y, states)
            states = self._settle(t, history)
        raise Unsolvable("too many events")

    def _settle(self, t: float, history: History) -> dict[str, State]:
        """States of the contacts after impacts, at the present time."""
        if not self.equations.made.touches:
            return {}
        for _ in range(100):
            at = self.at(t, self.y)
            contacts = gaps(self.equations, at)
            q, u, turned = self.parts(self.y)
            after, struck = collide(at, contacts, u, self.scale)
            if not struck:
                break
            history.events.append(("impact", "", t))
            self.y = np.concatenate([q, after, turned])
        states = choose(at, contacts, self.scale)
        self.y = self.project(t, self.y, states)
        return states

    def _longest(self, t: float, states: dict[str, State]) -> float:
        """Longest step that cannot jump over a whole flight of a contact that has just opened."""
        if not any(isinstance(touch.law, Hard) for _, _, touch in self.equations.made.touches.values()):
            return inf
        at, longest = self.at(t, self.y), self.duration / 30.0
        contacts, found = gaps(self.equations, at), self.solution(t, self.y, states)
        for name, gap in contacts.items():
            second = gap.normal @ found.change + gap.normal_conv
            if states[name].normal == OPEN and gap.gap <= self.scale.gap and gap.rate > 0.0 and second < 0.0:
                longest = min(longest, -0.5 * gap.rate / second)
        return max(longest, 1e-9 * self.duration)

    def _rate(self, t: float, y: Array, states: dict[str, State]) -> Array:
        q, u, _ = self.parts(y)
        return np.concatenate(
            [self.equations.frames.change(q, u), self.solution(t, y, states).change, self.equations.turning(q, u)]
        )

    def solution(self, t: float, y: Array, states: dict[str, State]) -> Solution:
        """Accelerations and forces."""
        at = self.at(t, y)
        return solve(at, gaps(self.equations, at), states)

    def _events(self, states: dict[str, State]) -> list[Callable[[float, Array], float]]:
        found = []
        for name, (_, _, touch) in self.equations.made.touches.items():
            state = states[name]
            hard = isinstance(touch.law, Hard)
            if state.normal == OPEN:
                found.append(self._event(lambda t, y, n=name: self._gap(t, y, n).gap, -1))
                if not hard and self._gap(0.0, self.y, name).gap < -self.scale.gap:
                    found.append(self._event(lambda t, y, n=name, l=touch.law: self._raw(t, y, n, l), 1))
                continue
            found.append(self._event(lambda t, y, n=name, s=states: self.solution(t, y, s).press[n], -1))
            if state.slide == STICK:
                found += [
                    self._event(lambda t, y, n=name, s=states, d=sign: self._reserve(t, y, n, s, d), -1)
                    for sign in (1.0, -1.0)
                ]
            elif state.slide:
                found.append(self._event(lambda t, y, n=name, d=state.slide: d * self._gap(t, y, n).slip, -1))
        return found

    def _gap(self, t: float, y: Array, name: str) -> Gap:
        return gaps(self.equations, self.at(t, y))[name]

    def _raw(self, t: float, y: Array, name: str, law: Soft) -> float:
        gap = self._gap(t, y, name)
        return soft_force(law, gap.gap, gap.rate)

    def _reserve(self, t: float, y: Array, name: str, states: dict[str, State], sign: float) -> float:
        found = self.solution(t, y, states)
        # a little beyond the limit that sticking has in ``choose``: at the limit itself it could stick again
        return self.equations.made.touches[name][2].mu * found.press[name] * (1 + 2e-9) - sign * found.shear[name]

    @staticmethod
    def _event(function: Callable[[float, Array], float], direction: int) -> Callable[[float, Array], float]:
        function.terminal, function.direction = True, direction  # type: ignore[attr-defined]
        return function

    # ── results ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _record(self, history: History, t: float, states: dict[str, State]) -> None:
        at = self.at(t, self.y)
        found = solve(at, gaps(self.equations, at), states)
        for name, value in self._signals(at, at.J @ found.change + at.conv).items():
            history.signals.setdefault(name, []).append(value)
        for name, value in self._forces(at, found).items():
            history.forces.setdefault(name, []).append(value)
        u = self.parts(self.y)[1]
        history.kinetic.append(float(0.5 * u @ at.M @ u))

    def _signals(self, at: Instant, second: Array) -> dict[str, float]:
        """Positions, rates and accelerations of nodes and ends, and rotations."""
        made, signals, axes = self.equations.made, {}, "xyz"[: self.machine.space]
        q, u, turned = self.parts(self.y)
        points = made.nodes | {end: k for end, (_, k) in made.ends.items()}
        for mark, table in (("", at.z), ("'", at.rates), ("''", second)):
            for name, k in points.items():
                signals |= {f"{name}.{axis}{mark}": float(x) for axis, x in zip(axes, table[k], strict=True)}
        for end, (frame, _) in made.ends.items():
            columns = self.equations.frames.turning[frame]
            if self.machine.space == 2:
                signals |= {f"{end}.phi": float(q[columns[0]]), f"{end}.phi'": float(u[columns[0]])}
            else:
                signals |= {f"{end}.about_{axis}'": float(u[c]) for axis, c in zip(axes, columns, strict=True)}
        return signals | {f"{name}.rotation": float(angle) for name, angle in zip(made.pivots, turned, strict=True)}

    def _forces(self, at: Instant, found: Solution) -> dict[str, float]:
        """Forces of springs and beams, of held and driven signals, and of contacts."""
        linear, turning = len(self.equations.linear), len(self.equations.turned)
        skip = len(self.equations.made.products)
        numbers = [*range(linear), *range(linear + skip, linear + skip + turning)]
        held = {n: float(found.multipliers[k]) for n, k in zip(self.equations.names, numbers, strict=True) if n}
        own = {name: -stress for name, stress in at.forces.items()}
        return own | held | {f"{name}.gap": press for name, press in found.press.items()}


def simulate(machine: Machine, times: Array, tolerance: float = 1e-11) -> History:
    """Motion of a machine at given times, the first of which is zero."""
    return Simulator(machine, tolerance, float(times[-1])).simulate(times)
