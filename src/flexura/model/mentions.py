"""Marks on annotations of texts that name parts of a model, and the check that these exist.

Names in the runs of a file are checked before the first run begins, wherever they stand in its values.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from flexura.errors import ModelError, did_you_mean
from flexura.model.annotations import Hint, fields, marks
from flexura.model.links import parts_of_link
from flexura.model.names import Names


@dataclasses.dataclass(frozen=True)
class Mention:
    """The mark of a text, or of texts, that name a signal, one to be loaded, a point, a slender link or a parameter.

    With ``load`` a signal may not have primes.
    """

    what: Literal["signal", "load", "point", "link", "parameter"]


SIGNAL, LOAD, POINT = Mention("signal"), Mention("load"), Mention("point")
LINK, PARAMETER = Mention("link"), Mention("parameter")


def mentioned(hint: Hint, value: Any) -> Iterator[tuple[Mention, str]]:
    """Names in a value, and what each of them is the name of."""
    for mark in marks(hint):
        if isinstance(mark, Mention):
            yield from ((mark, text) for text in _texts(value))
    for part in _records(value):
        for name, inner in fields(type(part)).items():
            yield from mentioned(inner, getattr(part, name))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list | Mapping):
        for member in value:
            yield from _texts(member)


def _records(value: Any) -> Iterator[Any]:
    if dataclasses.is_dataclass(value):
        yield value
    elif isinstance(value, tuple | list):
        for member in value:
            yield from _records(member)


def refuse_unknown(names: Names, mark: Mention, text: str) -> None:
    """Refuse an unknown name."""
    if mark == PARAMETER:
        names.model.parameter(text)
    elif mark == POINT:
        if text not in names.positions:
            raise ModelError("", f"there is no point '{text}'", did_you_mean(text, names.positions))
    elif mark == LINK:
        parts_of_link(names, text)
    elif mark == LOAD:
        names.resolve(text)
    else:
        _refuse_signal(names, text)


def _refuse_signal(names: Names, signal: str) -> None:
    plain, order, force = parse(signal)
    address = names.resolve(plain)
    if address.integral and (order > 1 or force):
        raise ModelError("", f"'{signal}': a state has a value and a rate", f"ask for {plain} or {plain}'")
    if address.internal and not order and not force:
        what = f"'{signal}' has a rate and a force, but no value"
        raise ModelError("", what, f"ask for {signal}' or {signal}.force, or put a Hinge there")


def parse(signal: str) -> tuple[str, int, bool]:
    """(name, order of the rate, True if the force is meant) of a signal."""
    if not isinstance(signal, str):
        raise ModelError("signal", f"{signal!r:.40} is not a text", "give a name such as 'A.x'")
    name = signal.rstrip("'")
    force = name.endswith(".force")
    plain = name.removesuffix(".force").rstrip("'")
    order = signal.count("'")
    if order > 2 or (order and force):
        raise ModelError(
            f"signal '{signal}'", "there are rates up to the second, and no rates of forces", "remove a prime"
        )
    return plain, order, force
