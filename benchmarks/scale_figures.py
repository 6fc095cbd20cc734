"""``python -m benchmarks.scale_figures``: pictures of ``benchmarks/scale.csv`` for the documents."""

from __future__ import annotations

import csv
from pathlib import Path

import matplotlib.pyplot as plt

from benchmarks.scale import TABLE, growth

PICTURES = Path(__file__).parents[1] / "docs" / "_static"


def _curves(kind: str, quantity: str) -> dict[str, tuple[list[float], list[float]]]:
    """(sizes, values) by what comes after the kind in the name of the case."""
    curves: dict[str, tuple[list[float], list[float]]] = {}
    with TABLE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["case"].startswith(kind) and row["quantity"] == quantity:
                sizes, values = curves.setdefault(row["case"].removeprefix(f"{kind}, "), ([], []))
                sizes.append(float(row["size"]))
                values.append(float(row["value"]))
    return curves


def draw(kind: str, quantity: str, label: str, powers: bool) -> None:
    """One picture over the number of beams, in logarithmic scales; with the ``powers`` with which curves grow."""
    figure, axes = plt.subplots(figsize=(5.5, 3.4), layout="constrained")
    for name, (sizes, values) in _curves(kind, quantity).items():
        power = f": grows with the power {growth(sizes, values):.2f}" if powers else ""
        axes.loglog(sizes, values, "o-", label=f"{name}{power}")
    axes.set(xlabel="beams", ylabel=label)
    if not powers:
        axes.set_ylim(bottom=0.5)
    axes.legend(frameon=False)
    axes.grid(True, which="both", alpha=0.3)
    figure.savefig(PICTURES / f"scale_{kind}.svg", metadata={"Date": None})


if __name__ == "__main__":
    draw("statics", "seconds", "preparation and equilibrium, s", powers=True)
    draw("dynamics", "µs a step and beam", "µs a step and beam", powers=False)
