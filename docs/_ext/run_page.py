"""Run the Python blocks of a page as one script, and record what each of them prints and draws.

Usage: python run_page.py PAGE FOLDER. The record is FOLDER/record.json, the pictures lie beside it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENDINGS = (".png", ".gif", ".svg")


def run(page: Path) -> list[dict[str, Any]]:
    """Output and names of pictures of each block, in the present folder."""
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
    text = page.read_text(encoding="utf-8")
    # annotations of classes are looked up in their module
    module = sys.modules["page"] = ModuleType("page")
    record: list[dict[str, Any]] = []
    for match in BLOCK.finditer(text):
        before, printed = pictures(), io.StringIO()
        first = text.count("\n", 0, match.start(1))
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * first + match[1], str(page), "exec"), module.__dict__)
        for figure in shown.values():
            figure.savefig(f"figure_{len(pictures())}.png")
        shown.clear()
        record.append({"printed": printed.getvalue(), "pictures": sorted(pictures() - before)})
    return record


def pictures() -> set[str]:
    """Pictures in the present folder."""
    return {path.name for path in Path().iterdir() if path.suffix in ENDINGS}


if __name__ == "__main__":
    source, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    os.chdir(folder)
    Path("record.json").write_text(json.dumps(run(source)), encoding="utf-8")
