"""Linear systems against full solutions that differ a little: responses to starts, loads and drives, and motions."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import BarycentricInterpolator
from scipy.spatial.transform import Rotation as Turn

import flexura as fx
from flexura.spatial import Body, Mass, Truss
from references.crowded_models import IN_SPACE, IN_THE_PLANE

CLOSE = 1e-7
"""Of differences of the fourth order between full solutions."""
CROWDED = {"plane": IN_THE_PLANE, "space": IN_SPACE}
OUTPUTS = {
    "plane": (
        "C.x", "C.x'", "C.x''", "tip.phi''", "stay.elongation'", "seat.along''",
        "guy.elongation.force", "stay.elongation.force", "mast.1.bending_p.force", "elbow.rotation.force",
        "jib.elongation.force", "jib.bending_p.force", "jib.bending_q.force", "jack.elongation.force",
        "O.x.force", "O.y.force", "mast.p.phi.force", "G.x.force", "C.y.force",
    ),
    "space": (
        "D.x", "D.x'", "D.x''", "load.p.about_x'", "load.p.about_x''", "load.p.about_own_z''", "load.p.own_x''",
        "stay.elongation'", "guy.elongation.force", "arm.torsion.force", "wrist.rotation.force",
        "hand.elongation.force", "hand.torsion.force", "jack.elongation.force", "drive.rotation.force",
        "drive.bending_y.force", "drive.p.about_x.force", "drive.p.about_z.force", "G.z.force", "O.y.force",
        "H.x.force", "D.x.force",
    ),
}  # fmt: skip
LOADS = {
    "plane": ("C.y", "whip.q.phi", "elbow.rotation", "B.x"),
    "space": ("D.x", "load.p.own_x", "load.p.about_own_z", "arm.q.about_y", "wrist.rotation", "B.y"),
}


def slope(function, step):
    """The derivative at zero, to the fourth order."""
    near, far = (function(k * step) - function(-k * step) for k in (1, 2))
    return (8.0 * near - far) / (12.0 * step)


class Nearby:
    """A crowded model at the start of its motion, and at starts nearby."""

    def __init__(self, space):
        self.model, self.outputs, self.loads = CROWDED[space], OUTPUTS[space], LOADS[space]
        names = fx.linearise(self.model).coordinates
        size, rate = np.random.default_rng(3).uniform(-1.0, 1.0, (2, len(names)))
        self.start = dict(zip(names, 0.02 * size, strict=True))
        self.start |= {f"{name}'": value for name, value in zip(names, rate, strict=True)}
        self.system = fx.linearise(self.model, (self.motion(), 0.0))
        self.coordinates = self.system.coordinates
        assert set(self.coordinates) == set(names)

    def motion(self, start=None, **given):
        """The full motion from a start."""
        model = self.model.replace(start=self.start | (start or {}), **given)
        return fx.simulate(model, times=[0.0, 1e-6])

    def seen(self, **given):
        """The outputs at the start, and then the accelerations of the coordinates."""
        motion = self.motion(**given)
        return np.array([motion[name][0] for name in (*self.outputs, *(f"{q}''" for q in self.coordinates))])

    def by_starts(self):
        """The slopes of what is seen by the coordinates and by their rates."""
        names = [*self.coordinates, *(f"{name}'" for name in self.coordinates)]
        return np.array([slope(lambda d, k=k: self.seen(start={k: self.start[k] + d}), 1e-3) for k in names]).T

    def by_loads(self):
        """The slopes by loads, whose effect is linear: those of the model that change in time are zero at the start."""
        found = []
        for name in self.loads:
            given = self.model.loads.get(name)
            base = given if isinstance(given, float) else 0.0
            up, down = (self.seen(loads={**self.model.loads, name: base + d}) for d in (1.0, -1.0))
            found.append(0.5 * (up - down))
        return np.array(found).T

    def by_drives(self):
        """The slopes by the values, rates and accelerations of the drives, all harmonic, one after the other."""
        inputs, found = self.model.inputs, []
        for order in range(3):
            for name in self.system.drives:
                wave = inputs[name]

                def driven(d, name=name, wave=wave, order=order):
                    terms = [wave.offset, wave.amplitude * wave.frequency, 0.0]
                    terms[order] += d * (1.0, 1.0, 0.5)[order]
                    return self.seen(inputs={**inputs, name: fx.Polynomial(tuple(terms))})

                found.append(slope(driven, 1e-3))
        return np.array(found).T


@cache
def nearby(space):
    return Nearby(space)


@cache
def differences(space, what):
    return getattr(nearby(space), f"by_{what}")()


def close(found, expected):
    return np.abs(found - expected).max() < CLOSE * np.abs(expected).max()


IN_TURN = [pytest.param("plane"), pytest.param("space", marks=pytest.mark.slow)]


@pytest.mark.parametrize("space", IN_TURN)
def test_accelerations_follow_starts_loads_and_drives(space):
    near = nearby(space)
    count, seen = len(near.coordinates), len(near.outputs)
    A, B, _, _ = near.system.to_state_space(near.loads, near.outputs)
    assert close(A[count:], differences(space, "starts")[seen:])
    assert close(B[count:], differences(space, "loads")[seen:])
    by_mass = np.linalg.inv(near.system.M)
    drives = np.hstack([-by_mass @ matrix for matrix in reversed(near.system.drive_matrices)])
    assert close(drives, differences(space, "drives")[seen:])


@pytest.mark.parametrize("space", IN_TURN)
def test_signals_follow_starts_and_loads(space):
    near = nearby(space)
    _, _, C, D = near.system.to_state_space(near.loads, near.outputs)
    by_starts, by_loads = (differences(space, what)[: len(near.outputs)] for what in ("starts", "loads"))
    wrong = []
    for k, name in enumerate(near.outputs):
        # a force on a free coordinate is its load alone
        if not close(C[k], by_starts[k]) and np.abs(np.stack([C[k], by_starts[k]])).max() > 1e-9:
            wrong.append(name)
        # what does not answer loads at once is nothing but rounding
        if np.abs(D[k] - by_loads[k]).max() > CLOSE * max(np.abs(by_loads[k]).max(), 1e-3):
            wrong.append(f"{name} by loads")
    assert not wrong


# -- free bodies ---------------------------------------------------------------------------------------------------

TOP = fx.Model(
    nodes={"O": (0, 0, 0)},
    elements={"top": Body("O", mass=0.5, Jxx=7.5e-4, Jyy=8e-4, Jzz=5e-4, centre=(0, 0, 0.05))},
    fixed=["O"],
    gravity=(0, 0, -9.81),
)
TUMBLER = fx.Model(
    nodes={"C": (0, 0, 0), "P": (0.3, 0.1, 0), "Q": (0.9, 0.2, 0.3)},
    elements={
        "body": Body("C", mass=2.0, Jxx=0.1, Jyy=0.2, Jzz=0.25, centre=(0.05, 0, 0), points=("P",)),
        "spring": Truss("P", "Q", fx.Section(rhoA=0.0)),
        "ball": Mass("Q", 0.5),
    },
    laws={"spring.elongation": fx.LinearLaw(k=20.0, c=0.3)},
    gravity=(0, 0, -9.81),
    independent=["C.x", "C.y", "C.z", "Q.y", "Q.z"],
)
MOVING = ("C.x", "C.y", "C.z", "Q.x", "Q.y", "Q.z", "C.x'", "C.y'", "C.z'", "Q.x'", "Q.y'", "Q.z'")


def small_rotations(motion, nominal, end):
    """The rotation vectors about the axes of space from one motion to another."""
    turned, before = (Turn.from_quat(each.orientation(end), scalar_first=True) for each in (motion, nominal))
    return (turned * before.inv()).as_rotvec()


def distance(motion, nominal, coordinates):
    """Of two motions, in the coordinates of a linear system."""
    columns = []
    for name in coordinates:
        end, _, axis = name.rpartition(".about_")
        columns.append(
            small_rotations(motion, nominal, end)[:, "xyz".index(axis)] if end else motion[name] - nominal[name]
        )
    return np.array(columns).T


@pytest.mark.parametrize(
    ("model", "end", "moved", "until"),
    [(TOP, "top.p", (), 0.2), (TUMBLER, "body.p", MOVING, 1.0)],
    ids=["top", "tumbler"],
)
def test_neighbouring_motions_of_free_bodies_part_as_the_linear_system_says(model, end, moved, until):
    """Small rotations are linear functions of the change whose coefficients follow the nominal motion."""
    random = np.random.default_rng(4)
    drawn, spin, turn, extra = 0.5 * random.normal(size=3), 3.0 * random.normal(size=3), *random.normal(size=(2, 3))
    others = dict(zip(moved, random.normal(size=len(moved)), strict=True))
    at = {
        f"{node}.{axis}": place
        for node, places in model.nodes.items()
        for axis, place in zip("xyz", places, strict=True)
    }
    times = until * (0.5 - 0.5 * np.cos(np.pi * np.arange(25) / 24))

    def motion(d):
        orientation = (Turn.from_rotvec(d * turn) * Turn.from_rotvec(drawn)).as_rotvec()
        start = {end: fx.Rotation(vector=tuple(orientation))}
        start |= {f"{end}.about_{axis}'": spin[i] + d * extra[i] for i, axis in enumerate("xyz")}
        start |= {name: at.get(name, 0.0) + d * other for name, other in others.items()}
        plain = model.replace(start=start, independent=[])
        return fx.simulate(plain, times=list(times), method=fx.DormandPrince(tolerance=1e-13))

    step = 3e-5
    nominal, ahead, behind = motion(0.0), motion(step), motion(-step)
    systems = [fx.linearise(model, (nominal, t)) for t in times]
    names = sorted(systems[0].coordinates)
    assert sum("about" in name for name in names) == 3
    orders = [[system.coordinates.index(name) for name in names] for system in systems]
    measured = (distance(ahead, nominal, names) - distance(behind, nominal, names)) / (2.0 * step)

    # the rates of the coordinates at the start are in those of the signals
    rows = [systems[0].output(f"{name}'") for name in names]
    still, moving = (np.array([row[k][orders[0]] for row in rows]) for k in range(2))
    rates = np.array([(ahead[f"{name}'"][0] - behind[f"{name}'"][0]) / (2.0 * step) for name in names])
    start = np.concatenate([measured[0], np.linalg.solve(moving, rates - still @ measured[0])])

    # M q̈ + C q̇ + K q = 0 with matrices that change in time, known at Chebyshev points
    matrices = []
    for system, order in zip(systems, orders, strict=True):
        both = np.ix_(order, order)
        lower = -np.linalg.solve(system.M[both], np.hstack([system.K[both], system.C[both]]))
        matrices.append(np.vstack([np.eye(len(names), 2 * len(names), len(names)), lower]))
        assert np.abs(system.forcing).max() < 1e-9
    matrix = BarycentricInterpolator(times, np.array(matrices), axis=0)
    options = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-13, "t_eval": times}
    solution = solve_ivp(lambda t, z: matrix(t) @ z, (0.0, until), start, **options)
    assert np.abs(solution.y[: len(names)].T - measured).max() < CLOSE * np.abs(measured).max()
