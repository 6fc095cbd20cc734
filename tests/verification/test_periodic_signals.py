"""All signals and forces of small vibrations, against the full equations with vibrations that are small indeed."""

from math import pi

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Mass

SPEED = 150.0
SIGNALS = ["rod.1.q.y", "rod.1.q.x'", "rod.1.q.y''", "rod.p.phi", "rod.p.phi'", "rod.1.bending_p"]
UNMOVED = ["B.x", "B.x'", "B.x''"]
"""Bending shortens the rod only to the second order."""
FORCES = ["O.x", "O.y", "B.y", "crank.p.phi", "rod.1.bending_p", "rod.2.bending_q", "rod.1.elongation"]


def stiff(factor: float) -> fx.Model:
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
        elements={
            "crank": Beam("O", "A", fx.Section(rhoA=0.2225), rigid=True),
            "rod": Beam("A", "B", fx.Section(EI=12.72345 * factor, rhoA=0.2225, damping_ratio=0.02), parts=2),
            "plunger": Mass("B", 0.033375),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
        loads={"B.x": -20.0},
        gravity=(0, -9.81),
    )


@pytest.fixture(scope="module")
def errors():
    """The largest difference from the full motion for two stiffnesses, one four times the other."""
    found = []
    for factor in (25.0, 100.0):
        model = stiff(factor)
        vibration = fx.periodic(model, 2 * pi / SPEED)
        begin = vibration.at([0.0])
        values = {name: float(begin.q[0][0, k]) for k, name in enumerate(vibration.coordinates)}
        rates = {f"{name}'": float(begin.q[1][0, k]) for k, name in enumerate(vibration.coordinates)}
        full = fx.simulate(
            model.replace(start=values | rates), until=0.02, samples=41, method=fx.DormandPrince(tolerance=1e-11)
        )
        small = vibration.at(full.t)
        pairs = {name: (full[name], small[name], small.change(name)) for name in (*SIGNALS, *UNMOVED)}
        pairs |= {f"{name}.force": (full.force(name), small.force(name), small[f"{name}.force"]) for name in FORCES}
        found.append({name: (np.abs(a - b).max(), np.abs(c).max()) for name, (a, b, c) in pairs.items()})
    return found


@pytest.mark.parametrize("name", [*SIGNALS, *(f"{name}.force" for name in FORCES)])
def test_what_is_left_is_of_second_order(errors, name):
    (soft, size), (hard, _) = (error[name] for error in errors)
    assert soft < 0.03 * size
    # vibrations of a quarter leave a sixteenth, or what the tolerances leave
    assert hard < soft / 10.0 + 1e-7 * size


@pytest.mark.parametrize("name", UNMOVED)
def test_what_does_not_move_is_left_alone(errors, name):
    (soft, size), (hard, _) = (error[name] for error in errors)
    assert size < 1e-3 * soft
    assert soft / 20.0 < hard < soft / 12.0


def test_histories_are_drawn(tmp_path):
    vibration = fx.periodic(stiff(1.0), 2 * pi / SPEED)
    vibration.plot("B.x", "B.y.force", path=str(tmp_path / "signals.png"))
    vibration.plot_harmonics("rod.1.bending_q", path=str(tmp_path / "harmonics.png"))
    vibration.plot_exponents(path=str(tmp_path / "exponents.png"))
    vibration.transient([0.0, 0.01]).plot("B.x", path=str(tmp_path / "start.png"))
    assert len(list(tmp_path.iterdir())) == 4
    assert "truncation error" in str(vibration)


def test_errors_say_what_to_do():
    with pytest.raises(fx.ModelError, match=r"period: the equations do not repeat after 0\.03 s; give the time"):
        fx.periodic(stiff(1.0), 0.03)
    with pytest.raises(fx.ModelError, match="period: -1 s is not a period"):
        fx.periodic(stiff(1.0), -1.0)
    rigid = stiff(1.0).with_parameter("elements.rod.rigid", True)
    with pytest.raises(fx.ModelError, match="nothing can vibrate"):
        fx.periodic(rigid, 2 * pi / SPEED)
    with pytest.raises(fx.ModelError, match="positions: 2 are too few"):
        fx.periodic(stiff(1.0), 2 * pi / SPEED, positions=2)
    with pytest.raises(fx.ModelError, match="harmonics: -1 is not a number of harmonics"):
        fx.periodic(stiff(1.0), 2 * pi / SPEED, harmonics=-1)
