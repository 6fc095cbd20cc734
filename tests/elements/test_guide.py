"""The elements of the guide to one's own elements: each is a file that stands the battery."""

import re

import pytest

from flexura.battery import run_battery
from manual.pages import ROOT, blocks

GUIDE = blocks(ROOT / "docs/guides/own_element.md", "python")
ELEMENTS = [(found[1], text) for text in GUIDE if (found := re.search(r"^class (\w+)\(Element\):", text, re.MULTILINE))]


@pytest.mark.parametrize(("name", "text"), ELEMENTS, ids=[name for name, _ in ELEMENTS])
def test_an_element_of_the_guide_stands_the_battery(name, text, load_file, tmp_path):
    file = tmp_path / f"{name.lower()}.py"
    file.write_text(text)
    assert [str(finding) for finding in run_battery(getattr(load_file(file), name)) if not finding.ok] == []


def test_the_guide_shows_an_element_and_a_contact():
    assert {"Track", "Corner"} <= {name for name, _ in ELEMENTS}
