"""Without compiling anything, a motion has the same numbers to rounding."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

PENDULUM = """
import json
import sys

import flexura as fx
from flexura.derive import machine_code
from flexura.mechanics.motion.equations_of_motion import accelerate
from flexura.planar import Beam

rigid = fx.Section(EA=float("inf"), EI=float("inf"), rhoA=1.0)
model = fx.Model(
    nodes={"O": (0, 0), "A": (1, 0)},
    elements={"rod": Beam("O", "A", rigid)},
    fixed=["O"],
    gravity=(0, -9.81),
    loads={"A.x": fx.Expression("0.1*cos(3*t) + asin(0.1*t)")},
)
lines = set()


def look(frame, event, argument):
    # as a debugger sees it
    lines.add(frame.f_code.co_filename)
    return None


sys.setprofile(look)
motion = fx.simulate(model, until=0.3, samples=4, method=getattr(fx, sys.argv[1])())
sys.setprofile(None)
print(json.dumps({
    "numbers": [list(motion[name]) for name in ("A.x", "A.y'", "rod.p.phi''")] + [list(motion.force("O.x"))],
    "kernel": "<kernel Beam: motion>" in lines or "<kernel Beam: balance>" in lines,
    "compiled": [len(machine_code._engines), type(accelerate).__name__],
}))
"""


def run(method, interpret):
    environment = os.environ | {"FLEXURA_INTERPRET": interpret}
    command = [sys.executable, "-c", PENDULUM, method]
    return json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("method", ["DormandPrince", "KennedyCarpenter"])
def test_a_pendulum_is_interpreted(method):
    python, machine = run(method, "1"), run(method, "0")
    np.testing.assert_allclose(python["numbers"], machine["numbers"], rtol=1e-12, atol=1e-12)
    # a debugger passes through the kernels, and no machine code is loaded
    assert python["kernel"]
    assert python["compiled"] == [0, "function"]
    assert not machine["kernel"]
    assert machine["compiled"][0] > 0
