"""Newmark's method and the generalised-α method, with the held strains as constraints on the rates.

The equations hold at the end of the step, and so do the rates of the held strains; what little their values drift is
taken back after each step. The algorithmic acceleration p carries the numerical damping
[ArnoldBruels2007]:

    (1 - α_m) p₁ + α_m p₀ = (1 - α_f) ẍ₁ + α_f ẍ₀
    x₁ = x₀ + h ẋ₀ + h² ((½ - β) p₀ + β p₁),    ẋ₁ = ẋ₀ + h ((1 - γ) p₀ + γ p₁)
"""

from __future__ import annotations

import math

import numpy as np

from flexura.derive.compiled import compiled, copy
from flexura.derive.records import Floats, Record
from flexura.integrators.methods import GeneralisedAlpha, Newmark
from flexura.integrators.newton import FAR, MADE_FOR, STEP_BEFORE, settle, take_back_drift
from flexura.integrators.run_memory import (
    DONE,
    LAST_STEP,
    NEXT_STEP,
    NO_CONVERGENCE,
    NOW,
    REJECTED,
    RUNNING,
    SMALLEST,
    STATUS,
    STEP_TOO_SMALL,
    Memory,
)
from flexura.integrators.step_stages import arrive, keep, next_step, restore
from flexura.mechanics.core.kernel_levels import call_level
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import drive
from flexura.mechanics.motion.powers import powers

# places in ``constant``
ALPHA_M, ALPHA_F, BETA, GAMMA = range(4)


class Implicit(Record):
    """The constants of a method and what it remembers besides the state."""

    constant: Floats
    p: Floats
    """algorithmic acceleration"""
    p0: Floats
    stress0: Floats
    a_before: Floats
    stress_before: Floats
    """accelerations and stresses one step further back, for the predictor"""
    factored: Floats
    """what Newton's iteration remembers of its factors"""


def constants(method: Newmark | GeneralisedAlpha) -> Floats:
    """α_m, α_f, β, γ [ChungHulbert1993]."""
    if isinstance(method, Newmark):
        return np.array([0.0, 0.0, method.beta, method.gamma])
    rho = method.rho
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    return np.array([alpha_m, alpha_f, 0.25 * (gamma + 0.5) ** 2, gamma])


def implicit(method: Newmark | GeneralisedAlpha, m: Memory) -> Implicit:
    """Memory for a run that starts with the accelerations in ``m``."""
    return Implicit(
        constant=constants(method),
        p=m.a.copy(),
        p0=m.a.copy(),
        stress0=m.stress.copy(),
        a_before=m.a.copy(),
        stress_before=m.stress.copy(),
        factored=np.array([0.0, 1.0, 0.0]),
    )


@compiled
def _predict(s: System, m: Memory, g: Implicit, h: float) -> None:
    """Start the iteration with accelerations and stresses that go on as they went in the last step.

    Accelerations that would carry the model far are those of vibrations too fast for the step: then it stays.
    """
    am, af, beta, gamma = g.constant[ALPHA_M], g.constant[ALPHA_F], g.constant[BETA], g.constant[GAMMA]
    onward = h / g.factored[STEP_BEFORE] if g.factored[STEP_BEFORE] > 0.0 else 0.0
    for k in range(m.stress.size):
        m.stress[k] = g.stress0[k] + onward * (g.stress0[k] - g.stress_before[k])
    farthest = 0.0
    for n in range(s.free.size):
        k = s.free[n]
        m.a[k] = m.a0[k] + onward * (m.a0[k] - g.a_before[k])
        g.p[k] = ((1.0 - af) * m.a[k] + af * m.a0[k] - am * g.p0[k]) / (1.0 - am)
        farthest = max(farthest, h * h * beta * abs(g.p[k]) / m.scale[k])
    for n in range(s.free.size):
        k = s.free[n]
        if farthest > FAR:
            g.p[k] = -(m.v0[k] / h + (0.5 - beta) * g.p0[k]) / beta
            m.a[k] = ((1.0 - am) * g.p[k] + am * g.p0[k] - af * m.a0[k]) / (1.0 - af)
        m.x[k] = m.x0[k] + h * m.v0[k] + h * h * ((0.5 - beta) * g.p0[k] + beta * g.p[k])
        m.v[k] = m.v0[k] + h * ((1.0 - gamma) * g.p0[k] + gamma * g.p[k])


@compiled
def _step(s: System, m: Memory, g: Implicit, t: float, h: float, accuracy: float) -> bool:
    """One step by Newton's iteration."""
    am, af, beta, gamma = g.constant[ALPHA_M], g.constant[ALPHA_F], g.constant[BETA], g.constant[GAMMA]
    to_a = (1.0 - am) / (h * h * beta * (1.0 - af))
    to_v = gamma / (h * beta)
    for _ in range(2):
        _predict(s, m, g, h)
        drive(s, t + h, m.x, m.v, m.a)
        if settle(s, m, g.factored, h, to_v, to_a, True, accuracy):
            _end_step(s, m, g)
            return True
    return False


@compiled
def _end_step(s: System, m: Memory, g: Implicit) -> None:
    """The algorithmic acceleration of the new state, and its held strains closed."""
    am, af = g.constant[ALPHA_M], g.constant[ALPHA_F]
    for n in range(s.free.size):
        k = s.free[n]
        g.p[k] = ((1.0 - af) * m.a[k] + af * m.a0[k] - am * g.p0[k]) / (1.0 - am)
    take_back_drift(s, m)


@compiled
def _jump(s: System, m: Memory, g: Implicit, h: float) -> float:
    """The leading part of the local error of the positions, against the scale."""
    constant = abs(g.constant[BETA] + 0.5 * (g.constant[ALPHA_M] - g.constant[ALPHA_F]) - 1.0 / 6.0)
    total = 0.0
    for n in range(s.free.size):
        k = s.free[n]
        total += (constant * h * h * (g.p[k] - g.p0[k]) / m.scale[k]) ** 2
    return math.sqrt(total / max(s.free.size, 1))


@compiled
def advance(s: System, m: Memory, g: Implicit, step: float, tolerance: float, accuracy: float, budget: int) -> None:
    """Take up to ``budget`` steps; a fixed ``step``, or (zero) steps under error control."""
    fixed = step > 0.0
    h = step if fixed else m.clock[NEXT_STEP]
    for _ in range(budget):
        t, h = m.clock[NOW], next_step(m, h)
        if h == 0.0:
            m.count[STATUS] = DONE
            return
        if m.clock[LAST_STEP] > 0.0 and h != m.clock[LAST_STEP]:
            # p belongs to the time t + (α_m - α_f) h: it moves with the step
            ratio = h / m.clock[LAST_STEP]
            for k in range(g.p.size):
                g.p[k] = m.a[k] + (g.p[k] - m.a[k]) * ratio
        keep(m)
        copy(g.p0, g.p)
        copy(g.stress0, m.stress)
        done = _step(s, m, g, t, h, accuracy)
        error = _jump(s, m, g, h) / tolerance if done and not fixed else 0.0
        if not done or not error <= 1.0:
            m.count[REJECTED] += 1
            restore(m)
            copy(g.p, g.p0)
            copy(m.stress, g.stress0)
            if fixed or h < 1e-12 * m.clock[SMALLEST]:
                m.count[STATUS] = NO_CONVERGENCE if not done else STEP_TOO_SMALL
                return
            h *= 0.25 if not done else max(0.2, 0.85 * error ** (-1.0 / 3.0))
            continue
        copy(g.a_before, m.a0)
        copy(g.stress_before, g.stress0)
        g.factored[STEP_BEFORE] = h
        if s.reactions.driven[0] > 0:
            call_level(s, s.motion, m.x, m.v)  # what is driven needs masses again
        powers(s, m.x, m.v, m.a, m.stress, m.power)
        for k in range(m.work.size):
            m.work[k] += 0.5 * h * (m.power0[k] + m.power[k])
        arrive(s, m, h)
        if m.count[STATUS] != RUNNING:
            g.factored[MADE_FOR] = 0.0
            return
        if not fixed:
            factor = 0.85 * max(error, 1e-6) ** (-1.0 / 3.0)
            # small changes are not worth new factors
            if factor < 1.0 or factor > 1.3:
                h *= min(max(factor, 0.3), 3.0)
            m.clock[NEXT_STEP] = h
