"""FMUs as controllers: the matrices of a linear FMU, found by its derivatives and outputs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from ctypes import c_double
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, placed
from flexura.formats.registry import extra
from flexura.laws.control import Controller

Array = NDArray[np.float64]
MOST_STATES = 1000


def controller_from_fmu(
    path: str | os.PathLike[str], measured: Sequence[str], acting: Sequence[str], reference: Sequence[Any] = ()
) -> Controller:
    """Controller that is an FMU for model exchange with linear equations, of FMI 2.0.

    Its inputs are the errors ``r - y`` of the measured signals and its outputs the loads, in the order of the file.
    The matrices are found by evaluating the FMU; an FMU that is not linear, or starts elsewhere than at zero, is
    refused. An FMU is code: it is executed.
    """
    place = Path(path)
    if not place.is_file():
        raise ModelError(place.name, "there is no such file", f"is '{place}' its path?")
    fmpy = extra("fmpy", "fmi", "reading an FMU")
    with placed(place.name):
        try:
            description = fmpy.read_model_description(str(place))
        except Exception as error:
            raise ModelError("", f"this is not an FMU: {error}", "give a file that ends in .fmu") from None
        if description.modelExchange is None or description.fmiVersion != "2.0":
            raise ModelError("", "it is not for model exchange with FMI 2.0", "export it for that")
        folder = fmpy.extract(str(place))
        try:
            A, B, C, D = _matrices(description, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    rows = [tuple(map(tuple, matrix.tolist())) for matrix in (A, B, C, D)]
    if len(measured) != B.shape[1] or len(acting) != C.shape[0]:
        what = f"the FMU has {B.shape[1]} inputs and {C.shape[0]} outputs"
        raise ModelError(place.name, what, "name one measured signal for each input and one load for each output")
    wanted: Any = tuple(reference)
    return Controller(rows[0], rows[1], rows[2], rows[3], tuple(measured), tuple(acting), wanted)


def _matrices(description: Any, folder: str) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D by unit states and inputs, checked at other values."""
    from fmpy.fmi2 import FMU2Model

    n = description.numberOfContinuousStates
    if n > MOST_STATES:
        raise ModelError("", f"it has {n} states", f"a controller has at most {MOST_STATES}")
    inputs, outputs = (
        [each.valueReference for each in description.modelVariables if each.causality == word and each.type == "Real"]
        for word in ("input", "output")
    )
    identifier = description.modelExchange.modelIdentifier
    unit = FMU2Model(
        guid=description.guid, unzipDirectory=folder, modelIdentifier=identifier, instanceName="controller"
    )
    unit.instantiate()
    unit.setupExperiment(startTime=0.0)
    unit.enterInitializationMode()
    unit.exitInitializationMode()
    unit.newDiscreteStates()
    unit.enterContinuousTimeMode()

    def evaluate(x: Array, u: Array) -> Array:
        if n:
            unit.setContinuousStates((c_double * n)(*x), n)
        unit.setReal(inputs, u.tolist())
        rates = (c_double * max(n, 1))()
        if n:
            unit.getDerivatives(rates, n)
        return np.array([*list(rates)[:n], *unit.getReal(outputs)])

    size = n + len(inputs)
    try:
        base = evaluate(np.zeros(n), np.zeros(len(inputs)))
        whole = np.array([evaluate(row[:n], row[n:]) - base for row in np.eye(size)]).T.reshape(n + len(outputs), size)
        trial = np.random.default_rng(1).standard_normal(size)
        found = evaluate(trial[:n], trial[n:])
    finally:
        unit.terminate()
        unit.freeInstance()
    scale = 1.0 + np.abs(whole).max(initial=0.0)
    if np.abs(base).max(initial=0.0) > 1e-9 * scale or np.abs(whole @ trial - found).max(initial=0.0) > 1e-6 * scale:
        raise ModelError(
            "", "its equations are not linear", "a Controller is linear; write others as formulas of loads"
        )
    return whole[:n, :n], whole[:n, n:], whole[n:, :n], whole[n:, n:]
