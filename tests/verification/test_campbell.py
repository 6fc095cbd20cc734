"""Campbell diagrams: labels, branches through crossings, critical speeds, limits of stability, against closed forms."""

from math import inf

import numpy as np
import pytest

import flexura as fx
from flexura.errors import ModelError
from flexura.results.campbell import Campbell
from flexura.spatial import Beam, Bearing, Body, Hinge
from references import jeffcott

RATE = "inputs.drive.rotation.rate"
EI, LENGTH, MASS, ACROSS, ALONG = 80.0, 0.4, 1.5, 0.02, 0.034
"""A flat disc at the end of a shaft, so large that its second backward whirl falls through the first forward one."""


def overhung(EA: float = inf, GIt: float = inf) -> fx.Model:
    return fx.Model(
        title="Overhung disc",
        nodes={"O": (0, 0, 0), "D": (LENGTH, 0, 0)},
        elements={
            "drive": Hinge("O", "shaft.p", axis=(1, 0, 0)),
            "shaft": Beam("O", "D", fx.Section(EI=EI, EA=EA, GIt=GIt)),
            "disc": Body("shaft.q", MASS, Jxx=ALONG, Jyy=ACROSS, Jzz=ACROSS),
        },
        fixed=["drive.p"],
        inputs={"drive.rotation": fx.Ramp(1.0)},
    )


def exact(speed: float) -> np.ndarray:
    """Signed frequencies of the four branches, from the fastest forward to the fastest backward one."""
    K = jeffcott.cantilever(EI, LENGTH)
    return np.asarray(jeffcott.overhung(K, MASS, ACROSS, ALONG, 0.0, speed).imag)


@pytest.fixture(scope="module")
def speeds() -> np.ndarray:
    return np.linspace(0.0, 700.0, 8)


@pytest.fixture(scope="module")
def diagram(speeds) -> Campbell:
    return fx.campbell(overhung(), RATE, speeds, plane=("D.y", "D.z"), orders=(1.0, 0.5))


def test_branches_go_on_through_crossings(diagram, speeds) -> None:
    """With eight values only; no two branches of the same direction ever meet, those of opposite direction do."""
    known = np.array([exact(speed) for speed in speeds])
    assert np.any(np.diff(np.sign(np.abs(known[:, 3]) - known[:, 0])))  # a true crossing
    for branch, whirl in zip(diagram.frequencies.T, diagram.whirl.T, strict=True):
        own = min(range(4), key=lambda k: np.abs(known[:, k] - branch * whirl).max())
        assert branch * whirl == pytest.approx(known[:, own], rel=1e-9)


def test_labels_of_circular_whirl(diagram) -> None:
    assert sorted(diagram.labels) == ["backward", "backward", "forward", "forward"]
    assert np.abs(diagram.whirl) == pytest.approx(1.0, abs=1e-6)
    assert np.abs(np.diff(diagram.whirl, axis=0)).max() < 1e-6


def test_labels_follow_the_order_of_the_plane(diagram, speeds) -> None:
    other = fx.campbell(overhung(), RATE, speeds, plane=("D.z", "D.y"))
    assert other.frequencies == pytest.approx(diagram.frequencies, rel=1e-9)
    assert other.whirl == pytest.approx(-diagram.whirl, abs=1e-6)


def test_what_stretches_and_twists_does_not_whirl() -> None:
    """Torsion and elongation at √(GIt/JL) and √(EA/mL); their lines are crossed by those of bending."""
    EA, GIt = 6e3, 30.0
    found = fx.campbell(overhung(EA, GIt), RATE, np.linspace(0.0, 700.0, 8), plane=("D.y", "D.z"))
    flat = [k for k, label in enumerate(found.labels) if label == "neither"]
    known = np.sqrt([EA / (MASS * LENGTH), GIt / (ALONG * LENGTH)])
    assert np.sort(found.frequencies[:, flat], axis=1) == pytest.approx(np.sort(np.tile(known, (8, 1))), rel=1e-9)
    assert np.all(found.whirl[:, flat] == 0.0)
    assert sorted(found.labels) == ["backward"] * 2 + ["forward"] * 2 + ["neither"] * 2


def test_critical_speeds(diagram) -> None:
    """Where the shaft turns with the whirl, by closed form; at half the order, a root of the closed form."""
    K = jeffcott.cantilever(EI, LENGTH)
    assert diagram.critical(1.0, "forward") == pytest.approx(jeffcott.critical(K, MASS, ACROSS, ALONG), rel=1e-9)
    halves = [crossing for crossing in diagram.crossings if crossing.order == 0.5]
    assert len(halves) >= 3
    for crossing in halves:
        signed = 0.5 * crossing.value * np.sign(crossing.whirl)
        assert np.abs(exact(crossing.value) - signed).min() < 1e-9 * crossing.value
        assert crossing.label == ("forward" if crossing.whirl > 0.0 else "backward")


def disc(ky: float, kz: float, turning: bool) -> fx.Model:
    """A disc on springs along two axes, which turn with the shaft or do not."""
    hold = {"kt": inf, "kby": inf, "kbz": inf}
    free = {"kx": 0.0, "ky": 0.0, "kz": 0.0}
    inner = {"ky": ky, "kz": kz} if turning else {"ky": 0.0, "kz": 0.0}
    outer = free if turning else {"kx": 0.0, "ky": ky, "kz": kz}
    return fx.Model(
        nodes={"O": (0, 0, 0), "D": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "drive": Hinge("O", "O", axis=(1, 0, 0)),
            "shaft": Bearing("drive.q", "disc.p", **hold, **inner),
            "bearing": Bearing("G", "disc.p", **outer),
            "disc": Body("D", 2.0, Jxx=0.2, Jyy=0.1, Jzz=0.1),
        },
        fixed=["drive.p", "bearing.p"],
        inputs={"drive.rotation": fx.Ramp(1.0)},
    )


def test_motion_on_a_line_does_not_whirl() -> None:
    found = fx.campbell(disc(50.0, 98.0, turning=False), RATE, [2.0, 4.0, 6.5], plane=("D.y", "D.z"))
    assert found.labels == ("neither", "neither")
    assert found.critical() == pytest.approx([5.0], rel=1e-12)


def test_motion_on_an_ellipse() -> None:
    """A disc that tilts on springs of two stiffnesses: J ÿ + ΩJ_p ż + k₁y = 0, J z̈ - ΩJ_p ẏ + k₂z = 0.

    With y = cos ωt and z = r sin ωt the second one gives r; where it is negative the disc goes round backward.
    """
    J, along, k1, k2, speed = 0.1, 0.15, 10.0, 40.0, 8.0
    model = fx.Model(
        nodes={"O": (0, 0, 0), "P": (1, 0, 0), "G": (0, 0, 0)},
        elements={
            "drive": Bearing("G", "disc.p", kby=k1, kbz=k2),
            "disc": Body("O", 1.0, Jxx=along, Jyy=J, Jzz=J, points=("P",)),
        },
        fixed=["drive.p"],
        inputs={"drive.rotation": fx.Ramp(speed)},
    )
    found = fx.campbell(model, RATE, [speed], plane=("P.y", "P.z"))
    assert found.labels == ("backward", "forward")
    for frequency, whirl in zip(found.frequencies[0], found.whirl[0], strict=True):
        ratio = -frequency * speed * along / (k2 - J * frequency**2)
        assert (k1 - J * frequency**2) * (k2 - J * frequency**2) == pytest.approx(
            (frequency * speed * along) ** 2, rel=1e-9
        )
        assert whirl == pytest.approx(2.0 * ratio / (1.0 + ratio**2), rel=1e-9)


def test_shaft_of_two_stiffnesses_is_unstable_between_its_critical_speeds() -> None:
    """Seen from the shaft the lower frequency falls to zero at √(k₁/m); up to √(k₂/m) the disc is thrown out."""
    found = fx.campbell(
        disc(50.0, 98.0, turning=True), RATE, np.linspace(1.0, 12.0, 12), orders=(), system=fx.linearise
    )
    assert found.stability_limits() == pytest.approx([5.0, 7.0], rel=1e-6)
    assert np.array_equal(found.growth > 0.0, (found.values > 5.0) & (found.values < 7.0))
    assert np.isfinite(found.frequencies[:4]).all()
    assert np.isnan(found.frequencies[4:]).any(axis=1).all()  # it no longer oscillates: the branch has ended


def test_a_value_on_the_limit() -> None:
    """A limit is found once, to all digits, though it is among the values."""
    model = overhung().replace(
        elements={**overhung().elements, "shaft": Beam("O", "D", fx.Section(EI=EI, damping=1e-3))}
    )
    limit = jeffcott.critical(jeffcott.cantilever(EI, LENGTH), MASS, ACROSS, ALONG)[0]
    found = fx.campbell(model, RATE, [0.5 * limit, limit, 1.5 * limit], plane=("D.y", "D.z"))
    assert found.stability_limits() == pytest.approx([limit], rel=1e-10)
    assert found.critical(label="forward") == pytest.approx([limit], rel=1e-10)


def test_picture_and_words(diagram, tmp_path) -> None:
    figure = diagram.plot(path=str(tmp_path / "campbell.png"))
    assert (tmp_path / "campbell.png").stat().st_size > 10_000
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["forward", "backward", "orders 1, 0.5", "critical"]
    assert "order 1, branch" in str(diagram)


def test_refusals(diagram) -> None:
    with pytest.raises(ModelError, match="the order 3 was not computed"):
        diagram.critical(3.0)
    with pytest.raises(ModelError, match="numbers that rise"):
        fx.campbell(overhung(), RATE, [2.0, 1.0])
    with pytest.raises(ModelError, match="nothing oscillates where"):
        fx.campbell(disc(0.0, 0.0, turning=False), RATE, [1.0, 2.0])
