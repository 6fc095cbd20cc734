"""Section forces of links with attached masses, in 1 to 16 parts, and beside superelements, against closed forms."""

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial

ALUMINIUM = fx.Material(E=7.1e10, rho=2710.0, nu=0.33)
TUBE = fx.Tube(0.06, 0.05)
PER_LENGTH, G = 2710.0 * TUBE.area, 9.81
LENGTH, LOAD, SPREAD, TIP, MIDDLE = 1.3, 17.0, 11.0, 3.0, 6.0


def link(parts, dimension, rigid, *, supports, loads, gravity=True):
    """Link with masses at its tip and, in an even number of parts, at its middle; a load per length acts along it."""
    kinds, rest = (planar, ()) if dimension == 2 else (spatial, (0,))
    given = {} if dimension == 2 else {"y_axis": (0, 1, 0)}
    elements = {
        "rod": kinds.Beam("O", "A", TUBE, ALUMINIUM, parts=parts, rigid=rigid, **given),
        "tip": kinds.Mass("A", TIP),
    }
    if parts % 2 == 0:
        elements["middle"] = kinds.Mass(f"rod.{parts // 2}.q", MIDDLE)
    return fx.Model(
        nodes={"O": (0, 0, *rest), "A": (LENGTH, 0, *rest)},
        elements=elements,
        fixed=supports,
        loads=loads | {"rod": (0.0, -SPREAD, *rest)},
        gravity=(0, -G * gravity, *rest),
    )


def away_from_the_middle(x):
    """Places at which the shear force does not jump."""
    return np.abs(x - LENGTH / 2) > 1e-9


@pytest.mark.parametrize("rigid", [True, False], ids=["rigid", "flexible"])
@pytest.mark.parametrize(("dimension", "parts"), [(2, 1), (2, 2), (2, 8), (2, 16), (3, 1), (3, 4)])
def test_cantilever_with_masses(dimension, parts, rigid):
    # M = -(P + m₁g)(l - x) - q(l - x)²/2 - m₂g(l/2 - x); deflections of 1e-3 l change arms by 1e-6
    moment, shear, at_root = ("M", "V", "rod.p.phi") if dimension == 2 else ("Mz", "Vy", "rod.p.about_z")
    held = ["O", "rod.p.phi"] if dimension == 2 else ["rod.p"]
    state = fx.equilibrium(link(parts, dimension, rigid, supports=held, loads={"A.y": -LOAD}))
    section = state.section("rod")
    x, q = section.place, PER_LENGTH * G + SPREAD
    middle = MIDDLE * G * (parts % 2 == 0)
    bent = -(LOAD + TIP * G) * (LENGTH - x) - q * (LENGTH - x) ** 2 / 2 - middle * np.maximum(LENGTH / 2 - x, 0.0)
    sheared = -(LOAD + TIP * G) - q * (LENGTH - x) - middle * (x < LENGTH / 2)
    there, limit = away_from_the_middle(x), 1e-12 if rigid else 5e-6
    assert section[moment][0] == pytest.approx(bent, abs=limit * np.abs(bent).max())
    assert section[shear][0][there] == pytest.approx(sheared[there], abs=limit * np.abs(sheared).max())
    # the root is the reaction, the tip its load and the weight of its mass
    assert state.force(at_root) == pytest.approx(-section[moment][0, 0], rel=1e-9)
    assert state.force("O.y") == pytest.approx(-section[shear][0, 0], rel=1e-9)
    assert np.hypot(section.N[0, -1], section[shear][0, -1]) == pytest.approx(LOAD + TIP * G, rel=1e-9)
    assert abs(section[moment][0, -1]) < 1e-9 * np.abs(bent).max()


@pytest.mark.parametrize("rigid", [True, False], ids=["rigid", "flexible"])
@pytest.mark.parametrize("parts", [1, 2, 8, 16])
def test_simply_supported_beam_with_a_mass(parts, rigid):
    # M = q x(l - x)/2 + m g min(x, l - x)/2
    section = fx.equilibrium(link(parts, 2, rigid, supports=["O", "A.y"], loads={})).section("rod")
    x, q, middle = section.place, PER_LENGTH * G + SPREAD, MIDDLE * G * (parts % 2 == 0)
    bent = q * x * (LENGTH - x) / 2 + middle * np.minimum(x, LENGTH - x) / 2
    sheared = -q * (LENGTH / 2 - x) - middle / 2 * np.sign(LENGTH / 2 - x)
    there, limit = away_from_the_middle(x), 1e-12 if rigid else 5e-7
    assert section.M[0] == pytest.approx(bent, abs=limit * bent.max())
    assert section.V[0][there] == pytest.approx(sheared[there], abs=limit * np.abs(sheared).max())


@pytest.mark.parametrize("rigid", [True, False], ids=["rigid", "flexible"])
@pytest.mark.parametrize("parts", [1, 2, 16])
def test_spinning_rod_with_masses(parts, rigid):
    # N = ρA Ω²(l² - x²)/2 + m₁ Ω² l + m₂ Ω² l/2; the rod stretches by up to 1e-4
    speed = 25.0
    model = link(parts, 2, rigid, supports=["O"], loads={}, gravity=False).replace(loads={})
    if rigid:
        state = fx.kinematics(model.replace(inputs={"rod.p.phi": fx.Ramp(rate=speed)}), [0.0, 0.03, 0.11])
    else:
        state = fx.steady(model.replace(start={"rod.p.phi'": speed}), {"rod.p.phi'": speed})
    section = state.section("rod")
    x, middle = section.place, MIDDLE * (parts % 2 == 0)
    pulled = speed**2 * (PER_LENGTH * (LENGTH**2 - x**2) / 2 + TIP * LENGTH + middle * LENGTH / 2 * (x < LENGTH / 2))
    there, limit = away_from_the_middle(x), 1e-12 if rigid else 2e-4
    assert section.N[:, there] == pytest.approx(np.tile(pulled[there], (len(section.t), 1)), abs=limit * pulled.max())


@pytest.mark.parametrize("rigid", [True, False], ids=["rigid", "flexible"])
@pytest.mark.parametrize("parts", [1, 4])
def test_frame_that_bends_and_twists(parts, rigid):
    # two welded links at a right angle with a mass in their corner: the second twists the first by its moment
    a, b, weight = 0.8, 0.5, PER_LENGTH * G
    given = {"parts": parts, "rigid": rigid, "y_axis": (0, 0, 1)}
    model = fx.Model(
        nodes={"O": (0, 0, 0), "C": (a, 0, 0), "T": (a, b, 0)},
        elements={
            "one": spatial.Beam("O", "C", TUBE, ALUMINIUM, **given),
            "two": spatial.Beam("one.q", "T", TUBE, ALUMINIUM, **given),
            "corner": spatial.Mass("C", TIP),
        },
        fixed=["one.p"],
        loads={"T.z": -LOAD},
        gravity=(0, 0, -G),
    )
    state = fx.equilibrium(model)
    one, two = state.section("one"), state.section("two")
    x, y = a - one.place, b - two.place
    limit = 1e-12 if rigid else 5e-5
    for found, expected in (
        (two.Mz[0], -LOAD * y - weight * y**2 / 2),
        (two.Vy[0], -LOAD - weight * y),
        (one.Mz[0], -(LOAD + TIP * G + weight * b) * x - weight * x**2 / 2),
        (one.Vy[0], -(LOAD + TIP * G + weight * b) - weight * x),
        (np.abs(one.T[0]), np.full(x.size, LOAD * b + weight * b**2 / 2)),
    ):
        assert found == pytest.approx(expected, abs=limit * np.abs(expected).max())
    assert state.force("one.p.about_x") == pytest.approx(-one.T[0, 0], rel=1e-9)
    assert state.force("O.z") == pytest.approx(-one.Vy[0, 0], rel=1e-9)


def test_beam_on_a_superelement():
    # the interface carries the shear of the beam, the frame all weights and loads; a load per length acts on both
    a, b, weight = 0.6, 0.4, PER_LENGTH * G
    rod = fx.Model(
        nodes={"A": (0, 0, 0), "B": (a, 0, 0)},
        elements={"rod": spatial.Beam("A", "B", TUBE, ALUMINIUM, parts=8)},
        space="spatial",
    )
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (a, 0, 0), "T": (a + b, 0, 0)},
        elements={
            "part": spatial.Superelement("A", ("B",), fx.reduce(rod, ["rod.p", "rod.q"], modes=4)),
            "arm": spatial.Beam("part.interface_1", "T", TUBE, ALUMINIUM, parts=2),
            "tip": spatial.Mass("T", TIP),
        },
        fixed=["part.frame"],
        loads={"T.y": -LOAD, "arm": (0.0, -SPREAD, 0.0), "part": (0.0, -SPREAD, 0.0)},
        gravity=(0, -G, 0),
    )
    state = fx.equilibrium(model)
    section = state.section("arm")
    left, q = b - section.place, weight + SPREAD
    expected = -(LOAD + TIP * G) * left - q * left**2 / 2
    assert section.Mz[0] == pytest.approx(expected, abs=2e-5 * np.abs(expected).max())
    assert np.hypot(section.N[0, -1], section.Vy[0, -1]) == pytest.approx(LOAD + TIP * G, rel=1e-9)
    carried = LOAD + TIP * G + q * (a + b)
    assert state.force("A.y") == pytest.approx(carried, rel=1e-9)
    moment = (LOAD + TIP * G) * (a + b) + q * (a + b) ** 2 / 2
    assert state.force("part.frame.about_z") == pytest.approx(moment, rel=1e-5)
    assert abs(state.force("part.tie_1_y")) == pytest.approx(abs(section.Vy[0, 0]), rel=2e-5)
