"""Pile of ten blocks on the ground.

Each block touches its neighbour along a face, so two corners of each face carry it, with dry friction. The pile stands:
no corner creeps, and the ground carries the whole weight. The reference value is that weight in N.
"""

import flexura as fx
from flexura.planar import Body, BodyContact

SOURCE = 98.1
BLOCKS, WIDTH, HEIGHT = 10, 0.2, 0.1

ground = ((-1.0, -0.1), (1.0, -0.1), (1.0, 0.0), (-1.0, 0.0))
block = ((-0.1, -0.05), (0.1, -0.05), (0.1, 0.05), (-0.1, 0.05))
law = {"contact": fx.Restitution(0.0), "friction": fx.Friction(0.5, regularisation_speed=0.0)}
inertia = (WIDTH**2 + HEIGHT**2) / 12.0

model = fx.Model(
    title="Pile of blocks",
    nodes={"G": (0, 0)} | {f"C{i}": (0, HEIGHT * (i + 0.5)) for i in range(BLOCKS)},
    elements={f"block{i}": Body(f"C{i}", 1.0, inertia) for i in range(BLOCKS)}
    | {"face0": BodyContact("G", "block0.p", outline_p=ground, outline_q=block, **law)}
    | {
        f"face{i}": BodyContact(f"block{i - 1}.p", f"block{i}.p", outline_p=block, outline_q=block, **law)
        for i in range(1, BLOCKS)
    },
    fixed=["G"],
    gravity=(0, -9.81),
)


def compute() -> tuple[fx.Motion, float]:
    """Two seconds, and the force in N on the ground."""
    motion = fx.simulate(model, until=2.0, samples=11)
    return motion, float(sum(motion.force(f"face0.{corner}.gap")[-1] for corner in ("q1", "q2")))


if __name__ == "__main__":
    motion, weight = compute()
    print(f"force on the ground: {weight:.6f} N (source {SOURCE})")
    motion.plot_poses(1, path="pile_of_blocks.png")
