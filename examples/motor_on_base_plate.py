"""Motor on a flexible base plate: vibration at the bearing of an unbalanced rotor.

A motor with a mass of 24 kg stands in the middle of a steel plate of 0.5 m × 0.5 m × 10 mm that is clamped at its
edges. The plate consists of 64 triangular shells. The rotor, a disc, turns at 3000 rpm and has an unbalance of 1 g·m.

In the middle the plate has the stiffness k = D/(0.00560 a²) [Timoshenko1959 table 37], and a fifth of its mass vibrates
with the motor. The amplitude of the bearing in the vertical direction is then UΩ²/(k - mΩ²).
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.elements.element import Element
from flexura.results.cycle import Cycle
from flexura.spatial import Beam, Body, Disc, Hinge, Shell

SIDE, THICKNESS, CELLS = 0.5, 10e-3, 4
SPEED, UNBALANCE, HEIGHT = fx.rpm(3000), 1e-3, 0.12
steel = fx.Material(E=2.1e11, rho=7850.0, nu=0.3, damping=2e-5)

nodes: dict[str, tuple[float, ...]] = {}
elements: dict[str, Element] = {}
corner: dict[str, str] = {}  # end of a shell at each node of the plate
for i in range(CELLS + 1):
    for j in range(CELLS + 1):
        nodes[f"P{i}{j}"] = (i * SIDE / CELLS, j * SIDE / CELLS, 0)
for i in range(CELLS):
    for j in range(CELLS):
        nodes[f"C{i}{j}"] = ((i + 0.5) * SIDE / CELLS, (j + 0.5) * SIDE / CELLS, 0)
        around = [f"P{i}{j}", f"P{i + 1}{j}", f"P{i + 1}{j + 1}", f"P{i}{j + 1}"]
        for k in range(4):
            name, three = f"plate_{i}{j}{k}", (around[k], around[(k + 1) % 4], f"C{i}{j}")
            elements[name] = Shell(*(corner.get(node, node) for node in three), THICKNESS, steel)
            for node, slot in zip(three, "pqr", strict=True):
                corner.setdefault(node, f"{name}.{slot}")
edge = [end for node, end in corner.items() if node[0] == "P" and {node[1], node[2]} & {"0", str(CELLS)}]

nodes["B"] = (SIDE / 2, SIDE / 2, HEIGHT)
elements["pedestal"] = Beam(corner[f"P{CELLS // 2}{CELLS // 2}"], "B", fx.Section(), rigid=True)
elements["housing"] = Body("pedestal.q", 20.0, 0.08, 0.1, 0.1)
elements["shaft"] = Hinge("pedestal.q", "rotor.p", axis=(1, 0, 0))
elements["rotor"] = Disc("B", 0.1, 64.9e-3, steel, axis=(1, 0, 0), y_axis=(0, 0, 1), unbalance=UNBALANCE)

model = fx.Model(
    title="Motor on a base plate",
    nodes=nodes,
    elements=elements,
    fixed=edge,
    inputs={"shaft.rotation": fx.Ramp(rate=SPEED)},
)

bending = steel.E * THICKNESS**3 / 12 / (1 - steel.nu**2)
stiffness, plate = bending / (0.00560 * SIDE**2), steel.rho * SIDE**2 * THICKNESS
mass = 20.0 + steel.rho * pi / 4 * 0.1**2 * 64.9e-3 + 0.2 * plate
SOURCE = UNBALANCE * SPEED**2 / (stiffness - mass * SPEED**2) * 1e6


def compute() -> tuple[Cycle, float]:
    """Periodic vibration over a revolution, and the vertical amplitude of the bearing in µm."""
    cycle = fx.periodic(model, 2 * pi / SPEED, harmonics=3, positions=16)
    return cycle, float(np.ptp(cycle["B.z"])) / 2 * 1e6


if __name__ == "__main__":
    cycle, amplitude = compute()
    print(f"vertical amplitude at the bearing: {amplitude:.2f} µm (source {SOURCE:.2f})")
    speed = np.std(cycle["B.z'"]) * 1e3
    print(f"vibration velocity: {speed:.2f} mm/s rms")
    cycle.plot("B.z'", "B.y'", "P12.z'", path="motor_on_base_plate.png")
