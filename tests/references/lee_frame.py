"""Lee's frame as a model: a column and a beam, both 120 long and hinged at their feet, loaded at 24 from the corner.

Its limit load by shooting is in :mod:`references.critical_loads`.
"""

import flexura as fx
from flexura.planar import Beam


def lee_model(load: fx.Ramp | float) -> fx.Model:
    """The frame with a vertical load."""
    stiff = fx.Section(EA=4.32e7, EI=1.44e7)
    return fx.Model(
        nodes={"O": (0, 0), "K": (0, 120), "N": (24, 120), "E": (120, 120)},
        elements={
            "column": Beam("O", "K", stiff, parts=10),
            "near": Beam("column.q", "N", stiff, parts=2),
            "far": Beam("near.q", "E", stiff, parts=8),
        },
        fixed=["O", "E"],
        loads={"N.y": load},
    )
