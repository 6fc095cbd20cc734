"""Random machines: a hundred by two checks each, a thousand by all of them."""

import sys
from types import ModuleType

import pytest

from properties import machines
from properties.machines import Tally, run

SEED = 7


def assert_sound(tally: Tally) -> None:
    """No disagreement, no crash and no hang; most machines have a reference."""
    assert not tally.failures, f"{tally}\n" + "\n".join(tally.failures)
    total = sum(tally.machines.values())
    assert tally.machines["without reference"] < 0.2 * total, str(tally)
    assert tally.machines["marked"] < 0.05 * total, str(tally)


@pytest.mark.parametrize("part", range(4))
def test_a_hundred_machines(part: int) -> None:
    assert_sound(run(SEED, range(25 * part, 25 * part + 25), every=False))


def test_a_number_is_the_same_machine_whatever_is_imported(tmp_path, monkeypatch):
    made: list[list[object]] = []
    monkeypatch.setattr(machines, "examine", lambda machine, names, tally: made[-1].append(machine) or "agreed")
    for _ in range(2):
        made.append([])
        assert_sound(run(SEED, range(20), every=False, shrink=False))
        module = ModuleType("a_module_of_numbers")
        module.__file__ = str(tmp_path / "a_module_of_numbers.py")
        (tmp_path / "a_module_of_numbers.py").write_text(f"numbers = {list(range(101, 1000))}\n")
        monkeypatch.setitem(sys.modules, module.__name__, module)
    assert len(made[0]) == 20
    assert made[0] == made[1]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_thousand_machines(part: int) -> None:
    assert_sound(run(SEED + 1, range(100 * part, 100 * part + 100), every=True))
