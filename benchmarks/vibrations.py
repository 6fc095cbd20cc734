"""What small vibrations cost: one speed of the drive shaft, and a sweep over many."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import flexura as fx
from flexura.analyses.periodic.nominal_motion import Course
from flexura.analyses.periodic.periodic import vibration

SHAFT = Path(__file__).resolve().parents[1] / "examples" / "drive_shaft.toml"
RATE = "inputs.drive.rotation.rate"
BENDING = 765.712653
POINTS = 400


def main() -> None:
    """Print processor times: the nominal motion, linearised equations and periodic solution; with stability."""
    model = fx.Model.from_file(SHAFT)
    course = Course(model.with_parameter(RATE, 0.5 * BENDING))
    found = []
    for speed in np.linspace(0.2, 0.98, 40) * BENDING:
        start = time.process_time()
        changed = course.changed(model.with_parameter(RATE, float(speed)))
        motion = vibration(changed, 2.0 * np.pi / float(speed), None, None, 1e-8)
        solved = time.process_time()
        motion.floquet.growth  # noqa: B018  # computed when it is asked for
        found.append((solved - start, time.process_time() - start))
    best, middle = np.min(found, axis=0), np.median(found, axis=0)
    print(f"periodic solution: best {1e3 * best[0]:.1f} ms, median {1e3 * middle[0]:.1f} ms")
    print(f"with stability: best {1e3 * best[1]:.1f} ms, median {1e3 * middle[1]:.1f} ms")
    start = time.process_time()
    fx.stability(model, RATE, np.linspace(0.2, 0.98, POINTS) * BENDING)
    print(f"stability at {POINTS} speeds, limits located: {time.process_time() - start:.1f} s")
