"""The rotor with a seal of [Schwab2002], section 4.4.3: eight eigenvalues at 4000 revolutions in a minute."""

from math import pi

import numpy as np
import pytest
from numpy.typing import NDArray

import flexura as fx
from flexura.results.linear_system import LinearSystem
from flexura.spatial import Beam, Bearing, Body, Hinge
from references.shaft import Shaft, Station, polish

INCH, POUND, FORCE = 0.0254, 0.45359237, 4.4482216
SPEED = 4000 * 2 * pi / 60
EI = 3.0e7 * FORCE / INCH**2 * pi * (4 * INCH) ** 4 / 64
RHO = 0.283 * POUND / INCH**3
RHO_A, RHO_I = RHO * pi * (4 * INCH) ** 2 / 4, RHO * pi * (4 * INCH) ** 4 / 64
BEARING = 1.0e5 * FORCE / INCH
MASS, ALONG, ACROSS = 0.028 * FORCE / INCH, 0.224 * FORCE * INCH, 0.114 * FORCE * INCH
STIFF, CROSS, DAMPER, SIDE, ADDED = (*(n * FORCE / INCH for n in (89542, 27028, 171.42, 12)), 6.68)

TABLE = np.array([
    -7.97 + 223.62j, -45.93 + 226.44j, -277.46 + 988.02j, -205.18 + 1030.30j,
    -44.45 + 1893.45j, -45.51 + 1921.67j, -158.01 + 4232.13j, -153.39 + 4302.12j,
])  # fmt: skip
"""[Schwab2002, Table 4.1]."""

REFERENCE = np.array([
    -7.967 + 223.609j, -45.934 + 226.446j, -277.458 + 988.026j, -205.187 + 1030.291j,
    -44.456 + 1893.508j, -45.490 + 1921.650j, -158.038 + 4232.518j, -153.421 + 4302.151j,
])  # fmt: skip
"""Complex finite elements of the same rotor in axes of space, with lumped rotary inertia; printed to three decimals."""

FORWARD = np.array([True, False, False, True, False, True, False, True])


def rotor(parts: int = 1, rotary: str = "lumped") -> fx.Model:
    """Five lengths of ten inches, each of equal beams; the first bearing also drives."""
    section = fx.Section(EI=EI, rhoA=RHO_A, rhoIy=RHO_I, rhoIz=RHO_I)
    shaft = {
        f"s{i}": Beam(f"s{i - 1}.q" if i > 1 else "N0", f"N{i}", section, parts=parts, rotary=rotary)
        for i in range(1, 6)
    }
    return fx.Model(
        nodes={f"N{i}": (10 * INCH * i, 0, 0) for i in range(6)} | {"G0": (0, 0, 0), "G1": (10 * INCH, 0, 0)},
        elements=shaft
        | {
            "drive": Bearing("G0", "s1.p", ky=BEARING, kz=BEARING),
            "bearing": Bearing("G1", "s1.q", kx=0.0, ky=BEARING, kz=BEARING),
            "disc": Body("s4.q", MASS, Jxx=ALONG, Jyy=ACROSS, Jzz=ACROSS),
            "end": Body("s5.q", MASS, Jxx=ALONG, Jyy=ACROSS, Jzz=ACROSS),
        },
        fixed=["drive.p", "bearing.p"],
        inputs={"drive.rotation": fx.Ramp(SPEED)},
    )


def sealed(model: fx.Model) -> LinearSystem:
    """The seal acts on displacements and velocities in space [Schwab2002 (4.20)]."""
    return fx.linearise(model, in_space=True).attach(
        ["N2.y", "N2.z"],
        K=[[STIFF, CROSS], [-CROSS, STIFF]],
        C=[[DAMPER, SIDE], [-SIDE, DAMPER]],
        M=ADDED,
    )


def lowest(system: LinearSystem) -> NDArray[np.complex128]:
    values = system.eigenvalues
    oscillating = values[values.imag > 1.0]
    return np.asarray(oscillating[np.argsort(oscillating.imag)][:8])


@pytest.mark.validation
def test_five_beams_with_lumped_rotary_inertia() -> None:
    """All digits of the reference; the printed table within 0.01 %, and 0.04 rad/s in its real parts."""
    found = lowest(sealed(rotor()))
    assert np.abs(found.imag - REFERENCE.imag).max() < 6e-4
    assert np.abs(found.real - REFERENCE.real).max() < 6e-4
    assert np.abs(found.imag / TABLE.imag - 1.0).max() < 1e-4
    assert np.abs(found.real - TABLE.real).max() < 0.04


@pytest.mark.validation
def test_directions_of_whirl() -> None:
    """The first forward whirl is slower than the first backward one, by the seal."""
    found = fx.campbell(rotor(), "inputs.drive.rotation.rate", [SPEED], plane=("N2.y", "N2.z"), system=sealed)
    order = np.argsort(found.frequencies[0])
    assert [found.labels[k] for k in order] == ["forward" if forward else "backward" for forward in FORWARD]
    assert np.abs(found.whirl) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.validation
def test_in_axes_that_turn() -> None:
    """As in the source: the frequencies seen from the shaft are less by the speed forward, more by it backward."""
    model = rotor()
    # displacements of the shaft's two ends in turning axes, and its bending, take the place of those in space
    seen = {
        "axes": Hinge("G0", "G0", axis=(1, 0, 0)),
        "near": Bearing("axes.q", "s1.p", kx=0.0, ky=0.0, kz=0.0),
        "far": Bearing("axes.q", "s5.q", kx=0.0, ky=0.0, kz=0.0),
    }
    bending = [f"s{i}.bending_{axis}_{end}" for i in range(1, 6) for axis in "yz" for end in "pq"]
    ends = [f"{name}.across_{axis}" for name in ("near", "far") for axis in "yz"]
    turning = model.replace(
        elements={**model.elements, **seen},
        fixed=[*model.fixed, "axes.p"],
        inputs={**model.inputs, "axes.rotation": fx.Ramp(SPEED)},
        independent=[*bending, *ends],
    )
    system = fx.linearise(turning).attach(
        ["N2.y", "N2.z"], K=[[STIFF, CROSS], [-CROSS, STIFF]], C=[[DAMPER, SIDE], [-SIDE, DAMPER]], M=ADDED
    )
    assert set(system.coordinates) == {*bending, *ends}
    in_space = lowest(sealed(model))
    expected = in_space - 1j * SPEED * np.where(FORWARD, 1.0, -1.0)
    expected = np.where(expected.imag < 0.0, expected.conj(), expected)
    distance = np.abs(system.eigenvalues[:, None] - expected[None, :]).min(axis=0)
    assert distance.max() < 1e-6


@pytest.mark.validation
def test_converged() -> None:
    """With consistent rotary inertia, to the exact roots of Rayleigh's shaft with order four.

    The table's fourth pair is 0.16 % too fast: -157.141 + 4225.694i and -152.414 + 4294.706i.
    """
    shaft = Shaft(EI, RHO_A, RHO_I, SPEED)
    disc = {"mass": MASS, "across": ACROSS, "along": ALONG}
    stations = (
        Station(0.0, k=BEARING),
        Station(10 * INCH, k=BEARING),
        Station(20 * INCH, k=STIFF - 1j * CROSS, c=DAMPER - 1j * SIDE, mass=ADDED),
        Station(40 * INCH, **disc),
        Station(50 * INCH, **disc),
    )
    guesses = np.where(FORWARD, REFERENCE, REFERENCE.conj())
    roots = np.array([polish(shaft, stations, complex(guess)) for guess in guesses])
    exact = np.where(FORWARD, roots, roots.conj())
    errors = np.array([np.abs(lowest(sealed(rotor(parts, "consistent"))) - exact) for parts in (2, 4)])
    assert np.log2(errors[0] / errors[1]).min() > 3.8
    assert (errors[-1] / np.abs(exact)).max() < 1e-5
    assert exact[6:] == pytest.approx(np.array([-157.141 + 4225.694j, -152.414 + 4294.706j]), abs=1e-3)
