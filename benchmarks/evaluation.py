"""``python -m benchmarks.evaluation``: one evaluation of a rigid slider-crank, beside the reduced equation by hand.

By hand: the angle of the crank is the only coordinate; sines, the velocities of the centres of mass and the reduced
inertia J(φ) with its derivative are written out, φ̈ = (Q - ½ J′ φ̇²) / J. It is compiled by LLVM, as C is. Flexura solves
for all accelerations and constraint forces at once: by the general code, by the kernel of the whole model, and by its
form for the stages of a step, which leaves no factors behind. Nanoseconds of processor time, the least of some loops.
"""

from __future__ import annotations

import math
from time import process_time
from typing import Any

import numpy as np
from numba import njit

import flexura as fx
from flexura.derive.compiled import compiled
from flexura.derive.records import Floats
from flexura.mechanics.core.system import System
from flexura.mechanics.motion.equations_of_motion import ACCELERATE, STAGE, accelerate
from flexura.mechanics.motion.whole_model import whole_entries
from flexura.mechanics.preparation.prepared_model import prepare
from flexura.planar import Beam, Mass

R, L = 0.15, 0.45
CRANK, ROD, PISTON, GRAVITY = 1.0, 1.0, 0.5, 9.81
COUNT, LOOPS = 200_000, 7


def crank() -> fx.Model:
    """A slider-crank of uniform rigid bars under gravity, free to turn."""
    return fx.Model(
        nodes={"O": (0, 0), "A": (R * math.cos(0.7), R * math.sin(0.7)), "B": (_slider(0.7), 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=CRANK), rigid=True),
            "rod": Beam("A", "B", fx.Section(rhoA=ROD), rigid=True),
            "piston": Mass("B", PISTON),
        },
        fixed=["O", "B.y"],
        gravity=(0, -GRAVITY),
        start={"crank.p.phi'": 10.0},
    )


def _slider(phi: float) -> float:
    return R * math.cos(phi) + math.sqrt(L * L - (R * math.sin(phi)) ** 2)


@njit(error_model="numpy")  # type: ignore[untyped-decorator]
def reduced(phi: float, rate: float) -> float:
    """Acceleration of the crank's angle, by hand."""
    s, c = math.sin(phi), math.cos(phi)
    h = R * s / L
    b = math.sqrt(1.0 - h * h)
    # psi: angle of the rod below the axis; its derivatives by phi
    p1 = R * c / (L * b)
    p2 = (-R * s / L + h * p1 * p1) / b
    # derivatives by phi of the centre of the rod and of the piston
    x1, y1 = -R * s - 0.5 * L * h * p1, 0.5 * R * c
    x2, y2 = -R * c - 0.5 * L * (b * p1 * p1 + h * p2), -0.5 * R * s
    w1 = -R * s - L * h * p1
    w2 = -R * c - L * (b * p1 * p1 + h * p2)
    m1, m2 = CRANK * R, ROD * L
    inertia = m1 * R * R / 3.0 + m2 * (x1 * x1 + y1 * y1) + m2 * L * L / 12.0 * p1 * p1 + PISTON * w1 * w1
    slope = m2 * (x1 * x2 + y1 * y2) + m2 * L * L / 12.0 * p1 * p2 + PISTON * w1 * w2
    load = -GRAVITY * (m1 * 0.5 * R * c + m2 * y1)
    return (load - slope * rate * rate) / inertia


@njit(error_model="numpy")  # type: ignore[untyped-decorator]
def _by_hand(count: int) -> float:
    total = 0.0
    for i in range(count):
        total += reduced(0.7 + 1e-7 * i, 10.0)
    return total


@compiled
def _by_flexura(s: System, x: Floats, v: Floats, a: Floats, stress: Floats, count: int) -> None:
    for _ in range(count):
        accelerate(s, 0.0, x, v, a, stress)


def _nanoseconds(action: Any, *args: Any) -> float:
    """Of one evaluation."""
    action(*args, 10)
    best = math.inf
    for _ in range(LOOPS):
        began = process_time()
        action(*args, COUNT)
        best = min(best, process_time() - began)
    return 1e9 * best / COUNT


def main() -> None:
    """Print the table."""
    machine = prepare(crank())
    layout, system = machine.condensed
    x, v = machine.narrow(layout, machine.x), machine.narrow(layout, machine.v)
    a, stress = np.zeros_like(x), np.zeros(max(system.strain.size, 1))
    accelerate(system, 0.0, x, v, a, stress)
    found = a[[str(c) for c in layout.coordinates].index("crank.p.phi")]
    print(f"acceleration of the crank: {found:.12g} rad/s², by hand {reduced(0.7, 10.0):.12g}")
    hand = _nanoseconds(_by_hand)
    print(f"{'by hand':24}{hand:10.1f} ns")
    general, whole = int(system.entry[ACCELERATE]), whole_entries(layout, system)
    for name, entry in (
        ("general code", general),
        ("whole-model kernel", whole[ACCELERATE]),
        ("its form for stages", whole[STAGE]),
    ):
        system.entry[ACCELERATE] = entry
        own = _nanoseconds(_by_flexura, system, x, v, a, stress)
        print(f"{name:24}{own:10.1f} ns{own / hand:8.1f} times")


if __name__ == "__main__":
    main()
