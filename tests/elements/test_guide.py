"""The elements of the guide to one's own elements: each is a file that stands the battery."""

import pytest

from flexura.battery import run_battery
from manual.pages import ROOT, blocks

GUIDE = [text for text in blocks(ROOT / "docs/guides/own_element.md", "python") if "(Element):" in text]


@pytest.mark.parametrize(("text", "name"), list(zip(GUIDE, ("Track", "Corner"), strict=True)), ids=["Track", "Corner"])
def test_an_element_of_the_guide_stands_the_battery(text, name, load_file, tmp_path):
    file = tmp_path / f"{name.lower()}.py"
    file.write_text(text)
    assert [str(finding) for finding in run_battery(getattr(load_file(file), name)) if not finding.ok] == []
