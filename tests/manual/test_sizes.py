"""Sizes of modules and functions, by the rules of the architecture."""

import ast
from pathlib import Path
from statistics import median

import flexura

SOURCE = Path(flexura.__file__).parent
MODULES = {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
LINES = {name: text.count("\n") for name, text in MODULES.items()}


def test_modules_are_short():
    """Half of the modules have at most 110 lines, and none has more than 350."""
    assert median(LINES.values()) <= 110
    assert {name: size for name, size in LINES.items() if size > 350} == {}


def test_functions_are_short():
    """No function has more than 70 lines, with its signature and docstring."""
    functions = (
        (f"{name}: {node.name}", (node.end_lineno or 0) - node.lineno + 1)
        for name, text in MODULES.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert {name: size for name, size in functions if size > 70} == {}


def test_contact_elements_are_short():
    """Contacts that are declared once take at most 70 lines."""
    named = ("planar/clearance.py", "planar/point_contact.py", "spatial/ball.py")
    assert {name: size for name in named if (size := LINES[f"elements/{name}"]) > 70} == {}
