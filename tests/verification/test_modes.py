"""Modes about rest: against closed forms, against the dense equations, with a thousand beams, with none held."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigvals

import flexura as fx
from flexura.analyses.linear import modes as computing
from flexura.mechanics.linear import refined_inverse
from flexura.planar import Beam, Mass, Truss
from flexura.spatial import Beam as SpatialBeam

EXAMPLES = Path(__file__).parents[2] / "examples"

CLAMPED = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613]) ** 2
FREE = np.array([4.730040744862704, 7.853204624095838, 10.995607838001671]) ** 2
"""(βL)² of slender beams; S. Timoshenko, Vibration Problems in Engineering."""


def chain(count: int, space: bool = False, free: bool = False) -> fx.Model:
    """A straight beam of length, EI and ρA one, as many beams in a row; in space stiffer in one plane."""
    section = fx.Section(EA=1e5, EI=1.0, rhoA=1.0)
    if space:
        section = fx.Section(EA=1e5, EIy=1.0, EIz=4.0, GIt=0.5, rhoA=1.0, rhoIy=1e-9, rhoIz=1e-9)
    kind = SpatialBeam if space else Beam
    return fx.Model(
        nodes={f"N{k}": (k / count, 0.0, 0.0)[: 2 + space] for k in range(count + 1)},
        elements={f"b{k}": kind(f"b{k - 1}.q" if k else "N0", f"N{k + 1}", section) for k in range(count)},
        fixed=[] if free else ["b0.p"],
    )


@pytest.mark.parametrize("free", [False, True])
def test_a_thousand_beams_in_the_plane(free: bool) -> None:
    model = chain(1000, free=free)
    began = time.perf_counter()
    found = fx.modes(model, 6)
    assert time.perf_counter() - began < 30.0  # a second or two where nothing else runs; dense equations take minutes
    known = np.concatenate([np.zeros(3), FREE]) if free else CLAMPED
    assert found.frequencies[: len(known)] == pytest.approx(known, rel=1e-9)
    assert found.mass == pytest.approx(1.0, rel=1e-12)


def test_hundreds_of_beams_in_space() -> None:
    found = fx.modes(chain(300, space=True, free=True), 10)
    bending = np.sort(np.concatenate([FREE, 2.0 * FREE]))[:4]
    assert found.frequencies == pytest.approx(np.concatenate([np.zeros(6), bending]), rel=1e-6)  # ρI left of 1e-9


def test_work_grows_with_the_number_of_beams() -> None:
    """Not with its cube: eight times as many take less than thirty times as long."""
    times = []
    for count in (150, 1200):
        model = chain(count)
        fx.modes(model, 4)
        began = time.perf_counter()
        fx.modes(model, 4)
        times.append(time.perf_counter() - began)
    assert times[1] < 30.0 * times[0]


def resting(name: str) -> fx.Model:
    """An example of the gallery with its inputs held where they are drawn."""
    model = fx.Model.from_file(EXAMPLES / f"{name}.toml")
    still = {key: value for key, value in model.start.items() if not key.endswith("'")}
    return model.replace(inputs=dict.fromkeys(model.inputs, 0.0), start=still)


SMALL = ["pendulum", "satellite", "slider_crank_flexible"]
LARGE = ["buckling_column", "elastica", "rotor_with_seal", "spinning_blade", "whirling_shaft"]


@pytest.mark.parametrize(
    ("name", "lanczos"), [*((name, False) for name in SMALL + LARGE), *((name, True) for name in LARGE)]
)
def test_the_gallery_as_by_dense_equations(name: str, lanczos: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    model = resting(name)
    state = fx.equilibrium(model)
    count = 8
    if lanczos:
        monkeypatch.setattr(computing, "_DENSE", 0)
        count = 4
    found = fx.modes(model, count, at=state)
    system = fx.linearise(model, state)
    squares = eigvals(system.K, system.M).real
    known = np.sort(squares[np.argsort(np.abs(squares))][: len(found)])
    slowest = np.abs(known[np.abs(known) > 1e-9 * np.abs(squares).max()]).min()
    assert found.squares == pytest.approx(known, rel=2e-9, abs=1e-6 * slowest)
    oscillating = known > 1e-6 * slowest
    assert found.frequencies[oscillating] == pytest.approx(np.sqrt(known[oscillating]), rel=1e-9)


def test_pendulum_and_weight() -> None:
    """A point mass on a massless bar: √(g/L); upside down it falls at that rate."""
    for up, sign in ((-0.4, 1.0), (0.4, -1.0)):
        model = fx.Model(
            nodes={"O": (0, 0), "A": (0, up)},
            elements={"bar": Truss("O", "A", fx.Section(), rigid=True), "bob": Mass("A", 2.0)},
            fixed=["O"],
            gravity=(0, -9.81),
        )
        found = fx.modes(model)
        assert found.squares == pytest.approx([sign * 9.81 / 0.4], rel=1e-12)
        assert found.stable == (sign > 0.0)
    assert "grows" in str(found)


def test_a_pressed_column() -> None:
    """Of a pinned column ω² falls in a straight line, to zero at π²EI/L²."""
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0, 1)},
        elements={"column": Beam("O", "A", fx.Section(EI=1.0, rhoA=1.0), parts=8)},
        fixed=["O", "A.x"],
        loads={"A.y": fx.Ramp(rate=-1.0)},
    )
    for load in (0.0, 0.5 * np.pi**2, 1.5 * np.pi**2):
        found = fx.modes(model, 1, at=fx.equilibrium(model, at=load))
        assert found.squares[0] == pytest.approx(np.pi**4 * (1.0 - load / np.pi**2), rel=2e-3)


def test_effective_masses_add_up() -> None:
    """All modes together carry all mass but that of the clamped end."""
    model = chain(8)
    found = fx.modes(model, 100)
    assert len(found) == 24
    moved = fx.linearise(model).following
    push, free = moved.translation((0.0, 1.0)), moved.columns
    inertia = moved.tables.mass[np.ix_(free, free)]
    carried = np.linalg.solve(inertia, moved.tables.mass[free] @ push)
    assert found.effective_masses[:, 1].sum() == pytest.approx(carried @ inertia @ carried, rel=1e-9)
    assert found.effective_masses[0] == pytest.approx([0.0, 0.6131], abs=1e-4)  # of the slender cantilever
    assert found.effective_masses.sum(axis=0) == pytest.approx([1.0, 1.0], abs=0.06)


def test_modes_next_to_a_frequency() -> None:
    model = chain(200)
    low = fx.modes(model, 12)
    near = fx.modes(model, 3, shift=float(low.frequencies[7]) * 1.001)
    assert near.frequencies == pytest.approx(low.frequencies[6:9], rel=1e-9)


def test_signals_shapes_and_pictures(tmp_path: Path) -> None:
    model = chain(12)
    found = fx.modes(model, 3)
    system = fx.linearise(model)
    for k in range(3):
        # unit modal mass, up to the sign
        sign = np.sign(found["N12.y"][k]) * np.sign(system.modes[:, k] @ system.input("N12.y")).real
        assert found["N12.y"][k] == pytest.approx(sign * (system.modes[:, k] @ system.input("N12.y")).real, rel=1e-8)
        bending = system.output("b0.bending_p")[0] @ system.modes[:, k]
        assert found["b0.bending_p"][k] == pytest.approx(sign * bending.real, rel=1e-6)
    found.plot(1, path=str(tmp_path / "mode.png"))
    found.animate(0, str(tmp_path / "mode.gif"))
    assert (tmp_path / "mode.png").stat().st_size > 1000
    assert (tmp_path / "mode.gif").stat().st_size > 1000
    assert found.scene(0, frames=5).t.size == 5
    assert repr(found) == "<Modes: 3 of a model>"
    assert "mass y" in str(found)
    with pytest.raises(fx.ModelError, match="counted from 0 to 2"):
        found.plot(3)


@pytest.mark.parametrize(
    ("changes", "options", "said"),
    [
        ({}, {"count": 0}, "count: 0 is not a number of modes; ask for one or more"),
        ({}, {"shift": -1.0}, "shift: -1.0 is not a frequency"),
        ({"inputs": {"b0.p.phi": fx.Ramp(2.0)}, "fixed": ["N0"]}, {}, "modes: the model moves in this state"),
        ({"gravity": (0.0, -9.81)}, {}, "at: the forces in this position do not balance"),
        ({"fixed": ["b0.p", "b0.q", "b1.q"]}, {}, "model: it cannot move; release a degree of freedom"),
    ],
)
def test_what_has_no_modes(changes: dict[str, Any], options: dict[str, Any], said: str) -> None:
    with pytest.raises(fx.ModelError) as caught:
        fx.modes(chain(2).replace(**changes), **options)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("count", [3, 300])
def test_redundant_constraints(count: int) -> None:
    """An inextensible beam between two clamps vibrates as one with a link released, in small models and large ones."""
    model = chain(count).replace(fixed=["b0.p", f"b{count - 1}.q"])
    rigid = {name: Beam(b.p, b.q, fx.Section(EI=1.0, rhoA=1.0)) for name, b in model.elements.items()}
    model = model.replace(elements=rigid)
    found, released = (fx.modes(one, count=3) for one in (model, model.replace(released=["b1.elongation"])))
    np.testing.assert_allclose(found.frequencies, released.frequencies, rtol=1e-9)


def test_matrices_of_all_shifts_share_one_order_of_elimination(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rough estimate and the accurate solution have matrices with the same pattern."""
    orders: list[int] = []
    eliminate = refined_inverse.eliminate

    def counted(unknowns: int, *about: Any) -> Any:
        orders.append(unknowns)
        return eliminate(unknowns, *about)

    monkeypatch.setattr(refined_inverse, "eliminate", counted)
    fx.modes(chain(150), count=3)
    assert len(orders) == 1


def test_without_mass() -> None:
    model = fx.Model(
        nodes={"A": (0, 0), "B": (1, 0)}, elements={"b": Beam("A", "B", fx.Section(EI=1.0))}, fixed=["b.p"]
    )
    with pytest.raises(fx.ModelError, match="no moving part has mass"):
        fx.modes(model)


def test_loads_that_follow() -> None:
    section = fx.Section(EI=1.0, EIy=1.0, EIz=1.0, GIt=1.0, rhoA=1.0, rhoIy=1e-3, rhoIz=1e-3)
    model = fx.Model(
        nodes={"A": (0, 0, 0), "B": (1, 0, 0)},
        elements={"b": SpatialBeam("A", "B", section, parts=2)},
        fixed=["b.p"],
        loads={"b.q.own_x": -1.0},
    )
    with pytest.raises(fx.ModelError, match="follower loads"):
        fx.modes(model, at=fx.equilibrium(model))
