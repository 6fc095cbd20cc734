"""Equations of motion of an assembled machine on the level of accelerations.

    M u̇ = f + Gᵀλ,   G u̇ = γ

with the constraint forces λ. Contacts add rows to G or forces to f, as their state says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from references.plain.assembly import Assembly, Row
from references.plain.description import Drive, Soft
from references.plain.frames import GROUND, Array, cross


@dataclass
class Instant:
    """Everything that the equations need at one time."""

    t: float
    z: Array
    J: Array
    conv: Array
    rates: Array
    """ż."""
    M: Array
    f: Array
    G: Array
    gamma: Array
    level: Array
    """Velocities of the constraints, Gu - level is zero on the manifold of admissible rates."""
    forces: dict[str, float]
    """Forces of springs and stresses of beams, by name."""


def drive_values(drive: Drive | None, t: float) -> tuple[float, float, float]:
    """Prescribed value and its two derivatives."""
    if drive is None:
        return 0.0, 0.0, 0.0
    a, b, w = drive.a, drive.b, drive.w
    return a * np.sin(w * t) + b * t, a * w * np.cos(w * t) + b, -a * w * w * np.sin(w * t)


class Equations:
    """Terms of the equations of motion of a machine."""

    def __init__(self, made: Assembly) -> None:
        self.made, self.frames, self.space = made, made.frames, made.frames.space
        self.q = made.frames.start()
        self.nu = made.frames.rates * made.frames.count
        self.linear = [row for row in made.rows if row.vectors]
        self.turned = [row for row in made.rows if not row.vectors]
        count = len(made.frames.frame)
        self._pick = np.zeros((len(self.linear), count))
        for k, row in enumerate(self.linear):
            for vector, factor in row.vectors.items():
                self._pick[k, vector] = factor
        self._component = np.array([row.component for row in self.linear], dtype=int)
        self._first, self._second = (np.zeros((len(made.products), count)) for _ in range(2))
        for k, product in enumerate(made.products):
            for table, terms in ((self._first, product.first), (self._second, product.second)):
                for vector, factor in terms.items():
                    table[k, vector] = factor
        self.names = [row.name for row in self.linear + self.turned]
        z, _, _ = self.frames.evaluate(self.q, np.zeros(self.nu))
        self._drawn = self._values(z)
        beams = made.beams
        self._held = np.zeros((0, 0), dtype=bool) if beams is None else beams.rigid
        self._loads = np.zeros((count, self.space))
        self._moments = np.zeros(self.nu)
        for name, load in made.machine.loads.items():
            owner, what = name.rsplit(".", 1)
            if what == "phi":
                self._moments[self.frames.turning[made.ends[owner][0], 0]] += load
            else:
                self._loads[made.nodes[owner], "xyz".index(what)] += load

    # ── positions ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _values(self, z: Array) -> Array:
        """Values of the constraints on vectors."""
        linear = (self._pick @ z)[np.arange(len(self.linear)), self._component]
        return np.concatenate([linear, np.sum((self._first @ z) * (self._second @ z), axis=1)])

    def errors(self, t: float, q: Array, turned: Array) -> tuple[Array, Array]:
        """Errors of the holonomic constraints and their Jacobian."""
        at = self.instant(t, q, np.zeros(self.nu), turned, forces=False)
        wanted = self._drawn.copy()
        wanted[: len(self.linear)] += [drive_values(row.drive, t)[0] for row in self.linear]
        wrong = [self._values(at.z) - wanted]
        if self.turned:
            wrong.append(np.array([self._turn(row, q, turned) - drive_values(row.drive, t)[0] for row in self.turned]))
        if self._held.any():
            strains = self.made.beams.strains(at.z[self.made.beams.vectors])
            wrong.append(strains[self._held])
        for _, centre, axle, radius in self.made.discs.values():
            wrong.append(np.array([(at.z[centre] + radius * down(at.z[axle]))[2]]))
        found = np.concatenate(wrong)
        return found, at.G[: len(found)]

    def _turn(self, row: Row, q: Array, turned: Array) -> float:
        """Angle of a row of turning; in space that of its pivot, which is integrated."""
        if row.turning:
            return float(sum(factor * q[k] for k, factor in row.turning.items()))
        return float(turned[list(self.made.pivots).index(row.name.rsplit(".", 1)[0])])

    # ── one instant ──────────────────────────────────────────────────────────────────────────────────────────────────

    def instant(self, t: float, q: Array, u: Array, turned: Array, forces: bool = True) -> Instant:
        """Terms at a time, coordinates, rates and angles of pivots."""
        made = self.made
        z, J, conv = self.frames.evaluate(q, u)
        rates = J @ u
        flat = J.reshape(-1, self.nu)
        M = flat.T @ (made.mass @ J.reshape(len(z), -1)).reshape(-1, self.nu)
        for k, inertia in made.turning_mass.items():
            M[k, k] += inertia
        beams = None if made.beams is None else made.beams.evaluate(z[made.beams.vectors])
        rows = self._constraints(t, z, J, conv, rates, u, beams)
        at = Instant(t, z, J, conv, rates, M, self._moments.copy(), *rows, {})
        if forces:
            pull = self._loads - made.mass @ conv + np.outer(made.weight, made.machine.gravity)
            self._springs(at, pull)
            self._beam_forces(at, pull, beams)
            at.f += flat.T @ pull.ravel()
            self._pivot_springs(at, u, q, turned)
        return at

    def _constraints(
        self, t: float, z: Array, J: Array, conv: Array, rates: Array, u: Array, found: tuple[Array, Array] | None
    ) -> tuple[Array, Array, Array]:
        n = np.arange(len(self.linear))
        prescribed = [drive_values(row.drive, t) for row in self.linear]
        G = [np.tensordot(self._pick, J, axes=1)[n, self._component]]
        gamma = [np.array([p[2] for p in prescribed]) - (self._pick @ conv)[n, self._component]]
        level = [np.array([p[1] for p in prescribed])]
        if len(self._first):
            a, b = self._first @ z, self._second @ z
            G.append(np.einsum("ki,kij->kj", b, np.tensordot(self._first, J, axes=1)))
            G[-1] += np.einsum("ki,kij->kj", a, np.tensordot(self._second, J, axes=1))
            convective = (
                b * (self._first @ conv)
                + a * (self._second @ conv)
                + 2 * (self._first @ rates) * (self._second @ rates)
            )
            gamma.append(-np.sum(convective, axis=1))
            level.append(np.zeros(len(a)))
        for row in self.turned:
            _, rate, second = drive_values(row.drive, t)
            G.append(self._turning_row(row, z)[None])
            gamma.append(np.array([second]))
            level.append(np.array([rate]))
        if self._held.any():
            beams, (_, slopes) = self.made.beams, found
            own = np.einsum("bsvi,bvij->bsj", slopes, J[beams.vectors])[self._held]
            curved = beams.convective(z[beams.vectors], rates[beams.vectors])
            curved += np.einsum("bsvi,bvi->bs", slopes, conv[beams.vectors])
            G.append(own)
            gamma.append(-curved[self._held])
            level.append(np.zeros(len(own)))
        discs = [disc_rows(self.frames, numbers, z, J, conv, rates, u) for numbers in self.made.discs.values()]
        # the heights are holonomic and come first
        for rows in (slice(2, 3), slice(0, 2)):
            for own, second in discs:
                G.append(own[rows])
                gamma.append(second[rows])
                level.append(np.zeros(rows.stop - rows.start))
        for point, heading, frame, radius in self.made.rollers.values():
            along, turn = z[heading], np.array([[0.0, -1.0], [1.0, 0.0]])
            rows = np.stack([along @ J[point], (turn @ along) @ J[point]])
            rows[0, self.frames.turning[frame, 0]] -= radius
            swing = rates[heading]
            convective = [
                swing @ rates[point] + along @ conv[point],
                (turn @ swing) @ rates[point] + (turn @ along) @ conv[point],
            ]
            # a skate, without radius, is free along itself
            held = slice(0 if radius else 1, 2)
            G.append(rows[held])
            gamma.append(-np.array(convective)[held])
            level.append(np.zeros(len(rows[held])))
        return np.concatenate(G), np.concatenate(gamma), np.concatenate(level)

    def _turning_row(self, row: Row, z: Array) -> Array:
        found = np.zeros(self.nu)
        for k, factor in row.turning.items():
            found[k] = factor
        if not row.turning:
            found = self.pivot_row(row.name.rsplit(".", 1)[0], z)
        return found

    def pivot_row(self, name: str, z: Array) -> Array:
        """Rate of the rotation of a pivot by the rates u."""
        p, q, axis, _ = self.made.pivots[name]
        along, found = (z[axis] if self.space == 3 else np.ones(1)), np.zeros(self.nu)
        for frame, sign in ((p, -1.0), (q, 1.0)):
            if frame != GROUND:
                found[self.frames.turning[frame]] += sign * along
        return found

    # ── forces ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _springs(self, at: Instant, pull: Array) -> None:
        for name, (i, j, spring, drawn) in self.made.springs.items():
            d = at.z[j] - at.z[i]
            length = float(np.sqrt(d @ d))
            force = (
                spring.preload
                + spring.k * (length - drawn)
                + spring.c * float(d @ (at.rates[j] - at.rates[i])) / length
            )
            pull[i] += force * d / length
            pull[j] -= force * d / length
            at.forces[f"{name}.elongation"] = force
        for name, (i, j, along, guide, drawn) in self.made.travels.items():
            d, rate = at.z[j] - at.z[i], at.rates[j] - at.rates[i]
            travel = at.z[along] @ d - drawn
            force = guide.k * travel + guide.c * (at.z[along] @ rate + at.rates[along] @ d)
            pull[i] += force * at.z[along]
            pull[j] -= force * at.z[along]
            pull[along] -= force * d
            at.forces[f"{name}.travel"] = force

    def _beam_forces(self, at: Instant, pull: Array, found: tuple[Array, Array] | None) -> None:
        beams = self.made.beams
        if beams is None or found is None:
            return
        strains, slopes = found
        rates = np.einsum("bsvi,bvi->bs", slopes, at.rates[beams.vectors])
        stress = np.einsum("bij,bj->bi", beams.stiffness, strains + beams.damping[:, None] * rates)
        np.add.at(pull, beams.vectors, -np.einsum("bs,bsvi->bvi", stress, slopes))
        for name, own, held in zip(self.made.beam_names, stress, beams.rigid, strict=True):
            labels = ("elongation", "bending_p", "bending_q") if self.space == 2 else SPATIAL_STRAINS
            at.forces |= {f"{name}.{label}": float(s) for label, s, h in zip(labels, own, held, strict=True) if not h}

    def _pivot_springs(self, at: Instant, u: Array, q: Array, turned: Array) -> None:
        for (name, (_, _, _, pivot)), angle in zip(self.made.pivots.items(), turned, strict=True):
            if pivot.k or pivot.c:
                row = self.pivot_row(name, at.z)
                moment = pivot.k * angle + pivot.c * float(row @ u)
                at.f -= moment * row
                at.forces[f"{name}.rotation"] = moment

    def turning(self, q: Array, u: Array) -> Array:
        """Rates of the angles of the pivots."""
        z, _, _ = self.frames.evaluate(q, u)
        return np.array([self.pivot_row(name, z) @ u for name in self.made.pivots])


SPATIAL_STRAINS = ("elongation", "torsion", "bending_y_p", "bending_y_q", "bending_z_p", "bending_z_q")


def down(axle: Array) -> Array:
    """Direction from the centre of a disc to its lowest point."""
    n = np.array([0.0, 0.0, 1.0])
    slope = n - axle * axle[2]
    return -slope / np.sqrt(slope @ slope)


def disc_rows(frames, numbers, z: Array, J: Array, conv: Array, rates: Array, u: Array) -> tuple[Array, Array]:
    """Rows of no velocity of the material at the lowest point of a disc: v + ω × radius·down = 0, and G u̇ = γ."""
    frame, centre, axle, radius = numbers
    n, a = np.array([0.0, 0.0, 1.0]), z[axle]
    spin = u[frames.turning[frame]]
    slope, slope_rate = n - a * a[2], -(rates[axle] * a[2] + a * rates[axle][2])
    size = np.sqrt(slope @ slope)
    arm = -radius * slope / size
    arm_rate = -radius * (slope_rate / size - slope * (slope @ slope_rate) / size**3)
    rows = J[centre].copy()
    for column, axis in zip(frames.turning[frame], np.eye(3), strict=True):
        rows[:, column] += np.cross(axis, arm)
    return rows, -(conv[centre] + cross(spin[None], arm_rate[None])[0])


def soft_force(law: Soft, gap: float, rate: float) -> float:
    """Force that pushes apart, while the contact is closed."""
    return -law.k * gap - law.c * rate
