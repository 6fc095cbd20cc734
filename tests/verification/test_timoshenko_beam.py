"""Beams with shear flexibility and rotary inertia: frequencies of Timoshenko's and Rayleigh's beam on two pins."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial

E, RHO, NU, KAPPA, WIDTH = 2.0e11, 7850.0, 0.3, 5.0 / 6.0, 0.05


def section(height: float) -> fx.Section:
    """Square-like section of equal stiffness in both planes, in numbers."""
    A, I, G = WIDTH * height, WIDTH * height**3 / 12.0, E / (2.0 * (1.0 + NU))
    return fx.Section(
        EA=E * A, EI=E * I, rhoA=RHO * A, GA=G * A, GIt=G * I, rhoIy=RHO * I, rhoIz=RHO * I, EIy=E * I, EIz=E * I
    )


def exact(s: fx.Section, mode: int, shear: float, length: float = 1.0) -> float:
    """The lower root of a ω⁴ - b ω² + EI q⁴ = 0 with q = nπ/L [TimoshenkoGere1961]."""
    q, soft = mode * pi / length, 1.0 / (shear * s.GA) if shear else 0.0
    a, c = s.rhoIz * s.rhoA * soft, s.EI * q**4
    b = s.rhoA + s.rhoIz * q**2 + s.rhoA * s.EI * q**2 * soft
    return sqrt(2.0 * c / (b + sqrt(b * b - 4.0 * a * c)))


def frequencies(space: str, s: fx.Section, parts: int, **beam: Any) -> Any:
    if space == "planar":
        flat: Any = planar.Beam("O", "A", s, parts=parts, **beam)
        model = fx.Model(nodes={"O": (0, 0), "A": (1, 0)}, elements={"beam": flat}, fixed=["O", "A.y"])
    else:
        solid: Any = spatial.Beam("O", "A", s, parts=parts, y_axis=(0, 1, 0), **beam)
        held = ["O", "A.y", "A.z", "beam.p.e1"]
        model = fx.Model(nodes={"O": (0, 0, 0), "A": (1, 0, 0)}, elements={"beam": solid}, fixed=held)
    return np.asarray(fx.linearise(model).frequencies)


def errors(space: str, height: float, parts: int, shear: float = KAPPA, **beam: Any) -> Any:
    s = section(height)
    found = frequencies(space, s, parts, shear=shear, **beam)
    return np.array([np.min(np.abs(found / exact(s, mode, shear) - 1.0)) for mode in (1, 2, 3)])


@pytest.mark.parametrize("rotary", ["consistent", "lumped"])
@pytest.mark.parametrize("space", ["planar", pytest.param("spatial", marks=pytest.mark.slow)])
def test_pinned_timoshenko_beam(space: str, rotary: str) -> None:
    """First three frequencies: below 1e-5 with 64 beams, falling with order two at least."""
    coarse, fine = errors(space, 0.04, 8, rotary=rotary), errors(space, 0.04, 16, rotary=rotary)
    assert np.all(fine < coarse / 4.0)
    assert np.all(errors(space, 0.04, 64, rotary=rotary) < 1e-6)
    assert np.all(errors(space, 0.1, 64, rotary=rotary) < 1e-5)


@pytest.mark.parametrize("rotary", ["consistent", "lumped"])
def test_pinned_rayleigh_beam(rotary: str) -> None:
    """Without shear the planar beam is Rayleigh's, with its rotary inertia."""
    assert np.all(errors("planar", 0.1, 64, shear=0.0, rotary=rotary) < 1e-5)


def test_rotary_inertia_of_a_shape() -> None:
    """A shape with a material has rotary inertia as its section says; ``none`` leaves it out."""
    s = section(0.1)
    given = fx.Section(EA=s.EA, EI=s.EI, rhoA=s.rhoA)
    assert frequencies("planar", s, 4, rotary="none") == pytest.approx(frequencies("planar", given, 4), rel=1e-9)
    shaped = planar.Beam("O", "A", fx.Rectangle(WIDTH, 0.1), fx.Material(E, RHO, nu=NU), parts=4)
    model = fx.Model(nodes={"O": (0, 0), "A": (1, 0)}, elements={"beam": shaped}, fixed=["O", "A.y"])
    assert fx.linearise(model).frequencies == pytest.approx(frequencies("planar", s, 4), rel=1e-9)


def test_rigid_beam_turns_with_its_sections() -> None:
    """A rigid bar on a pin: J = ρAL³/3 + ρIL."""
    bar = planar.Beam("O", "A", fx.Section(rhoA=2.0, rhoIz=5.0), rigid=True)
    model = fx.Model(nodes={"O": (0, 0), "A": (3, 0)}, elements={"bar": bar}, fixed=["O"], start={"bar.p.phi'": 2.0})
    motion = fx.simulate(model, 1.0)
    assert motion.energy["kinetic"][0] == pytest.approx(0.5 * (2.0 * 27.0 / 3.0 + 5.0 * 3.0) * 4.0, rel=1e-12)
