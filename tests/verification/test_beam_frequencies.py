"""Natural frequencies of a spatial cantilever from its mass and stiffness as drawn, against closed forms.

The unknowns are displacements and rotations at the nodes: the Euler parameters e₁, e₂, e₃ are half of the small
rotations, and the length of the Euler parameters, e₀ alone as drawn, is held.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import eigh

import flexura as fx
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.motion.dense_equations import dense_equations
from flexura.mechanics.preparation.assembly import Assembler
from flexura.mechanics.preparation.signal_slopes import Slopes
from flexura.spatial import Beam
from references.beam_vibration import clamped_free
from references.frequencies import axial, rayleigh_cantilever, torsional

Array = NDArray[np.float64]

LENGTH = 1.4
SECTION = fx.Section(EA=900.0, EIy=2.0, EIz=0.7, GIt=0.4, rhoA=1.3, rhoIy=0.02, rhoIz=0.007)
"""Stubby: rotary inertia takes 2 % off the first frequency of bending about y and 21 % off the third."""

COMPONENTS = {"axial": ("x",), "torsion": ("e1",), "bending_y": ("z", "e2"), "bending_z": ("y", "e3")}


@cache
def matrices(beams: int, rotary: str) -> tuple[list[str], Array, Array]:
    """Components of the free coordinates, M and K without what the unit lengths hold."""
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (LENGTH, 0, 0)},
        elements={"beam": Beam("O", "A", SECTION, y_axis=(0, 1, 0), parts=beams, rotary=rotary)},
        fixed=["beam.p"],
    )
    layout = Layout(model)
    system, x = Assembler(layout).system(), layout.drawn.copy()
    M = dense_equations(layout, system, 0.0, x.copy(), np.zeros_like(x)).mass
    D = Slopes(layout, system, x).of(layout.strains, scaled=False)
    S = np.zeros((len(layout.strains), len(layout.strains)))
    for first, block in layout.stiffness.items():
        S[first : first + len(block), first : first + len(block)] = block
    components = [layout.coordinates[c].component for c in layout.free]
    # the held strains are the unit lengths: as drawn they hold e₀ and nothing else
    kept = np.flatnonzero(~D[layout.constraints].any(axis=0))
    assert [c for i, c in enumerate(components) if i not in kept] == ["e0"] * beams
    return [components[i] for i in kept], M[np.ix_(kept, kept)], (D.T @ S @ D)[np.ix_(kept, kept)]


def frequencies(beams: int, rotary: str, mode: str) -> Array:
    """All frequencies of one kind of motion; the kinds do not know of each other in a straight beam."""
    components, M, K = matrices(beams, rotary)
    own = np.array([c in COMPONENTS[mode] for c in components])
    assert np.abs(M[np.ix_(own, ~own)]).max() < 1e-14
    assert np.abs(K[np.ix_(own, ~own)]).max() < 1e-12
    squares = eigh(K[np.ix_(own, own)], M[np.ix_(own, own)], eigvals_only=True)
    return np.asarray(np.sqrt(squares))


def errors(mode: str, rotary: str, known: Array, beams: Sequence[int]) -> Array:
    """Relative errors, a row a number of beams and a column a frequency."""
    return np.array([np.abs(frequencies(n, rotary, mode)[: known.size] / known - 1.0) for n in beams])


def orders(errors: Array) -> Array:
    return np.asarray(np.log2(errors[:-1] / errors[1:]))


def inertias(mode: str) -> dict[str, float]:
    about = mode[-1]
    return {"EI": getattr(SECTION, f"EI{about}"), "rhoA": SECTION.rhoA, "length": LENGTH}


@pytest.mark.parametrize("mode", ["bending_y", "bending_z"])
def test_bending_of_a_slender_beam(mode: str) -> None:
    """Consistent mass: order four."""
    found = errors(mode, "none", clamped_free(3, **inertias(mode)), (8, 16))
    assert orders(found).min() > 3.9
    assert found[-1].max() < 5e-5


@pytest.mark.parametrize("mode", ["bending_y", "bending_z"])
def test_bending_with_rotary_inertia(mode: str) -> None:
    """Rayleigh's beam with consistent rotary inertia: order four too."""
    known = rayleigh_cantilever(3, rhoI=getattr(SECTION, f"rhoI{mode[-1]}"), **inertias(mode))
    found = errors(mode, "consistent", known, (8, 16))
    assert orders(found).min() > 3.9
    assert found[-1].max() < 5e-5


def test_bending_with_lumped_rotary_inertia() -> None:
    """Half of the rotary inertia at either end of a beam: order two, in higher modes, where it counts."""
    known = rayleigh_cantilever(4, rhoI=SECTION.rhoIy, **inertias("bending_y"))
    found = errors("bending_y", "lumped", known, (16, 32))[:, 2:]
    assert np.abs(orders(found) - 2.0).max() < 0.05
    assert found[-1].max() < 1.2e-3


@pytest.mark.parametrize("rotary", ["consistent", "lumped"])
def test_torsion(rotary: str) -> None:
    known = torsional(3, SECTION.GIt, SECTION.rhoIy + SECTION.rhoIz, LENGTH)
    found = errors("torsion", rotary, known, (16, 32))
    assert np.abs(orders(found) - 2.0).max() < 0.02
    assert found[-1].max() < 3e-3


def test_axial() -> None:
    found = errors("axial", "consistent", axial(3, SECTION.EA, SECTION.rhoA, LENGTH), (16, 32))
    assert np.abs(orders(found) - 2.0).max() < 0.05
    assert found[-1].max() < 2e-3
