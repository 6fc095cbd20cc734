"""ParaView and VTK: deformed shapes with section forces, stresses and contact forces over time.

A time series is a ``.pvd`` file with a folder of ``.vtu`` files, one for each time; a state is one ``.vtu`` file.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from flexura.atomic_files import whole
from flexura.errors import ModelError
from flexura.formats.section_fields import Fields, fields_of
from flexura.results.motion import Motion
from flexura.results.result import Result
from flexura.results.state import State
from flexura.results.writers import writes

_TYPES = {"f": "Float64", "i": "Int64", "u": "UInt8"}


def _motion(result: Result, path: Path) -> Motion:
    if isinstance(result, State):
        return result.motion
    if not isinstance(result, Motion):
        what = f"a {type(result).__name__} has no shapes over time"
        raise ModelError(path.name, what, "save a motion or a state")
    return result


@writes(".vtu")
def write_vtu(result: Result, path: Path, signals: Sequence[str] = ()) -> None:
    """Write a state as one unstructured grid."""
    motion = _motion(result, Path(path))
    if len(motion.t) != 1:
        raise ModelError(Path(path).name, f"the motion has {len(motion.t)} times", "save it as .pvd, a time series")
    _write(Path(path), fields_of(motion), 0)


@writes(".pvd")
def write_pvd(result: Result, path: Path, signals: Sequence[str] = ()) -> None:
    """Write a motion as a time series: ``motion.pvd`` and a folder ``motion`` beside it.

    ``motion/elements.json`` has the names of the elements by the numbers of the cell field ``element``.
    """
    motion, place = _motion(result, Path(path)), Path(path)
    fields = fields_of(motion)
    folder = place.with_suffix("")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ModelError(str(folder), f"the folder cannot be made: {reason}", "choose another name") from None
    lines = ['<VTKFile type="Collection" version="1.0" byte_order="LittleEndian"><Collection>']
    for i, t in enumerate(motion.t.tolist()):
        name = f"{folder.name}_{i:06d}.vtu"
        _write(folder / name, fields, i)
        lines.append(f'<DataSet timestep="{t!r}" file={quoteattr(f"{folder.name}/{name}")}/>')
    with whole(folder / "elements.json") as draft:
        draft.write_text(json.dumps(fields.elements, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    with whole(place) as draft:
        draft.write_text("\n".join([*lines, "</Collection></VTKFile>", ""]), encoding="utf-8")


def _array(name: str, values: NDArray[Any]) -> str:
    """An array in base 64, after its size in bytes."""
    kind = _TYPES[values.dtype.kind]
    raw = np.ascontiguousarray(values, dtype={"Float64": "<f8", "Int64": "<i8", "UInt8": "u1"}[kind]).tobytes()
    text = base64.b64encode(len(raw).to_bytes(8, "little") + raw).decode()
    parts = values.shape[1] if values.ndim == 2 else 1
    head = f'type="{kind}" Name={quoteattr(name)} NumberOfComponents="{parts}" format="binary"'
    return f"<DataArray {head}>{text}</DataArray>"


def _write(path: Path, fields: Fields, i: int) -> None:
    """Write the grid of one time."""
    cells = [
        _array("connectivity", fields.connectivity), _array("offsets", fields.offsets), _array("types", fields.types),
    ]  # fmt: skip
    at_points = [_array(name, values[i]) for name, values in fields.points.items()]
    at_cells = [_array("element", fields.owners), *(_array(name, values[i]) for name, values in fields.cells.items())]
    count, many = fields.places.shape[1], len(fields.types)
    text = "\n".join(
        [
            '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
            f'<UnstructuredGrid><Piece NumberOfPoints="{count}" NumberOfCells="{many}">',
            f"<Points>{_array('points', fields.places[i])}</Points>",
            f"<Cells>{''.join(cells)}</Cells>",
            f"<PointData>{''.join(at_points)}</PointData>",
            f"<CellData>{''.join(at_cells)}</CellData>",
            "</Piece></UnstructuredGrid></VTKFile>",
            "",
        ]
    )
    with whole(path) as draft:
        draft.write_text(text, encoding="utf-8")
