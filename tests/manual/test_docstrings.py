"""Docstrings are noun phrases or imperatives: their first words are checked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from manual.pages import ROOT

OPENERS = re.compile(r"(what|whether|where|how|which|who|whose|the same|those)\b", re.IGNORECASE)
"""Words that make a docstring a subordinate clause, or refer to another docstring."""


def docstrings(text: str) -> Iterator[tuple[int, str]]:
    """Line and text of every docstring: of modules, classes and functions, and after attributes."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                match statement:
                    case ast.Expr(value=ast.Constant(value=str(said))):
                        yield statement.lineno, said.strip()


def test_docstrings_name_their_content() -> None:
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {said.splitlines()[0]}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for line, said in docstrings(path.read_text(encoding="utf-8"))
        if OPENERS.match(said)
    ]
    assert not found, "\n".join(["begin with a noun phrase or an imperative:", *found])


@pytest.mark.parametrize(
    "text",
    [
        '"""What a module holds."""',
        'class A:\n    x: int\n    """whether it is one"""',
        'def f():\n    """The same for g."""',
        'class A:\n    def f(self):\n        r"""How far."""',
    ],
)
def test_clauses_are_found(text: str) -> None:
    assert [line for line, said in docstrings(text) if OPENERS.match(said)] == [text.count("\n") + 1]


def test_noun_phrases_and_imperatives_pass() -> None:
    text = '"""Whole numbers."""\ndef f():\n    """Release the contacts that slide."""'
    assert [said for _, said in docstrings(text)] == ["Whole numbers.", "Release the contacts that slide."]
    assert not any(OPENERS.match(said) for _, said in docstrings(text))
