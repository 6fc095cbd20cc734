"""A mechanism in a plane is the same machine, whether written in the plane or in space, in a plane of any direction."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation as Turn

import flexura as fx
from flexura import planar, spatial
from properties.small_motion import small_motion

METHOD = fx.DormandPrince(tolerance=5e-11)
SAME = 1e-10

PLANES = {
    "x-y": np.eye(3),
    "x-z": Turn.from_rotvec([0.5 * np.pi, 0, 0]).as_matrix(),
    "general": Turn.from_rotvec([0.7, -1.1, 0.9]).as_matrix(),
    "turned over": Turn.from_rotvec([2.1, 1.9, -0.6]).as_matrix(),
}
SHIFT = np.array([0.3, -1.2, 2.0])


class Plane(NamedTuple):
    """A plane in space: the columns are its axes x, y and its normal."""

    axes: np.ndarray

    def place(self, x: float, y: float) -> tuple[float, ...]:
        return tuple((self.axes @ (x, y, 0.0) + SHIFT).tolist())

    def along(self, x: float, y: float) -> tuple[float, ...]:
        return tuple((self.axes @ (x, y, 0.0)).tolist())

    @property
    def normal(self) -> tuple[float, ...]:
        return tuple(self.axes[:, 2].tolist())

    def beam(self, p: str, q: str, drawn: tuple[float, float], *section: Any, **given: Any) -> spatial.Beam:
        """A beam along a drawn direction, whose own y axis is in the plane as the normal of a planar beam is."""
        return spatial.Beam(p, q, *section, y_axis=self.along(-drawn[1], drawn[0]), **given)

    def pin(self, p: str, q: str, **given: Any) -> spatial.Hinge:
        return spatial.Hinge(p, q, axis=self.normal, **given)

    def read(self, motion: fx.Motion, name: str, ending: str = "") -> np.ndarray:
        """A vector signal in the axes of the plane, a row a time."""
        return np.stack([motion[f"{name}{axis}{ending}"] for axis in "xyz"], axis=-1) @ self.axes


class Twins(NamedTuple):
    """The same machine twice, and which signals of the plane are which in space."""

    flat: fx.Model
    deep: Callable[[Plane], fx.Model]
    same: Mapping[str, str]
    """strains and angles"""
    reactions: Mapping[str, str]
    """of coordinates in the plane: moments about the normal, or stresses of joints in space"""
    until: float = 0.5


BAR = fx.Section(rhoA=0.4)
SPRINGY = fx.Section(EA=400.0, EI=2.0, GIt=1.5, rhoA=0.4, rhoIy=1e-3, damping=1e-3)
"""Twisting and bending out of the plane have rotary inertia, bending in it has none."""


def rigid_slider_crank() -> Twins:
    """Thrown round, and pulled by gravity."""
    o, a, b = (0.0, 0.0), (0.15, 0.05), (0.45, -0.02)
    rod = (b[0] - a[0], b[1] - a[1])
    flat = fx.Model(
        nodes={"O": o, "A": a, "B": b},
        elements={
            "crank": planar.Beam("O", "A", BAR, rigid=True),
            "rod": planar.Beam("A", "B", BAR, rigid=True),
            "piston": planar.Mass("B", 0.3),
        },
        fixed=["O", "B.y"],
        gravity=(2.0, -9.81),
        start={"crank.p.phi'": 12.0},
    )

    def deep(plane: Plane) -> fx.Model:
        return fx.Model(
            nodes={name: plane.place(*at) for name, at in {"O": o, "A": a, "B": b, "G": (0.0, -0.02)}.items()},
            elements={
                "crank": plane.beam("O", "A", a, BAR, rigid=True),
                "rod": plane.beam("A", "B", rod, BAR, rigid=True),
                "piston": spatial.Mass("B", 0.3),
                "motor": plane.pin("O", "crank.p"),
                "knee": plane.pin("crank.q", "rod.p"),
                "rail": spatial.Slider("G", "B", direction=plane.along(1, 0), y_axis=plane.along(0, 1)),
            },
            fixed=["motor.p", "rail.p"],
            # the pins hold the rod in the plane already
            released=["rail.offset_z"],
            gravity=plane.along(2.0, -9.81),
            start={"motor.rotation'": 12.0},
        )

    same = {"crank.p.phi": "motor.rotation", **beam("crank"), **beam("rod")}
    return Twins(flat, deep, same, {"B.y": "rail.offset_y"})


def beam(name: str) -> dict[str, str]:
    """The strains of a beam, in the plane and in space."""
    ends = {f"{name}.bending_{end}": f"{name}.bending_z_{end}" for end in "pq"}
    return {f"{name}.elongation": f"{name}.elongation", **ends}


def pendulum() -> Twins:
    """Two flexible beams, hinged with a coil; the upper one is clamped and its root shaken."""
    o, a, b = (0.0, 0.0), (0.5, 0.2), (0.9, -0.1)

    def arms(kind: Any, lower: Any, coil: Any, bob: Any) -> dict[str, Any]:
        return {"upper": kind, "lower": lower, "coil": coil, "bob": bob}

    flat = fx.Model(
        nodes={"O": o, "A": a, "B": b},
        elements=arms(
            planar.Beam("O", "A", SPRINGY, parts=2),
            planar.Beam("A", "B", SPRINGY),
            planar.Hinge("upper.q", "lower.p", k=0.4, c=0.01),
            planar.Mass("lower.q", 0.2, 0.003),
        ),
        fixed=["upper.p.phi", "O.y"],
        inputs={"O.x": "0.05*sin(9*t)"},
        loads={"B.x": 0.3, "B.y": "0.5*t", "lower.q.phi": 0.1},
        gravity=(1.0, -9.81),
        start={"coil.rotation'": 5.0},
    )

    def deep(plane: Plane) -> fx.Model:
        drive, load = plane.along(0.05, 0.0), plane.along(0.0, 0.5)
        still = plane.along(0.3, 0.0)
        moment = 0.1 * plane.axes[:, 2]
        home = plane.place(*o)
        return fx.Model(
            nodes={name: plane.place(*at) for name, at in {"O": o, "A": a, "B": b}.items()},
            elements=arms(
                plane.beam("O", "A", a, SPRINGY, parts=2),
                plane.beam("A", "B", (b[0] - a[0], b[1] - a[1]), SPRINGY),
                plane.pin("upper.q", "lower.p", k=0.4, c=0.01),
                spatial.Body("lower.q", 0.2, 0.003, 0.003, 0.003),
            ),
            fixed=[f"upper.p.e{i}" for i in range(4)],
            inputs={f"O.{x}": f"{at!r} + {size!r}*sin(9*t)" for x, at, size in zip("xyz", home, drive, strict=True)},
            loads={
                **{f"B.{x}": f"{k!r} + {f!r}*t" for x, k, f in zip("xyz", still, load, strict=True)},
                **{f"bob.about_{x}": float(m) for x, m in zip("xyz", moment, strict=True)},
            },
            gravity=plane.along(1.0, -9.81),
            start={"coil.rotation'": 5.0},
        )

    same = {"coil.rotation": "coil.rotation", **beam("upper.1"), **beam("upper.2"), **beam("lower")}
    return Twins(flat, deep, same, {"upper.p.phi": "upper.p.about_"})


def flexible_slider_crank() -> Twins:
    """[Schwab2002, section 4.4.2] with a softer rod and slower, half a turn of it."""
    section = fx.Section(EI=0.3, rhoA=0.2225, damping_ratio=0.02)
    flat = fx.Model(
        nodes={"O": (0.0, 0.0), "A": (0.15, 0.0), "B": (0.45, 0.0)},
        elements={
            "crank": planar.Beam("O", "A", fx.Section(rhoA=0.2225), rigid=True),
            "rod": planar.Beam("A", "B", section, parts=2, second_order=False),
            "piston": planar.Mass("B", 0.033375),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=50.0)},
    )

    def deep(plane: Plane) -> fx.Model:
        return fx.Model(
            nodes={
                "O": plane.place(0, 0),
                "A": plane.place(0.15, 0),
                "B": plane.place(0.45, 0),
                "G": plane.place(0, 0),
            },
            elements={
                "crank": plane.beam("O", "A", (1, 0), fx.Section(rhoA=0.2225), rigid=True),
                "rod": plane.beam("A", "B", (1, 0), section, parts=2, second_order=False),
                "piston": spatial.Mass("B", 0.033375),
                "motor": plane.pin("O", "crank.p"),
                "knee": plane.pin("crank.q", "rod.p"),
                "rail": spatial.Slider("G", "B", direction=plane.along(1, 0), y_axis=plane.along(0, 1)),
            },
            fixed=["motor.p", "rail.p"],
            inputs={"motor.rotation": fx.Ramp(rate=50.0)},
        )

    same = {**beam("crank"), **beam("rod.1"), **beam("rod.2")}
    return Twins(flat, deep, same, {"B.y": "rail.offset_y", "crank.p.phi": "motor.rotation"}, until=np.pi / 50.0)


def joints() -> Twins:
    """A block on a spring in a guide, and on it a wheel in an elastic bearing with a stay to the ground."""
    nodes = {"G": (0.0, 0.0), "S": (0.5, 0.1), "W": (0.6, 0.2), "V": (0.6, 0.2), "T": (1.0, -0.6)}
    stay = fx.Section(EA=30.0, rhoA=0.2, damping=1e-2)
    guide = {"k": 40.0, "c": 0.4}
    flat = fx.Model(
        nodes=nodes,
        elements={
            "rail": planar.Slider("G", "arm.p", direction=(1.0, 0.3), **guide),
            "arm": planar.Beam("S", "W", BAR, rigid=True),
            "block": planar.Mass("arm.p", 0.7, 0.02),
            "seat": planar.Bearing("arm.q", "wheel.p", kx=80.0, ky=60.0, cx=0.2),
            "wheel": planar.Beam("V", "T", BAR, rigid=True),
            "stay": planar.Truss("T", "G", stay),
        },
        fixed=["rail.p"],
        gravity=(0.0, -9.81),
        start={"rail.travel'": 0.6, "wheel.p.phi'": -2.0},
    )

    def deep(plane: Plane) -> fx.Model:
        to = {name: np.subtract(nodes[name], nodes[before]) for before, name in (("S", "W"), ("V", "T"))}
        return fx.Model(
            nodes={name: plane.place(*at) for name, at in nodes.items()},
            elements={
                "rail": spatial.Slider(
                    "G", "arm.p", direction=plane.along(1, 0.3), y_axis=plane.along(-0.3, 1), **guide
                ),
                "arm": plane.beam("S", "W", to["W"], BAR, rigid=True),
                "block": spatial.Body("arm.p", 0.7, 0.02, 0.02, 0.02),
                "seat": spatial.Bearing(
                    "arm.q", "wheel.p", axis=plane.along(1, 0), y_axis=plane.along(0, 1), kx=80.0, ky=60.0, cx=0.2
                ),
                "pin": plane.pin("arm.q", "wheel.p"),
                "wheel": plane.beam("V", "T", to["T"], BAR, rigid=True),
                "stay": spatial.Truss("T", "G", stay),
            },
            fixed=["rail.p"],
            gravity=plane.along(0.0, -9.81),
            start={"rail.travel'": 0.6, "pin.rotation'": -2.0},
        )

    same = {"seat.along": "seat.along", "seat.across": "seat.across_y"}
    same |= dict.fromkeys(("seat.rotation", "wheel.p.phi"), "pin.rotation")
    same |= {name: name for name in ("rail.travel", "stay.elongation")} | beam("arm") | beam("wheel")
    return Twins(flat, deep, same, {"rail.p.phi": "rail.p.about_"})


MACHINES = {make.__name__: make for make in (rigid_slider_crank, pendulum, flexible_slider_crank, joints)}


def simulated(twins: Twins, plane: Plane) -> tuple[fx.Motion, fx.Motion]:
    """Both motions; where rates at the start are not given, the same ones are zero."""
    flat = fx.simulate(twins.flat, twins.until, samples=9, method=METHOD)
    model = twins.deep(plane)
    still = {f"{twins.same[name]}'": 0.0 for name in flat.coordinates if f"{name}'" not in twins.flat.start}
    deep = fx.simulate(model.replace(start={**model.start, **still}), twins.until, samples=9, method=METHOD)
    assert flat.outcome is deep.outcome is fx.Outcome.DONE
    return flat, deep


def assert_same(pairs: Iterable[tuple[np.ndarray, np.ndarray]]) -> None:
    """Equal to SAME of the largest of what is expected, the first of each pair; beside 1e-3 all is nothing."""
    pairs = list(pairs)
    size = max(1e-3, *(np.abs(expected).max() for expected, _ in pairs))
    worst = max(np.abs(found - expected).max() for expected, found in pairs)
    assert worst < SAME * size


@pytest.mark.parametrize("plane", PLANES)
@pytest.mark.parametrize("name", MACHINES)
def test_motion(name: str, plane: str) -> None:
    twins, within = MACHINES[name](), Plane(PLANES[plane])
    flat, deep = simulated(twins, within)
    for ending in ("", "'"):
        assert_same((flat[a + ending], deep[b + ending]) for a, b in twins.same.items())
    assert_same((flat.force(a), deep.force(b)) for a, b in twins.same.items() if not a.endswith(".phi"))
    # places and reactions, of which none is out of the plane
    for node in twins.flat.nodes:
        for ending in ("", "'", "''") if np.ptp(flat[f"{node}.x"]) else ("", ".force"):
            expected = np.stack([flat[f"{node}.{x}{ending}"] for x in "xy"] + [0.0 * flat.t], axis=-1)
            origin = 0.0 if ending else within.axes.T @ SHIFT
            assert_same([(expected + origin, within.read(deep, f"{node}.", ending))])
    for a, b in twins.reactions.items():
        found = within.read(deep, b, ".force")[:, 2] if b.endswith("_") else deep.force(b)
        assert_same([(flat.force(a), found)])
    for kind in ("kinetic", "strain", "work", "dissipated"):
        assert np.abs(flat.energy[kind] - deep.energy[kind]).max() < SAME * flat.energy["kinetic"].max()


@pytest.mark.parametrize("plane", PLANES)
@pytest.mark.parametrize("name", MACHINES)
def test_frequencies(name: str, plane: str) -> None:
    """Small motions in the plane have the same mass and stiffness, and none out of the plane comes with them."""
    twins = MACHINES[name]()
    coordinates, mass, stiffness = small_motion(twins.flat)
    own = [twins.same[c] for c in coordinates]
    deep = twins.deep(Plane(PLANES[plane])).replace(independent=own)
    found_coordinates, *found = small_motion(deep)
    inside = [found_coordinates.index(c) for c in own]
    outside = [i for i in range(len(found_coordinates)) if i not in inside]
    for expected, matrix in zip((mass, stiffness), found, strict=True):
        assert_same([(expected, matrix[np.ix_(inside, inside)])])
        assert np.abs(matrix[np.ix_(outside, inside)]).max(initial=0.0) < SAME * np.abs(expected).max()
    assert_same(
        [
            (
                eigh(stiffness, mass, eigvals_only=True),
                eigh(*(m[np.ix_(inside, inside)] for m in found[::-1]), eigvals_only=True),
            )
        ]
    )


def cantilever(plane: Plane | None, loads: Mapping[str, Any]) -> fx.Model:
    """Of eight beams, bent by what pulls at its end."""
    section = fx.Section(EI=1.0, GIt=0.8)
    given = {"fixed": ["beam.p"], "loads": loads}
    if plane is None:
        nodes, beam = {"O": (0, 0), "A": (1, 0)}, planar.Beam("O", "A", section, parts=8)
        return fx.Model(nodes=nodes, elements={"beam": beam}, **given)
    nodes, line = {"O": plane.place(0, 0), "A": plane.place(1, 0)}, plane.beam("O", "A", (1, 0), section, parts=8)
    return fx.Model(nodes=nodes, elements={"beam": line}, **given)


def parts(name: str, vector: Iterable[float]) -> dict[str, float]:
    return {f"{name}{x}": float(f) for x, f in zip("xyz", vector, strict=True)}


@pytest.mark.parametrize("plane", PLANES)
@pytest.mark.parametrize(("force", "moment"), [((0.0, 5.0), 0.0), ((-2.0, 6.0), -3.0), ((0.0, 0.0), 2.0 * np.pi)])
def test_equilibrium_far_from_straight(force: tuple[float, float], moment: float, plane: str) -> None:
    """The elastica, and the beam rolled to a circle."""
    within = Plane(PLANES[plane])
    flat = fx.equilibrium(cantilever(None, {"A.x": force[0], "A.y": force[1], "beam.q.phi": moment}))
    loads = parts("A.", within.along(*force)) | parts("beam.q.about_", moment * within.axes[:, 2])
    assert_alike(flat, fx.equilibrium(cantilever(within, loads)), within)


@pytest.mark.parametrize("plane", PLANES)
def test_equilibrium_with_loads_that_follow(plane: str) -> None:
    """In balance a load that follows is like one that stands in the direction to which it has turned."""
    within = Plane(PLANES[plane])
    push, moment = (-1.0, 2.0), 0.7
    loads = parts("beam.q.own_", within.along(*push)) | parts("beam.q.about_own_", moment * within.axes[:, 2])
    deep = fx.equilibrium(cantilever(within, loads))
    x, y, _ = within.axes.T @ deep.orientation("beam.q", "cosines") @ within.axes @ (*push, 0.0)
    flat = fx.equilibrium(cantilever(None, {"A.x": x, "A.y": y, "beam.q.phi": moment}))
    assert_alike(flat, deep, within)


def assert_alike(flat: fx.State, deep: fx.State, within: Plane) -> None:
    """The tip, all strains and stresses, and the reactions of the clamp."""
    same = {a: b for part in range(1, 9) for a, b in beam(f"beam.{part}").items()}
    assert_same([(np.array([flat[a] for a in same]), np.array([deep[b] for b in same.values()]))])
    assert_same([(np.array([flat.force(a) for a in same]), np.array([deep.force(b) for b in same.values()]))])
    place, force, moment = (
        within.read(deep.motion, *name)[0] for name in (("A.",), ("O.", ".force"), ("beam.p.about_", ".force"))
    )
    assert_same([(np.array([flat["A.x"], flat["A.y"], 0.0]), place - within.axes.T @ SHIFT)])
    acting = np.array([flat.force("O.x"), flat.force("O.y"), 0.0, 0.0, 0.0, flat.force("beam.p.phi")])
    assert_same([(acting, np.concatenate([force, moment]))])


@pytest.mark.parametrize("plane", PLANES)
def test_force_that_follows_turns_a_pendulum_like_a_moment(plane: str) -> None:
    within, length, push = Plane(PLANES[plane]), 0.8, 3.0
    flat = fx.Model(
        nodes={"O": (0, 0), "A": (length, 0)},
        elements={"arm": planar.Beam("O", "A", BAR, rigid=True)},
        fixed=["O"],
        loads={"arm.p.phi": length * push},
        gravity=(0, -9.81),
    )
    deep = fx.Model(
        nodes={"O": within.place(0, 0), "A": within.place(length, 0)},
        elements={"arm": within.beam("O", "A", (1, 0), BAR, rigid=True), "pivot": within.pin("O", "arm.p")},
        fixed=["pivot.p"],
        loads=parts("arm.q.own_", within.along(0.0, push)),
        gravity=within.along(0, -9.81),
    )
    one, other = (fx.simulate(model, 1.0, samples=9, method=METHOD) for model in (flat, deep))
    for prime in ("", "'", "''"):
        assert_same([(one[f"arm.p.phi{prime}"], other[f"pivot.rotation{prime}"])])
    assert_same([(one.energy["work"], other.energy["work"])])
    assert one["arm.p.phi"][-1] > 2.0 * np.pi
