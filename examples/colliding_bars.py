"""Elastic bar that strikes another, twice as long and fixed at its far end.

Both have the same section. The contact force is constant until the wave has returned from the free end of the first bar
at 0.4 ms, then zero without separation, and constant again from 0.8 ms until the bars part. Contact by multipliers with
numerical damping keeps the gap in the pause below 0.01 mm; the problem is that of section 5.1.2 of [Elkaranshawy1995].
The reference value is the time of separation in ms, in which waves pass the longer bar three times.
"""

import flexura as fx
from flexura.planar import Beam, PointContact

SOURCE = 1.2

section = fx.Section(EA=1e9, EI=8.3e3, rhoA=40.0)
model = fx.Model(
    title="Colliding bars",
    nodes={"A": (-1, 0), "B": (0, 0), "C": (0, 0), "D": (2, 0)},
    elements={
        "striker": Beam("A", "B", section, parts=40, axial="linear"),
        "target": Beam("C", "D", section, parts=80, axial="linear"),
        "touch": PointContact("C", "B", fx.Restitution(0.0), normal=(-1, 0)),
    },
    fixed=["D", "target.q.phi", "C.y", "A.y", "B.y"],
    start={"B.x'": 10.0},
)


def compute() -> tuple[fx.Motion, float]:
    """Two milliseconds, and the time in ms when the bars part."""
    method = fx.Newmark(step=4.5e-6, beta=0.275625, gamma=0.55)
    motion = fx.simulate(model, until=2e-3, samples=401, method=method)
    return motion, 1e3 * max(event.time for event in motion.events if event.kind == "release")


if __name__ == "__main__":
    motion, time = compute()
    print(f"the bars part after {time:.3f} ms (source {SOURCE})")
    motion.plot("touch.gap.force", "B.x'", "touch.gap", path="colliding_bars.png")
