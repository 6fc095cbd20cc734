"""Record what the code of a page or of an example prints, draws and computes, in the present folder."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURES = (".png", ".gif", ".svg")
PLAYER = "player.html"
"""Results page of an example that computes a motion."""


def run_page(page: Path) -> list[dict[str, Any]]:
    """Run the Python blocks of a page as one script: output and pictures of each block."""
    text = page.read_text(encoding="utf-8")
    record: list[dict[str, Any]] = []
    with _module("page") as module, _open_figures() as shown:
        for match in BLOCK.finditer(text):
            before, printed = _pictures(), io.StringIO()
            first = text.count("\n", 0, match.start(1))
            with contextlib.redirect_stdout(printed):
                exec(compile("\n" * first + match[1], str(page), "exec"), module.__dict__)
            for figure in shown.values():
                figure.savefig(f"figure_{len(_pictures())}.png")
            shown.clear()
            record.append({"printed": printed.getvalue(), "pictures": sorted(_pictures() - before)})
    return record


def run_script(script: Path) -> dict[str, Any]:
    """Run an example as a program: its output, and the number that its ``compute`` finds; the player of a motion."""
    from flexura.results.motion import Motion

    tree = ast.parse(script.read_text(encoding="utf-8"))
    *definitions, program = tree.body
    printed, numbers = io.StringIO(), []
    with _module("__main__") as module, contextlib.redirect_stdout(printed):
        module.__dict__["__file__"] = str(script)
        exec(compile(ast.Module(definitions, []), str(script), "exec"), module.__dict__)
        compute = module.__dict__["compute"]

        def compute_and_note() -> Any:
            found = compute()
            numbers.append(float(found[1]))
            if isinstance(found[0], Motion):
                varying = [row[0] for row in found[0].summary().rows]
                found[0].write_page(*varying[:1], path=PLAYER)
            return found

        module.__dict__["compute"] = compute_and_note
        exec(compile(ast.Module([program], []), str(script), "exec"), module.__dict__)
    return {"printed": printed.getvalue(), "number": numbers[0]}


@contextlib.contextmanager
def _module(name: str) -> Iterator[ModuleType]:
    """Module in which annotations are looked up; elements and results defined in it are gone afterwards."""
    from flexura.elements import element
    from flexura.results import result

    before = sys.modules.get(name)
    module = sys.modules[name] = ModuleType(name)
    try:
        yield module
    finally:
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before
        for registry in (element._registry, result._registry):
            for key in [key for key, entry in registry.items() if entry.__module__ == name]:
                del registry[key]


@contextlib.contextmanager
def _open_figures() -> Iterator[dict[int, Any]]:
    """Figures that are drawn and not written to a file, by identity, in the order of drawing."""
    from flexura.results import figure_registry

    shown: dict[int, Any] = {}
    finish = figure_registry.finish

    def finish_and_note(figure: Any, path: str | None) -> Any:
        if path is None:
            shown[id(figure)] = figure
        else:
            shown.pop(id(figure), None)
        return finish(figure, path)

    figure_registry.finish = finish_and_note
    try:
        yield shown
    finally:
        figure_registry.finish = finish


def _pictures() -> set[str]:
    """Pictures in the present folder."""
    return {path.name for path in Path().iterdir() if path.suffix in PICTURES}
