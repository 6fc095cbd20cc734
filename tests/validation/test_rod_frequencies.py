"""Frequencies of the pinned rods of [Schwab2002], section 4.4: connecting rod and Cardan shaft, two plain beams each.

The source has 832 rad/s for the connecting rod of the slider-crank and 766 rad/s, of the closed form, for the shaft.
The other digits are those of two cubic elements with consistent mass, as the source uses them;
`references.beam_vibration` computes them independently.
"""

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from references.beam_vibration import pinned_pinned, pinned_pinned_in_elements

ROD = {"EI": 12.72345, "rhoA": 0.2225, "length": 0.3}
SHAFT = {"EI": 2.1e11 * np.pi * 0.03**4 / 4.0, "rhoA": 7850.0 * np.pi * 0.03**2, "length": 1.0}


def slider_crank() -> fx.Model:
    """The mechanism, its crank held in line with the rod: both ends of the rod are then pins that do not move aside."""
    section = fx.Section(EI=ROD["EI"], rhoA=ROD["rhoA"])
    return fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
        elements={
            "crank": planar.Beam("O", "A", section, rigid=True),
            "rod": planar.Beam("A", "B", section, parts=2, second_order=False),
            "plunger": planar.Mass("B", 0.033375),
        },
        fixed=["O", "B.y", "crank.p.phi"],
    )


def drive_shaft() -> fx.Model:
    """The shaft alone, between a universal joint and a ball; it does not twist, so that it needs no polar inertia."""
    section = fx.Section(EI=SHAFT["EI"], GIt=np.inf, rhoA=SHAFT["rhoA"])
    return fx.Model(
        nodes={"A": (0, 0, 0), "B": (1, 0, 0)},
        elements={
            "shaft": spatial.Beam("A", "B", section, parts=2, second_order=False),
            "joint": spatial.Hinge("A", "shaft.p", axis=(1, 0, 0), k=np.inf),
        },
        fixed=["joint.p", "B.y", "B.z"],
        released=["joint.bending_y", "joint.bending_z"],
    )


@pytest.mark.validation
def test_connecting_rod() -> None:
    """All four frequencies, to half of the last digit that is given."""
    found = fx.linearise(slider_crank()).frequencies
    known = [832.540585, 3681.67578, 9254.1948, 16871.558]
    assert len(found) == 4
    for frequency, printed, half in zip(found, known, (5e-7, 5e-6, 5e-5, 5e-4), strict=True):
        assert frequency == pytest.approx(printed, abs=half)
    np.testing.assert_allclose(found, pinned_pinned_in_elements(2, **ROD), rtol=1e-11)
    # two beams are stiffer than the rod of the closed form, a little
    assert found[0] == pytest.approx(pinned_pinned(1, **ROD)[0], rel=4e-3)


@pytest.mark.validation
def test_drive_shaft() -> None:
    """Each in two directions."""
    found = fx.linearise(drive_shaft()).frequencies
    assert len(found) == 8
    np.testing.assert_allclose(found[:2], 768.734842, rtol=0.0, atol=5e-7)
    np.testing.assert_allclose(found, np.repeat(pinned_pinned_in_elements(2, **SHAFT), 2), rtol=1e-10)
    assert pinned_pinned(1, **SHAFT)[0] == pytest.approx(765.712653, abs=5e-7)


@pytest.mark.parametrize("second_order", [True, False])
def test_terms_of_second_order_do_nothing_at_rest(second_order: bool) -> None:
    model = slider_crank()
    rod = planar.Beam("A", "B", model.elements["rod"].section, parts=2, second_order=second_order)
    changed = model.replace(elements=dict(model.elements) | {"rod": rod})
    np.testing.assert_allclose(fx.linearise(changed).frequencies, pinned_pinned_in_elements(2, **ROD), rtol=1e-11)
