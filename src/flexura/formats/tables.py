"""Signals as tables: CSV, and frames of pandas."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any, Protocol

from numpy import float64
from numpy.typing import NDArray

from flexura.atomic_files import whole
from flexura.results.motion import Motion
from flexura.results.providers import provides


class Recorded(Protocol):
    """Signals over time."""

    @property
    def t(self) -> NDArray[float64]: ...
    def __getitem__(self, signal: str) -> NDArray[float64]: ...
    def unit(self, signal: str) -> str: ...


@provides("csv")
def write_csv(motion: Recorded, path: str | os.PathLike[str], *signals: str) -> None:
    """Write signals as columns under their names and units, every number exactly."""
    named = {name: motion[name] for name in signals}
    heads = ["t [s]", *(f"{name} [{motion.unit(name) or '1'}]" for name in named)]
    rows = zip(motion.t.tolist(), *(values.tolist() for values in named.values()), strict=True)
    with whole(Path(path)) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(rows)


@provides("pandas")
def frame(motion: Motion, *signals: str) -> Any:
    """Signals as a frame of pandas, over the time; the units are in its ``attrs``."""
    from pandas import DataFrame, Index

    named = columns(motion, signals)
    table = DataFrame(named, index=Index(motion.t, name="t"))
    table.attrs["units"] = {name: motion.unit(name) for name in named}
    return table


def columns(motion: Motion, signals: tuple[str, ...]) -> dict[str, Any]:
    """The signals that are asked for, or all coordinates and strains."""
    return {name: motion[name] for name in signals or motion.signals}
