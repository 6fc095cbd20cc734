"""Frame in space with the highest first frequency that its mass allows.

A mast carries a boom with a cross arm and a load at its end. The diameters of the three tubes are free, their mass
together is not. The reference value is the first frequency at the optimum that a search without derivatives
(Nelder and Mead) finds in ``tests/verification/test_designs_of_the_gallery.py``.
"""

import flexura as fx
from flexura.results.design import Design
from flexura.spatial import Beam, Mass

SOURCE = 37.097197

alloy = fx.Material(E=7e10, rho=2700.0, nu=0.33)
FIRST = 0.04

model = fx.Model(
    title="Mast with boom and cross arm",
    nodes={"O": (0, 0, 0), "K": (0, 0, 1.2), "N": (0.9, 0, 1.2), "E": (0.9, 0.6, 1.2)},
    elements={
        "mast": Beam("O", "K", fx.Circle(FIRST), alloy, parts=2),
        "boom": Beam("mast.q", "N", fx.Circle(FIRST), alloy, parts=2),
        "arm": Beam("boom.q", "E", fx.Circle(FIRST), alloy, parts=2),
        "load": Mass("E", 2.0),
    },
    fixed=["mast.p"],
)

VARY = {f"elements.{tube}.section.diameter": (0.015, 0.07) for tube in ("mast", "boom", "arm")}


def compute() -> tuple[Design, float]:
    """The frame, and its first frequency in rad/s."""
    mass = fx.gradient(model, "mass", list(VARY), result="vibrations").values[0]
    design = fx.optimise(model, "-frequency.1", VARY, subject_to={"mass": (mass, mass)}, result="vibrations")
    return design, -float(design.objective)


if __name__ == "__main__":
    design, frequency = compute()
    print(design)
    before = fx.linearise(model).frequencies[0]
    print(f"first frequency: {frequency:.5f} rad/s (source {SOURCE:.5f}), {before:.5f} before")
    fx.linearise(design.model).plot_mode(0, path="stiff_frame.png")
