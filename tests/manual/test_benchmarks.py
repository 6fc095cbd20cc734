"""Benchmarks use names that the package has: they are not run with the other tests."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = sorted(Path(__file__).parents[2].joinpath("benchmarks").glob("*.py"))


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_imported_names_exist(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not str(node.module).startswith("flexura"):
            continue
        for name in (alias.name for alias in node.names):
            try:
                getattr(import_module(node.module), name)
            except AttributeError:
                import_module(f"{node.module}.{name}")
