"""Derivatives of eigenvalues with respect to parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean
from flexura.laws.units import Unit
from flexura.results import figure_registry
from flexura.results.figures import DRAWN, figure
from flexura.results.marks import Axes, Labels
from flexura.results.result import Result
from flexura.results.summary import Summary

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class Sensitivity(Result):
    """Derivatives of eigenvalues λ of motions exp(λt): a row for each eigenvalue, a column for each parameter.

    ``found["elements.rod.section.EI"]`` is the column of a parameter. Of eigenvalues that are equal, such as those of a
    shaft that is alike in all directions, the derivatives stand in the order of their size: they belong to the motions
    into which the parameter parts them.
    """

    title: str
    parameters: Annotated[tuple[str, ...], Labels("parameter")]
    values: Annotated[Array, Axes("parameter")]
    """of the parameters"""
    eigenvalues: Annotated[Complex, Axes("root"), Unit("rad/s")]
    """the slowest first, in rad/s, one of each conjugate pair; zero roots have no derivative and are left out"""
    derivatives: Annotated[Complex, Axes("root", "parameter")]
    """dλ/dp, in rad/s per unit of the parameter; NaN where two eigenvalues coincide and there is none"""
    errors: Annotated[Array, Axes("root", "parameter")]
    """estimated bounds of their errors"""

    @property
    def relative(self) -> Annotated[Complex, Axes("root", "parameter")]:
        """p/λ dλ/dp: the real part is the relative change of size, the imaginary part that of direction in rad."""
        return np.asarray(self.values * self.derivatives / self.eigenvalues[:, None])

    @property
    def frequencies(self) -> Array:
        """dω/dp of the frequencies ω = Im λ."""
        return np.asarray(self.derivatives.imag)

    def __getitem__(self, parameter: str) -> Complex:
        if parameter not in self.parameters:
            what = f"there is no parameter '{parameter}' here"
            raise ModelError("sensitivity", what, did_you_mean(parameter, self.parameters))
        return np.asarray(self.derivatives[:, self.parameters.index(parameter)])

    @figure("draw", DRAWN, default=False)
    def plot(self, path: str | None = None, **options: Any) -> Any:
        """Relative sensitivities as bars, those that count most on top; ``modes=[0, 2]`` chooses eigenvalues."""
        return figure_registry.finish(figure_registry.drawer("sensitivity")(self, **options), path)

    @property
    def rows(self) -> list[tuple[str, int, complex, complex, complex, float]]:
        """(parameter, number of the eigenvalue, λ, dλ/dp, relative, error), one parameter after another."""
        return [
            (name, k, complex(root), complex(self.derivatives[k, p]), complex(self.relative[k, p]), self.errors[k, p])
            for p, name in enumerate(self.parameters)
            for k, root in enumerate(self.eigenvalues)
        ]

    def summary(self, signals: Sequence[str] = ()) -> Summary:
        """All derivatives with their errors."""
        rows = tuple(
            (name, str(k), number(root), number(slope), f"{error:.1e}", number(part, 4))
            for name, k, root, slope, part, error in self.rows
        )
        heads = ("parameter", "mode", "eigenvalue [rad/s]", "derivative", "error", "relative")
        return Summary(f"{len(self.eigenvalues)} eigenvalues", heads, rows, heads[1:])

    def __repr__(self) -> str:
        return f"<Sensitivity: {len(self.eigenvalues)} eigenvalues to {len(self.parameters)} parameters>"

    def __str__(self) -> str:
        lines = [f"{self.title or 'Sensitivities'}: {len(self.eigenvalues)} eigenvalues in rad/s"]
        for name, k, root, slope, part, error in self.rows:
            if k == 0:
                lines.append(f"  {name} = {self.values[self.parameters.index(name)]:g}")
            lines.append(
                f"  {k:3d}  {number(root)}  derivative {number(slope)} ± {error:.1e}  relative {number(part, 4)}"
            )
        return "\n".join(lines)


def number(value: complex, digits: int = 6) -> str:
    """Complex number in the format of tables."""
    return f"{value.real + 0.0: .{digits}g} {value.imag + 0.0:+.{digits}g}i"
