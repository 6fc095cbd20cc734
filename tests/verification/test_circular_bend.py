"""The 45° bend of Bathe and Bolourchi: an eighth of a circle of straight beams, bent out of its plane by a force.

Shear is left out, as these beams have none by default; with it the tip moves by less than 0.01 %. The polygon of
chords for the circle makes an error of order two.
"""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import flexura as fx
from flexura.spatial import Beam
from references.cosserat_rod import cantilever
from references.rod_cases import bend

Array = NDArray[np.float64]

BEAMS = (4, 8, 16, 32)


def chords(beams: int, load: float, torsion: float, second_order: bool) -> fx.Model:
    """Beams welded end to end on the circle, the first one clamped."""
    section = fx.Section(EA=1e7, EI=1e7 / 12.0, GIt=5e6 * torsion)
    angles = np.linspace(0.0, np.pi / 4.0, beams + 1)
    return fx.Model(
        nodes={f"N{i}": (100.0 * np.sin(a), 100.0 * (1.0 - np.cos(a)), 0.0) for i, a in enumerate(angles)},
        elements={
            f"b{i}": Beam(f"b{i - 1}.q" if i > 1 else "N0", f"N{i}", section, second_order=second_order)
            for i in range(1, beams + 1)
        },
        fixed=["b1.p"],
        loads={f"N{beams}.z": load},
    )


@cache
def tip(beams: int, load: float, torsion: float = 1.0 / 6.0, second_order: bool = True) -> Array:
    state = fx.equilibrium(chords(beams, load, torsion, second_order))
    return np.array([state[f"N{beams}.{axis}"] for axis in "xyz"])


@cache
def converged(load: float, torsion: float = 1.0 / 6.0) -> Array:
    return cantilever(bend(torsion, stretch=True), (0.0, 0.0, load)).r[-1]


def errors(load: float, second_order: bool) -> Array:
    known = converged(load)
    return np.array([np.linalg.norm(tip(n, load, 1.0 / 6.0, second_order) - known) for n in BEAMS]) / np.linalg.norm(
        known
    )


@pytest.mark.parametrize("load", [300.0, 450.0, 600.0])
def test_tip(load: float) -> None:
    """32 beams are within 0.006 %; the order comes to two from above: what is left is the polygon's."""
    found = errors(load, second_order=True)
    orders = np.log2(found[:-1] / found[1:])
    assert found[-1] < 6e-5
    assert np.all(np.diff(orders) < 0.0)
    assert 1.98 < orders[-1] < 2.01


@pytest.mark.parametrize("load", [300.0, 450.0, 600.0])
def test_error_is_of_order_two(load: float) -> None:
    """Without the part of order two, taken from 16 and 32 beams, 99 % of the error is gone."""
    extrapolated = (4.0 * tip(32, load) - tip(16, load)) / 3.0
    assert np.linalg.norm(extrapolated - converged(load)) < 0.01 * np.linalg.norm(tip(32, load) - converged(load))


def test_plain_beam() -> None:
    """Without terms of second order in the strains: order two as well, with more than twice the error."""
    plain, full = errors(600.0, second_order=False), errors(600.0, second_order=True)
    assert np.abs(np.log2(plain[1:-1] / plain[2:]) - 2.0).max() < 0.1
    assert plain[-1] > 2.0 * full[-1]


def test_torsional_stiffness_of_a_square() -> None:
    """With J = 0.1406 in place of the polar moment 1/6; the literature has both."""
    known = converged(600.0, 0.1406)
    assert np.linalg.norm(tip(32, 600.0, 0.1406) - known) < 2e-4 * np.linalg.norm(known)
    assert np.linalg.norm(known - converged(600.0)) > 2e-3 * np.linalg.norm(known)
