"""Elementary functions as data, and the numbers that they are evaluated on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


class Scalar(ABC):
    """Number-like value that evaluates elementary functions itself (a symbol, a dual number)."""

    @abstractmethod
    def apply(self, function: Function, *arguments: Any) -> Any:
        """Value of an elementary function at these arguments, of which this number is one."""


@dataclass(frozen=True, eq=False)
class Function:
    """An elementary function."""

    name: str
    meaning: str
    real: Callable[..., float]
    """value at floats"""
    slopes: Callable[..., tuple[Any, ...]]
    """partial derivatives by the arguments, on every type of number; zero by a parameter"""
    array: Callable[..., Any]
    """value at arrays"""
    analytic: Callable[..., Any] | None = None
    """value at complex numbers; by default to first order in the imaginary parts, as a complex step needs"""
    arity: int = 1
    defaults: tuple[float, ...] = ()
    """values of the last arguments where they are left out"""
    assembly: str | tuple[str, ...] = ()
    """external function that kernels and programs call; or lines of assembly, in which ``{0}``, ``{1}``, … are the
    arguments and then the results of the lines before; empty where the expression graph has a form of its own"""
    external: Callable[..., float] | None = None
    """Python function to be compiled for ``assembly``; by default the function is in the C library or LLVM"""
    formula: str = ""
    """name in the formulas of model files; empty where they do not offer it"""
    smooth: bool = True
    """false if the value or a derivative jumps"""
    parity: str = ""
    """``even`` or ``odd``: f(-x) is then written as f(x) or -f(x)"""
    trial: tuple[float, ...] = (0.4, 0.7)
    """arguments inside the domain, away from jumps, at which tests evaluate the function"""

    def __call__(self, *arguments: Any) -> Any:
        given = len(arguments)
        if given < self.arity:
            arguments += self.defaults[len(self.defaults) + given - self.arity :]
        if len(arguments) != self.arity:
            raise TypeError(f"{self.name} takes {self.arity} arguments, got {given}")
        for argument in arguments:
            if isinstance(argument, Scalar):
                return argument.apply(self, *arguments)
        if any(isinstance(argument, complex) for argument in arguments):
            return self.analytic(*arguments) if self.analytic else self._first_order(*map(complex, arguments))
        if any(isinstance(argument, np.ndarray) for argument in arguments):
            return self.array(*arguments)
        return self.real(*arguments)

    def _first_order(self, *arguments: Any) -> Any:
        """Value at complex numbers to first order in their imaginary parts."""
        parts = [argument.real for argument in arguments]
        changes = zip(self.slopes(*parts), arguments, strict=True)
        return complex(self.real(*parts), sum(slope * argument.imag for slope, argument in changes))
