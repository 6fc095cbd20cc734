"""Random trees of rigid bodies in space, with springs, drives, loads and controllers."""

from __future__ import annotations

import numpy as np

import flexura as fx
from flexura.spatial import Beam, Body, Damper, Hinge, Mass, Rotor, Slider, Spring, TorsionSpring

JOINTS = ("hinge", "hinge", "hinge", "slider", "ball", "rigid beam")


class RandomTree:
    """A tree that grows body by body; ``kinds`` are the joints it may have."""

    def __init__(self, seed: int, bodies: int, kinds: tuple[str, ...] = JOINTS, floating: bool = False) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes = {"G": (0.0, 0.0, 0.0)}
        self.elements: dict[str, object] = {"ground": Body("G", 1.0)}
        self.fixed = ["ground.p"]
        self.ends = [("G", "ground.p")]
        """points on which further bodies hang, with an end of the body they belong to"""
        self.joints: dict[str, str] = {}
        self.start: dict[str, float] = {}
        for n in range(bodies):
            self._grow(n, "float" if floating and n == 0 else str(self.random.choice(kinds)))

    def vector(self, size: float = 1.0) -> tuple[float, ...]:
        return tuple(round(float(c), 4) for c in size * self.random.standard_normal(3))

    def _node(self, name: str, near: str, size: float = 0.4) -> str:
        self.nodes[name] = tuple(a + b for a, b in zip(self.nodes[near], self.vector(size), strict=True))
        return name

    def _body(self, place: str, *points: str) -> Body:
        turn = np.linalg.qr(self.random.standard_normal((3, 3)))[0]
        mass, sides = float(self.random.uniform(0.3, 2.0)), self.random.uniform(0.1, 0.5, 3) ** 2
        tensor = turn @ np.diag(mass / 12 * (sides.sum() - sides)) @ turn.T
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor.tolist()
        return Body(place, mass, xx, yy, zz, xy, xz, yz, centre=self.vector(0.2), points=points)

    def _grow(self, n: int, kind: str) -> None:
        name, (place, end) = f"b{n}", self.ends[int(self.random.integers(len(self.ends)))]
        if kind == "rigid beam":
            far, section = self._node(f"N{n}", place), fx.Section(rhoA=0.8, rhoIy=2e-3, rhoIz=3e-3)
            self.elements[name] = Beam(place, far, section, rigid=True)
            self._joint(n, "hinge", end, f"{name}.p")
            self.ends.append((far, f"{name}.q"))
            return
        if kind in {"slider", "float"}:
            place = self._node(f"P{n}", place)
        points = tuple(self._node(f"N{n}{letter}", place) for letter in "ab"[: int(self.random.integers(1, 3))])
        self.elements[name] = self._body(place, *points)
        self.ends += [(point, f"{name}.p") for point in points]
        if kind == "float":
            self.start |= {f"{place}.{axis}'": self.vector()[0] for axis in "xyz"}
        if kind in {"ball", "float"}:
            self.start |= {f"{name}.p.about_{axis}'": self.vector()[0] for axis in "xyz"}
        else:
            self._joint(n, kind, end, f"{name}.p")

    def _joint(self, n: int, kind: str, parent: str, child: str) -> None:
        ends = (parent, child) if self.random.uniform() < 0.7 else (child, parent)
        law = {}
        if self.random.uniform() < 0.4:
            law = {"k": float(self.random.uniform(0, 5)), "c": float(self.random.uniform(0, 0.3))}
        name = f"j{n}"
        if kind == "slider":
            self.elements[name] = Slider(*ends, direction=self.vector(), **law)
            self.joints[name] = f"{name}.travel"
        else:
            axis = self.vector()
            self.elements[name] = Hinge(*ends, axis=axis, **law)
            if self.random.uniform() < 0.3:
                gear = float(self.random.uniform(-8.0, 8.0))
                self.elements[f"rotor{n}"] = Rotor(*ends, 2e-3, gear, direction=axis)
            self.joints[name] = f"{name}.rotation"
        self.start |= {self.joints[name]: self.vector(0.3)[0], f"{self.joints[name]}'": self.vector()[0]}

    def model(self, dressed: bool = True) -> fx.Model:
        """The model; ``dressed`` with springs, masses, drives, loads and controllers."""
        more: dict[str, dict[str, object]] = {"inputs": {}, "loads": {}, "laws": {}, "states": {}}
        if dressed:
            self._dress(more)
        start = {name: value for name, value in self.start.items() if name.rstrip("'") not in more["inputs"]}
        gravity = self.vector(5.0)
        return fx.Model(
            nodes=self.nodes, elements=self.elements, fixed=self.fixed, gravity=gravity, start=start, **more
        )

    def _dress(self, more: dict[str, dict[str, object]]) -> None:
        points = [point for point, _ in self.ends[1:]]
        if len(points) > 1:
            a, b = self.random.choice(points, 2, replace=False)
            self.elements["spring"] = Spring(str(a), str(b), k=20.0)
            self.elements["damper"] = Damper(str(a), "G", c=0.5)
        self.elements["weight"] = Mass(points[0], 0.4)
        self.elements["twist"] = TorsionSpring("ground.p", self.ends[1][1], self.vector(), k=0.4, c=0.02)
        more["loads"][f"{points[-1]}.y"] = fx.Sine(amplitude=2.0, frequency=1.3)
        more["loads"][f"{self.ends[-1][1]}.about_own_x"] = 0.3
        if len(self.joints) > 1:
            first, *_, last = self.joints.values()
            more["inputs"][first] = fx.Sine(amplitude=0.5, frequency=1.1)
            more["loads"][last] = f"0.3*sin(3*t) - 0.2*{last}' + 0.1*seen"
            more["states"]["seen"] = f"{last} - seen"
