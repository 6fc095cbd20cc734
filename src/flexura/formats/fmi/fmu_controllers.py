"""FMUs as controllers: the matrices of a linear FMU, found by its derivatives and outputs."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, placed
from flexura.formats.fmi.evaluation import Evaluator, evaluator_of
from flexura.formats.registry import extra
from flexura.laws.control import Controller

Array = NDArray[np.float64]
MOST_STATES = 1000
MOST_BYTES = 200_000_000
"""size of all files of an FMU, unpacked"""


def controller_from_fmu(
    path: str | os.PathLike[str], measured: Sequence[str], acting: Sequence[str], reference: Sequence[Any] = ()
) -> Controller:
    """Controller that is an FMU for model exchange with linear equations, of FMI 2.0 or 3.0.

    Its inputs are the errors ``r - y`` of the measured signals and its outputs the loads, in the order of the file.
    The matrices are found by evaluating the FMU; an FMU that is not linear, or starts elsewhere than at zero, is
    refused. An FMU is code: it is executed.
    """
    place = Path(path)
    if not place.is_file():
        raise ModelError(place.name, "there is no such file", f"is '{place}' its path?")
    fmpy = extra("fmpy", "fmi", "reading an FMU")
    with placed(place.name):
        _refuse_bombs(place)
        try:
            description = fmpy.read_model_description(str(place))
        except Exception as error:
            raise ModelError("", f"this is not an FMU: {error}", "give a file that ends in .fmu") from None
        if description.modelExchange is None or description.fmiVersion not in {"2.0", "3.0"}:
            raise ModelError("", "it is not for model exchange with FMI 2.0 or 3.0", "export it for that")
        if description.numberOfContinuousStates > MOST_STATES:
            what = f"it has {description.numberOfContinuousStates} states"
            raise ModelError("", what, f"a controller has at most {MOST_STATES}")
        folder = fmpy.extract(str(place))
        try:
            A, B, C, D = _matrices(evaluator_of(description, folder))
        except ModelError:
            raise
        except Exception as error:
            what = f"it cannot be evaluated: {error}"
            raise ModelError(
                "", what, "export it for this platform, and run it once in the program it is from"
            ) from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    rows = [tuple(map(tuple, matrix.tolist())) for matrix in (A, B, C, D)]
    if len(measured) != B.shape[1] or len(acting) != C.shape[0]:
        what = f"the FMU has {B.shape[1]} inputs and {C.shape[0]} outputs"
        raise ModelError(place.name, what, "name one measured signal for each input and one load for each output")
    wanted: Any = tuple(reference)
    return Controller(rows[0], rows[1], rows[2], rows[3], tuple(measured), tuple(acting), wanted)


def _refuse_bombs(place: Path) -> None:
    """Refuse archives that unpack to far more than an FMU, or outside their folder."""
    try:
        with zipfile.ZipFile(place) as archive:
            members = archive.infolist()
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        raise ModelError("", f"this is not an FMU: {error}", "give a file that ends in .fmu") from None
    if sum(member.file_size for member in members) > MOST_BYTES or len(members) > 100_000:
        raise ModelError("", f"it unpacks to more than {MOST_BYTES // 10**6} MB", "give the FMU of a controller")
    for member in members:
        if member.filename.startswith(("/", "\\")) or ".." in Path(member.filename.replace("\\", "/")).parts:
            raise ModelError("", f"the file '{member.filename}' is outside its folder", "do not use this file")


def _matrices(unit: Evaluator) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D by unit states and inputs, checked at other values."""
    n, size = unit.states, unit.states + unit.inputs
    try:
        base = unit.evaluate(np.zeros(size))
        whole = np.array([unit.evaluate(row) - base for row in np.eye(size)]).T.reshape(n + unit.outputs, size)
        trial = np.random.default_rng(1).standard_normal(size)
        found = unit.evaluate(trial)
    finally:
        unit.close()
    scale = 1.0 + np.abs(whole).max(initial=0.0)
    if np.abs(base).max(initial=0.0) > 1e-9 * scale or np.abs(whole @ trial - found).max(initial=0.0) > 1e-6 * scale:
        raise ModelError(
            "", "its equations are not linear", "a Controller is linear; write others as formulas of loads"
        )
    return whole[:n, :n], whole[:n, n:], whole[n:, :n], whole[n:, n:]
