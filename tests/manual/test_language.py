"""Documents use the textbook's words: sentences and names that were replaced do not come back."""

from __future__ import annotations

import re

import pytest

from flexura.functions import FORMULAS
from manual.pages import PAGES, ROOT, name

REPLACED = {
    r"with its stiffness said": "To make a link flexible, give it a stiffness.",
    r"[Oo]ne file an element": "Each element is one file.",
    r"joint that is not tight": "In a joint with clearance …",
    r"Draw the two parts apart, at the same place": "Give each part its own node at the same coordinates.",
    r"Geometry is the element's, physics the law's": "The element defines the geometry, the contact law the force.",
    r"is told well": "is predicted well",
    r"[Ww]here the wishes contradict": "Contradictory conditions raise an error.",
    r"take samples enough": "Sample fast enough to avoid aliasing.",
    r"What was built of a model is kept": "Assembled models are cached.",
    r"there is no motion until": "the last output time must be positive",
    r"what rolls is integrated": "rolling constraints need an explicit method",
    r"Motions that change nothing": "Symmetries of the equations of motion.",
    r"Who sticks and who slides": "Stick–slip transitions.",
    r"\bjoints? with play\b": "joint with clearance",
    r"\bwishes\b": "conditions",
    r"`?Rocker\b": "RollingBody",
    r"\bpin\.rim\b": "pin.gap",
}
"""Words that were replaced, as patterns, and their replacement."""

IN_PAGES = REPLACED | {
    r"\b[Bb]lows?\b": "impact",
    r"\bunless given\b": "default",
    r"^# \d+\. ": "the number of a record, with four digits and no point",
}
"""Also words that only the documents replace: the source abbreviates."""

TELLS_OLD_NAMES = ("CHANGELOG.md", "docs/decisions/0024-textbook-names.md")
"""Pages that name what was replaced."""

OPENERS = re.compile(r"^(?:What|Whether|Who|Whose|Those that|Which)\b[^?]*\.$")
"""A paragraph of a document that is a clause rather than a sentence."""


@pytest.mark.parametrize("page", [page for page in PAGES if name(page) not in TELLS_OLD_NAMES], ids=name)
def test_replaced_words_are_gone(page) -> None:
    text = page.read_text(encoding="utf-8")
    found = [f"{old!r}: write {new!r}" for old, new in IN_PAGES.items() if re.search(old, text)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_paragraphs_are_sentences(page) -> None:
    found = [line for line in page.read_text(encoding="utf-8").splitlines() if OPENERS.match(line.strip())]
    assert not found, "\n".join(found)


def test_source_uses_the_replacements_too() -> None:
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {old!r}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for old in REPLACED
        if re.search(old, path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_every_function_of_formulas_is_listed() -> None:
    text = (ROOT / "docs" / "guides" / "model.md").read_text(encoding="utf-8")
    assert [function for function in FORMULAS if f"| `{function}(" not in text] == []
