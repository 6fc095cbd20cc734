"""The file modelDescription.xml of an FMU, in FMI 2.0 and 3.0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import quoteattr

from flexura.version import __version__

Version = Literal["2.0", "3.0"]
Role = Literal["independent", "input", "output", "parameter", "state", "derivative", "indicator"]

_ROLES = {
    "independent": ("independent", "continuous", ""),
    "input": ("input", "continuous", ""),
    "output": ("output", "continuous", "calculated"),
    "parameter": ("parameter", "fixed", "exact"),
    "state": ("local", "continuous", "exact"),
    "derivative": ("local", "continuous", "calculated"),
    "indicator": ("local", "continuous", "calculated"),
}
"""causality, variability and initial value of each role"""


@dataclass(frozen=True)
class Variable:
    """A variable of an FMU; its value reference is its place in the list of all."""

    name: str
    role: Role
    start: float | None = None
    unit: str = ""
    meaning: str = ""
    state: int = 0
    """of a derivative, the value reference of its state"""


@dataclass(frozen=True)
class Interface:
    """Content of the description of an FMU."""

    name: str
    """identifier of the model"""
    title: str
    token: str
    variables: Sequence[Variable]
    input_rates: bool = False
    """true if first derivatives of inputs can be set in co-simulation (FMI 2.0)"""
    completed_steps: bool = False
    """true if the model needs to know of completed integrator steps"""
    tolerance: float | None = None
    stop: float | None = None

    def of(self, *roles: Role) -> list[int]:
        """Value references of the variables with these roles."""
        return [i for role in roles for i, variable in enumerate(self.variables) if variable.role == role]


def description(interface: Interface, version: Version) -> str:
    """Text of modelDescription.xml."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        *_head(interface, version),
        *_units(interface.variables),
        '<LogCategories><Category name="logStatusError"/></LogCategories>',
        _experiment(interface),
        "<ModelVariables>",
        *(_variable(variable, i, version) for i, variable in enumerate(interface.variables)),
        "</ModelVariables>",
        _structure(interface, version),
        "</fmiModelDescription>",
        "",
    ]
    return "\n".join(line for line in lines if line)


def _head(interface: Interface, version: Version) -> Iterable[str]:
    second = version == "2.0"
    identity = f'guid="{interface.token}"' if second else f'instantiationToken="{interface.token}"'
    state = "FMUstate" if second else "FMUState"
    able = f'modelIdentifier="{interface.name}" canGetAndSet{state}="true" canSerialize{state}="true"'
    count = f' numberOfEventIndicators="{len(interface.of("indicator"))}"' if second else ""
    yield f'<fmiModelDescription fmiVersion="{version}" modelName={quoteattr(interface.title)} {identity}'
    yield f' generationTool="Flexura {__version__}" variableNamingConvention="flat"{count}>'
    if second:
        steps = "" if interface.completed_steps else ' completedIntegratorStepNotNeeded="true"'
    else:
        steps = ' needsCompletedIntegratorStep="true"' if interface.completed_steps else ""
    yield f"<ModelExchange {able}{steps}/>"
    rates = ' canInterpolateInputs="true"' if second and interface.input_rates else ""
    yield f'<CoSimulation {able} canHandleVariableCommunicationStepSize="true"{rates}/>'


def _units(variables: Sequence[Variable]) -> Iterable[str]:
    found = sorted({variable.unit for variable in variables if variable.unit})
    if found:
        listed = "".join(f"<Unit name={quoteattr(unit)}/>" for unit in found)
        yield f"<UnitDefinitions>{listed}</UnitDefinitions>"


def _experiment(interface: Interface) -> str:
    given = {"stopTime": interface.stop, "tolerance": interface.tolerance}
    said = "".join(f' {name}="{value!r}"' for name, value in given.items() if value is not None)
    return f'<DefaultExperiment startTime="0.0"{said}/>' if said else ""


def _variable(variable: Variable, reference: int, version: Version) -> str:
    causality, variability, initial = _ROLES[variable.role]
    general = {"name": variable.name, "valueReference": str(reference), "description": variable.meaning}
    general |= {"causality": causality, "variability": variability, "initial": initial}
    special = {"unit": variable.unit, "start": "" if variable.start is None else repr(float(variable.start))}
    if variable.role == "derivative":
        special["derivative"] = str(variable.state + 1 if version == "2.0" else variable.state)
    if version == "2.0":
        return f"<ScalarVariable {_attributes(general)}><Real {_attributes(special)}/></ScalarVariable>"
    return f"<Float64 {_attributes(general | special)}/>"


def _attributes(given: dict[str, str]) -> str:
    return " ".join(f"{name}={quoteattr(value)}" for name, value in given.items() if value)


def _structure(interface: Interface, version: Version) -> str:
    """Outputs, derivatives of states and initial unknowns."""
    outputs, rates, indicators = interface.of("output"), interface.of("derivative"), interface.of("indicator")
    if version == "3.0":
        parts = [("Output", outputs), ("ContinuousStateDerivative", rates), ("InitialUnknown", [*outputs, *rates])]
        parts.append(("EventIndicator", indicators))
        listed = "".join(f'<{word} valueReference="{i}"/>' for word, places in parts for i in places)
        return f"<ModelStructure>{listed}</ModelStructure>"
    parts = [("Outputs", outputs), ("Derivatives", rates), ("InitialUnknowns", sorted([*outputs, *rates]))]
    listed = "".join(f"<{word}>{_unknowns(places)}</{word}>" for word, places in parts if places)
    return f"<ModelStructure>{listed}</ModelStructure>"


def _unknowns(places: Sequence[int]) -> str:
    """Variables by their places in FMI 2.0, which count from 1."""
    return "".join(f'<Unknown index="{i + 1}"/>' for i in places)
