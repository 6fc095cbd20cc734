"""Steps that pass a singular position keep their stages away from it."""

import numpy as np
import pytest

from flexura.integrators.kennedy_carpenter import MAGNIFIED, C
from flexura.integrators.rank_watch import (
    BEFORE,
    CROSSING,
    MARGIN,
    MARGIN_END,
    MISSED,
    NEAR,
    NEAREST,
    SPAN,
    WIDTH,
    plan_step,
    rank_watch,
    record_margin,
    set_nodes,
)
from flexura.integrators.runge_kutta_tableaux import CLASSICAL, DORMAND_PRINCE, DORMAND_PRINCE_8

NODES = {
    "order 8": np.append(DORMAND_PRINCE_8.c, DORMAND_PRINCE_8.extra_c),
    "order 5": DORMAND_PRINCE.c,
    "classical": CLASSICAL.c,
    "end alone": np.ones(1),
    "Kennedy-Carpenter": np.append(C, MAGNIFIED),
}


@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize("step", [0.01, 0.03, 0.1])
def test_stages_keep_clear_of_a_singular_position(name, step):
    """σ falls like |t - t*| and rises again; t* lies anywhere between the steps."""
    for place in np.linspace(0.0, 1.0, 37):
        singular = 1.0 + place * step
        watch = rank_watch(True)
        set_nodes(watch, NODES[name], 1e-9)
        now, steps, clear = 0.0, 0, np.inf
        while now < singular:
            h = float(plan_step(watch, step, np.inf))
            # shorter steps would end in rounding
            assert 0.0 < h <= max(step, 2e-3 / watch.value[WIDTH])
            stages = now + np.append(watch.node, 1.0) * h
            if now + h > singular:
                assert watch.flag[CROSSING]
                assert watch.flag[NEAR]
                clear = np.abs(stages - singular).min()
                assert watch.value[NEAREST] == pytest.approx(clear, rel=1e-6)
            watch.value[MARGIN_END] = abs(now + h - singular)
            record_margin(watch, h)
            now += h
            steps += 1
        assert clear > 0.02 * step
        assert steps < 1.0 / step + 6


def test_steps_near_a_singular_position_do_not_grow():
    """Errors across the constraints, which held the step before, are not measured there."""
    watch = rank_watch(True)
    set_nodes(watch, NODES["order 8"], 1e-9)
    for margin, wanted in ((0.9, 0.05), (0.45, 0.05), (0.4, 0.4)):
        watch.value[MARGIN_END] = margin
        record_margin(watch, 0.05)
        chosen = float(plan_step(watch, wanted, np.inf))
    assert watch.flag[NEAR]
    assert chosen == pytest.approx(1.5 * 0.05)


@pytest.mark.parametrize("name", NODES)
def test_short_steps_leap_over_a_singular_position(name):
    """Stages nearer than σ = 2e-3 are made of rounding; where branches do not meet, steps are as asked for."""
    step, singular = 3e-5, 2e-2
    for missed in (False, True):
        watch = rank_watch(True)
        set_nodes(watch, NODES[name], 1e-9)
        watch.flag[MISSED] = missed
        now, longest, clear = 0.0, 0.0, np.inf
        while now < singular:
            h = float(plan_step(watch, step, np.inf))
            longest = max(longest, h)
            clear = np.abs(now + np.append(watch.node, 1.0) * h - singular).min()
            watch.value[MARGIN_END] = abs(now + h - singular)
            record_margin(watch, h)
            watch.flag[MISSED] = missed
            now += h
        assert longest <= (step if missed else 100.0 * step)
        assert missed or clear > 0.5 * min(2e-3, 100.0 * step * watch.value[WIDTH])


@pytest.mark.parametrize(
    ("before", "now", "tolerance", "near"),
    [
        (0.55, 0.45, 1e-10, False),
        (0.65, 0.45, 1e-10, True),
        (0.45, 0.35, 1e-10, False),
        (0.03, 0.02, 1e-10, True),
        (0.9, 0.8, 1e-10, False),
        (0.55, 0.45, 1e-13, True),
        (0.48, 0.45, 1e-13, False),
    ],
)
def test_stages_are_closed_near_a_position_only(before: float, now: float, tolerance: float, near: bool) -> None:
    """σ that falls by a part of itself in a step would be zero after the reciprocal of that: three steps are near.

    With tight tolerances ten steps are near.
    """
    watch = rank_watch(True)
    set_nodes(watch, NODES["order 8"], tolerance)
    watch.value[BEFORE], watch.value[MARGIN], watch.value[SPAN] = before, now, 0.1
    assert plan_step(watch, 0.1, 1.0) == pytest.approx(0.1) or near
    assert bool(watch.flag[NEAR]) is near
    # a step that may end beyond the position is examined
    assert bool(watch.flag[CROSSING]) is (now < 3.0 * (before - now))


def test_stages_of_a_motion_that_turns_back_are_not_closed() -> None:
    """σ that falls ever more slowly has its minimum far from zero: a singular position is not expected."""
    watch = rank_watch(True)
    set_nodes(watch, NODES["order 8"], 1e-9)
    closed = []
    for now in np.arange(0.1, 2.0, 0.1):
        watch.value[MARGIN_END] = np.hypot(0.1, now - 1.0)
        record_margin(watch, 0.1)
        plan_step(watch, 0.1, np.inf)
        closed.append(watch.flag[NEAR])
    assert sum(closed) <= 2


@pytest.mark.parametrize("step", [0.01, 0.03, 0.1])
@pytest.mark.parametrize("bend", [2.0, 5.0])
def test_steps_that_pass_while_rates_fall_are_closed_and_examined(step: float, bend: float) -> None:
    """σ = τ √(1 + kτ²) falls ever more slowly as well, and reaches zero."""
    for place in np.linspace(0.0, 0.9, 10):
        watch = rank_watch(True)
        set_nodes(watch, NODES["order 8"], 1e-9)
        now, singular = 0.0, 1.0 + place * step
        while now < singular:
            h = float(plan_step(watch, step, np.inf))
            passes = now + h > singular
            assert not passes or (watch.flag[NEAR] and watch.flag[CROSSING])
            now += h
            left = abs(now - singular)
            watch.value[MARGIN_END] = left * np.sqrt(1.0 + bend * left**2) / np.sqrt(1.0 + bend)
            record_margin(watch, h)
