"""Decision records: the index has each of them once, and records that were changed name those that changed them."""

from __future__ import annotations

import re

from manual.pages import ROOT

FOLDER = ROOT / "docs" / "decisions"
RECORDS = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("0*.md")}
NUMBER = re.compile(r"\b(0\d{3})\b")


def entries() -> list[str]:
    """Records that the index lists, in its order."""
    return [
        line for line in (FOLDER / "index.md").read_text(encoding="utf-8").splitlines() if re.match(r"0\d{3}-", line)
    ]


def notes(text: str) -> str:
    """Title of a record and the line below it, which name the records that changed it."""
    title, _, rest = text.partition("\n\n")
    first = rest.partition("\n\n")[0]
    return f"{title}\n{first if first.startswith('*') and not first.startswith('**') else ''}"


def test_index_has_every_record_once() -> None:
    assert sorted(entries()) == sorted(RECORDS)


def test_titles_begin_with_the_number_of_the_file() -> None:
    assert [name for name, text in RECORDS.items() if not text.startswith(f"# {name[:4]} ")] == []


def test_replaced_records_name_a_later_one() -> None:
    numbers = {name[:4] for name in RECORDS}
    wrong = [
        (name, number)
        for name, text in RECORDS.items()
        for number in NUMBER.findall(notes(text))
        if number != name[:4] and (number not in numbers or number < name[:4])
    ]
    assert wrong == []


def test_replacements_are_marked_where_they_are_replaced() -> None:
    found = []
    for name, text in RECORDS.items():
        body = text.replace(notes(text).splitlines()[-1], "")
        for sentence in re.split(r"(?<=[.;:])\s+(?=[A-Z0-9*])", body):
            if re.search(r"\b(?:this|This) replaces\b", sentence):
                found += [
                    (old, name[:4])
                    for old in NUMBER.findall(re.sub(r"\(0\d{3}-[^)]*\)", "", sentence))
                    if old < name[:4]
                ]
    assert len(found) >= 6
    texts = {name[:4]: text for name, text in RECORDS.items()}
    assert [(old, new) for old, new in found if new not in notes(texts[old])] == []
