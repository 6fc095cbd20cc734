"""Models as sources and description of an FMU: native code of the equations of motion."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from flexura.analyses.motion.error_scales import coordinate_scale
from flexura.arcs import FEW, FEWER, SERIES
from flexura.derive import program
from flexura.derive.interpretation import INTERPRET
from flexura.derive.numbered_functions import functions_assembly
from flexura.errors import ModelError
from flexura.formats.fmi.archive import INTERFACE, numbers, plain_name, source_files, token_of
from flexura.formats.fmi.description import Interface, Variable
from flexura.formats.fmi.exported_model import (
    COORDINATE,
    COORDINATE_FORCE,
    END_FORCE,
    OUTPUT_WIDTH,
    STRAIN_FORCE,
    Exported,
    output_row,
    prepare_export,
    states_of,
    touch_memories,
    with_rates,
)
from flexura.formats.fmi.outside_signals import Input, breaks_of, inputs_of, table_numbers, with_inputs
from flexura.formats.fmi.parameter_terms import Terms, terms_of
from flexura.formats.fmi.system_tables import Pool, enumerations
from flexura.formats.registry import FormatWarning
from flexura.integrators.runge_kutta import OF_A_STEP, step_tolerance
from flexura.integrators.runge_kutta_tableaux import DORMAND_PRINCE_8
from flexura.mechanics.contact.contact_scales import LAW_TOUCH
from flexura.model.model import Model
from flexura.results.units import rate_unit, signal_unit

RETURN_RATE = 10.0
"""Rate at which states return to the constraints in model exchange [1/s]."""

_FAST = 5e5
"""Fastest vibration from which on co-simulation is slow [rad/s]."""
_RADIANS_PER_STEP = 0.7
"""of the fastest vibration, by the method of co-simulation"""

_LOCATED = 1e-7
"""Distance from a touch, relative to the size of the model, at which an importing program has located it."""

_KINDS = {
    "COORDINATE": COORDINATE,
    "COORDINATE_FORCE": COORDINATE_FORCE,
    "STRAIN_FORCE": STRAIN_FORCE,
    "END_FORCE": END_FORCE,
}
_OPERATIONS = (
    *("ADD", "SUBTRACT", "MULTIPLY", "DIVIDE", "SQUARE", "NEGATE", "RECIPROCAL", "SQRT", "POWER", "TABLE"),
    "FUNCTION",
)


def model_unit(
    model: Model, inputs: Sequence[str], outputs: Sequence[str], parameters: Mapping[str, str], tolerance: float
) -> tuple[Interface, dict[str, str]]:
    """Description and sources of the FMU of a model."""
    if INTERPRET:
        raise ModelError("to_fmu", "interpreted kernels have no machine code", "unset NUMBA_DISABLE_JIT")
    given = inputs_of(model, inputs)
    model = with_rates(with_inputs(model, given), outputs)
    exported = prepare_export(model)
    _warn_of_stiffness(exported)
    terms = terms_of(model, parameters, lambda changed: prepare_export(changed).numbers())
    rows = [output_row(exported, name) for name in outputs]
    name, pool = plain_name(model.title or "model"), Pool()
    systems = pool.add("MOTION", exported.system, exported.registers[0])
    systems += _aliases() if exported.alike else pool.add("VIEW", exported.view, exported.registers[1])
    states = states_of(exported)
    head = _head(exported, given, rows, states, terms, pool, tolerance)
    equations = source_files("machine.c", "equations_of_motion.c")
    model_files = source_files("multibody_model.c", "co_simulation.c", *INTERFACE)
    body = "".join(["#include <math.h>\n", head, equations, pool.prototypes(), systems, pool.arrays(), model_files])
    functions = functions_assembly().replace("define double @function(", "define hidden double @flexura_function(")
    sources = {f"{name}.c": body, "functions.ll": functions, **pool.kernel_files()}
    token = token_of(sources)
    sources[f"{name}.c"] = f'#define TOKEN "{token}"\n{body}'
    variables = _variables(exported, given, outputs, terms, states)
    follows = bool(exported.system.track_target.size)
    title = model.title or "model"
    return Interface(
        name, title, token, variables, input_rates=True, completed_steps=follows, tolerance=tolerance
    ), sources


def _warn_of_stiffness(exported: Exported) -> None:
    """Warning where the explicit steps of co-simulation are many."""
    if exported.fastest < _FAST:
        return
    steps = exported.fastest / _RADIANS_PER_STEP
    fastest = f"the fastest vibration has {exported.fastest:.2g} rad/s"
    what = f"{fastest}, and co-simulation needs {steps:.2g} steps for a second of motion"
    remedy = "give stiff strains an infinite stiffness, or import the FMU for model exchange with an implicit solver"
    warnings.warn(f"to_fmu: {what}; {remedy}", FormatWarning, stacklevel=4)


def _head(
    exported: Exported,
    inputs: Sequence[Input],
    outputs: Sequence[tuple[int, ...]],
    states: Sequence[tuple[int, int]],
    terms: Terms,
    pool: Pool,
    tolerance: float,
) -> str:
    """Sizes and tables in front of the common part."""
    layout, tableau = exported.layout, DORMAND_PRINCE_8
    firsts = np.cumsum([0, *(len(one.names) for one in inputs)]).tolist()
    places = table_numbers(exported.system, len(inputs))
    breaks = breaks_of(exported.system)
    fed = [(place, first, int(one.moves)) for place, first, one in zip(places, firsts, inputs, strict=False)]
    sizes = {
        "NX": len(states),
        "NU": firsts[-1],
        "NY": len(outputs),
        "NP": len(terms.names),
        "NZ": exported.system.touch.strain.size + len(breaks),
        "TIME_BREAKS": len(breaks),
        "TOUCHES": exported.system.touch.strain.size,
        "INPUTS": len(inputs),
        "COORDINATES": len(layout.coordinates),
        "STRAINS": max(len(layout.strains), 1),
        "WIDE": len(exported.whole.coordinates),
        "WIDE_STRAINS": max(len(exported.whole.strains), 1),
        "SYSTEM_NUMBERS": pool.size,
        "SERIES_FEWER": FEWER[0],
        "FEWER_BELOW": FEWER[1].hex(),
        "SERIES_FEW": FEW[0],
        "FEW_BELOW": FEW[1].hex(),
        "SERIES_MANY": SERIES.shape[1],
        "STEP_PART": OF_A_STEP,
        "TOLERANCE": float(step_tolerance(tolerance)).hex(),
        "TOUCH": float(LAW_TOUCH * layout.size).hex(),
        "LOCATED": float(_LOCATED * layout.size).hex(),
        "RETURN_RATE": RETURN_RATE,
        **_KINDS,
        **{f"OPERATION_{name}": getattr(program, name) for name in _OPERATIONS},
    }
    started = [part for one in inputs for part in (one.start if one.moves else one.start[:1])]
    arrays = {
        "SERIES": SERIES,
        "SCALE": coordinate_scale(layout),
        "POSITION_START": exported.x,
        "RATE_START": exported.v,
        "INPUT_START": np.array(started),
        "BREAK_SHIFT": np.array([shift for *_, shift in breaks]),
        "METHOD_A": tableau.a,
        "METHOD_B": tableau.b,
        "METHOD_C": tableau.c,
        "METHOD_ERROR": tableau.error,
        "METHOD_ERROR_LOW": tableau.error_low,
    }
    return "".join(
        [
            *(f"#define {name} {number}\n" for name, number in sizes.items()),
            enumerations(),
            *(numbers(name, values) for name, values in arrays.items()),
            _rows("INPUT_TABLE", fed, 3),
            _rows("OUTPUTS", outputs, OUTPUT_WIDTH),
            _rows("STATES", states, 2),
            _rows("BREAKS", [(a, b) for a, b, _ in breaks], 2),
            _list("WIDEN", exported.widen),
            _list("TOUCH_MEMORY", touch_memories(exported)),
            terms.declarations(),
        ]
    )


def _rows(name: str, rows: Sequence[Sequence[int]], width: int) -> str:
    listed = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in rows or [(0,) * width])
    return f"static const long long {name}[][{width}] = {{{listed}}};\n"


def _list(name: str, values: Sequence[int]) -> str:
    return f"static const long long {name}[] = {{{', '.join(map(str, values)) or '0'}}};\n"


def _aliases() -> str:
    """Names of the tables of a view that is the system of the motion."""
    words = [
        "NUMBERS",
        "INDICES",
        "KERNELS",
        *(f"{level}_KERNELS" for level in ("SHAPE", "TRACK", "STRESS", "DISPLAYED")),
    ]
    return "".join(f"#define VIEW_{word} MOTION_{word}\n" for word in words)


def _variables(
    exported: Exported,
    inputs: Sequence[Input],
    outputs: Sequence[str],
    terms: Terms,
    states: Sequence[tuple[int, int]],
) -> list[Variable]:
    names, layout = exported.whole.names, exported.layout
    found = [Variable("time", "independent", unit="s")]
    for one in inputs:
        unit = names.unit(names.resolve(one.signal))
        if one.moves:
            found += [
                Variable(n, "input", one.start[k], rate_unit(unit, k), "driven motion") for k, n in enumerate(one.names)
            ]
        else:
            found.append(Variable(one.signal, "input", one.start[0], signal_unit(names, f"{one.signal}.force"), "load"))
    taken = {variable.name for variable in found}
    for output in outputs:
        called = f"output {output}" if output in taken else output
        found.append(Variable(called, "output", unit=signal_unit(names, output)))
    taken |= {variable.name for variable in found}
    found += [Variable(name, "parameter", start, meaning=path) for name, path, start in terms.names]
    first = len(found)
    titles = []
    for c, order in states:
        address = layout.coordinates[c]
        title = str(address) if address.integral else f"{address}{chr(39) * order}"
        titles.append(title if title not in taken else f"state {title}")
        start = (exported.v if order else exported.x)[c]
        unit = "" if address.integral else rate_unit(names.unit(address), order)
        found.append(Variable(titles[-1], "state", float(start), unit))
    found += [Variable(f"der({title})", "derivative", state=first + i) for i, title in enumerate(titles)]
    gaps = [layout.strains[k] for k in exported.system.touch.strain.tolist()]
    found += [Variable(f"event {gap}", "indicator", unit="m") for gap in gaps]
    return found + [Variable(f"event {i + 1}", "indicator") for i in range(len(breaks_of(exported.system)))]
