"""Signals as tables for other programs."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import flexura as fx


def read(path: Path) -> tuple[list[str], np.ndarray]:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    return head, np.array(rows, dtype=float)


def test_csv_has_names_units_and_exact_numbers(motion: fx.Motion, tmp_path: Path) -> None:
    motion.to_csv(tmp_path / "some.csv", "A.x", "arm.p.phi''", "arm.1.elongation.force")
    head, table = read(tmp_path / "some.csv")
    assert head == ["t [s]", "A.x [m]", "arm.p.phi'' [rad/s²]", "arm.1.elongation.force [N]"]
    expected = [motion.t, motion["A.x"], motion["arm.p.phi''"], motion.force("arm.1.elongation")]
    np.testing.assert_array_equal(table.T, expected)


def test_csv_of_everything(motion: fx.Motion, tmp_path: Path) -> None:
    motion.to_csv(tmp_path / "all.csv")
    head, table = read(tmp_path / "all.csv")
    assert len(head) == 1 + len(motion.signals)
    assert table.shape == (len(motion.t), len(head))


def test_an_unknown_signal_leaves_no_file(motion: fx.Motion, tmp_path: Path) -> None:
    with pytest.raises(fx.ModelError, match="there is no"):
        motion.to_csv(tmp_path / "some.csv", "C.x")
    assert not list(tmp_path.iterdir())


def test_pandas(motion: fx.Motion) -> None:
    frame = motion.to_pandas("A.x", "A.x'")
    np.testing.assert_array_equal(frame["A.x'"], motion["A.x'"])
    np.testing.assert_array_equal(frame.index, motion.t)
    assert frame.attrs["units"] == {"A.x": "m", "A.x'": "m/s"}
