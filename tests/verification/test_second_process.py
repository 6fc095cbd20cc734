"""A second process takes derived kernels and machine code from the cache."""

import subprocess
import sys

import pytest

CASTER = """
import flexura as fx
from flexura.spatial import Beam, Body, Hinge, Wheel
inf = float("inf")
model = fx.Model(
    nodes={"A": (0, 0, 2), "W": (0, 0, 1), "C": (0, 0, 0), "G": (0, 0, 0)},
    elements={
        "yaw": Hinge("A", "yoke.p", axis=(0, 0, 1)),
        "yoke": Beam("A", "W", fx.Section(EIz=10.0, EIy=inf, GIt=inf, EA=inf), y_axis=(0, 1, 0)),
        "axle": Hinge("yoke.q", "disc.p", axis=(0, 1, 0)),
        "disc": Body("W", 1.0, Jxx=0.25, Jyy=0.5, Jzz=0.25),
        "wheel": Wheel("disc.p", "C", "G"),
    },
    fixed=["A.y", "A.z", "yaw.p.e0", "yaw.p.e1", "yaw.p.e2", "yaw.p.e3", "wheel.g", "wheel.spin"],
    released=["wheel.radial"],
    inputs={"A.x": fx.Ramp(rate=1.0)},
)
"""

ROCKERS = """
import flexura as fx
from flexura.spatial import Body, RollingBody
nodes, elements, fixed = {}, {}, []
for i, form in enumerate(("(x/0.2)^2 + (y/0.03)^2 + ((z - 0.01)/0.02)^2 - 1", "x^2 + 2*y^2 + 3*z^2 + x*y - 0.0003")):
    nodes |= {f"W{i}": (i, 0, 0.01), f"C{i}": (i, 0, 0), f"G{i}": (i, 0, 0)}
    elements[f"body{i}"] = Body(f"W{i}", 1.0, Jxx=2e-4, Jyy=1.6e-3, Jzz=1.7e-3, Jxy=-2e-5)
    elements[f"contact{i}"] = RollingBody(f"body{i}.p", f"C{i}", f"G{i}", form=form)
    fixed.append(f"contact{i}.g")
model = fx.Model(nodes=nodes, elements=elements, fixed=fixed, gravity=(0, 0, -9.81))
"""

TIMED = """
import time
fx.linearise
start = time.process_time()
system = fx.linearise(model)
print(time.process_time() - start)
"""


@pytest.mark.slow
@pytest.mark.parametrize("model", [CASTER, ROCKERS], ids=["caster", "two rockers"])
def test_a_second_process_linearises_at_once(model):
    """At most 0.5 s of processor time, the fastest of five processes, as others may be at work."""

    def seconds():
        done = subprocess.run([sys.executable, "-c", model + TIMED], capture_output=True, text=True, check=True)
        return float(done.stdout)

    seconds()
    assert min(seconds() for _ in range(5)) <= 0.5
