"""What no choice of axes or of origin may change in space: a model turned and shifted as a whole moves alike."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation as Turn

import flexura as fx
from flexura.elements.element import Element
from flexura.laws.signals import Constant
from flexura.model.names import Names
from flexura.spatial import Beam, Bearing, Body, Hinge, Mass, Slider, Truss
from properties.small_motion import small_motion, squares

METHOD = fx.DormandPrince(tolerance=1e-13)
SAME = 1e-10
UNTIL = 0.3

SPRINGY = fx.Section(EA=900.0, EIy=3.0, EIz=5.0, GIt=2.0, rhoA=0.8, rhoIy=2e-3, rhoIz=3e-3, damping=1e-4)
STIFF = fx.Section(rhoA=0.5, rhoIy=1e-3, rhoIz=1e-3)


def arm() -> fx.Model:
    """A flexible arm of two beams on skew hinges, one of them driven by a torque and a follower force at the tip."""
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.5, 0.2, 0.1), "B": (0.7, -0.2, 0.5)},
        elements={
            "shoulder": Hinge("O", "upper.p", axis=(0.1, 0.2, 1.0), y_axis=(1, 0, 0)),
            "upper": Beam("O", "A", SPRINGY, y_axis=(0, 0, 1)),
            "elbow": Hinge("upper.q", "lower.p", axis=(0.3, 1.0, 0.2), y_axis=(0, 0, 1), k=2.0, c=0.01),
            "lower": Beam("A", "B", SPRINGY, y_axis=(0, 1, 0.3), rotary="lumped"),
            "tip": Body("lower.q", 0.4, 0.01, 0.02, 0.025, 0.001, -0.002, 0.003, centre=(0.05, 0.02, -0.03)),
        },
        fixed=["shoulder.p"],
        gravity=(1.0, -2.0, -9.0),
        loads={
            "shoulder.rotation": 0.5, "lower.q.own_x": 0.6, "lower.q.own_y": 0.0, "lower.q.own_z": -0.4,
            "B.x": 0.3, "B.y": -0.2, "B.z": 0.1, "tip.about_x": 0.02, "tip.about_y": 0.01, "tip.about_z": 0.03,
        },
        start={"shoulder.rotation'": 1.0, "elbow.rotation": 0.2, "elbow.rotation'": -2.0},
    )  # fmt: skip


def platform() -> fx.Model:
    """A body on three rigid legs and three springs."""
    leg, spring = fx.Section(rhoA=0.3), fx.Section(EA=60.0, rhoA=0.1, damping=2e-3)
    feet = {"F": (1.0, 0.0, 0.0), "G": (-0.5, 0.9, 0.0), "H": (-0.5, -0.9, 0.1), "I": (1.0, 0.5, 1.4)}
    return fx.Model(
        nodes={"C": (0.05, 0.0, 1.0), "P": (0.4, 0.3, 0.9), "Q": (-0.4, 0.3, 1.0), "R": (0.0, -0.5, 0.95), **feet},
        elements={
            "plate": Body(
                "C", 2.0, 0.1, 0.12, 0.2, 0.01, 0.0, -0.02, centre=(0.02, -0.03, 0.1), points=("P", "Q", "R")
            ),
            **{f"leg{foot}": Truss(foot, point, leg, rigid=True) for foot, point in zip("FGH", "PQR", strict=True)},
            **{f"spring{foot}": Truss(foot, point, spring) for foot, point in zip("FHI", "QQR", strict=True)},
        },
        fixed=["F", "G", "H", "I"],
        gravity=(0.0, 0.5, -9.81),
        start={"plate.about_x'": 0.5, "plate.about_y'": -0.8, "plate.about_z'": 1.5},
    )


def four_bar() -> fx.Model:
    """Crank and rocker on skew hinges, with a rod between balls: a closed loop in space."""
    return fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.0, 0.3, 0.1), "B": (1.0, 0.6, 0.5), "D": (1.1, 0.0, 0.2)},
        elements={
            "motor": Hinge("O", "crank.p", axis=(1.0, 0.1, 0.0), y_axis=(0, 0, 1)),
            "crank": Beam("O", "A", STIFF, rigid=True, y_axis=(1, 0, 0)),
            "rod": Truss("A", "B", fx.Section(rhoA=0.4), rigid=True),
            "rocker": Beam("D", "B", STIFF, rigid=True, y_axis=(1, 0, 0)),
            "pivot": Hinge("D", "rocker.p", axis=(0.2, 0.1, 1.0), y_axis=(0, 1, 0), k=30.0, c=0.02),
        },
        fixed=["motor.p", "pivot.p"],
        gravity=(0.0, -3.0, -9.81),
        start={"motor.rotation'": 6.0},
    )


def guide() -> fx.Model:
    """A block on a cylindrical guide, with a flexible pendulum welded to it and a mass in an elastic bearing."""
    return fx.Model(
        nodes={"G": (0, 0, 0), "S": (0.4, 0.1, 0.2), "T": (0.5, -0.2, -0.4)},
        elements={
            "rail": Slider("G", "block.p", (1.0, 0.2, 0.3), (0, 1, 0), cylindrical=True, k=50.0, c=0.3),
            "block": Body("S", 0.7, 0.02, 0.03, 0.03),
            "rod": Beam("block.p", "T", SPRINGY, y_axis=(0, 1, 1)),
            "seat": Bearing("rod.q", "bob.p", (0, 0, 1.0), (1.0, 0, 0), 80.0, 90.0, 70.0, 0.5, 0.6, 0.7, 0.1, ct=1e-3),
            "bob": Body("T", 0.5, 0.01, 0.012, 0.015),
        },
        fixed=["rail.p"],
        gravity=(0.3, 1.0, -9.81),
        loads={"rod": (0.5, -1.0, 0.3)},
        start={"rail.travel'": 0.5, "rail.rotation'": 2.0, "seat.rotation'": 3.0},
    )  # fmt: skip


MODELS = {make.__name__: make for make in (arm, platform, four_bar, guide)}


def turned_element(element: Element, turn: np.ndarray) -> Element:
    """The same element with its directions and its inertia tensor turned along."""
    changes = {}
    for field in dataclasses.fields(element):
        if field.name in {"axis", "y_axis", "direction", "centre"}:
            changes[field.name] = tuple(turn @ getattr(element, field.name))
    if isinstance(element, Body):
        b = element
        tensor = np.array([[b.Jxx, b.Jxy, b.Jxz], [b.Jxy, b.Jyy, b.Jyz], [b.Jxz, b.Jyz, b.Jzz]])
        tensor = turn @ tensor @ turn.T
        names = (("Jxx", 0, 0), ("Jyy", 1, 1), ("Jzz", 2, 2), ("Jxy", 0, 1), ("Jxz", 0, 2), ("Jyz", 1, 2))
        changes |= {name: tensor[i, j] for name, i, j in names}
    return dataclasses.replace(element, **changes)


def turned_signals(signals: Mapping[str, Any], turn: np.ndarray) -> dict[str, Any]:
    """The same loads or rates: what has components x, y and z is a vector, the rest stays."""
    turned = dict(signals)
    for name, value in signals.items():
        plain = name.rstrip("'")
        if isinstance(value, tuple):
            turned[name] = tuple(turn @ [constant(part) for part in value])
        elif plain[-2:] in {".x", "_x"}:
            names = [plain[:-1] + axis + name[len(plain) :] for axis in "xyz"]
            turned |= dict(zip(names, turn @ [constant(signals[n]) for n in names], strict=True))
    return turned


def constant(given: Any) -> float:
    """The number of a signal that stays the same."""
    return float(given.value if isinstance(given, Constant) else given)


def moved(model: fx.Model, turn: np.ndarray, shift: np.ndarray) -> fx.Model:
    """The model turned and shifted as a whole."""
    return model.replace(
        nodes={name: tuple(turn @ place + shift) for name, place in model.nodes.items()},
        elements={name: turned_element(element, turn) for name, element in model.elements.items()},
        gravity=tuple(turn @ model.gravity),
        loads=turned_signals(model.loads, turn),
        start=turned_signals(model.start, turn),
    )


turns = st.tuples(*3 * [st.floats(-2.5, 2.5)]).map(lambda vector: Turn.from_rotvec(vector).as_matrix())
shifts = st.tuples(*3 * [st.floats(-5.0, 5.0)]).map(np.array)
somewhere = given(turn=turns, shift=shifts)
quick = settings(max_examples=6, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])


def assert_same(found: np.ndarray, expected: np.ndarray) -> None:
    """Equal to SAME of the largest of what is expected; the models are about a metre long."""
    assert np.abs(found - expected).max() < SAME * np.abs(expected).max()


def vector(motion: fx.Motion, name: str, ending: str = "") -> np.ndarray:
    """A signal with components along the axes of space, a row a time."""
    return np.stack([motion[f"{name}{axis}{ending}"] for axis in "xyz"], axis=-1)


@pytest.mark.parametrize("name", MODELS)
@quick
@somewhere
def test_turned_and_shifted_model_moves_alike(name: str, turn: np.ndarray, shift: np.ndarray) -> None:
    model = MODELS[name]()
    plain, other = (fx.simulate(m, UNTIL, samples=7, method=METHOD) for m in (model, moved(model, turn, shift)))
    assert plain.outcome is other.outcome is fx.Outcome.DONE
    # the arms of a body have components along its axes as drawn, the other strains are numbers of their own
    arms = {a.owner for a in plain.strains if a.component == "along_x"}
    own = [i for i, a in enumerate(plain.strains) if not a.internal and a.owner not in arms]
    for order in range(3):
        assert_same(other.strain[order][:, own], plain.strain[order][:, own])
    assert_same(other.stress[:, own], plain.stress[:, own])
    for owner in arms:
        assert_same(vector(other, f"{owner}.along_", ".force"), vector(plain, f"{owner}.along_", ".force") @ turn.T)
    # positions, speeds and accelerations of the nodes that move, reactions of those that are held
    for node in model.nodes:
        place = vector(plain, f"{node}.")
        assert np.abs(vector(other, f"{node}.") - place @ turn.T - shift).max() < SAME
        for ending in ("'", "''") if np.ptp(place, axis=0).any() else (".force",):
            assert_same(vector(other, f"{node}.", ending), vector(plain, f"{node}.", ending) @ turn.T)
    # orientations are from the drawn position
    for end in plain.names.orientations:
        cosines = turn @ plain.orientation(end, "cosines") @ turn.T
        assert np.abs(other.orientation(end, "cosines") - cosines).max() < SAME
    linear, angular = plain.momentum[:, :3] @ turn.T, plain.momentum[:, 3:] @ turn.T
    assert_same(other.momentum[:, :3], linear)
    assert_same(other.momentum[:, 3:], angular + np.cross(shift, linear))


@pytest.mark.parametrize("name", MODELS)
@quick
@somewhere
def test_turned_and_shifted_model_has_the_same_frequencies(name: str, turn: np.ndarray, shift: np.ndarray) -> None:
    model = MODELS[name]()
    coordinates, *plain = small_motion(model)
    # every one is a strain, and means the same in any axes
    assert all(Names(model).resolve(name).kind == "strain" for name in coordinates)
    other = moved(model, turn, shift).replace(independent=coordinates)
    found_coordinates, *found = small_motion(other)
    order = np.ix_(*2 * [[found_coordinates.index(name) for name in coordinates]])
    for matrix, expected in zip(found, plain, strict=True):
        assert_same(matrix[order], expected)
    assert_same(squares(other), squares(model.replace(independent=coordinates)))


@quick
@given(turn=turns)
def test_body_started_turned_moves_like_one_drawn_turned(turn: np.ndarray) -> None:
    """The orientation may be in the drawing or in the start; the spring pulls at the same point in the same way."""
    centre, arm = np.array([0.1, 0.2, 0.05]), np.array([0.4, -0.1, 0.2])

    def top(drawn: np.ndarray, **given: Any) -> fx.Model:
        length = np.linalg.norm(drawn @ arm - 1.0)
        return fx.Model(
            nodes={"O": (0, 0, 0), "P": tuple(drawn @ arm), "W": (1, 1, 1)},
            elements={
                "body": turned_element(
                    Body("O", 2.0, 0.1, 0.15, 0.2, 0.01, centre=tuple(centre), points=("P",)), drawn
                ),
                "spring": Truss("P", "W", fx.Section(EA=0.0)),
                "bob": Mass("P", 0.3),
            },
            fixed=["O", "W"],
            gravity=(0, 0, -9.81),
            laws={"spring.elongation": f"20*(e + {length} - 0.8)"},
            start={"body.about_x'": 1.0, "body.about_y'": -3.0, "body.about_z'": 2.0, **given},
        )

    matrix = tuple(tuple(row) for row in turn)
    started = fx.simulate(top(np.eye(3), **{"body.p": fx.Rotation(cosines=matrix)}), UNTIL, samples=7, method=METHOD)
    drawn = fx.simulate(top(turn), UNTIL, samples=7, method=METHOD)
    for signal in ("P.", "O."):
        for ending in ("", "'", "''") if signal == "P." else (".force",):
            assert_same(vector(started, signal, ending), vector(drawn, signal, ending))
    cosines = drawn.orientation("body.p", "cosines") @ turn
    assert np.abs(started.orientation("body.p", "cosines") - cosines).max() < SAME


@pytest.mark.parametrize("make", [arm, four_bar, guide])
def test_motion_runs_back(make: Any) -> None:
    """Without losses the motion, reversed, returns to its start."""
    model = lossless(make())
    there = fx.simulate(model, UNTIL, samples=2, method=METHOD)
    freedoms = there.coordinates
    start = {name: float(there[name][-1]) for name in freedoms}
    start |= {f"{name}'": -float(there[f"{name}'"][-1]) for name in freedoms}
    back = fx.simulate(model.replace(start=start), UNTIL, samples=2, method=METHOD)
    for node in model.nodes:
        assert np.abs(vector(back, f"{node}.")[-1] - vector(there, f"{node}.")[0]).max() < 1e-9
        assert np.abs(vector(back, f"{node}.", "'")[-1] + vector(there, f"{node}.", "'")[0]).max() < 1e-8


def lossless(model: fx.Model) -> fx.Model:
    """Without dampers."""
    elements = {}
    for name, element in model.elements.items():
        changes = {f.name: 0.0 for f in dataclasses.fields(element) if f.name in {"c", "cx", "ct"}}
        if isinstance(element, Beam | Truss):
            changes["section"] = dataclasses.replace(element.section, damping=0.0)
        elements[name] = dataclasses.replace(element, **changes)
    return model.replace(elements=elements)
