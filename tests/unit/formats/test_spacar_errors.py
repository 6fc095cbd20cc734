"""Messages about SPACAR files that are wrong, damaged or hostile."""

import random
import re
import time

import pytest

import flexura as fx
from flexura.formats.registry import FormatWarning
from flexura.formats.spacar import parse_spacar
from flexura.formats.spacar.keywords import ELEMENTS
from flexura.model.files import dumps
from references.spacar_models import FOLDER

FILES = sorted(FOLDER.glob("*.dat"))
TEXTS = [path.read_text() for path in FILES]
BEAM = "PLBEAM 1 1 2 3 4\nX 1 0 0\nX 3 1 0\nFIX 1\n"
CLOSED = "END\nHALT\n{}END\nEND\n"
SOON = 10.0
"""Seconds of processor time: a pass over the lines takes one or two, a search of all lines for each of them minutes."""


def message(text):
    with pytest.raises(fx.ModelError) as caught:
        parse_spacar(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("PLBEM 1 1 2 3 4\n", "line 1: there is no keyword 'PLBEM'; did you mean 'PLBEAM'?"),
        ("PLBEAM 1 1 2 3\n", "line 1: PLBEAM has 4 numbers, and needs 5; give an element number, 4 nodes"),
        (BEAM + "DYNE 2 1\n", "line 5: DYNE: there is no element 2; elements are 1"),
        (BEAM + "DYNE 1 4\n", "line 5: DYNE: element 1 has no strain 4; it has 3"),
        (BEAM + "FIX 9\n", "line 5: FIX: no element has the node 9; check its number"),
        (BEAM + "FIX 3 3\n", "line 5: FIX: node 3 has no coordinate 3; it has 2"),
        (BEAM + "X 2 0 0\n", "line 5: X: node 2 is an orientation in line 1; X gives the position of a position node"),
        (BEAM + "X 3 1 0\n", "line 5: X 3 was given in line 3; leave one of the two lines out"),
        (BEAM + "PLBEAM 1 1 2 3 5\n", "line 5: element 1 was given in line 1; give it another number"),
        (BEAM + "PLBEAM 2 3 1 5 6\n", "line 5: node 1 is an orientation here and a position in line 1"),
        (BEAM + "BEAM 2 3 4 5 6\n", "line 5: BEAM is an element of space, and the file has planar elements"),
        (BEAM + "GEAR 2 3 4\n", "line 5: the form of lines of GEAR is not known to this importer"),
        (BEAM + "ESTIFF 1 2 3\n", "line 5: ESTIFF stands in module 1, and belongs to module 2"),
        (BEAM + "END\nX 1 1 1\n", "line 5: END is followed by 'X' in line 6"),
        (BEAM + CLOSED.format("EM 1 abc\n"), "line 7: EM: 'abc' is not a number; write numbers as 12, 0.5 or 1.5e-3"),
        (BEAM + CLOSED.format("EM 1 1e999\n"), "line 7: EM: '1e999' is not a number"),
        (BEAM + CLOSED.format("INPUTX 2 1 0 1\n"), "line 7: INPUTX: e1.p.phi is not declared as an input"),
        (BEAM + "DYNE 1 1\nINPUTE 1 1\n", "line 6: strain 1 of element 1 is in DYNE in line 5"),
        ("PLBEAM 1 1 2 3 4\nX 1 0 0\nX 3 0 0\n", "line 1: PLBEAM 1 is 0 m long"),
        ("% nothing\n\n", "line 1: the file has no lines but blank ones and comments"),
    ],
)
def test_mistakes_have_a_line_and_a_remedy(text, said):
    found = message(text)
    assert found.startswith(said)
    assert ";" in found


def test_what_is_left_out_is_one_warning(tmp_path):
    path = tmp_path / "case.dat"
    path.write_text(
        BEAM + "DYNE 1 2 3\n" + CLOSED.format("EM 1 2 0.5\nUSERSIG springs\nDELXF 3 0 1\nESTIFF 1 0 5 .3\n")
    )
    with pytest.warns(FormatWarning) as caught:
        fx.load_spacar(path)
    (warning,) = caught
    assert [line.strip() for line in str(warning.message).split("\n")] == [
        "case.dat: the model differs from the file:",
        "line 9: left out: USERSIG: the user routine springs is code, which is not imported",
        "line 10: left out: DELXF acts in load steps only, and the file has no ITERSTEP",
    ]


# ── damage ───────────────────────────────────────────────────────────────────────────────────────────────────────────

GARBAGE = ["abc", "nan", "inf", "1e999", "-", "0x1f", "12345678901", "1,5", "-3", "0", "1.5", "77", "é", "{", "--1"]


def cut(chance, text, at):
    return text[:at]


def without_a_character(chance, text, at):
    return text[:at] + text[at + 1 :]


def with_a_character(chance, text, at):
    return text[:at] + chance.choice("xX1.-e %#*\t\0é") + text[at:]


def with_other_words(chance, text, at):
    """One line has a word less, a word more, another word, words in another order, or another keyword."""
    lines = text.split("\n")
    i = chance.choice([k for k, line in enumerate(lines) if line.strip()] or [0])
    words = lines[i].split() or [""]
    other = list(words)
    other[chance.randrange(len(words))] = chance.choice(GARBAGE)
    changed = [words[:-1], [*words, chance.choice(GARBAGE)], other, words[::-1], [words[0][:-1], *words[1:]]]
    lines[i] = " ".join(chance.choice(changed))
    return "\n".join(lines)


def with_other_lines(chance, text, at):
    """One line is given twice or stands elsewhere; an element or the end of a module is missing."""
    lines = text.split("\n")
    i, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(3)
    if kind == 0:
        lines.insert(i, lines[i])
    elif kind == 1:
        lines.insert(to, lines.pop(i))
    elif lines[i][:2].upper() in {"EN", "HA", "PL", "BE", "HI"}:
        del lines[i]
    else:
        del lines[:i]
    return "\n".join(lines)


DAMAGES = [cut, without_a_character, with_a_character, *3 * [with_other_words], *3 * [with_other_lines]]


def damaged(seed):
    chance = random.Random(seed)
    text = chance.choice(TEXTS)
    for _ in range(chance.choice([1, 1, 2])):
        text = chance.choice(DAMAGES)(chance, text, chance.randrange(len(text) or 1))
    return text


def numbers_in(text):
    return {float(word) for word in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?(?![\w.])", text)}


def unaccounted(text, imported):
    """Lines whose numbers are neither in the model nor in the runs nor in a note."""
    noted = {int(number) for note in imported.notes for number in re.findall(r"\d+", note.where)}
    split = [(i, line.upper().split()) for i, line in enumerate(text.split("\n"), start=1)]
    elements = {words[1]: i for i, words in split if len(words) > 1 and words[0] in ELEMENTS}
    planar = imported.model.dimension == 2
    known = numbers_in(dumps(imported.model)) | numbers_in(str(imported.runs)) | {0.0}
    for number, line in enumerate(text.split("\n"), start=1):
        plain = "" if line.lstrip().startswith("*") else re.sub("[%#;].*", "", line)
        words = plain.upper().split()
        # what is derived: time constants, shear stiffnesses, inertia about the axis; what lists strains and nodes
        first = {"X": 2, "XM": 2, "MASS": 2, "EM": 2, "XF": 2, "FORCE": 2, "ESTIFF": 2, "INPUTX": 3, "ED": 3}.get(
            words[0] if words else "", 99
        )
        last = {"EM": 3, "ESTIFF": 4 if planar else 6, "INPUTX": 5}.get(words[0] if words else "", 99)
        values = [abs(float(word)) for word in words[first:last]]
        lost = any(value not in {abs(k) for k in known} for value in values)
        if lost and number not in noted and elements.get(words[1]) not in noted:
            yield number, line


def attempt(text):
    """The imported model, or the error."""
    try:
        return parse_spacar(text), None
    except fx.ModelError as error:
        return None, error


@pytest.mark.parametrize("seed", range(200))
def test_damaged_files_raise_an_error_or_lose_nothing_in_silence(seed):
    text = damaged(seed)
    began = time.process_time()
    imported, error = attempt(text)
    if error is not None:
        assert re.search(r"line \d+", str(error)), str(error)
        assert error.remedy
    else:
        lost = list(unaccounted(text, imported))
        assert not lost or imported.losses, lost
    assert time.process_time() - began < SOON


def test_undamaged_files_lose_nothing():
    for text in TEXTS:
        imported = parse_spacar(text)
        assert list(unaccounted(text, imported)) == []
        assert imported.losses == ()


# ── hostile files ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        BEAM + "FIX " + "9" * 100_000 + "\n",
        BEAM + "X 5 " + "1" * 100_000 + " 0\n",
        BEAM + "FIX 1 1 " * 50_000 + "\n",
        "\n" * 300_000,
        "END\n" * 100_000,
        BEAM + "DYNE 1 1\n" * 100_000,
        "PLBEAM 9999999 9999998 9999997 9999996 9999995\n" * 2,
        "".join(f"TRUSS {i} {i} {i + 1}\n" for i in range(1, 50_000)),
    ],
    ids=["long number", "long real", "long line", "blank", "ends", "repeated", "large numbers", "many elements"],
)
def test_hostile_files_are_refused_soon(text):
    began = time.process_time()
    assert "line" in message(text)
    assert time.process_time() - began < SOON


def test_binary_noise_and_large_files_are_refused(tmp_path):
    noise = tmp_path / "noise.dat"
    noise.write_bytes(random.Random(1).randbytes(100_000))
    with pytest.raises(fx.ModelError, match=r"noise.dat: line \d+: this is binary data, not text; give a text file"):
        fx.load_spacar(noise)
    with (tmp_path / "huge.dat").open("wb") as file:
        file.truncate(10**10)
    with pytest.raises(fx.ModelError, match=r"huge\.dat: the file is larger than 10 MB"):
        fx.load_spacar(tmp_path / "huge.dat")
