"""Fast slider-crank with an oil film in the gudgeon pin.

The mechanism is that with a dry pin with clearance, with a cavitating oil film of finite length between journal and
bearing. The slider moves nearly as in the ideal mechanism, except where the force on the pin changes its direction:
the journal crosses the clearance, squeezes the film on the other side, and is stopped by a force twice that of the
ideal joint. The motion is periodic from the second revolution on. The data are those of [Schwab2002, section 5.4.4];
the reference value is the largest force on the pin, from an independent computation.
"""

from math import pi

import numpy as np

import flexura as fx
from flexura.planar import Beam, Clearance, Mass

SPEED, CLEARANCE = 523.6, 0.5e-3
TURN = 2 * pi / SPEED
SOURCE = 4332.76

film = fx.OilFilm(viscosity=0.1, radius=10e-3, length=20e-3)

model = fx.Model(
    title="Oil film in the gudgeon pin",
    nodes={"O": (0, 0), "A": (0.05, 0), "B": (0.17, 0), "C": (0.17, 0)},
    elements={
        "crank": Beam("O", "A", fx.Section(), rigid=True),
        "rod": Beam("A", "B", fx.Section(rhoA=1.2083333333333333), rigid=True),
        "pin": Clearance("C", "rod.q", clearance=CLEARANCE, contact=film),
        "slider": Mass("C", 0.145),
    },
    fixed=["O", "C.y"],
    inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
    start={"pin.along'": 0.0, "pin.across'": 0.0},
)


def compute() -> tuple[fx.Motion, float]:
    """The second and third revolution, and the largest force on the pin in N."""
    motion = fx.simulate(model, times=np.linspace(TURN, 3 * TURN, 14401).tolist())
    return motion, float(np.hypot(motion.force("pin.along"), motion.force("pin.across")).max())


if __name__ == "__main__":
    motion, force = compute()
    print(f"the pin is pushed with {force:.2f} N at most (source {SOURCE} N)")
    motion.plot("C.x'", "C.x''", "crank.p.phi.force", path="ravn_oil_film.png")
    motion.plot_journal("pin", path="ravn_oil_film_path.png")
    motion.plot_locus("pin", path="ravn_oil_film_locus.png")
