"""Damaged model, result and cache files: each is refused cleanly, or used soundly."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import pytest

from references.fuzzing import batches, tried
from references.mutants import mutant
from references.tampering import motion_file, tried_cache, tried_result

SEED = 15


@pytest.mark.parametrize("block", range(10))
def test_mutants_of_the_gallery(block: int) -> None:
    wrong = {}
    for number in range(50 * block, 50 * block + 50):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fate = tried(mutant(SEED, number))
        if fate:
            wrong[number] = fate
    assert wrong == {}


def test_tampered_results(tmp_path: Path) -> None:
    content, chosen = motion_file(tmp_path), random.Random(SEED)
    fates = {tried_result(content, chosen, tmp_path, sealed_again=False) for _ in range(200)}
    assert fates == {""}


def test_tampered_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEXURA_CACHE", str(tmp_path))
    chosen = random.Random(SEED)
    assert {tried_cache(chosen.randbytes(10_000), chosen) for _ in range(200)} == {""}


@pytest.mark.slow
def test_many_mutants_in_processes_of_their_own() -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    count, wrong = batches(seed, 0, 2000, minutes=60.0)
    assert (count, wrong) == (2000, [])
