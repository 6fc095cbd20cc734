"""Random slider-cranks on floors: one to four feet of different friction and restitution, inclined, offset, driven."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import flexura as fx
from flexura.planar import Beam, Mass, PointContact


class RandomSlider(NamedTuple):
    """A slider-crank, the friction of its feet, and what it was made with."""

    model: fx.Model
    mu: list[float]
    static: list[float]
    size: float
    driven: bool


def random_slider(seed: int) -> RandomSlider:
    """Slider-crank with feet on a floor through the path of its slider pin."""
    random = np.random.default_rng(seed)
    draw = random.uniform
    size = 10 ** draw(-3, 3) if random.random() < 0.2 else 1.0
    feet, crank = int(random.integers(1, 5)), draw(0.05, 0.2)
    rod, shoe, gravity = crank * draw(1.02, 4.0), draw(0.05, 0.4), 10 ** draw(-1, 2)
    speed = draw(1.0, 8.0) * random.choice([-1, 1])
    phi = draw(-np.pi, np.pi) if random.random() < 0.7 else 0.0
    mu = [10 ** draw(-2, 1) for _ in range(feet)] if random.random() < 0.5 else [10 ** draw(-2, 1)] * feet
    static = [m * (1.0 + draw(0.0, 0.3)) if random.random() < 0.3 else m for m in mu]
    e = [float(random.choice([0.0, draw(0.0, 1.0), 1.0])) for _ in range(feet)]
    e = e if random.random() < 0.3 else e[:1] * feet
    offset = draw(-0.8, 0.8) * (rod - crank) if random.random() < 0.5 else 0.0
    turn = draw(-np.pi, np.pi) if random.random() < 0.5 else 0.0
    driven = bool(random.random() < 0.4)

    def place(x: float, y: float) -> tuple[float, float]:
        return size * (np.cos(turn) * x - np.sin(turn) * y), size * (np.sin(turn) * x + np.cos(turn) * y)

    def foot(i: int, q: str) -> PointContact:
        friction = fx.Friction(mu[i], regularisation_speed=0.0, static=static[i])
        return PointContact("g", q, fx.Restitution(e[i]), normal=(-np.sin(turn), np.cos(turn)), friction=friction)

    x, y = crank * np.cos(phi), crank * np.sin(phi)
    pin = x + np.sqrt(rod**2 - (y - offset) ** 2)
    bar = fx.Section(rhoA=1.0)
    nodes = {"O": (0.0, 0.0), "A": place(x, y), "B": place(pin, offset), "g": place(0.0, offset)}
    elements = {
        "crank": Beam("O", "A", bar, rigid=True),
        "rod": Beam("A", "B", bar, rigid=True),
        "foot0": foot(0, "B"),
    }
    if feet == 1:
        elements["slider"] = Mass("B", draw(0.1, 5.0) * size)
    for k, far in enumerate(np.sort(draw(0.1, 1.0, feet - 1)) * shoe * random.choice([-1, 1]), 1):
        section = fx.Section(rhoA=draw(1.0, 20.0)) if k == feet - 1 else fx.Section()
        nodes[f"C{k}"] = place(pin + far, offset)
        elements[f"shoe{k}"] = Beam("B" if k == 1 else "shoe1.p", f"C{k}", section, rigid=True)
        elements[f"foot{k}"] = foot(k, f"C{k}")
    model = fx.Model(nodes=nodes, elements=elements, fixed=["O", "g"], gravity=place(0.0, -gravity))
    if driven:
        return RandomSlider(model.replace(inputs={"crank.p.phi": fx.Ramp(rate=speed)}), mu, static, size, driven)
    return RandomSlider(model.replace(start={"crank.p.phi'": speed}), mu, static, size, driven)
