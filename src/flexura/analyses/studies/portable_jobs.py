"""Jobs as bytes that another process can read, including the user's own elements.

An element's class is not pickled by its fields: it is declared by its source, which is executed once in each process.
Of a module all of its source travels; of a script its imports, classes, functions and constants, so that the script
itself does not run again.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import io
import pickle
import sys
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from flexura.elements.element import Element
from flexura.errors import ModelError

_KEPT = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef)


def packed(value: Any) -> bytes:
    """Bytes of a value that may contain elements of the user and functions."""
    from cloudpickle import Pickler

    class Packer(Pickler):  # type: ignore[misc]
        def persistent_id(self, obj: Any) -> tuple[str, str, str] | None:
            if inspect.isclass(obj) and issubclass(obj, Element) and not _own(obj):
                return obj.__module__, obj.__qualname__, _source(obj.__module__)
            return None

    buffer = io.BytesIO()
    Packer(buffer).dump(value)
    return buffer.getvalue()


@lru_cache(maxsize=8)
def unpacked(content: bytes) -> Any:
    """Value of packed bytes; the same bytes are read once."""
    return _Unpacker(io.BytesIO(content)).load()


class _Unpacker(pickle.Unpickler):
    """Reader that declares the user's elements from their source."""

    def persistent_load(self, pid: Any) -> type:
        module, name, source = pid
        found: Any = _declared(module, source)
        for part in name.split("."):
            found = getattr(found, part)
        cls: type = found
        return cls


def _own(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == "flexura"


@cache
def _source(module: str) -> str:
    """Source that declares the elements of a module."""
    found = sys.modules[module]
    path = getattr(found, "__file__", None)
    if path is None or not Path(path).is_file():
        remedy = "define it in a file"
        raise ModelError("cluster", f"an element of '{module}' has no source to send to the workers", remedy)
    text = Path(path).read_text(encoding="utf-8")
    return _declarations(text) if module == "__main__" else text


def _declarations(text: str) -> str:
    """Imports, classes, functions and constants of a script."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if isinstance(node, _KEPT) or _constant(node)]
    return ast.unparse(tree)


def _constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)


@cache
def _declared(module: str, source: str) -> ModuleType:
    """Module of the user's elements in this process, found or executed."""
    present = sys.modules.get(module)
    path = getattr(present, "__file__", None)
    if present is not None and module != "__main__" and path and Path(path).read_text(encoding="utf-8") == source:
        return present
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    name = f"travelled_{digest}"
    if name not in sys.modules:
        made = ModuleType(name)
        sys.modules[name] = made
        exec(compile(source, f"<{module}>", "exec"), made.__dict__)
    return sys.modules[name]
