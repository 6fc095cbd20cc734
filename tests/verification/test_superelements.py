"""Superelements against closed forms, rigid bodies, beams and Ritz's method."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import eigh
from scipy.optimize import brentq

import flexura as fx
from flexura.analyses.linear.reduce import finite_elements
from flexura.spatial import Beam, Body, Hinge, Mass, Superelement

# connecting rod of the spatial slider-crank [Deck1992, table 5.2] in inches, pounds force and seconds
LENGTH, YOUNG, DENSITY = 9.0, 3.0e7, 7.25e-4
AREA, SECOND, POLAR = 4.91e-2, 1.92e-4, 3.83e-4
HOUSING = 4.0e-4
ROD = fx.Section(
    EA=YOUNG * AREA, EIy=YOUNG * SECOND, EIz=YOUNG * SECOND, GIt=YOUNG / 2.58 * POLAR,
    rhoA=DENSITY * AREA, rhoIy=DENSITY * SECOND, rhoIz=DENSITY * SECOND,
)  # fmt: skip


def rod(parts, housing=True):
    elements = {"rod": Beam("A", "B", ROD, parts=parts)}
    if housing:
        elements["housing"] = Mass("A", HOUSING)
    return fx.Model(nodes={"A": (0, 0, 0), "B": (LENGTH, 0, 0)}, elements=elements, space="spatial")


@pytest.fixture(scope="module")
def link():
    return fx.reduce(rod(36), ["rod.p", "rod.q"], modes=8)


def free_frequencies(part):
    """Frequencies in Hz of the free part, from the constants of its inertia as drawn."""
    c, m = part.content, part.mass
    a, b, d = c["centre"]
    arm = np.array([[0.0, -d, b], [d, 0.0, -a], [-b, a, 0.0]])
    moved = np.hstack([np.eye(3), -arm, c["shift"]])
    inertia = np.block([[c["inertia"], c["coupling"]], [c["coupling"].T, c["modal_mass"]]])
    mass = m * moved.T @ moved
    mass[3:, 3:] += inertia
    stiffness = np.zeros_like(mass)
    stiffness[6:, 6:] = c["stiffness"]
    return np.sqrt(np.abs(eigh(stiffness, mass, eigvals_only=True))) / (2 * np.pi)


def test_modes_with_fixed_interfaces_are_those_of_the_rod(link):
    expected = [559.033, 1539.745, 3014.695, 4974.816]
    assert link.frequencies / (2 * np.pi) == pytest.approx(np.repeat(expected, 2), rel=1e-6)


def test_the_free_rod_has_the_frequencies_of_four_modes_a_plane(link):
    # 403.959, 1265.426, 2616.202 Hz are those of the 36 beams: the reduced part is stiffer
    found = free_frequencies(link)[6:12]
    assert found == pytest.approx(np.repeat([403.99, 1266.37, 2619.39], 2), rel=1e-5)


@pytest.mark.slow
def test_the_element_has_them_too(link):
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (LENGTH, 0, 0)},
        elements={"rod": Superelement("A", ("B",), link)},
        space="spatial",
    )
    found = np.sqrt(fx.modes(model, count=12).squares[6:]) / (2 * np.pi)
    assert found == pytest.approx(np.repeat([403.99, 1266.37, 2619.39], 2), rel=1e-5)


def test_free_modes_with_residual_flexibility_are_exact():
    part = fx.reduce(rod(12), ["rod.p", "rod.q"], modes=6, method="free")
    fe = finite_elements(rod(12), ["rod.p", "rod.q"])
    squares = eigh(fe.stiffness.toarray(), fe.mass.toarray(), eigvals_only=True)
    assert part.frequencies == pytest.approx(np.sqrt(squares[6:12]), rel=1e-7)
    # forces in balance deform the ends as they do where the first is held, but for a rigid motion
    force = np.array([3.0, -1.0, 2.0, 0.7, -0.4, 1.1])
    moved = np.eye(6)
    moved[1, 5], moved[2, 4] = LENGTH, -LENGTH
    ties = part.content["ties"].reshape(12, -1)
    ends = ties @ np.linalg.solve(part.content["stiffness"], ties.T @ np.concatenate([-moved.T @ force, force]))
    held = fx.reduce(rod(12), ["rod.p", "rod.q"]).content["stiffness"]
    assert ends[6:] - moved @ ends[:6] == pytest.approx(np.linalg.solve(held, force), rel=1e-6, abs=1e-9)


# ── rigid motion ─────────────────────────────────────────────────────────────────────────────────────────────────────


def bent(parts=4):
    """A part in the shape of a hook, without symmetry."""
    steel = fx.Material(E=2.1e11, rho=7850.0)
    nodes = {"A": (0, 0, 0), "B": (0.3, 0.1, 0), "C": (0.35, 0.3, 0.2)}
    elements = {
        "one": Beam("A", "B", fx.Circle(0.02), steel, parts=parts),
        "two": Beam("one.q", "C", fx.Circle(0.015), steel, parts=parts),
        "lump": Mass("C", 0.4),
    }
    return fx.Model(nodes=nodes, elements=elements, space="spatial")


def test_inertia_is_that_of_the_rigid_body():
    fe = finite_elements(bent(), ["one.p"])
    part = fx.reduce(bent(), ["one.p"], modes=3)
    rigid = fe.rigid((0.0, 0.0, 0.0))
    whole = rigid.T @ (fe.mass @ rigid)
    c = part.centre
    parallel = part.mass * (c @ c * np.eye(3) - np.outer(c, c))
    assert part.mass == pytest.approx(whole[0, 0], rel=1e-12)
    assert part.content["inertia"] + parallel == pytest.approx(whole[3:, 3:], rel=1e-10)


def test_a_rigid_motion_costs_no_strain_energy():
    fe = finite_elements(bent(), ["one.p", "two.q"])
    rigid = fe.rigid((0.2, -0.3, 0.1))
    stiff = fe.stiffness @ rigid
    assert np.abs(stiff).max() < 1e-10 * abs(fe.stiffness).max()


def test_a_part_without_modes_tumbles_like_the_rigid_body():
    part = fx.reduce(bent(), ["one.p"])
    j = part.content["inertia"]
    body = Body(
        "A", part.mass, j[0, 0], j[1, 1], j[2, 2], j[0, 1], j[0, 2], j[1, 2], centre=tuple(part.centre.tolist())
    )
    motions = []
    for name, hook in (("frame", Superelement("A", (), part)), ("p", body)):
        start = {"A.x'": 1.0} | {
            f"hook.{name}.about_{axis}'": w for axis, w in zip("xyz", (4.0, -3.0, 5.0), strict=True)
        }
        model = fx.Model(
            nodes={"A": (0, 0, 0)}, elements={"hook": hook}, space="spatial", gravity=(0, 0, -9.81), start=start
        )
        motions.append(fx.simulate(model, until=0.5, samples=11, method=fx.DormandPrince(tolerance=1e-12)))
    for axis in "xyz":
        assert motions[0][f"A.{axis}"] == pytest.approx(motions[1][f"A.{axis}"], abs=1e-10)


def test_a_free_flexible_part_keeps_its_momenta():
    part = fx.reduce(bent(), ["one.p"], modes=2)
    start = {"hook.frame.about_y'": 40.0, "hook.frame.about_z'": 60.0, "hook.mode_1": 1e-3}
    model = fx.Model(
        nodes={"A": (0, 0, 0)}, elements={"hook": Superelement("A", (), part)}, space="spatial", start=start
    )
    motion = fx.simulate(model, until=0.05, samples=21, method=fx.DormandPrince(tolerance=1e-10))
    assert motion.imbalance < 1e-9
    momenta = np.array(motion.momentum)
    assert np.ptp(momenta, axis=0).max() < 1e-8 * np.abs(momenta).max()


# ── stress stiffening ────────────────────────────────────────────────────────────────────────────────────────────────

BLADE = fx.Section(EA=1e6, EIy=1.0, EIz=1.0, GIt=1e3, rhoA=1.0)


@pytest.fixture(scope="module")
def blade():
    drawn = fx.Model(
        nodes={"O": (0, 0, 0), "T": (1, 0, 0)},
        elements={"blade": Beam("O", "T", BLADE, parts=36, rotary="none")},
        space="spatial",
    )
    return fx.reduce(drawn, ["blade.p"], modes=6)


def spinning(part, eta, **given):
    elements = {
        "ground": Body("G", 1.0, 1.0, 1.0, 1.0),
        "hub": Body("O", 1.0, 1.0, 1.0, 1.0),
        "shaft": Hinge("ground.p", "hub.p", axis=(0, 0, 1)),
        "blade": Superelement("hub.p", (), part, **given),
    }
    nodes = {"G": (0, 0, 0), "O": (0, 0, 0)}
    driven = {"shaft.rotation": fx.Ramp(rate=eta)}
    return fx.Model(space="spatial", nodes=nodes, elements=elements, fixed=["ground.p", "O"], inputs=driven)


def ritz(eta):
    """Squares of the flap frequencies of a rotating cantilever, with three of its modes: K + η² ∫½(1 - x²) φ′φ′."""
    roots = [brentq(lambda b: np.cos(b) * np.cosh(b) + 1, *span) for span in ((1, 2.5), (4, 5.5), (7, 8.5))]

    def slope(b, x):
        s = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
        return b * (np.sinh(b * x) + np.sin(b * x) - s * (np.cosh(b * x) - np.cos(b * x)))

    def pulled(x, a, b):
        return 0.5 * (1 - x * x) * slope(a, x) * slope(b, x)

    tension = [[quad(pulled, 0, 1, args=(a, b))[0] for b in roots] for a in roots]
    return np.linalg.eigvalsh(np.diag(np.array(roots) ** 4) + eta**2 * np.array(tension))


def test_a_spinning_blade_is_stiffened_as_by_ritz(blade):
    squares = ritz(12.0)
    assert np.sqrt(squares[0]) == pytest.approx(13.2036, rel=1e-5)
    found = np.sort(np.abs(fx.linearise(spinning(blade, 12.0)).eigenvalues.imag))
    flap, lag = np.sqrt(squares), np.sqrt(squares - 12.0**2)
    assert found == pytest.approx(np.sort([*flap, *lag]), rel=5e-4)
    assert min(abs(found - flap[0])) < 1e-4 * flap[0]


def test_without_stiffening_the_lag_mode_is_unstable_and_that_is_said(blade):
    values = fx.linearise(spinning(blade, 12.0, stiffening=False)).eigenvalues
    # ω² = 3.516² - Ω²
    assert values.real.max() == pytest.approx(np.sqrt(12.0**2 - 3.51601527**2), rel=1e-4)
    motion = fx.simulate(spinning(blade, 12.0, stiffening=False), until=0.1, samples=3)
    said = "\n".join(map(str, motion.findings))
    assert "angular velocity of a part without stress stiffening [rad/s] (blade)" in said
    assert "allowed 0.352; reduce the part from a model, or give its geometric stiffness" in said
    assert not fx.simulate(spinning(blade, 12.0), until=0.1, samples=3).findings


def test_a_beam_column_is_stiffened_and_softened_by_its_load():
    # static shapes of a beam are cubics: EI/ℓ³ (12, 6, 4) and P/ℓ (6/5, 1/10, 2/15), ρAℓ (156, 22, 4)/420
    section = fx.Section(EA=1e7, EIy=5.0, EIz=5.0, GIt=2.0, rhoA=0.3)
    drawn = {"A": (0, 0, 0), "B": (2, 0, 0)}
    beams = fx.Model(nodes=drawn, elements={"rod": Beam("A", "B", section, parts=12, rotary="none")}, space="spatial")
    part = fx.reduce(beams, ["rod.p", "rod.q"])
    l, ei, mass = 2.0, 5.0, 0.6
    elastic = ei / l**3 * np.array([[12.0, -6 * l], [-6 * l, 4 * l**2]])
    geometric = np.array([[6 / 5, -l / 10], [-l / 10, 2 * l**2 / 15]]) / l
    inertia = mass / 420 * np.array([[156.0, -22 * l], [-22 * l, 4 * l**2]])
    for load in (-0.5, 2.0):
        pulled = load * np.pi**2 * ei / (4 * l**2)
        model = fx.Model(
            nodes=drawn, elements={"rod": Superelement("A", ("B",), part)}, fixed=["rod.frame", "rod.static_4"],
            loads={"B.x": pulled}, space="spatial",
        )  # fmt: skip
        found = fx.linearise(model, at=fx.equilibrium(model)).frequencies
        expected = np.sqrt(eigh(elastic + pulled * geometric, inertia, eigvals_only=True))
        assert np.sort(found)[:4] == pytest.approx(np.repeat(expected, 2), rel=1e-4)


# ── in machines, by default ──────────────────────────────────────────────────────────────────────────────────────────


def swinging(kind, damping):
    """The rod as a pendulum in space that moves in a plane: beams, or one part with eight modes."""
    section = replace(ROD, damping=damping)
    elements = {"rod": Beam("A", "B", section, parts=4)}
    if kind == "part":
        drawn = {"rod": Beam("A", "B", section, parts=36)}
        part = fx.reduce(fx.Model(nodes=ENDS, elements=drawn, space="spatial"), ["rod.p", "rod.q"], modes=8)
        elements = {"rod": Superelement("A", ("B",), part)}
    elements |= {
        "base": Body("O", 1.0),
        "hinge": Hinge("base.p", f"rod.{'frame' if kind == 'part' else 'p'}", axis=(0, 0, 1)),
        "tip": Mass("B", HOUSING),
    }
    nodes, fixed = {"O": (0, 0, 0), **ENDS}, ["base.p", "O", "A"]
    return fx.Model(nodes=nodes, elements=elements, fixed=fixed, gravity=(0, -386.1, 0), space="spatial")


ENDS = {"A": (0, 0, 0), "B": (LENGTH, 0, 0)}


def test_damping_couples_what_stiffness_couples():
    """Damping in proportion to the stiffness has no other terms: rounding had 170, each of which costs time."""
    rod = swinging("part", 2e-4).elements["rod"]
    damping, stiffness = rod.damping(LENGTH)[6:, 6:], rod.stiffness(LENGTH)[6:, 6:]
    assert np.array_equal(damping != 0.0, stiffness != 0.0)
    # the stiffness of the modes is that of 36 beams at rest, and the damping 2e-4 s of it
    assert damping == pytest.approx(2e-4 * stiffness, rel=1e-6)


@pytest.mark.parametrize("damping", [0.0, 2e-4], ids=["undamped", "damped"])
def test_a_rod_with_eight_modes_swings_like_beams(damping):
    # with damping the implicit method is taken; the moments about axes in the plane are rounding, and raise no doubt
    beams, part = (fx.simulate(swinging(kind, damping), 0.05, samples=51) for kind in ("beams", "part"))
    assert part.outcome is beams.outcome is fx.Outcome.DONE
    assert part.method.startswith("KennedyCarpenter" if damping else "DormandPrince")
    for axis in "xy":
        assert part[f"B.{axis}"] == pytest.approx(beams[f"B.{axis}"], abs=1e-5)


@pytest.mark.parametrize("modes", [0, 2])
def test_slider_crank_with_a_damped_reduced_rod_is_not_doubted(modes):
    """Its strain energy is 2e-5 of the kinetic one: errors of the balance that go with the tolerance say nothing."""
    material = fx.Material(E=2.1e11, rho=2700.0, damping=1e-3)
    nodes = {"O": (0, 0, 0), "A": (0.0694, 0, 0), "B": (0.3574, 0, 0)}
    drawn = {"rod": Beam("A", "B", fx.Circle(0.01434), material, parts=8)}
    ends = {name: nodes[name] for name in "AB"}
    part = fx.reduce(fx.Model(nodes=ends, elements=drawn, space="spatial"), ["rod.p", "rod.q"], modes=modes)
    model = fx.Model(
        nodes=nodes,
        elements={
            "base": Body("O", 1.0),
            "crank": Beam("O", "A", fx.Circle(0.0287), material, rigid=True),
            "axle": Hinge("base.p", "crank.p", axis=(0, 0, 1)),
            "rod": Superelement("A", ("B",), part, damping_ratio=0.05),
            "pin": Hinge("crank.q", "rod.frame", axis=(0, 0, 1)),
            "slider": Mass("B", 0.261),
        },
        fixed=["base.p", "O", "B.y"],
        inputs={"axle.rotation": fx.Ramp(rate=60.8)},
        gravity=(0, -9.81, 0),
        space="spatial",
    )
    motion = fx.simulate(model, 0.13, samples=101)
    exact = fx.simulate(model, 0.13, samples=101, method=fx.KennedyCarpenter(1e-8, stress_tolerance=1e-6))
    for signal in ("B.y", "axle.rotation", "rod.static_6"):
        right = exact.force(signal)
        assert motion.force(signal) == pytest.approx(right, abs=1e-3 * np.ptp(right))
    assert motion.outcome is fx.Outcome.DONE


def test_torsional_modes_of_a_straight_shaft_have_amplitudes():
    # all nodes lie on the axis, so a torsional mode moves none of them; ω = π/l √(G/ρ) with both ends held, and
    # π/2l √(G/ρ) with one; a shaft of 12 lumped parts is 1 % too stiff
    material, length = fx.Material(E=7.1e10, rho=2710.0, nu=0.33), 0.6
    shaft = fx.Model(
        nodes={"A": (0, 0, 0), "B": (length, 0, 0)},
        elements={"rod": Beam("A", "B", fx.Tube(0.06, 0.05), material, parts=12)},
        space="spatial",
    )
    part = fx.reduce(shaft, ["rod.p", "rod.q"], modes=3)
    speed = np.sqrt(material.shear_modulus / material.rho)
    assert part.frequencies[2] == pytest.approx(np.pi / length * speed, rel=0.01)
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (length, 0, 0)},
        elements={"part": Superelement("A", ("B",), part)},
        fixed=["part.frame"],
        loads={"part.interface_1.about_x": 5.0},
    )
    twisted = fx.equilibrium(model)
    stiffness = material.shear_modulus * np.pi / 32 * (0.06**4 - 0.05**4) / length
    assert twisted["part.static_4"] == pytest.approx(5.0 / stiffness, rel=1e-7)  # θ² = 3e-8
    frequencies = fx.linearise(model.replace(loads={})).frequencies
    assert np.abs(frequencies / (np.pi / 2 / length * speed) - 1.0).min() < 0.01
