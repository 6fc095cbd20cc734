"""What a result says of an exponent: value, error, verdict."""

import numpy as np
import pytest

from flexura.results.lyapunov import Lyapunov


def walk(rate: float, spread: float, count: int, seed: int) -> Lyapunov:
    """Growth that is drawn anew at each of the times, with a mean and a spread."""
    steps = np.random.default_rng(seed).normal(rate, spread, count)
    return Lyapunov("Walk", np.arange(count + 1.0), np.concatenate([[0.0], np.cumsum(steps)]))


def test_the_error_is_what_it_says():
    """Over many walks the exponents differ by the error that each of them tells."""
    walks = [walk(0.2, 1.0, 2000, seed) for seed in range(200)]
    told = np.mean([found.error for found in walks])
    seen = np.std([found.exponent for found in walks])
    # both are known to a twentieth, from two hundred walks
    assert told == pytest.approx(1.0 / np.sqrt(2000.0), rel=0.1)
    assert told == pytest.approx(seen, rel=0.2)


def test_running_ends_at_the_exponent():
    found = walk(0.5, 0.1, 100, 1)
    assert found.running.shape == (100,)
    assert found.running[-1] == found.exponent
    assert found.running[0] == pytest.approx(found.growth[1])


def test_a_picture_of_how_it_settles(tmp_path):
    found = walk(0.5, 0.1, 400, 1)
    path = tmp_path / "exponent.png"
    (ax,) = found.plot(str(path)).axes
    assert path.stat().st_size > 0
    line = ax.lines[-1]
    np.testing.assert_array_equal(line.get_ydata(), found.running)
    assert ax.get_xlabel() == "time [s]"
