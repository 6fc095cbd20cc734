"""Export of linear systems as FMUs: native code, with model exchange and co-simulation."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.formats.registry import extra
from flexura.laws.control import Controller
from flexura.results.linear_system import LinearSystem
from flexura.version import __version__

Array = NDArray[np.float64]
_WORD = {"Linux": ("linux64", ".so"), "Windows": ("win64", ".dll"), "Darwin": ("darwin64", ".dylib")}


@dataclass(frozen=True)
class StateSpace:
    """Matrices of ẋ = A x + B u, y = C x + D u, with names."""

    name: str
    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def to_fmu(
    source: LinearSystem | Controller,
    path: str | os.PathLike[str],
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
) -> None:
    """Write a linear system or a controller as an FMU of FMI 2.0, for model exchange and co-simulation.

    The FMU is native code of this platform and needs no Python. The inputs of a linear system are loads, its outputs
    signals. Those of a controller are the errors ``r - y`` of its measured signals, and its loads. In co-simulation
    inputs are constant over a step, and the step is exact.
    """
    system = _state_space(source, tuple(inputs), tuple(outputs))
    place = Path(path)
    if place.suffix != ".fmu":
        raise ModelError(place.name, "the name of an FMU ends in .fmu", f"call it {place.stem}.fmu")
    code, token = _source(system)
    folder, ending = _WORD.get(platform.system(), ("linux64", ".so"))
    with TemporaryDirectory() as temporary:
        library = Path(temporary) / f"{system.name}{ending}"
        _compile(code, library)
        with whole(place) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("modelDescription.xml", _description(system, token))
            archive.write(library, f"binaries/{folder}/{library.name}")
            archive.writestr(f"sources/{system.name}.c", code)


def _state_space(source: Any, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> StateSpace:
    if isinstance(source, LinearSystem):
        if not inputs or not outputs:
            what = "an FMU of a linear system has inputs and outputs"
            raise ModelError("to_fmu", what, "give loads as inputs=[…] and signals as outputs=[…]")
        A, B, C, D = source.to_state_space(inputs, outputs)
        states = tuple(f"x{i}" for i in range(1, len(A) + 1))
        return StateSpace(_plain(source.title or "linear_system"), A, B, C, D, states, inputs, outputs)
    if isinstance(source, Controller):
        n, y, u = len(source.A), len(source.measured), len(source.acting)
        A, B, C, D = (
            np.array(rows, dtype=float).reshape(shape)
            for rows, shape in ((source.A, (n, n)), (source.B, (n, y)), (source.C, (u, n)), (source.D, (u, y)))
        )
        errors = tuple(f"error {name}" for name in source.measured)
        return StateSpace("controller", A, B, C, D, tuple(f"z{i}" for i in range(1, n + 1)), errors, source.acting)
    what = f"a {type(source).__name__} is not linear"
    raise ModelError("to_fmu", what, "give the result of fx.linearise, or a Controller")


def _plain(text: str) -> str:
    return re.sub(r"\W", "_", text, flags=re.ASCII)[:50].strip("_") or "model"


def _token(code: str) -> str:
    """Identifier of the content of an FMU."""
    digits = sha256(code.encode()).hexdigest()
    return f"{{{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:32]}}}"


def _source(system: StateSpace) -> tuple[str, str]:
    """C source, the numbers of the system in front of the common part, and the identifier of its content."""
    n, u, y = len(system.states), len(system.inputs), len(system.outputs)
    numbers = "".join(_numbers(name, getattr(system, name)) for name in ("A", "B", "C", "D"))
    zeros = _numbers("X0", np.zeros(n)) + _numbers("U0", np.zeros(u))
    common = files("flexura.formats.fmi").joinpath("linear_model.c").read_text(encoding="utf-8")
    body = f"#define NX {n}\n#define NU {u}\n#define NY {y}\n{numbers}{zeros}"
    token = _token(body + common)
    return f'#define TOKEN "{token}"\n{body}\n{common}', token


def _numbers(name: str, values: Array) -> str:
    listed = ", ".join(float(value).hex() for value in values.ravel()) or "0.0"
    return f"static const double {name}[] = {{{listed}}};\n"


def _compile(code: str, library: Path) -> None:
    extra("ziglang", "fmi", "compiling an FMU")
    source = library.with_suffix(".c")
    source.write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "ziglang", "cc", "-shared", "-O2", "-fPIC", "-o", str(library), str(source), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=library.parent)
    if done.returncode:
        raise ModelError("to_fmu", f"the compiler failed: {done.stderr.strip()[:300]}", "install flexura[fmi] again")


def _description(system: StateSpace, token: str) -> str:
    """The file modelDescription.xml."""
    n, u, y = len(system.states), len(system.inputs), len(system.outputs)
    outputs, rates = _unknowns(2 + u, y), _unknowns(2 + u + y + n, n)
    derivatives = f"<Derivatives>{rates}</Derivatives>" if n else ""
    initial = f"<InitialUnknowns>{outputs}{rates}</InitialUnknowns>"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<fmiModelDescription fmiVersion="2.0" modelName={quoteattr(system.name)} guid="{token}"',
        f' generationTool="Flexura {__version__}" variableNamingConvention="flat" numberOfEventIndicators="0">',
        f'<ModelExchange modelIdentifier="{system.name}" canGetAndSetFMUstate="true"/>',
        f'<CoSimulation modelIdentifier="{system.name}" canHandleVariableCommunicationStepSize="true"',
        ' canGetAndSetFMUstate="true"/>',
        "<ModelVariables>",
        *_variables(system),
        "</ModelVariables>",
        f"<ModelStructure><Outputs>{outputs}</Outputs>{derivatives}{initial}</ModelStructure>",
        "</fmiModelDescription>",
        "",
    ]
    return "\n".join(lines)


def _unknowns(start: int, count: int) -> str:
    return "".join(f'<Unknown index="{start + i}"/>' for i in range(count))


def _variables(system: StateSpace) -> list[str]:
    """Time, inputs, outputs, states and their derivatives, in the order of their value references."""
    first = 1 + len(system.inputs) + len(system.outputs)
    named = [f"output {name}" if name in system.inputs else name for name in system.outputs]
    rows = [("time", 'causality="independent"', "")]
    rows += [(name, 'causality="input"', 'start="0"') for name in system.inputs]
    rows += [(name, 'causality="output" initial="calculated"', "") for name in named]
    rows += [(name, 'causality="local" initial="exact"', 'start="0"') for name in system.states]
    rows += [
        (f"der({name})", 'causality="local" initial="calculated"', f'derivative="{first + 1 + i}"')
        for i, name in enumerate(system.states)
    ]
    return [_variable(name, i, f'{kind} variability="continuous"', real) for i, (name, kind, real) in enumerate(rows)]


def _variable(name: str, reference: int, kind: str, real: str) -> str:
    return f'<ScalarVariable name={quoteattr(name)} valueReference="{reference}" {kind}><Real {real}/></ScalarVariable>'
