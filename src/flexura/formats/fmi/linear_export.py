"""Linear systems and controllers as sources and description of an FMU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError
from flexura.formats.fmi.archive import INTERFACE, numbers, plain_name, source_files, token_of
from flexura.formats.fmi.description import Interface, Variable
from flexura.laws.control import Controller
from flexura.results.linear_system import LinearSystem

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StateSpace:
    """Matrices of ẋ = A x + B u, y = C x + D u, with names."""

    title: str
    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def system_space(source: LinearSystem, inputs: Sequence[str], outputs: Sequence[str]) -> StateSpace:
    """State space of a linear system, from loads to signals."""
    if not inputs or not outputs:
        what = "an FMU of a linear system has inputs and outputs"
        raise ModelError("to_fmu", what, "give loads as inputs=[…] and signals as outputs=[…]")
    A, B, C, D = source.to_state_space(inputs, outputs)
    states = tuple(f"x{i}" for i in range(1, len(A) + 1))
    return StateSpace(source.title or "linear system", A, B, C, D, states, tuple(inputs), tuple(outputs))


def controller_space(source: Controller) -> StateSpace:
    """State space of a controller, from the errors of measured signals to loads."""
    n, y, u = len(source.A), len(source.measured), len(source.acting)
    A, B, C, D = (
        np.array(rows, dtype=float).reshape(shape)
        for rows, shape in ((source.A, (n, n)), (source.B, (n, y)), (source.C, (u, n)), (source.D, (u, y)))
    )
    errors = tuple(f"error {name}" for name in source.measured)
    return StateSpace("controller", A, B, C, D, tuple(f"z{i}" for i in range(1, n + 1)), errors, source.acting)


def linear_unit(system: StateSpace) -> tuple[Interface, dict[str, str]]:
    """Description and sources of the FMU of a linear system."""
    name = plain_name(system.title)
    sizes = {"NX": len(system.states), "NU": len(system.inputs), "NY": len(system.outputs)}
    defined = "".join(f"#define {word} {count}\n" for word, count in sizes.items())
    matrices = "".join(
        numbers(word, matrix) for word, matrix in zip("ABCD", (system.A, system.B, system.C, system.D), strict=True)
    )
    body = f"{defined}{matrices}{source_files('linear_model.c', *INTERFACE)}"
    token = token_of({name: body})
    first = 1 + len(system.inputs) + len(system.outputs)
    variables = [Variable("time", "independent", unit="s")]
    variables += [Variable(each, "input", 0.0) for each in system.inputs]
    variables += [Variable(f"output {y}" if y in system.inputs else y, "output") for y in system.outputs]
    variables += [Variable(each, "state", 0.0) for each in system.states]
    variables += [Variable(f"der({each})", "derivative", state=first + i) for i, each in enumerate(system.states)]
    return Interface(name, system.title, token, variables), {f"{name}.c": f'#define TOKEN "{token}"\n{body}'}
