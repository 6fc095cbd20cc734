"""Evaluation of FMUs for model exchange: derivatives and outputs at given states and inputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from ctypes import c_double
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Evaluator(ABC):
    """An initialised FMU whose states and inputs are set at will."""

    real: str
    """type of the variables"""

    def __init__(self, description: Any, unit: Any) -> None:
        self.unit, self.states = unit, description.numberOfContinuousStates
        self._input, self._output = (
            [v.valueReference for v in description.modelVariables if v.causality == word and v.type == self.real]
            for word in ("input", "output")
        )
        self.inputs, self.outputs = len(self._input), len(self._output)
        self.begin()

    @abstractmethod
    def begin(self) -> None:
        """Instantiate and initialise."""

    @abstractmethod
    def rates(self, values: Any) -> None:
        """Derivatives of the states, into an array of C."""

    @abstractmethod
    def exchange(self, inputs: list[float]) -> list[float]:
        """Set the inputs; the outputs."""

    def evaluate(self, point: Array) -> Array:
        """Derivatives and outputs at states and inputs."""
        n = self.states
        if n:
            self.unit.setContinuousStates((c_double * n)(*point[:n]), n)
        outputs = self.exchange(point[n:].tolist())
        values = (c_double * max(n, 1))()
        if n:
            self.rates(values)
        return np.array([*list(values)[:n], *outputs])

    def close(self) -> None:
        """Terminate and free it."""
        self.unit.terminate()
        self.unit.freeInstance()


class SecondEvaluator(Evaluator):
    """FMU of FMI 2.0."""

    real = "Real"

    def begin(self) -> None:
        self.unit.instantiate()
        self.unit.setupExperiment(startTime=0.0)
        self.unit.enterInitializationMode()
        self.unit.exitInitializationMode()
        self.unit.newDiscreteStates()
        self.unit.enterContinuousTimeMode()

    def rates(self, values: Any) -> None:
        self.unit.getDerivatives(values, self.states)

    def exchange(self, inputs: list[float]) -> list[float]:
        self.unit.setReal(self._input, inputs)
        return list(self.unit.getReal(self._output))


class ThirdEvaluator(Evaluator):
    """FMU of FMI 3.0."""

    real = "Float64"

    def begin(self) -> None:
        self.unit.instantiate()
        self.unit.enterInitializationMode(startTime=0.0)
        self.unit.exitInitializationMode()
        self.unit.updateDiscreteStates()
        self.unit.enterContinuousTimeMode()

    def rates(self, values: Any) -> None:
        self.unit.getContinuousStateDerivatives(values, self.states)

    def exchange(self, inputs: list[float]) -> list[float]:
        self.unit.setFloat64(self._input, inputs)
        return list(self.unit.getFloat64(self._output))


def evaluator_of(description: Any, folder: str) -> Evaluator:
    """Evaluator of an unpacked FMU."""
    from fmpy.fmi2 import FMU2Model
    from fmpy.fmi3 import FMU3Model

    second = description.fmiVersion == "2.0"
    unit = (FMU2Model if second else FMU3Model)(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.modelExchange.modelIdentifier,
        instanceName="controller",
    )
    return (SecondEvaluator if second else ThirdEvaluator)(description, unit)
