"""Laws on one strain: the stress as a function of the strain, its rate and the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from flexura.derive.expression import Expr, as_expr
from flexura.laws.formula_parser import parse
from flexura.laws.signals import Expression, Table
from flexura.laws.tables import Tables
from flexura.laws.units import Unit
from flexura.laws.validation import validate


@dataclass(frozen=True)
class LinearLaw:
    """Linear law of a strain, a spring and a viscous damper in parallel: σ = preload + k ε + c ε̇."""

    k: Annotated[float, Unit("N/m or N·m/rad", "stiffness")] = 0.0
    c: Annotated[float, Unit("N·s/m or N·m·s/rad", "viscous damping")] = 0.0
    preload: Annotated[float, Unit("N or N·m", "stress at zero strain; positive in tension")] = 0.0

    def __post_init__(self) -> None:
        validate(self)


AnyLaw = LinearLaw | Table | Expression

if TYPE_CHECKING:
    LawLike = AnyLaw | str
    """A law as a model is given it: a text is an expression in e, v and t."""
else:
    LawLike = AnyLaw


def law_expression(law: AnyLaw, e: Expr, v: Expr, t: Expr, tables: Tables) -> Expr:
    """Stress of a law at strain e, its rate v and the time t."""
    if isinstance(law, LinearLaw):
        return as_expr(law.preload + law.k * e + law.c * v)
    if isinstance(law, Table):
        return law.expression(e, tables)
    return parse(law.text, {"e": e, "v": v, "t": t})
