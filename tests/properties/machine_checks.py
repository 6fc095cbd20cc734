"""Checks of one machine: against the plain simulator, other methods, and itself seen in another way.

Two motions agree if they differ by less than ten times the tolerance, times the growth of small disturbances, which the
plain simulator measures: an error made early in an unstable motion grows, whatever the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import numpy as np

import flexura as fx
from properties.machine_source import build
from properties.machine_views import View, turned, with_other_names
from references.plain.description import Bar, Disc, Guide, Hard, Machine, Pivot, Roller, Spring, Touch
from references.plain.frames import Array
from references.plain.motion import History, Simulator, Unsolvable

SAMPLES = 6
TOLERANCE = 1e-9
FACTOR = 10.0
MOST = fx.Limits(steps=200_000)
"""More is a hang."""
SMALL = 1e-6
"""Relative size of the disturbance whose growth is measured."""
SENSITIVE = 1e-2
"""Growth of the disturbance to this part of the motion is no longer linear."""


class Disagreement(AssertionError):
    """Two motions that must be equal are not."""


class Hang(AssertionError):
    """A run takes more steps than any of these machines needs."""


class Marked(Exception):
    """The run says itself that its result may be wrong."""


@dataclass
class Scales:
    """Largest values of a motion, to which differences are relative."""

    position: float
    rate: float
    force: float

    def of(self, name: str) -> float:
        """Scale of a signal or force."""
        if name.endswith(".force"):
            return self.force
        angle = name.rstrip("'").endswith(("phi", "rotation"))
        if not name.endswith("'"):
            return 1.0 if angle else self.position
        return self.rate / self.position if angle else self.rate


@dataclass
class Promise:
    """Tolerances of a method for positions, rates and forces, as its documents state them."""

    position: float
    rate: float
    force: float

    def of(self, name: str) -> float:
        """Tolerance of a signal or force."""
        if name.endswith(".force"):
            return self.force
        return self.rate if name.endswith("'") else self.position


def promise(method: object) -> Promise:
    """Tolerances of a method or of its text; implicit methods control stresses, and no rates."""
    numbers = {name: float(value) for name, value in re.findall(r"(\w*tolerance)=([^,)]+)", str(method))}
    tolerance = numbers["tolerance"]
    if "stress_tolerance" in numbers:
        return Promise(tolerance, inf, numbers["stress_tolerance"])
    return Promise(tolerance, tolerance, tolerance)


TIGHT = Promise(TOLERANCE, TOLERANCE, TOLERANCE)


class Case:
    """A machine with its reference motion, made when it is needed."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.times = np.linspace(0.0, machine.duration, SAMPLES)
        self.model = build(machine)
        self.simulator = Simulator(machine, 1e-11, machine.duration)
        self.initial = self.simulator.y.copy()
        self.plain = values(self.simulator.simulate(self.times))
        self._growth: dict[str, float] | None = None
        places = [name for name in self.plain if name[-3:] in {".x'", ".y'", ".z'"}]
        fastest = max(np.abs(self.plain[name]).max() for name in places)
        forces = [np.abs(table).max() for name, table in self.plain.items() if name.endswith(".force")]
        size = machine.size
        self.scales = Scales(size, max(fastest, 0.1 * size / machine.duration), max([*forces, 1e-300]))

    def growth(self, name: str) -> float:
        """Growth of small disturbances of the initial state in a signal."""
        if self._growth is None:
            other = Simulator(self.machine, 1e-10, self.machine.duration)
            shape = np.random.default_rng(1).uniform(-1.0, 1.0, len(self.initial))
            other.y = other.project(0.0, self.initial + SMALL * shape * other.weights)
            found = values(other.simulate(self.times))
            self._growth = {
                name: float(np.abs(found[name] - table).max()) / self.scales.of(name) / SMALL
                for name, table in self.plain.items()
            }
        if max(self._growth.values()) * SMALL > SENSITIVE:
            raise Unsolvable("small disturbances grow to the size of the motion")
        return max(1.0, self._growth.get(name, 0.0))

    def compare(
        self,
        title: str,
        found: dict[str, Array],
        expected: dict[str, Array],
        promise: Promise,
        run: fx.Motion | None = None,
    ) -> None:
        """Refuse differences beyond what the method promises; those that the accuracy of a run tells are marked."""
        worst = []
        for name, table in expected.items():
            if name in found:
                error = float(np.abs(found[name] - table).max()) / self.scales.of(name)
                if not error <= FACTOR * promise.of(name):
                    worst.append((error, name))
        # only where it matters is the growth of disturbances computed, which takes a run
        limits = [FACTOR * promise.of(name) * self.growth(name) for _, name in worst]
        wrong = [(error, limit, name) for (error, name), limit in zip(worst, limits, strict=True) if not error <= limit]
        if wrong:
            error, limit, name = max(wrong)
            if run is not None and all(each <= announced(run, name) / self.scales.of(name) for each, _, name in wrong):
                raise Marked(f"{name} differs by {error:.2e} of its scale, and its accuracy says so")
            raise Disagreement(f"{title}: {name} differs by {error:.2e} of its scale, allowed {limit:.1e}")

    def run(self, tolerance: float = TOLERANCE, model: fx.Model | None = None, **options: object) -> fx.Motion:
        """Motion of the package."""
        options = options or {"method": fx.DormandPrince(tolerance)}
        motion = fx.simulate(model or self.model, self.machine.duration, samples=SAMPLES, limits=MOST, **options)
        if motion.outcome is fx.Outcome.LIMITED:
            raise Hang(f"{motion.method}: {motion.note or motion.outcome.value}")
        if motion.outcome is not fx.Outcome.DONE:
            raise Marked(motion.outcome.name)
        return motion


def values(history: History) -> dict[str, Array]:
    """All signals and forces of a motion of the plain simulator; ground that never moves is left out."""
    signals = {name: np.array(table) for name, table in history.signals.items()}
    forces = {f"{name}.force": np.array(table) for name, table in history.forces.items()}
    return signals | forces


def read(motion: fx.Motion, names: dict[str, Array], seen: View | None = None) -> dict[str, Array]:
    """Signals of the package by the names of the plain simulator, turned back where the model was turned.

    Forces are left out where the package notes that friction is not unique.
    """
    found, loose = {}, any("friction that is not unique" in finding.what for finding in motion.findings)
    for name in names:
        if name.endswith("''") or (loose and name.endswith(".force")):
            continue
        found[name] = motion[name] if seen is None else seen.read(motion, name)
    return found


def announced(motion: fx.Motion, name: str) -> float:
    """Error of a signal or force that a run estimates itself."""
    return 0.0 if motion.accuracy is None else motion.accuracy[name]


# ── checks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def reference(case: Case) -> None:
    """The plain simulator gives the same motion and forces."""
    motion = case.run()
    case.compare("plain simulator", read(motion, case.plain), case.plain, TIGHT, motion)


def default(case: Case) -> None:
    """The default method keeps its own tolerance."""
    motion = case.run(method=None)
    case.compare(f"default method {motion.method}", read(motion, case.plain), case.plain, promise(motion.method))


def _method(method: object, formulation: object | None = None) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        rolling = any(isinstance(part, (Disc, Roller)) for part in case.machine.parts.values())
        if rolling and (formulation or not method.can.rolling):
            return
        if formulation and any(
            isinstance(part, Touch) and isinstance(part.law, Hard) for part in case.machine.parts.values()
        ):
            return
        options = {"method": method} | ({"formulation": formulation} if formulation else {})
        try:
            motion = case.run(**options)
        except fx.ModelError as error:
            # exact friction is refused in minimal coordinates
            if formulation and "needs multipliers" in str(error):
                return
            raise
        case.compare(f"{method} {formulation or ''}", read(motion, case.plain), case.plain, promise(method))

    return check


def refinement(case: Case) -> None:
    """A looser tolerance is kept, too."""
    motion = case.run(1e-6)
    case.compare("tolerance 1e-6", read(motion, case.plain), case.plain, Promise(1e-6, 1e-6, 1e-6))


def reversal(case: Case) -> None:
    """A motion without losses runs back to its start.

    Where wheels roll, rates do not determine the position; in space only rotations of hinges are numbers to start from.
    """
    rolling = any(isinstance(part, (Disc, Roller)) for part in case.machine.parts.values())
    if rolling or not conservative(case.machine):
        return
    there = case.run()
    if case.machine.space == 3 and not all(name.endswith("rotation") for name in there.coordinates):
        return
    start: dict[str, object] = {f"{name}'": -float(there[f"{name}'"][-1]) for name in there.coordinates}
    start |= {name: float(there[name][-1]) for name in there.coordinates}
    back = case.run(model=case.model.replace(start=start))
    expected = {name: table for name, table in case.plain.items() if not name.endswith((".force", "''"))}
    found = {name: (-1.0 if name.endswith("'") else 1.0) * back[name][::-1] for name in expected}
    case.compare("time reversal", found, expected, TIGHT)


def _seen(title: str, change: Callable[[Machine, np.random.Generator], View | None]) -> Callable[[Case], None]:
    def check(case: Case) -> None:
        seen = change(case.machine, np.random.default_rng(2))
        if seen is not None:
            motion = case.run(model=build(seen.machine))
            case.compare(title, read(motion, case.plain, seen), case.plain, TIGHT)

    return check


def conservative(machine: Machine) -> bool:
    """True if nothing dissipates energy or depends on time."""
    for part in machine.parts.values():
        if isinstance(part, Touch) or (isinstance(part, Bar) and part.damping):
            return False
        if isinstance(part, (Spring, Pivot, Guide)) and part.c:
            return False
    return not machine.drives


CHECKS: dict[str, Callable[[Case], None]] = {
    "reference": reference,
    "default": default,
    "order 5": _method(fx.DormandPrince(TOLERANCE, order=5)),
    "Adams": _method(fx.Adams(TOLERANCE)),
    "Kennedy-Carpenter": _method(fx.KennedyCarpenter(tolerance=1e-8)),
    "minimal": _method(fx.DormandPrince(TOLERANCE), fx.Minimal()),
    "refinement": refinement,
    "reversal": reversal,
    "names": _seen("other names", with_other_names),
    "rotation": _seen("turned and shifted", turned),
}

__all__ = ["CHECKS", "Case", "Disagreement", "Hang", "Marked", "Unsolvable"]
