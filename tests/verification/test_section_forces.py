"""Section forces against closed forms: beams at rest, links that move, bends in space."""

from math import inf, pi

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from flexura.errors import ModelError

STEEL = fx.Material(E=2.1e11, rho=7850.0)
BAR = fx.Rectangle(0.03, 0.05)
RHO_A = 7850.0 * BAR.area


def beam(length, *, parts=1, section=BAR, **given):
    return fx.Model(
        nodes={"O": (0, 0), "A": (length, 0)},
        elements={"rod": planar.Beam("O", "A", section, STEEL, parts=parts)},
        **given,
    )


@pytest.mark.parametrize("parts", [1, 3, 8])
def test_cantilever_with_weight_and_load(parts):
    # M = -P (l - x) - w (l - x)²/2, V = -P - w (l - x); deflections of 1e-3 change arms by 1e-6
    load, length, w = 3.0, 0.5, RHO_A * 9.81
    model = beam(length, parts=parts, fixed=["O", "rod.p.phi"], loads={"A.y": -load}, gravity=(0, -9.81))
    state = fx.equilibrium(model)
    section = state.section("rod")
    left = length - section.place
    assert section.M[0] == pytest.approx(-load * left - w * left**2 / 2, abs=1e-6 * w * length**2)
    assert section.V[0] == pytest.approx(-load - w * left, rel=1e-6)
    assert np.abs(section.N).max() < 1e-3 * load
    # the root is the reaction, the tip the load
    assert state.force("rod.p.phi") == pytest.approx(-section.M[0, 0], rel=1e-9)
    assert state.force("O.y") == pytest.approx(-section.V[0, 0], rel=1e-9)
    assert abs(section.M[0, -1]) < 1e-9 * w * length**2
    # the stress of bending at the root: M y / I
    stress = section.stress("bending")[0, 0]
    assert stress == pytest.approx((load * length + w * length**2 / 2) * 0.025 / BAR.Iz, rel=1e-5)
    assert section.peak("M").place == 0.0


@pytest.mark.parametrize("parts", [1, 2, 8, 16])
def test_simply_supported_beam_under_a_distributed_load(parts):
    length, w = 2.0, 5.0
    model = beam(length, parts=parts, fixed=["O", "A.y"], loads={"rod": (0.0, -w)})
    section = fx.equilibrium(model).section("rod")
    x = section.place
    assert section.M[0] == pytest.approx(w * x * (length - x) / 2, abs=1e-6 * w * length**2)
    assert section.V[0] == pytest.approx(-w * (length / 2 - x), abs=1e-6 * w * length)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e2])
def test_spinning_rod(scale):
    # N = ½ ρA Ω² (l² - x²)
    length, speed = 2.0 * scale, 30.0
    model = beam(length, fixed=["O"], inputs={"rod.p.phi": fx.Ramp(rate=speed)})
    model = model.replace(elements={"rod": planar.Beam("O", "A", BAR, STEEL, rigid=True)})
    motion = fx.kinematics(model, [0.0, 0.1, 0.2])
    section = motion.section("rod")
    expected = 0.5 * RHO_A * speed**2 * (length**2 - section.place**2)
    assert section["N"] == pytest.approx(np.tile(expected, (3, 1)), abs=1e-12 * expected.max())
    assert np.abs(section.M).max() < 1e-12 * expected.max() * length
    assert motion.force("O.x")[0] == pytest.approx(-section.N[0, 0], rel=1e-12)


@pytest.mark.parametrize("parts", [1, 4])
def test_spinning_rod_that_stretches(parts):
    # small strains: the closed form of the rigid rod, but for a stretch of 1e-6; quadratic in s: cuts are exact
    length, speed = 2.0, 30.0
    model = beam(length, parts=parts, fixed=["O"], start={"rod.p.phi'": speed})
    state = fx.steady(model, {"rod.p.phi'": speed})
    section = state.section("rod")
    expected = 0.5 * RHO_A * speed**2 * (length**2 - section.place**2)
    assert section["N"][0] == pytest.approx(expected, abs=1e-4 * expected.max())


CRANK, ROD, PISTON, SPEED = 0.15, 0.3, 0.2, 60.0
LIGHT = fx.Rectangle(0.01, 0.02)


def slider_crank(**rod):
    return fx.Model(
        nodes={"O": (0, 0), "A": (CRANK, 0), "B": (CRANK + ROD, 0)},
        elements={
            "crank": planar.Beam("O", "A", LIGHT, STEEL, rigid=True),
            "rod": planar.Beam("A", "B", LIGHT, **{"material": STEEL, "rotary": "none"} | rod),
            "piston": planar.Mass("B", PISTON),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=SPEED)},
    )


def rod_forces(motion, s, inertia=0.0):
    """N, V, M of the rigid rod by its accelerations: M″ = -ρA a_n with M = 0 at both pins, N′ = ρA a_t.

    The rotary inertia per length turns each piece: M′ + V = ρI α.
    """
    per_length = 7850.0 * LIGHT.area
    a, b = (np.stack([motion[f"{node}.{axis}''"] for axis in "xy"], axis=-1) for node in "AB")
    chord = np.stack([motion[f"B.{axis}"] - motion[f"A.{axis}"] for axis in "xy"], axis=-1) / ROD
    across = np.stack([-chord[:, 1], chord[:, 0]], axis=-1)
    (at, an), (bt, bn) = (((p * chord).sum(1)[:, None], (p * across).sum(1)[:, None]) for p in (a, b))
    moment = -per_length * ROD**2 * (an * (s**2 / 2 - s**3 / 6 - s / 3) + bn * (s**3 / 6 - s / 6))
    turning = inertia * (bn - an) / ROD
    shear = per_length * ROD * (an * (s - s**2 / 2 - 1 / 3) + bn * (s**2 / 2 - 1 / 6)) + turning
    # at the piston: its acceleration needs the force along x
    last = per_length * ROD * (an / 6 + bn / 3) + turning
    end = (-PISTON * b[:, :1] - last * across[:, :1]) / chord[:, :1]
    axial = end - per_length * ROD * (at * (1 - s) ** 2 / 2 + bt * (1 - s**2) / 2)
    return axial, shear, moment


@pytest.mark.parametrize("rotary", ["none", "consistent", "lumped"])
def test_rigid_connecting_rod_with_mass(rotary):
    motion = fx.kinematics(slider_crank(rigid=True, rotary=rotary), np.linspace(0.0, 2 * pi / SPEED, 25))
    section = motion.section("rod")
    inertia = 0.0 if rotary == "none" else 7850.0 * LIGHT.Iz
    for name, expected in zip("NVM", rod_forces(motion, section.place / ROD, inertia), strict=True):
        assert section[name] == pytest.approx(expected, abs=1e-6 * np.abs(expected).max()), name
    # forces of both ends are those of the joints: the guide pushes the piston across
    guide = motion.force("B.y")
    ends = motion.section("rod", 1.0)
    t = np.stack([motion[f"B.{axis}"] - motion[f"A.{axis}"] for axis in "xy"], axis=-1) / ROD
    assert ends.N * t[:, 1] + ends.V * t[:, 0] == pytest.approx(guide, abs=1e-9 * np.abs(guide).max())


@pytest.mark.parametrize(
    "parts", [1, 2, pytest.param(4, marks=pytest.mark.slow), 8, pytest.param(16, marks=pytest.mark.slow)]
)
def test_flexible_connecting_rod_converges(parts):
    # a rod of natural frequency 500 Ω, damped: forces of the rigid one but for (1/500)² and the start
    per_length = 7850.0 * LIGHT.area
    stiff = fx.Section(EA=1e12, EI=per_length * (500 * SPEED * ROD**2 / pi**2) ** 2, rhoA=per_length, damping_ratio=0.7)
    model = slider_crank()
    model = model.replace(elements=dict(model.elements) | {"rod": planar.Beam("A", "B", stiff, parts=parts)})
    method = fx.KennedyCarpenter(tolerance=1e-8)
    motion = fx.simulate(model, 2 * pi / SPEED, samples=49, method=method).only(slice(12, None))
    rigid = fx.kinematics(slider_crank(rigid=True), motion.t)
    section, expected = motion.section("rod", [0.25, 0.5, 0.8]), rigid.section("rod", [0.25, 0.5, 0.8])
    error = max(np.abs(section[name] - expected[name]).max() / np.abs(expected[name]).max() for name in "NVM")
    assert error < (5e-3 if parts >= 8 else 0.1)


# ── space ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_rigid_link_that_spins_in_space():
    # the y axis of the section is drawn along z of space: the weight bends about z of the section
    length, speed, g, area = 2.0, 30.0, 9.81, fx.Circle(0.04).area
    rod = spatial.Beam("O", "A", fx.Circle(0.04), STEEL, y_axis=(0, 0, 1), rigid=True)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (length, 0, 0)},
        elements={"rod": rod, "axle": spatial.Hinge("O", "rod.p", (0, 0, 1))},
        fixed=["O", "axle.p"],
        inputs={"axle.rotation": fx.Ramp(rate=speed)},
        gravity=(0, 0, -g),
    )
    motion = fx.kinematics(model, [0.0, 0.07, 0.13])
    section = motion.section("rod")
    left, w = length - section.place, 7850.0 * area * g
    expected = {
        "N": 0.5 * 7850.0 * area * speed**2 * (length**2 - section.place**2),
        "Vy": -w * left,
        "Mz": -w * left**2 / 2,
    }
    size = {"N": expected["N"].max(), "V": w * length, "M": w * length**2}
    for name, values in section.forces.items():
        right = np.tile(expected.get(name, 0.0 * left), (3, 1))
        assert values == pytest.approx(right, abs=1e-9 * size.get(name[0], size["M"])), name
    # the bearing carries the root
    assert motion.force("O.z") == pytest.approx(-section.Vy[:, 0], rel=1e-9)
    weight = motion.section("rod", 0.0)
    assert np.abs(weight.stress("bending")) == pytest.approx(w * length**2 / 2 * 0.02 / fx.Circle(0.04).Iz, rel=1e-9)


def test_quarter_circle_that_a_load_bends_and_twists():
    # T = P R (1 - cos θ), M = P R sin θ, θ from the loaded tip
    count, radius, load = 16, 0.5, 2.0
    angles = np.linspace(0.0, pi / 2, count + 1)
    nodes = {f"N{i}": (radius * np.sin(a), radius * (1.0 - np.cos(a)), 0.0) for i, a in enumerate(angles)}
    elements = {}
    for i in range(count):
        start = f"b{i - 1}.q" if i else "N0"
        elements[f"b{i}"] = spatial.Beam(start, f"N{i + 1}", fx.Circle(0.02), STEEL, y_axis=(0, 0, 1))
    model = fx.Model(nodes=nodes, elements=elements, fixed=["N0", "b0.p"], loads={f"N{count}.z": -load})
    state = fx.equilibrium(model)
    for i in range(count):
        section = state.section(f"b{i}", 0.5)
        theta = pi / 2 - 0.5 * (angles[i] + angles[i + 1])
        assert abs(section.T[0]) == pytest.approx(load * radius * (1.0 - np.cos(theta)), abs=0.005 * load * radius)
        assert section.Mz[0] == pytest.approx(-load * radius * np.sin(theta), abs=0.005 * load * radius)
        assert section.Vy[0] == pytest.approx(-load, rel=1e-4)
    # torsion is constant in each straight piece: T / W of a round bar
    assert section.stress("torsion")[0] == pytest.approx(section.T[0] / (pi * 0.02**3 / 16), rel=1e-12)


@pytest.mark.parametrize("rotary", ["consistent", "lumped"])
def test_both_ends_carry_a_thick_beam_that_tumbles(rotary):
    # the cut at q is what the mass there needs, also with rotary inertia of thick sections
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.5, 0.1, 0.2)},
        elements={
            "rod": spatial.Beam("O", "A", fx.Circle(0.2), STEEL, rotary=rotary),
            "tip": spatial.Body("rod.q", 30.0, 1.0, 2.0, 1.5),
        },
        fixed=["O"],
        start={"rod.p.about_x'": 3.0, "rod.p.about_y'": -2.0, "rod.p.about_z'": 4.0},
        gravity=(0, 0, -9.81),
    )
    motion = fx.simulate(model, 0.02, samples=5)
    first, last = (motion.section("rod", s) for s in (0.0, 1.0))
    size = np.abs(first.N).max()
    force = np.sqrt(first.N**2 + first.Vy**2 + first.Vz**2)
    assert force == pytest.approx(np.sqrt(sum(motion.force(f"O.{c}") ** 2 for c in "xyz")), rel=1e-9)
    assert np.abs([first.T, first.My, first.Mz]).max() < 1e-9 * size
    needed = [30.0 * (motion[f"A.{c}''"] + 9.81 * (c == "z")) for c in "xyz"]
    force = np.sqrt(last.N**2 + last.Vy**2 + last.Vz**2)
    assert force == pytest.approx(np.sqrt(sum(part**2 for part in needed)), rel=1e-9)


# ── places and errors ────────────────────────────────────────────────────────────────────────────────────────────────


def test_places_envelopes_and_diagrams(tmp_path):
    motion = fx.kinematics(slider_crank(rigid=True), np.linspace(0.0, 2 * pi / SPEED, 25))
    whole, one = motion.section("rod"), motion.section("rod", 0.5)
    assert one.M.shape == (25,)
    assert whole.M[:, 16] == pytest.approx(one.M)
    lowest, highest = whole.envelope("M")
    assert lowest.shape == whole.place.shape
    assert highest[16] == one.M.max()
    peak = whole.peak("von_mises")
    assert peak.value == whole.stress().max()
    assert (
        whole.stress()[np.argmin(np.abs(motion.t - peak.time)), np.argmin(np.abs(whole.place - peak.place))]
        == peak.value
    )
    whole.plot("N", "M", path=str(tmp_path / "envelope.png"))
    whole.plot(time=0.01, path=str(tmp_path / "diagram.png"))
    assert (tmp_path / "envelope.png").stat().st_size > 0
    rows = {row[0]: row for row in whole.summary().rows}
    assert rows["M"][1] == "N·m"
    assert rows["von_mises"][1] == "Pa"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda m: m.section("rot"), "section of 'rot': there is no element 'rot'; did you mean 'rod'?"),
        (
            lambda m: m.section("piston"),
            "section of 'piston': a Mass is no slender link with cross-sections; name a Beam",
        ),
        (
            lambda m: m.section("rod", 1.5),
            "section of 'rod': the place s is from 0 (end p) to 1 (end q), got 1.5; divide",
        ),
        (lambda m: m.section("rod")["Mz"], "section of 'rod': there is no 'Mz'"),
        (
            lambda m: m.section("rod").stress("mises"),
            "section of 'rod': there is no stress 'mises'; did you mean 'von_mises'",
        ),
        (lambda m: m.section("crank").stress(), "section of 'crank': stresses need the shape of the section"),
    ],
)
def test_errors_name_place_error_and_remedy(asked, said):
    model = slider_crank(rigid=True)
    plain = planar.Beam("O", "A", fx.Section(EA=inf, EI=inf, rhoA=1.0))
    motion = fx.kinematics(model.replace(elements=dict(model.elements) | {"crank": plain}), [0.0])
    with pytest.raises(ModelError) as error:
        asked(motion)
    assert str(error.value).startswith(said)
