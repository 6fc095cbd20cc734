"""Matrix Market: mass, damping and stiffness of a linear system, with a map of the names of its coordinates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.results.linear_system import LinearSystem
from flexura.results.result import Result
from flexura.results.writers import writes
from flexura.substructures.finite_elements import FiniteElements


@writes(".mtx")
def write_matrices(result: Result, path: Path, signals: Sequence[str] = ()) -> None:
    """Write M, C and K of a linear system beside each other: ``case.mtx`` becomes ``case_M.mtx`` and so on.

    ``case.mtx`` itself is the stiffness. ``case_names.json`` has the names of the rows and columns, in their order.
    """
    if not isinstance(result, LinearSystem):
        what = f"a {type(result).__name__} has no mass and stiffness matrix"
        raise ModelError(Path(path).name, what, "save the result of fx.linearise")
    place = Path(path)
    for name in ("M", "C", "K"):
        _write(
            place.with_name(f"{place.stem}_{name}.mtx"), getattr(result, name), f"{name} of {result.title or 'a model'}"
        )
    _write(place, result.K, f"stiffness of {result.title or 'a model'}")
    units = {"M": "kg, kg·m, kg·m²", "C": "N·s/m, N·s, N·m·s", "K": "N/m, N, N·m"}
    text = json.dumps({"coordinates": list(result.coordinates), "units": units}, indent=1, ensure_ascii=False)
    with whole(place.with_name(f"{place.stem}_names.json")) as draft:
        draft.write_text(text + "\n", encoding="utf-8")


def _write(path: Path, matrix: Any, comment: str) -> None:
    from scipy.io import mmwrite
    from scipy.sparse import coo_array

    image = BytesIO()
    symmetric = bool(np.array_equal(matrix, matrix.T))
    one_line = " ".join(comment.split())
    mmwrite(image, coo_array(matrix), comment=one_line, precision=17, symmetry="symmetric" if symmetric else "general")
    with whole(path) as draft:
        draft.write_bytes(image.getvalue())


def load_matrices(mass: str | Path, stiffness: str | Path, positions: Any, **given: Any) -> FiniteElements:
    """Part from Matrix Market files of its mass and stiffness, and the positions of its nodes.

    The rows list three displacements of each node, or six degrees of freedom with ``components=6``.
    """
    return FiniteElements.of_nodes(_read(Path(mass)), _read(Path(stiffness)), positions, **given)


def _read(path: Path) -> Any:
    try:
        return scipy.io.mmread(path)
    except (OSError, ValueError) as error:
        raise ModelError(path.name, f"the matrix cannot be read: {error}", "give a Matrix Market file") from None
