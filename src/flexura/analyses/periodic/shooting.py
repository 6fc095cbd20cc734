"""Periodic motions of the full equations by Newton's method on the return map."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import numpy as np

from flexura.analyses.periodic.first_return import NEARER, SOMETIMES_NEARER, Guess, first_return, own_return
from flexura.analyses.periodic.periodic_methods import Shooting
from flexura.analyses.periodic.return_map import NOW, ReturnMap, Shot, Turns, ignorable, own_name
from flexura.errors import AnalysisError, ModelError
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.cycle import Cycle
from flexura.results.fourier import Array
from flexura.results.motion import Motion

_MOST = 30
_LARGEST = 1.0
"""Largest relative change of the initial state in one iteration."""
_STILL = 1e-3
"""Size of a motion, relative to the model, below which the tolerance refers to the model."""
_HALVINGS = 5
"""Halvings of a correction that does not reduce the distance of the end of the motion from its start."""
_NEAR = 0.3
"""Distance from its start, relative to the motion, up to which a cycle counts as the one that a start is near to."""
_NEAR_HALVINGS = 2
"""Halvings of a correction near a cycle."""
_PERIODS = 64
"""Periods after which Newton's method is tried again, if it does not converge from the start."""
_SINGULAR = 1e-9
"""Singular values below this part of the largest are zero."""
_SAMPLES = 64
"""Times of a period from which the size of a motion is determined."""
_CLOSED = 1e-6
"""Distance of the end of a converged motion from its start, relative to the motion."""


def shoot(place: ReturnMap, period: float, y: Array, method: Shooting, positions: int | None) -> Cycle:
    """Periodic motion near a start (q, q̇); its period is found too if the method leaves it free.

    If Newton's method does not converge, it begins again from the state after many periods: an attracting cycle is
    found from far away.
    """
    turns = Turns(place)
    if method.free_period:
        if _rests(place.trajectory(y, NOW)[1][0], place.scale(period), period, _SINGULAR):
            raise AnalysisError("the initial state is at rest and has no period: give an initial state that moves")
        return place.cycle(*_returning(place, turns, Guess(y, period), method), positions)
    try:
        found = _settled(place, turns, Guess(y, period), method)
    except AnalysisError as error:
        try:
            later, _ = place.trajectory(y, period * np.arange(_PERIODS + 1.0))
            y = later[-1] - turns.advance(y, later[-1])
            found = _settled(place, turns, Guess(y, period), method)
        except AnalysisError:
            raise error from None
    return place.cycle(*found, positions)


def _returning(place: ReturnMap, turns: Turns, guess: Guess, method: Shooting) -> Guess:
    """Start and period of a motion that repeats, near a guess; from later returns where there is none near it.

    The cycle nearest to the guess is sought first: later returns leave one that repels.
    """
    scale = place.scale(guess.period)
    near = own_return(place.trajectory, guess, scale, turns.gap)
    if near is not None:
        with suppress(AnalysisError):
            return _settled(place, turns, near, method, _NEAR * _extent(place, near, scale))
    found = first_return(place.trajectory, guess, scale, turns.gap, NEARER)
    try:
        return _settled(place, turns, found, method)
    except AnalysisError as error:
        later = first_return(place.trajectory, guess, scale, turns.gap, SOMETIMES_NEARER)
        if np.array_equal(later.y, found.y):
            raise
        try:
            return _settled(place, turns, later, method)
        except AnalysisError:
            raise error from None


def _extent(place: ReturnMap, guess: Guess, scale: Array) -> float:
    """Size of a motion over a period."""
    y, _ = place.trajectory(guess.y, guess.period * np.linspace(0.0, 1.0, _SAMPLES))
    return float(np.abs(scale * (y - y.mean(axis=0))).max())


def _settled(place: ReturnMap, turns: Turns, guess: Guess, method: Shooting, reach: float = np.inf) -> Guess:
    """Start and period of a periodic motion, by Newton's method from a guess.

    With a ``reach`` the motion starts within this distance of the guess, and corrections bring its end nearer.
    """
    y, period = guess
    shot = place.fire(y, period)
    for turn in range(_MOST):
        scale = place.scale(period)
        if method.free_period and _rests(shot.rates[0], scale, period, _SINGULAR):
            raise AnalysisError("the motion converges to rest, which has no period: start from a larger motion")
        change, missed = _correction(place, shot, turns.gap(y, shot.end), scale, method.free_period)
        size, step = float(np.abs(scale * y).max()), float(np.abs(scale * change[:-1]).max())
        if not np.isfinite(step):
            break
        # from rest the first step is that of small vibrations, whose size is not limited
        share = min(1.0, _LARGEST * size / max(step, 1e-300)) if turn or method.free_period else 1.0
        if method.free_period:
            share = min(share, 0.2 * period / max(abs(float(change[-1])), 1e-300))
        reached = max(float(np.abs(scale * (y + change[:-1])).max()), _STILL)
        if step <= method.tolerance * reached:
            if missed > _CLOSED * reached:
                raise _lost(f"the end stays {missed / reached:.2g} of the motion away from the start")
            if method.free_period and _rests(shot.rates[0], scale, period, np.sqrt(method.tolerance)):
                raise AnalysisError("the motion converges to rest, which has no period: start from a larger motion")
            return Guess(y + change[:-1], period + float(change[-1]))
        try:
            improve = _improved if reach == np.inf else _contracted
            y, period, shot = improve(place, turns, Guess(y, period), (shot, share * change), scale)
        except AnalysisError as error:
            raise _lost(str(error), error.partial) from None
        away = float(np.abs(scale * (y - guess.y)).max()) > reach or abs(period - guess.period) > _NEAR * guess.period
        if away and reach < np.inf:
            raise _lost("Newton's method leads away from the start")
    raise _lost(f"Newton's method does not settle in {_MOST} iterations")


def _rests(rate: Array, scale: Array, period: float, least: float) -> bool:
    """True if a state hardly moves."""
    return float(np.abs(scale * rate).max()) * period <= least


def _improved(
    place: ReturnMap, turns: Turns, guess: Guess, corrected: tuple[Shot, Array], scale: Array
) -> tuple[Array, float, Shot]:
    """Start, period and motion after a correction, halved while the end does not come nearer to the start."""
    shot, change = corrected

    def residual(of: Shot, y: Array) -> float:
        closing = _closing(place, of, scale)
        return float(np.linalg.norm((scale * turns.gap(y, of.end))[closing]))

    before = residual(shot, guess.y)
    for halving in range(_HALVINGS + 1):
        share = 0.5**halving
        y, period = guess.y + share * change[:-1], guess.period + share * float(change[-1])
        try:
            found = place.fire(y, period)
        except AnalysisError:
            if halving == _HALVINGS:
                raise
            continue
        if residual(found, y) < before:
            break
    return y, period, found


def _contracted(
    place: ReturnMap, turns: Turns, guess: Guess, corrected: tuple[Shot, Array], scale: Array
) -> tuple[Array, float, Shot]:
    """Start, period and motion after a correction, halved until the next one with the same slopes is smaller.

    This natural monotonicity test does not depend on the scale of the state, nor on how far motions
    leave the cycle in a period. Near a cycle few halvings are needed.
    """
    shot, change = corrected
    size = float(np.linalg.norm(scale * change[:-1]))
    for halving in range(_NEAR_HALVINGS + 1):
        share = 0.5**halving
        y, period = guess.y + share * change[:-1], guess.period + share * float(change[-1])
        found = place.fire(y, period)
        again, _ = _correction(place, shot, turns.gap(y, found.end), scale, free_period=True)
        if float(np.linalg.norm(scale * again[:-1])) <= (1.0 - 0.25 * share) * size:
            return y, period, found
    raise AnalysisError("the corrections do not become smaller")


def _closing(place: ReturnMap, shot: Shot, scale: Array) -> list[int]:
    """Parts of the state that must return: all except positions of travelling models, which have no effect."""
    free = {k for k in ignorable(shot.monodromy, scale) if not place.signals[k].endswith("'")}
    return [k for k in range(len(scale)) if k not in free]


def _correction(place: ReturnMap, shot: Shot, gap: Array, scale: Array, free_period: bool) -> tuple[Array, float]:
    """Newton's correction of the start and of the period, zero if that is given, and its undetermined part."""
    closing, n = _closing(place, shot, scale), len(gap)
    slopes = (scale[:, None] * (shot.monodromy - np.eye(n)) / scale)[closing]
    right = -(scale * gap)[closing]
    columns = [slopes]
    if free_period:
        # the phase is fixed: no change along the motion
        columns.append((scale * shot.rates[1])[closing, None])
        phase = np.append(scale * shot.rates[0], 0.0)
        system = np.vstack([np.hstack(columns), phase / np.abs(phase).max() * np.abs(slopes).max(initial=1.0)])
        right = np.append(right, 0.0)
    else:
        system = slopes
    # the matrix is singular with symmetries: the correction of least norm is taken
    found = np.linalg.lstsq(system, right, rcond=_SINGULAR)[0]
    missed = float(np.abs(system @ found - right).max(initial=0.0))
    return np.append(found[:n] / scale, found[n] if free_period else 0.0), missed


def _lost(what: str, partial: Motion | None = None) -> AnalysisError:
    remedy = "give a start nearer to it, or follow one there with continuation; where nothing drives in time, say"
    turning = "a part that turns continuously repeats only in an angle: name one in start or independent=[…]"
    return AnalysisError(
        f"no periodic motion is found from this start ({what}): {remedy} free_period=True; {turning}", partial
    )


def preferring(model: Model, start: Mapping[str, float]) -> Model:
    """Model with the independent coordinates of a guess, unless it names its own."""
    if model.independent or not start:
        return model
    names = Names(model)
    return model.replace(independent=list(dict.fromkeys(own_name(names, name) for name in start)))


def first_guess(names: Names, signals: tuple[str, ...], y: Array, start: Mapping[str, float]) -> Array:
    """State at the start: given values, and those of the model for others."""
    y = y.copy()
    for name, value in start.items():
        own = own_name(names, name) + ("'" if name.endswith("'") else "")
        if own not in signals:
            what = f"'{own}' is not an independent coordinate"
            raise ModelError("start", what, f"these are {', '.join(signals)}")
        y[signals.index(own)] = value
    return y
