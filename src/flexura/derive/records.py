"""Named arrays that are passed to compiled code as one pointer.

A :class:`Record` is a class of annotated arrays (and other records). In Python it holds the arrays; in compiled code
``record.name`` is the array itself, without copies or reference counts, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_void_p
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Self, dataclass_transform, get_type_hints

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, models, register_model, typeof_impl, unbox
from numpy.typing import NDArray

from flexura.derive.interpretation import remember

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Places = Annotated[NDArray[np.uint32] | NDArray[np.int64], "looked up with"]
"""indices, unsigned in compiled code, where they need no check for negative values; any integers are accepted.

They have 32 bits: large models wait for memory, and half of what they read are indices."""

IntTable = Annotated[NDArray[np.int64], "two indices"]
FloatTable = Annotated[NDArray[np.float64], "two indices"]

_ARRAYS = {
    Ints: types.Array(types.int64, 1, "C"),
    Floats: types.Array(types.float64, 1, "C"),
    Places: types.Array(types.uint32, 1, "C"),
    IntTable: types.Array(types.int64, 2, "C"),
    FloatTable: types.Array(types.float64, 2, "C"),
}
_DTYPES = {types.int64: np.int64, types.uint32: np.uint32, types.float64: np.float64}
CELLS = 3  # address and two lengths
_BEHIND_HEADER = object.__basicsize__


def address_of_data(array: NDArray[Any]) -> int:
    """Address of the first number of an array: in NumPy's C interface the first field after the object header.

    Records and backups consist of hundreds of arrays, and ``array.ctypes.data`` takes ten times as long.
    """
    return c_void_p.from_address(id(array) + _BEHIND_HEADER).value or 0


class RecordType(types.Type):
    """Type of a record class in compiled code; its name contains a digest of the fields, which identifies the class.

    Names of types are part of every name in compiled code: a list of the fields would be thousands of letters long.
    """

    def __init__(self, name: str, members: tuple[tuple[str, Any], ...]) -> None:
        self.title = name
        self.members = dict(members)
        self.places = {key: i for i, (key, _) in enumerate(members)}
        listed = ", ".join(f"{key}: {kind}" for key, kind in members)
        types.Type.__init__(self, name=f"{name}_{sha256(listed.encode()).hexdigest()[:12]}")


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """Set of named arrays; subclasses annotate them, and their constructors take each of them by name."""

    numba_type: ClassVar[RecordType]
    record_forms: ClassVar[dict[str, tuple[Any, int]]]
    """type of number and number of indices of each array; none and 0 for a record"""
    record_scratch: ClassVar[tuple[str, ...]]
    """arrays that are always written before they are read"""
    record_pointer: int

    def __init_subclass__(cls, scratch: tuple[str, ...] = ()) -> None:
        cls.record_scratch = scratch
        members = []
        for name, hint in get_type_hints(cls, include_extras=True).items():
            if name not in Record.__annotations__:
                nested = isinstance(hint, type) and issubclass(hint, Record)
                members.append((name, hint.numba_type if nested else _ARRAYS[hint]))
        cls.numba_type = RecordType(cls.__name__, tuple(members))
        cls.record_forms = {
            name: (None, 0) if isinstance(kind, RecordType) else (_DTYPES[kind.dtype], kind.ndim)
            for name, kind in members
        }

    def __init__(self, **given: Any) -> None:
        if given.keys() != self.record_forms.keys():
            missing, unknown = self.record_forms.keys() - given.keys(), given.keys() - self.record_forms.keys()
            wrong = [f"no {name!r} is given" for name in sorted(missing)]
            wrong += [f"there is no {name!r}" for name in sorted(unknown)]
            raise TypeError(f"{type(self).__name__}: {', '.join(wrong)}; give {', '.join(self.record_forms)}")
        cells: list[int] = []
        for name, (number, indices) in self.record_forms.items():
            value = given[name]
            fits = isinstance(value, np.ndarray) and value.dtype == number and value.ndim == indices
            if not (fits and value.flags.c_contiguous):
                value = self._checked(name, value, number, indices)
            self.__dict__[name] = value
            cells += (
                (value.record_pointer, 0, 0) if number is None else (address_of_data(value), *value.shape, 0)[:CELLS]
            )
        self.__dict__["record_cells"] = packed = np.array(cells, dtype=np.int64)
        self.__dict__["record_pointer"] = address_of_data(packed)
        remember(self.record_pointer, self)

    def _checked(self, name: str, value: Any, number: Any, indices: int) -> Any:
        """A member in the form required by compiled code; an array of another form raises an error."""
        where = f"{type(self).__name__}.{name}"
        if number is None:
            expected = self.numba_type.members[name]
            if not isinstance(value, Record) or value.numba_type is not expected:
                raise TypeError(f"{where}: a {type(value).__name__} is given; give the record {expected.title}")
            return value
        array = np.asarray(value)
        if number is np.uint32 and array.dtype == np.int64 and array.ndim == indices and _unsigned(array):
            return array.astype(np.uint32, order="C")
        if array.ndim != indices:
            raise TypeError(f"{where}: an array with {array.ndim} indices is given; give one with {indices}")
        kept = np.ascontiguousarray(array, dtype=number)
        if array.dtype != kept.dtype and not np.array_equal(array, kept):
            raise TypeError(f"{where}: {array.dtype} numbers are given that are no {kept.dtype}; give whole numbers")
        return kept

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"the arrays of a record are filled in place, not replaced: {name}")

    def changing(self) -> Iterator[NDArray[Any]]:
        """Arrays that a run may change and a later run may read: neither index nor scratch arrays."""
        for name, (number, _) in self.record_forms.items():
            if number is None:
                yield from self.__dict__[name].changing()
            elif number is not np.uint32 and name not in self.record_scratch:
                yield self.__dict__[name]

    def take_numbers(self, other: Record) -> bool:
        """Copy the numbers of a record with the same indices and sizes; false if they differ."""
        for name, (number, _) in self.record_forms.items():
            own, new = self.__dict__[name], other.__dict__[name]
            if number is None:
                if not own.take_numbers(new):
                    return False
            elif own.shape != new.shape or (number is not np.float64 and own.tobytes() != new.tobytes()):
                return False
            elif number is np.float64:
                own[...] = new
        return True

    def replaced(self, **changes: Any) -> Self:
        """Record with some members replaced, sharing the rest."""
        return type(self)(**{name: changes.get(name, self.__dict__[name]) for name in self.numba_type.places})


def _unsigned(array: NDArray[np.int64]) -> bool:
    """True if no number is negative or longer than 32 bits."""
    return not array.size or bool(array.min() >= 0 and array.max() < 2**32)


@typeof_impl.register(Record)
def _typeof(value: Record, context: Any) -> RecordType:
    return value.numba_type


@register_model(RecordType)
class _Model(models.OpaqueModel):
    """Pointer to the cells of a record."""


@unbox(RecordType)
def _unbox(kind: Any, value: Any, context: Any) -> NativeValue:
    number = context.pyapi.object_getattr_string(value, "record_pointer")
    address = context.pyapi.long_as_longlong(number)
    context.pyapi.decref(number)
    return NativeValue(context.builder.inttoptr(address, cgutils.voidptr_t))


@infer_getattr
class _Attribute(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, kind: RecordType, name: str) -> Any:  # type: ignore[override]
        return kind.members.get(name)


@lower_getattr_generic(RecordType)
def _get(context: Any, builder: Any, kind: RecordType, value: Any, name: str) -> Any:
    word = ir.IntType(64)
    cells = builder.bitcast(value, word.as_pointer())

    def cell(offset: int) -> Any:
        place = ir.Constant(word, CELLS * kind.places[name] + offset)
        loaded = builder.load(builder.gep(cells, [place]))
        # cells never change, so that loads can be shared and moved out of loops
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    member = kind.members[name]
    if isinstance(member, RecordType):
        return builder.inttoptr(cell(0), cgutils.voidptr_t)
    shape = [cell(1 + i) for i in range(member.ndim)]
    item = ir.Constant(word, member.dtype.bitwidth // 8)
    count = shape[0] if member.ndim == 1 else builder.mul(shape[0], shape[1])
    strides = [item] if member.ndim == 1 else [builder.mul(shape[1], item), item]
    known = {"itemsize": item, "nitems": count, "shape": cgutils.pack_array(builder, shape)}
    known["strides"] = cgutils.pack_array(builder, strides)
    known["data"] = builder.inttoptr(cell(0), context.get_data_type(member.dtype).as_pointer())
    # no owner: parts that are not set are null
    model = context.data_model_manager[member]
    array = ir.Constant(model.get_value_type(), None)
    for part, value_of_part in known.items():
        array = builder.insert_value(array, value_of_part, model.get_field_position(part))
    return array
