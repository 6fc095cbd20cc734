"""A check of the laws that elements give themselves, and of their slopes, as the compiled programs have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.battery.duals import complex_step
from flexura.battery.specimen import Array, Specimen
from flexura.battery.state import difference
from flexura.derive.differentiate import jacobian
from flexura.derive.expression import as_expr, symbol
from flexura.derive.program import run
from flexura.derive.program_builder import ProgramBuilder

SIZES = (1.0, 1e-3)
"""of strains and rates: what touches may be small"""


def laws_and_slopes(specimen: Specimen) -> float:
    """the stresses by its law, and their slopes, are those of complex steps"""
    strains, rows = len(specimen.element.strains), len(specimen.element.rows())
    names = [f"y{i}" for i in range(strains + rows)]
    symbols = [symbol(name) for name in names]
    stresses = [as_expr(stress) for stress in specimen.stress(symbols[:strains], symbols[strains:])]
    if not stresses:
        return 0.0
    builder = ProgramBuilder(inputs=tuple(names))
    slopes = [slope for row in jacobian(stresses, symbols) for slope in row]
    span = builder.add([*stresses, *slopes])
    program = builder.finish()

    def compiled(y: Array) -> Array:
        for name, value in zip(names, y, strict=True):
            program.registers[builder.input(name)] = value
        run(program, program.registers, span.start, span.stop)
        return np.array([program.registers[register] for register in span.outputs])

    def law(y: list[Any]) -> list[Any]:
        return specimen.stress(y[:strains], y[strains:])

    worst, rng = 0.0, np.random.default_rng(7)
    for y in (size * rng.uniform(-1.0, 1.0, strains + rows) for size in SIZES for _ in range(4)):
        try:
            expected, slope = law(list(y)), complex_step(law, list(y))
        except (ValueError, ZeroDivisionError):
            # beyond what the law bears
            continue
        found = compiled(y)
        worst = max(worst, difference(found[:rows], expected))
        worst = max(worst, difference(found[rows:].reshape(rows, -1), slope))
    return worst
