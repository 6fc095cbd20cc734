"""Spatial slider-crank with a yoke: the mechanism of [Deck1992 appendix E], positions and rates in closed form.

The crank turns about z; its end carries a ball joint, the ball. The rod, straight, goes from the ball to the yoke,
where a hinge with the axis h, across the rod, joins them. The yoke is an arm along h: from the rod it goes down to the
slider, where a second hinge with the axis k joins it. The slider runs along a line in the direction
g = (cos γ, 0, sin γ), at the height y and at the distance D_h from the crank axis measured across g, and does not turn;
k = (−sin γ, 0, cos γ) is across g and level. So the ball, the slider and the rod keep

    |slider − ball|² = rod² + yoke²,   h · (ball − slider) = yoke,   h · k = 0

The first gives the slider, the other two the direction h of the yoke, which points up. The thesis lists the yoke as
H₆ = +2.45 in; the chain closes with H₆ = −2.45 in, and its height D_s − D_v is not stated: −2.45 in keeps the yoke
within 13° of the vertical.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

INCH = 0.0254


@dataclass(frozen=True)
class DeckSliderCrank:
    """Lengths in metres, γ in radians: `height` is y of the slide, `offset` its distance D_h."""

    gamma: float = 0.0
    crank: float = 2.0 * INCH
    rod: float = 9.0 * INCH
    yoke: float = 2.45 * INCH
    height: float = -2.45 * INCH
    offset: float = 0.0

    @property
    def guide(self) -> Array:
        """The direction g of the slide."""
        return np.array([np.cos(self.gamma), 0.0, np.sin(self.gamma)])

    @property
    def cross_pin(self) -> Array:
        """The axis k of the hinge between yoke and slider."""
        return np.array([-np.sin(self.gamma), 0.0, np.cos(self.gamma)])

    @property
    def origin(self) -> Array:
        """The point of the slide from which the travel is measured."""
        return np.asarray(self.offset * self.cross_pin + np.array([0.0, self.height, 0.0]))


@dataclass(frozen=True)
class Position:
    """Points ball, pin (of rod and yoke) and slider, the axis h of the pin: x, y, z on the last axis; the travel."""

    ball: Array
    pin: Array
    slider: Array
    axis: Array
    travel: Array


def position(case: DeckSliderCrank, phi: ArrayLike) -> Position:
    """The mechanism at crank angle φ, with the slider ahead of the crank and the yoke below the rod."""
    # the slider, ahead on its line, at a constant distance from the ball
    angle = np.asarray(phi, dtype=np.float64)
    ball = _ball(case, angle)
    travel = _travel(case, ball)
    slider = case.origin + travel[..., None] * case.guide

    # h in the plane of g and y, where d is the projection of ball − slider: h·d = yoke, and h up
    along, up = ((ball - slider) @ case.guide), (ball - slider)[..., 1]
    square = along**2 + up**2
    root = -np.sqrt(square - case.yoke**2)
    h = (case.yoke * along - root * up)[..., None] * case.guide
    h = (h + (case.yoke * up + root * along)[..., None] * np.array([0.0, 1.0, 0.0])) / square[..., None]
    return Position(ball, slider + case.yoke * h, slider, h, travel)


def travel_rates(case: DeckSliderCrank, phi: ArrayLike, speed: float = 1.0) -> tuple[Array, Array]:
    """Velocity and acceleration of the slider along its line at a constant crank speed."""
    # e = slider − ball keeps its length: e·ė = 0 and e·ë + ė·ė = 0
    angle = np.asarray(phi, dtype=np.float64)
    ball, g = _ball(case, angle), case.guide
    ball_v = speed * _ball(case, angle + 0.5 * np.pi)
    ball_a = -(speed**2) * ball
    e = case.origin + _travel(case, ball)[..., None] * g - ball
    velocity = _dot(e, ball_v) / (e @ g)
    e_v = velocity[..., None] * g - ball_v
    acceleration = (_dot(e, ball_a) - _dot(e_v, e_v)) / (e @ g)
    return velocity, acceleration


def hinge_angles(case: DeckSliderCrank, phi: ArrayLike) -> tuple[Array, Array]:
    """The tilt of the yoke about k from the vertical, and the angle of the rod about h from the plane of g and y."""
    place = position(case, phi)
    tilt = np.arctan2(-place.axis @ case.guide, place.axis[..., 1])
    rod = (place.ball - place.pin) / case.rod
    swing = np.arctan2(rod @ case.cross_pin, -_dot(rod, np.cross(place.axis, case.cross_pin)))
    return tilt, swing


def _ball(case: DeckSliderCrank, angle: Array) -> Array:
    return case.crank * np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=-1)


def _travel(case: DeckSliderCrank, ball: Array) -> Array:
    d = ball - case.origin
    along = d @ case.guide
    return np.asarray(along + np.sqrt(case.rod**2 + case.yoke**2 - _dot(d, d) + along**2))


def _dot(a: Array, b: Array) -> Array:
    return np.asarray((a * b).sum(axis=-1))
