"""Arguments of SPACAR Light: nodes, elements, properties of nodes and of elements, options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import ModelError, did_you_mean, placed
from flexura.model.files import read_bytes

AXES = ("x", "y", "z")
_NUMBERS = {"mass", *(f"{word}_{axis}" for word in ("displ", "displ_initial", "rot", "rot_initial") for axis in AXES)}
_VECTORS = {
    "force": 3,
    "moment": 3,
    "force_initial": 3,
    "moment_initial": 3,
    "mominertia": 6,
    "rot": 4,
    "rot_initial": 4,
}
_FLAGS = {"fix", "fix_pos", "fix_orien", "fix_x", "fix_y", "fix_z", "fix_warp"}
_WORDS = {"transfer_in": "force", "transfer_out": ""}
NODE_FIELDS = sorted({*_NUMBERS, *_VECTORS, *_FLAGS, *_WORDS})
ELEMENT_FIELDS = (
    "elems", "flex", "emod", "smod", "dens", "cshape", "dim", "orien", "nbeams", "warping", "cw", "color", "opacity",
    "hide",
)  # fmt: skip
OPTIONS = (
    "filename", "gravity", "loadsteps", "rls", "calcbuck", "calccompl", "transfer", "mode", "silent", "showinputonly",
    "spavisual", "rigidstress", "stressperelement", "customkin", "customdyn", "customvis", "version",
)  # fmt: skip
MOST_NODES = 10_000
MOST_BEAMS = 1_000

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Arguments:
    """Arguments of SPACAR Light, checked; numbers of nodes and elements count from 1."""

    nodes: NDArray[np.float64]
    elements: NDArray[np.int64]
    nprops: tuple[Fields, ...]
    """a table for each node"""
    eprops: tuple[Fields, ...]
    opt: Fields = field(default_factory=dict)

    def properties(self, element: int) -> Fields:
        """Properties of an element, by its number; empty where no set names it."""
        return next((each for each in self.eprops if element in each["elems"]), {})


def read_mat(path: str | os.PathLike[str]) -> tuple[Any, ...]:
    """Five arguments in a MATLAB file with the fields of SPACAR Light: coordinates, connect, nprops, eprops, opt."""
    from io import BytesIO

    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    name = Path(path).name
    with placed(name):
        content = read_bytes(Path(path))
    try:
        data = loadmat(BytesIO(content), simplify_cells=True)
    except (MatReadError, ValueError, TypeError, KeyError, IndexError, OverflowError, MemoryError, NotImplementedError):
        remedy = "save the variables with MATLAB's save('case.mat', '-v7')"
        raise ModelError(name, "this is not a MATLAB file of version 4 to 7", remedy) from None
    own = {key: value for key, value in data.items() if not key.startswith("__")}
    if len(own) == 1 and isinstance(next(iter(own.values())), dict):
        own = next(iter(own.values()))
    found = [own.get(first, own.get(second)) for first, second in (("nodes", "coordinates"), ("elements", "connect"))]
    if found[0] is None or found[1] is None:
        what = f"it has {', '.join(own) or 'no variables'}, not nodes and elements"
        raise ModelError(name, what, "save nodes, elements, nprops, eprops and opt")
    return (*found, own.get("nprops", ()), own.get("eprops", ()), own.get("opt", {}))


def arguments(nodes: Any, elements: Any, nprops: Any = (), eprops: Any = (), opt: Any = None) -> Arguments:
    """Check the five arguments."""
    places = _table("nodes", nodes, 3, float)
    links = _table("elements", elements, 2, int)
    if links.size and not 1 <= links.min() <= links.max() <= len(places):
        what = f"the numbers of nodes run from {links.min()} to {links.max()}, and there are {len(places)} nodes"
        raise ModelError("elements", what, "count nodes from 1")
    for j, (a, b) in enumerate(links, start=1):
        if np.linalg.norm(places[a - 1] - places[b - 1]) < 1e-5:
            raise ModelError(f"elements({j})", "the element is shorter than 1e-5 m", "check its nodes")
    sets = [_element_set(i, each, len(links)) for i, each in enumerate(_structs("eprops", eprops).values(), start=1)]
    _refuse_shared(sets)
    given = _structs("nprops", nprops)
    tables = [_node(i, given.get(i, {})) for i in range(1, len(places) + 1)]
    for i in given:
        if i > len(places):
            raise ModelError(f"nprops({i})", f"there are {len(places)} nodes", "give no properties of others")
    options = dict(opt or {})
    for name in options:
        _known(f"opt.{name}", name, OPTIONS)
    if options.get("mode", 10) != 10:
        raise ModelError("opt.mode", f"mode {options['mode']} is not supported", "leave it out, or give 10")
    return Arguments(places, links, tuple(tables), tuple(sets), options)


def _table(name: str, given: Any, columns: int, kind: type) -> NDArray[Any]:
    try:
        table = np.atleast_2d(np.asarray(given, dtype=float))
    except (ValueError, TypeError):
        raise ModelError(name, "this is not a table of numbers", f"give rows of {columns} numbers") from None
    if table.ndim != 2 or table.shape[1] != columns or not 1 <= len(table) <= MOST_NODES:
        what = f"its size is {' by '.join(map(str, table.shape))}"
        raise ModelError(name, what, f"give 1 to {MOST_NODES} rows of {columns} numbers")
    if not np.isfinite(table).all() or (kind is int and (table != np.round(table)).any()):
        raise ModelError(name, "it has numbers that are not finite or not whole", "check its rows")
    return table.astype(np.int64 if kind is int else np.float64)


def _structs(name: str, given: Any) -> dict[int, Fields]:
    """Tables by number: from a list, from a mapping of numbers, or a single table."""
    if isinstance(given, Mapping):
        if all(isinstance(key, int) for key in given):
            return {int(key): dict(value or {}) for key, value in given.items()}
        return {1: dict(given)}
    found: dict[int, Fields] = {}
    for i, each in enumerate(given if given is not None else (), start=1):
        if each is not None and not isinstance(each, Mapping):
            raise ModelError(f"{name}({i})", "this is not a table of properties", "give a dictionary")
        found[i] = {key: value for key, value in (each or {}).items() if np.size(value)}
    return found


def _known(where: str, name: str, options: Iterable[str]) -> None:
    if name not in options:
        raise ModelError(where, f"there is no '{name}'", did_you_mean(name, options))


def _node(i: int, given: Fields) -> Fields:
    found: dict[str, Any] = {}
    for name, value in given.items():
        where = f"nprops({i}).{name}"
        _known(where, name, NODE_FIELDS)
        if name in _FLAGS:
            found[name] = bool(value)
        elif name in _WORDS:
            found[name] = [value] if isinstance(value, str) else [str(word) for word in value]
        else:
            count = _VECTORS.get(name, 1)
            numbers = vector(where, value, count)
            found[name] = numbers if count > 1 else numbers[0]
    return found


def vector(where: str, value: Any, count: int) -> tuple[float, ...]:
    """So many finite numbers."""
    try:
        numbers = tuple(float(each) for each in np.ravel(value))
    except (ValueError, TypeError):
        raise ModelError(where, f"{value!r} is not numbers", f"give {count}") from None
    if len(numbers) != count or not all(map(isfinite, numbers)):
        raise ModelError(where, f"these are {len(numbers)} numbers, or not finite ones", f"give {count}")
    return numbers


def _element_set(i: int, given: Fields, count: int) -> Fields:
    where = f"eprops({i})"
    for name in given:
        _known(f"{where}.{name}", name, ELEMENT_FIELDS)
    if "elems" not in given:
        raise ModelError(where, "it has no elems, the numbers of its elements", "give elems, or leave the set out")
    elems = {int(each) for each in np.ravel(given["elems"])}
    if not elems or not 1 <= min(elems) <= max(elems) <= count:
        raise ModelError(f"{where}.elems", f"there are {count} elements", "count them from 1")
    flex = [int(each) for each in np.ravel(given.get("flex", ()))]
    if not set(flex) <= set(range(1, 7)):
        raise ModelError(f"{where}.flex", f"{flex} has numbers beyond 1 to 6", "strains are 1 to 6")
    beams = int(given.get("nbeams", 1))
    if not 1 <= beams <= MOST_BEAMS:
        raise ModelError(f"{where}.nbeams", f"{beams} beams", f"give 1 to {MOST_BEAMS}")
    if flex:
        for name in ("emod", "smod", "dens", "cshape", "dim"):
            if name not in given:
                raise ModelError(where, f"flexible elements need {name}", "give emod, smod, dens, cshape and dim")
    return {**given, "elems": elems, "flex": sorted(set(flex)), "nbeams": beams}


def _refuse_shared(sets: Sequence[Fields]) -> None:
    for i, first in enumerate(sets, start=1):
        for k, second in enumerate(sets[i:], start=i + 1):
            if shared := first["elems"] & second["elems"]:
                what = f"element {min(shared)} is in eprops({i}), too"
                raise ModelError(f"eprops({k}).elems", what, "an element has one set of properties")
