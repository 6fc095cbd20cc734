"""Controllers: linear systems that measure signals and act by loads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from flexura.derive.expression import Expr, add
from flexura.errors import ModelError
from flexura.laws.signals import Constant, Expression, Signal
from flexura.laws.units import Unit
from flexura.laws.validation import validate

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Controller:
    r"""Linear controller of measured signals y with references r; its outputs u are loads.

    .. math:: \dot{\mathbf z} = A\,\mathbf z + B\,(\mathbf r - \mathbf y), \qquad
              \mathbf u = C\,\mathbf z + D\,(\mathbf r - \mathbf y).

    A has one row and one column per state, none for a static gain D. The states are signals of
    the model: those of a controller ``servo`` are ``servo.z1``, ``servo.z2`` and so on.
    """

    A: Annotated[Matrix, Unit("", "rows of A; empty without states")]
    B: Annotated[Matrix, Unit("", "rows of B, a column for each measured signal")]
    C: Annotated[Matrix, Unit("", "rows of C, one for each signal that is acted on")]
    D: Annotated[Matrix, Unit("", "rows of D; zero by default")]
    measured: Annotated[tuple[str, ...], Unit("", "signals y, or their rates with a prime")]
    acting: Annotated[tuple[str, ...], Unit("", "signals on which the outputs u act as loads")]
    reference: Annotated[tuple[Signal, ...], Unit("", "reference r of each measured signal; zero by default")] = ()

    def __post_init__(self) -> None:
        given: Iterable[Any] = self.reference
        object.__setattr__(self, "reference", tuple(map(given_signal, given)) or (Constant(0.0),) * len(self.measured))
        validate(self)
        if not self.measured or not self.acting:
            what = "it has no measured signals or no loads"
            raise ModelError("Controller", what, "give lists, such as measured=['hub.phi']")
        n, y, u = len(self.A), len(self.measured), len(self.acting)
        if not self.D:
            object.__setattr__(self, "D", ((0.0,) * y,) * u)
        if not n and not self.C:
            object.__setattr__(self, "C", ((),) * u)
        for name, rows, columns in (("A", n, n), ("B", n, y), ("C", u, n), ("D", u, y)):
            refuse_shape("Controller", name, getattr(self, name), rows, columns)
        if len(self.reference) != y:
            what = f"there are {len(self.reference)} references for {y} measured signals"
            raise ModelError("Controller.reference", what, "give one for each, or none")

    @staticmethod
    def of(
        system: Any, measured: Sequence[str], acting: Sequence[str], reference: Sequence[float | str | Signal] = ()
    ) -> Controller:
        """Controller from a ``StateSpace`` of python-control, or from any object with A, B, C, D in continuous time."""
        if system.dt not in (0, None):
            what = f"the system is discrete in time, with steps of {system.dt} s"
            raise ModelError("Controller", what, "use Sampled.of, or design it in continuous time")
        A, B, C, D = (tuple(map(tuple, matrix)) for matrix in (system.A, system.B, system.C, system.D))
        wanted: Any = tuple(reference)
        return Controller(A, B, C, D, tuple(measured), tuple(acting), wanted)

    def states(self, name: str) -> tuple[str, ...]:
        """Names of its states in a model in which it has this name."""
        return tuple(f"{name}.z{i}" for i in range(1, len(self.A) + 1))

    def rate(self, i: int, states: Sequence[Expr], error: Sequence[Expr]) -> Expr:
        """Rate of a state, for the states z and the error r - y."""
        return _sum(self.A[i], states, self.B[i], error)

    def action(self, i: int, states: Sequence[Expr], error: Sequence[Expr]) -> Expr:
        """Load, for the states z and the error r - y."""
        return _sum(self.C[i], states, self.D[i], error)


def given_signal(given: Any) -> Any:
    """A reference as a signal: a number is a constant, a text is a formula of the time."""
    if isinstance(given, str):
        return Expression(given)
    return given if isinstance(given, Signal) else Constant(given)


def _sum(a: Sequence[float], z: Sequence[Expr], b: Sequence[float], e: Sequence[Expr]) -> Expr:
    return add(*zip((*z, *e), (*a, *b), strict=True))


def refuse_shape(owner: str, name: str, table: Matrix, rows: int, columns: int) -> None:
    """Refuse a matrix of another size."""
    if len(table) != rows or any(len(row) != columns for row in table):
        shape = f"{len(table)} rows of {', '.join(sorted({str(len(row)) for row in table})) or 'no'} numbers"
        remedy = f"give {rows} by {columns}: rows and columns go with the states, measured and acting"
        raise ModelError(f"{owner}.{name}", f"it has {shape}", remedy)
