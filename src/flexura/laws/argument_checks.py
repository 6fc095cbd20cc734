"""Errors about arguments of constructors and functions: misspelt, left out, or changed in place."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields
from functools import wraps
from typing import Any, TypeVar, cast, get_type_hints

from flexura.errors import ModelError, did_you_mean
from flexura.laws.familiar_words import familiar
from flexura.laws.units import Unit
from flexura.laws.validation import marks

F = TypeVar("F", bound=Callable[..., Any])


def refuse_keywords(cls: type, called: str) -> None:
    """Let a dataclass refuse unknown keywords, missing fields, and changes in place."""
    construct: Callable[..., None] = cls.__init__  # type: ignore[misc]  # of a dataclass, the one that was made for it
    given_fields = [field for field in fields(cls) if field.init]
    names = [field.name for field in given_fields]
    needed = [field.name for field in given_fields if field.default is MISSING and field.default_factory is MISSING]

    @wraps(construct)
    def checked(self: object, *args: Any, **given: Any) -> None:
        for key in given:
            if key not in names:
                raise ModelError("", f"{called} has no '{key}'", keyword_remedy(key, cls, names))
        known = {*names[: len(args)], *given}
        if left_out := [name for name in needed if name not in known]:
            what = " and ".join(f"'{name}'" for name in left_out)
            raise ModelError("", f"{called} needs {what}", f"it takes {', '.join(names)}")
        construct(self, *args, **given)

    cls.__init__ = checked  # type: ignore[misc]
    if cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]  # of a dataclass
        refuse_changes(cls, called)


def refuse_changes(cls: type, called: str) -> None:
    """Let an assignment to a frozen dataclass raise an error that explains how to make a changed copy."""
    replace = "model.replace({}=…)" if "replace" in vars(cls) else "dataclasses.replace(…, {}=…)"

    def refused(self: object, name: str, value: Any) -> None:
        remedy = f"make a changed copy: {replace.format(name)}"
        raise FrozenInstanceError(f"{called} is a value, in which '{name}' cannot be set; {remedy}")

    cls.__setattr__ = refused  # type: ignore[assignment]


def refuse_arguments(function: F) -> F:
    """Let a function refuse unknown and missing arguments."""
    signature = inspect.signature(function)
    called = function.__name__

    @wraps(function)
    def checked(*args: Any, **given: Any) -> Any:
        try:
            signature.bind(*args, **given)
        except TypeError as error:
            names = list(signature.parameters)
            unknown = [key for key in given if key not in names]
            remedy = familiar(unknown[0], names) or did_you_mean(unknown[0], names) if unknown else ""
            raise ModelError(called, str(error), remedy or f"it is called as {called}{_form(signature)}") from None
        return function(*args, **given)

    return cast(F, checked)


def _form(signature: inspect.Signature) -> str:
    """Arguments of a function, those that may be left out in square brackets."""
    given = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    needed = [each.name for each in given if each.default is each.empty]
    optional = [f"{each.name}=…" for each in given if each.default is not each.empty]
    return f"({', '.join(needed)}{', ' if needed and optional else ''}{', '.join(optional)})"


def keyword_remedy(word: str, cls: type, names: list[str]) -> str:
    """Remedy for an unknown keyword: an argument of similar spelling or meaning."""
    hints = get_type_hints(cls, include_extras=True)
    about = {name: str(mark) for name in names for mark in marks(hints[name]) if isinstance(mark, Unit)}
    if known := familiar(word, names, about):
        return known
    remedy = did_you_mean(word, names)
    if remedy.startswith("did you mean") or len(word) < 4:
        return remedy
    meant = [name for name, text in about.items() if word.lower() in re.findall(r"\w+", text.lower())]
    return f"did you mean '{meant[0]}' ({about[meant[0]]})?" if len(meant) == 1 else remedy
