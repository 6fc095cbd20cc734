"""States of contacts found by exhaustion: every combination is tried until one satisfies all conditions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from references.plain.description import Hard, Soft, Touch
from references.plain.equations import Equations, Instant, soft_force
from references.plain.frames import Array

OPEN, CLOSED = "open", "closed"
STICK, FREE = 0, None
"""Tangential states; sliding forwards and backwards are +1 and -1."""


class Unsolvable(Exception):
    """No combination of contact states satisfies all conditions, or more than one may."""


@dataclass(frozen=True)
class State:
    """State of one contact: normal, and tangential where friction is exact."""

    normal: str = OPEN
    slide: int | None = FREE


@dataclass
class Gap:
    """Kinematics of one contact at an instant."""

    touch: Touch
    gap: float
    rate: float
    slip: float
    normal: Array
    """Rows of the gap and of the slip."""
    along: Array
    normal_conv: float
    along_conv: float


@dataclass
class Solution:
    """Accelerations, constraint forces, and forces of contacts."""

    change: Array
    multipliers: Array
    press: dict[str, float]
    shear: dict[str, float]
    residual: float
    """Largest error of the equations, relative: at a dead centre a slip that must change cannot be held."""


def gaps(equations: Equations, at: Instant) -> dict[str, Gap]:
    """Kinematics of all contacts."""
    found = {}
    for name, (p, q, touch) in equations.made.touches.items():
        n = np.array(touch.normal) / np.linalg.norm(touch.normal)
        t = np.array([n[1], -n[0]]) if len(n) == 2 else np.zeros(3)
        d, rate = at.z[q] - at.z[p], at.rates[q] - at.rates[p]
        J, conv = at.J[q] - at.J[p], at.conv[q] - at.conv[p]
        found[name] = Gap(touch, n @ d - touch.radius, n @ rate, t @ rate, n @ J, t @ J, n @ conv, t @ conv)
    return found


def solve(at: Instant, contacts: dict[str, Gap], states: dict[str, State]) -> Solution:
    """Accelerations for given states of the contacts."""
    rows, gamma, force = [at.G], [at.gamma], at.f.copy()
    columns, press = [at.G.T], {}
    places: dict[str, tuple[int, int]] = {}
    count = len(at.gamma)
    for name, gap in contacts.items():
        state, touch = states[name], gap.touch
        if isinstance(touch.law, Soft):
            press[name] = soft_force(touch.law, gap.gap, gap.rate) if state.normal == CLOSED else 0.0
            force += press[name] * gap.normal
            if touch.mu and touch.speed:
                force -= touch.mu * press[name] * np.clip(gap.slip / touch.speed, -1.0, 1.0) * gap.along
            elif state.slide:
                force -= state.slide * touch.mu * press[name] * gap.along
            normal = -1
        elif state.normal == CLOSED:
            normal = count
            own = gap.normal - (state.slide or 0) * touch.mu * gap.along
            rows.append(gap.normal[None])
            columns.append(own[:, None])
            gamma.append(np.array([-gap.normal_conv]))
            count += 1
        else:
            press[name] = 0.0
            continue
        along = -1
        if state.slide == STICK and touch.mu and not touch.speed:
            along = count
            rows.append(gap.along[None])
            columns.append(gap.along[:, None])
            gamma.append(np.array([-gap.along_conv]))
            count += 1
        places[name] = (normal, along)
    size = len(at.f)
    system = np.zeros((size + count, size + count))
    system[:size, :size] = at.M
    system[:size, size:] = -np.concatenate(columns, axis=1)
    system[size:, :size] = np.concatenate(rows)
    right = np.concatenate([force, *gamma])
    found = solve_any(system, right)
    multipliers, shear = found[size:], {}
    for name, (normal, along) in places.items():
        state, touch = states[name], contacts[name].touch
        if normal >= 0:
            press[name] = float(multipliers[normal])
        shear[name] = float(multipliers[along]) if along >= 0 else -(state.slide or 0) * touch.mu * press[name]
    error = np.abs(system @ found - right) / np.maximum(np.abs(system).max(axis=1), 1e-300)
    residual = float(error.max() / max(np.abs(found[:size]).max(), 1e-300))
    return Solution(found[:size], multipliers[: len(at.gamma)], press, shear, residual)


def solve_any(matrix: Array, right: Array) -> Array:
    """Solution of a system; of least norm where it is singular but consistent."""
    if not (np.all(np.isfinite(matrix)) and np.all(np.isfinite(right))):
        return np.full(len(right), np.nan)
    scale = np.sqrt(np.abs(matrix).max(axis=1))
    scale = np.where(scale > 0.0, scale, 1.0)
    scaled = matrix / scale[:, None] / scale[None, :]
    try:
        found = np.linalg.solve(scaled, right / scale)
        if np.all(np.isfinite(found)) and np.abs(scaled @ found - right / scale).max() <= 1e-9 * (
            1.0 + np.abs(right / scale).max()
        ):
            return found / scale
    except np.linalg.LinAlgError:
        pass
    return np.linalg.lstsq(scaled, right / scale, rcond=1e-12)[0] / scale


def choose(at: Instant, contacts: dict[str, Gap], scale: Scale) -> dict[str, State]:
    """States without tension and penetration, with friction within its limit and against the slip."""
    options = []
    for gap in contacts.values():
        touch, exact = gap.touch, bool(gap.touch.mu) and not gap.touch.speed
        if isinstance(touch.law, Hard):
            resting = gap.gap <= scale.gap and abs(gap.rate) <= scale.rate
            normals = [CLOSED, OPEN] if resting else [OPEN]
        else:
            touching = gap.gap < -scale.gap or (gap.gap <= scale.gap and gap.rate < 0.0)
            pressing = gap.gap >= -scale.gap or soft_force(touch.law, gap.gap, gap.rate) > 0.0
            normals = [CLOSED if touching and pressing else OPEN]
        own = []
        for normal in normals:
            if normal == OPEN or not exact:
                own.append(State(normal))
            elif abs(gap.slip) > scale.rate:
                own.append(State(normal, 1 if gap.slip > 0 else -1))
            else:
                own += [State(normal, slide) for slide in (STICK, 1, -1)]
        options.append(own)
    for combination in product(*options):
        states = dict(zip(contacts, combination, strict=True))
        if _admissible(at, contacts, states, scale):
            return states
    raise Unsolvable("no state of the contacts satisfies all conditions")


@dataclass(frozen=True)
class Scale:
    """Below these, gaps and rates count as zero."""

    gap: float
    rate: float
    acceleration: float


def _admissible(at: Instant, contacts: dict[str, Gap], states: dict[str, State], scale: Scale) -> bool:
    found = solve(at, contacts, states)
    if found.residual > 1e-6:
        return False
    largest = max([1e-300, *(abs(p) for p in found.press.values())])
    for name, gap in contacts.items():
        state, touch = states[name], gap.touch
        press, shear = found.press[name], found.shear.get(name, 0.0)
        if isinstance(touch.law, Hard):
            if state.normal == CLOSED and press < -1e-12 * largest:
                return False
            second = gap.normal @ found.change + gap.normal_conv
            touching = gap.gap <= scale.gap and abs(gap.rate) <= scale.rate
            if state.normal == OPEN and touching and second < -scale.acceleration:
                return False
        if state.normal == OPEN or state.slide is FREE:
            continue
        if state.slide == STICK and abs(shear) > touch.mu * press * (1 + 1e-9):
            return False
        if state.slide and abs(gap.slip) <= scale.rate:
            second = gap.along @ found.change + gap.along_conv
            if second * state.slide < -scale.acceleration:
                return False
    return True


def collide(at: Instant, contacts: dict[str, Gap], u: Array, scale: Scale) -> tuple[Array, bool]:
    """Rates after an impact, and True if anything struck.

    Contacts that touch and do not separate take part; each has an impulse and the rate of Newton's law, or no impulse
    and at least that rate. One contact with exact friction follows the course of the blow; for several of them there is
    no answer here.
    """
    hard = [
        gap
        for gap in contacts.values()
        if isinstance(gap.touch.law, Hard) and gap.gap <= scale.gap and gap.rate <= scale.rate
    ]
    if not any(gap.rate < -scale.rate for gap in hard):
        return u, False
    if any(gap.touch.mu and not gap.touch.speed for gap in hard):
        if len(hard) > 1:
            raise Unsolvable("several impacts at once with friction")
        return u + rub(at, hard[0], hard[0].touch.law.e), True
    for pushed in sorted(product((True, False), repeat=len(hard)), key=lambda p: -sum(p)):
        active = [gap for gap, push in zip(hard, pushed, strict=True) if push]
        rows = np.concatenate([at.G, *(gap.normal[None] for gap in active)])
        wanted = [-(1.0 + gap.touch.law.e) * min(gap.rate, 0.0) for gap in active]
        size, count = len(u), len(rows)
        system = np.zeros((size + count, size + count))
        system[:size, :size], system[:size, size:], system[size:, :size] = at.M, -rows.T, rows
        found = solve_any(system, np.concatenate([np.zeros(size + len(at.G)), wanted]))
        after, impulses = u + found[:size], found[size + len(at.G) :]
        rates = [gap.normal @ after for gap in hard]
        least = [-gap.touch.law.e * min(gap.rate, 0.0) - scale.rate for gap in hard]
        if np.all(impulses >= 0.0) and all(rate >= low for rate, low in zip(rates, least, strict=True)):
            return after, True
    raise Unsolvable("no impulses satisfy the law of impact")


def rub(at: Instant, gap: Gap, e: float) -> Array:
    """Change of rates by a blow with friction: straight lines over the normal impulse, from event to event.

    The blow ends where the work of the normal force since the greatest compression is e² times that until then.
    """
    size, held = len(at.M), len(at.G)
    system = np.zeros((size + held, size + held))
    system[:size, :size], system[:size, size:], system[size:, :size] = at.M, -at.G.T, at.G
    across, along = (solve_any(system, np.concatenate([row, np.zeros(held)]))[:size] for row in (gap.normal, gap.along))
    a, b, c = gap.normal @ across, gap.along @ across, gap.along @ along
    u, s, mu, total, lost = gap.rate, gap.slip, gap.touch.mu, np.zeros(size), 0.0
    fixed = c <= 1e-10 * abs(a)
    for _ in range(8):
        if abs(s) <= 1e-14 * abs(gap.rate):
            sticks = fixed or abs(b) <= mu * c
            pull = (0.0 if fixed else -b / c) if sticks else -mu * np.sign(b)
        else:
            sticks, pull = False, -mu * np.sign(s)
        rise, turn = a + pull * b, 0.0 if sticks else b + pull * c
        halt = -s / turn if s * turn < 0.0 else np.inf
        if u < 0.0:
            end = -u / rise if rise > 0.0 else np.inf
        else:
            # u p + rise p²/2 is the work still to come back
            due = -(e**2) * lost
            end = (np.sqrt(u**2 + 2.0 * rise * due) - u) / rise
        p = min(halt, end)
        total = total + p * (across + pull * along)
        work = u * p + 0.5 * rise * p**2
        compressing = u < 0.0
        u, s = u + rise * p, 0.0 if p == halt else s + turn * p
        lost += work if compressing else work / max(e**2, 1e-300)
        if p == end:
            u = 0.0 if compressing else u
            if not compressing or e == 0.0:
                return total
    raise Unsolvable("a blow without end")
