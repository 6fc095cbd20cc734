"""Derivatives of eigenvalues against differences in numbers of fifty digits, with models written anew for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.planar import Beam, Hinge, Mass
from flexura.results.linear_system import LinearSystem
from flexura.spatial import Beam as Shaft
from flexura.spatial import Bearing, Body
from flexura.spatial import Hinge as Drive
from references import sensitivities as exact

ACCEPTED = 1e-6
"""What is asked for; what is reached is below."""
REACHED = 1e-10


def settled(model: fx.Model) -> LinearSystem:
    return fx.linearise(model, fx.equilibrium(model))


def in_space(model: fx.Model) -> LinearSystem:
    return fx.linearise(model, in_space=True)


@dataclass(frozen=True)
class Case:
    """A model, its matrices in closed form, and which number of these each of its parameters is."""

    model: fx.Model
    pencil: Callable[..., exact.Pencil]
    values: dict[str, float]
    paths: dict[str, tuple[str, float]]
    """parameter → name there, and how fast that grows with the parameter"""
    system: Callable[[fx.Model], LinearSystem] | None = None
    scale: dict[str, float] = field(default_factory=dict)


def beam(damping: float) -> Case:
    values = {"EA": 1e4, "EI": 10.0, "rhoA": 1.2, "length": 0.9, "tip": 0.3, "time": damping}
    section = fx.Section(EA=1e4, EI=10.0, rhoA=1.2, damping=damping)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.9, 0)},
        elements={"beam": Beam("O", "A", section, parts=2), "tip": Mass("A", 0.3)},
        fixed=["beam.p"],
    )
    paths = {f"elements.beam.section.{name}": (name, 1.0) for name in ("EA", "EI", "rhoA")}
    paths |= {"nodes.A.x": ("length", 1.0), "elements.tip.mass": ("tip", 1.0)}
    if damping:
        paths["elements.beam.section.damping"] = ("time", 1.0)
    return Case(model, partial(exact.cantilever, parts=2), values, paths)


def pendulums(side: float, up: float, gravity: float, damped: bool) -> Case:
    """Two bars that hang, pulled aside or pressed from below."""
    c, d = (0.1, 0.02) if damped else (0.0, 0.0)
    stiff = fx.Section(EA=inf, EI=inf)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0, -0.5), "B": (0, -0.8)},
        elements={
            "upper": Beam("O", "A", stiff, rigid=True),
            "lower": Beam("A", "B", stiff, rigid=True),
            "top": Hinge("O", "upper.p", k=2.0, c=c),
            "knee": Hinge("upper.p", "lower.p", k=1.0, c=d),
            "first": Mass("A", 2.0),
            "second": Mass("B", 1.0),
        },
        fixed=["O", "top.p.phi"],
        loads={"B.x": side, "B.y": up},
        gravity=(0.0, -gravity),
    )
    values = {
        "a": 0.5,
        "b": 0.3,
        "m": 2.0,
        "n": 1.0,
        "k": 2.0,
        "s": 1.0,
        "c": c,
        "d": d,
        "g": gravity,
        "side": side,
        "up": up,
    }
    paths = {"nodes.B.y": ("b", -1.0), "elements.first.mass": ("m", 1.0), "elements.knee.k": ("s", 1.0)}
    paths |= {"loads.B.y.value": ("up", 1.0), "loads.B.x.value": ("side", 1.0), "gravity.y": ("g", -1.0)}
    if damped:
        paths["elements.top.c"] = ("c", 1.0)
    return Case(model, exact.two_pendulums, values, paths, settled, {"loads.B.x.value": 1.0, "gravity.y": 1.0})


def spun_spring() -> Case:
    values = {"k": 200.0, "cubic": 5e3, "mass": 1.5, "length": 0.4, "speed": 6.0}
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.4, 0)},
        elements={"arm": Beam("O", "A", fx.Section(EA=80.0, EI=inf)), "bob": Mass("A", 1.5)},
        fixed=["O"],
        inputs={"arm.p.phi": fx.Ramp(6.0)},
        laws={"arm.elongation": fx.Expression("200*e + 5000*e^3")},
    )
    paths = {"inputs.arm.p.phi.rate": ("speed", 1.0), "elements.bob.mass": ("mass", 1.0), "nodes.A.x": ("length", 1.0)}
    return Case(model, exact.spun_spring, values, paths, settled)


def disc(speed: float) -> Case:
    model = fx.Model(
        nodes={"O": (0, 0, 0), "D": (0, 0, 0), "G": (0, 0, 0)},
        elements={
            "drive": Drive("O", "O", axis=(1, 0, 0)),
            "shaft": Bearing("drive.q", "disc.p", ky=100.0, kz=100.0, cy=0.5, cz=0.5, kt=inf, kby=inf, kbz=inf),
            "oil": Bearing("G", "disc.p", kx=0.0, ky=0.0, kz=0.0, cy=0.3, cz=0.3),
            "disc": Body("D", 2.0, Jxx=0.2, Jyy=0.1, Jzz=0.1),
        },
        fixed=["drive.p", "oil.p"],
        inputs={"drive.rotation": fx.Ramp(speed)},
    )
    values = {"mass": 2.0, "k": 100.0, "inner": 0.5, "outer": 0.3, "speed": speed}
    paths = {"inputs.drive.rotation.rate": ("speed", 1.0), "elements.disc.mass": ("mass", 1.0)}
    return Case(model, exact.jeffcott, values, paths, in_space, {"inputs.drive.rotation.rate": 5.0})


def overhung(speed: float) -> Case:
    values = {"EI": 80.0, "length": 0.4, "mass": 1.5, "across": 0.004, "along": 0.0075, "time": 2e-3, "speed": speed}
    model = fx.Model(
        nodes={"O": (0, 0, 0), "D": (0.4, 0, 0)},
        elements={
            "drive": Drive("O", "shaft.p", axis=(1, 0, 0)),
            "shaft": Shaft("O", "D", fx.Section(EI=80.0, damping=2e-3)),
            "disc": Body("shaft.q", 1.5, Jxx=0.0075, Jyy=0.004, Jzz=0.004),
        },
        fixed=["drive.p"],
        inputs={"drive.rotation": fx.Ramp(speed)},
    )
    paths = {"inputs.drive.rotation.rate": ("speed", 1.0), "elements.disc.Jxx": ("along", 1.0)}
    paths |= {"elements.disc.mass": ("mass", 1.0), "nodes.D.x": ("length", 1.0)}
    paths |= {f"elements.shaft.section.{name}": (key, 1.0) for name, key in (("EI", "EI"), ("damping", "time"))}
    return Case(model, exact.overhung, values, paths, in_space, {"inputs.drive.rotation.rate": 50.0})


CASES = {
    "beam": beam(0.0),
    "damped beam": beam(1e-3),
    "pendulums at rest": pendulums(0.0, 1.0, 9.81, damped=False),
    "pendulums pulled aside": pendulums(3.0, 1.0, 9.81, damped=True),
    "column": pendulums(0.0, 1.1, 0.0, damped=False),
    "spun spring": spun_spring(),
    "Jeffcott rotor": disc(25.0),
    "Jeffcott rotor at rest": disc(0.0),
    "overhung disc": overhung(150.0),
    "overhung disc at rest": overhung(0.0),
}
EACH = [(name, path) for name, case in CASES.items() for path in case.paths]


@pytest.mark.parametrize(("name", "path"), EACH)
def test_against_fifty_digits(name: str, path: str) -> None:
    case = CASES[name]
    key, factor = case.paths[path]
    roots, slopes = exact.differenced(case.pencil, case.values, key)
    found = fx.sensitivity(case.model, path, count=50, system=case.system, scale=case.scale or None)
    pairs = exact.sorted_pairs(found.eigenvalues, found[path])
    known = exact.sorted_pairs(roots, factor * slopes)
    assert [a for a, _ in pairs] == pytest.approx([a for a, _ in known], rel=1e-10)

    # as parts of λ by the parameter, or of the derivative where that is more
    scale = case.scale.get(path, abs(found.values[0]))
    for (root, slope), (_, true) in zip(pairs, known, strict=True):
        size = max(abs(true), 1e-3 * abs(root) / scale)
        assert abs(slope - true) <= REACHED * size < ACCEPTED * size

    # and what is said of the error is so, beside that of the one-sided difference
    errors = np.array([abs(a - b) for (_, a), (_, b) in zip(pairs, known, strict=True)])
    assert errors.max() <= 20.0 * found.errors.max() + 1e-18 * np.abs(roots).max() / scale**2


def test_repeated_roots_part_in_one_plane() -> None:
    """Stiffer in one direction only: one of two equal motions follows."""
    model = disc(0.0).model
    found = fx.sensitivity(model, "elements.shaft.ky", system=in_space)
    root, turned = exact.differenced(
        exact.jeffcott, {"mass": 2.0, "k": 100.0, "inner": 0.5, "outer": 0.3, "speed": 0.0}, "k"
    )
    assert found.eigenvalues == pytest.approx(root, rel=1e-12)
    assert sorted(found.derivatives[:, 0], key=abs) == pytest.approx([0.0, turned[0]], abs=1e-12)


def test_a_slender_beam_by_powers() -> None:
    """λ goes with EI^½ ρA^-½ L^-2, whatever the number of beams and the coordinates."""
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1.3, 0)},
        elements={"beam": Beam("O", "A", fx.Section(EI=7.0, rhoA=0.8), parts=8)},
        fixed=["beam.p"],
    )
    paths = ["elements.beam.section.EI", "elements.beam.section.rhoA", "nodes.A.x"]
    # positions in space lose digits, since what bends is the little by which they differ; the estimate says so
    for system, estimate in ((None, 1e-7), (in_space, 1e-5)):
        found = fx.sensitivity(model, paths, count=6, system=system)
        assert found.relative == pytest.approx(np.tile([0.5, -0.5, -2.0], (6, 1)), rel=1e-9)
        assert np.all(found.errors <= estimate * np.abs(found.derivatives))


def test_the_load_at_which_a_column_buckles() -> None:
    """Where ω² falls in a straight line to zero, d(ω²)/dP tells how far off it is."""
    case = CASES["column"]
    found = fx.sensitivity(case.model, "loads.B.y.value", system=settled)
    root, slope = exact.differenced(case.pencil, case.values, "up")
    assert (2.0 * found.eigenvalues * found.derivatives[:, 0]).real == pytest.approx(
        (2.0 * root * slope).real, rel=1e-10
    )


def test_a_closed_loop_keeps_its_coordinates() -> None:
    """Of the strains of a loop not all are independent, and which are chosen may change: ω ~ EI^½ however."""
    frame = {"left": ("A", "B"), "top": ("left.q", "C"), "right": ("top.q", "D")}
    model = fx.Model(
        nodes={"A": (0, 0), "B": (0, 1), "C": (1, 1), "D": (1, 0)},
        elements={name: Beam(p, q, fx.Section(EI=3.0, rhoA=1.0), parts=2) for name, (p, q) in frame.items()},
        fixed=["left.p", "right.q"],
    )
    paths = [f"elements.{name}.section.EI" for name in frame]
    found = fx.sensitivity(model, paths, count=4)
    assert found.relative.sum(axis=1) == pytest.approx([0.5] * 4, rel=1e-8)
    assert found.relative[:, 0] == pytest.approx(found.relative[:, 2], rel=1e-8)


def test_motions_without_frequency_are_left_out() -> None:
    model = fx.Model(
        nodes={"A": (0, 0), "B": (1, 0)},
        elements={"beam": Beam("A", "B", fx.Section(EA=1e4, EI=1.0, rhoA=1.0), parts=2)},
    )
    found = fx.sensitivity(model, "elements.beam.section.EI", count=3)
    assert np.all(np.abs(found.eigenvalues) > 1.0)
    assert found.relative[:2, 0] == pytest.approx([0.5, 0.5], rel=1e-9)


def test_two_motions_that_become_one_have_no_derivative() -> None:
    """Critical damping: k = c²/4m."""
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0, -1)},
        elements={
            "bar": Beam("O", "A", fx.Section(EA=inf, EI=inf), rigid=True),
            "top": Hinge("O", "bar.p", k=4.0, c=4.0),
            "bob": Mass("A", 1.0),
        },
        fixed=["O", "top.p.phi"],
    )
    found = fx.sensitivity(model, "elements.top.k")
    assert np.all(np.isnan(found.derivatives))


@pytest.mark.parametrize(
    ("path", "options", "said"),
    [
        ("elements.rod.section.EI", {}, "parameter 'elements.rod.section.EI': there is no 'rod'; options are upper"),
        ("elements.bar.section", {}, "parameter 'elements.bar.section': it is no number; give the path of a number"),
        ("elements.bar.section.EA", {}, "parameter 'elements.bar.section.EA': inf does not vary"),
        ("elements.bar.rigid", {}, "parameter 'elements.bar.rigid': True does not vary"),
        ("gravity.x", {}, "parameter 'gravity.x': it is zero, so its scale is unknown"),
        ("elements.top.k", {"count": 0}, "sensitivity: nothing is asked for"),
    ],
)
def test_what_cannot_be_asked(path: str, options: dict[str, Any], said: str) -> None:
    model = CASES["column"].model.replace(
        elements={**CASES["column"].model.elements, "bar": Beam("O", "A", fx.Section(EA=inf, EI=inf), rigid=True)}
    )
    with pytest.raises(fx.ModelError) as caught:
        fx.sensitivity(model, path, **options)
    assert str(caught.value).startswith(said)


def test_a_limit_of_a_parameter_is_kept() -> None:
    """A thin disc has no more inertia about its axis than about its diameters together: the step is made shorter."""
    case = overhung(150.0)
    thin = case.model.with_parameter("elements.disc.Jxx", 0.00799)
    found = fx.sensitivity(thin, "elements.disc.Jxx", system=in_space)
    _, slopes = exact.differenced(case.pencil, {**case.values, "along": 0.00799}, "along")
    assert np.sort_complex(found.derivatives[:, 0]) == pytest.approx(np.sort_complex(slopes), rel=1e-9)


def test_at_a_limit_of_a_parameter() -> None:
    with pytest.raises(fx.AnalysisError, match=r"cannot be linearised at -.*: keep away from a limit"):
        fx.sensitivity(CASES["beam"].model, "elements.beam.section.damping", scale=1e-3)


def test_words_and_bars(tmp_path: Any) -> None:
    case = CASES["damped beam"]
    found = fx.sensitivity(case.model, list(case.paths), count=3)
    assert found.derivatives.shape == found.errors.shape == (3, len(case.paths))
    assert found["nodes.A.x"] == pytest.approx(found.derivatives[:, list(case.paths).index("nodes.A.x")])
    assert "elements.tip.mass = 0.3" in str(found)
    assert repr(found) == "<Sensitivity: 3 eigenvalues to 6 parameters>"
    figure = found.plot(path=str(tmp_path / "bars.png"))
    assert len(figure.axes) == 3
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()][-1] == "nodes.A.x"
    with pytest.raises(fx.ModelError, match="counted from 0 to 2"):
        found.plot(modes=[3])
    with pytest.raises(fx.ModelError, match=r"did you mean 'nodes\.A\.x'"):
        found["nodes.A.xx"]
