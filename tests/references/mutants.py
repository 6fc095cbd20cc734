"""Mutants of model files: text, values, types, sizes and structure, each reproducible from a seed and a number."""

from __future__ import annotations

import copy
import random
import tomllib
from pathlib import Path

from flexura.model import toml

GALLERY = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))

NUMBERS = (
    0,
    -1,
    1,
    2,
    3,
    0.0,
    -0.0,
    1e-300,
    1e-12,
    1e-3,
    0.5,
    1e3,
    1e12,
    1e100,
    1e200,
    -1e308,
    10**30,
    2**63,
    -(2**63),
)
NUMBERS = (*NUMBERS, float("nan"), float("inf"), -float("inf"))
TEXTS = (
    "",
    " ",
    "\0",
    "A\0B",
    "\x1b[31mred\x1b[0m",
    "\x9b2J",
    "\u202edcba",
    "t",
    "0/0",
    "1/t",
    "1e999",
    "sqrt(-1)",
    "t^t^t^t",
    "((((((((((((((((t))))))))))))))))",
    "9**9**9",
    "__import__('os')",
    "$\\frac{",
    "nodes",
    "A.x",
    "A.x'",
    "a" * 1000,
    ".".join("a" * 500),
    "é" * 100,
    "../../outside",
    "-inf",
)
LISTS = ([], [[]], [0.0], [0.0, 0.0], [1.0, 2.0, 3.0], ["A"], [[0.0, 0.0], [1.0, 1.0]], [{}], [1e300] * 7, ["a", 1])
TABLES = ({}, {"": ""}, {"a": {"b": {"c": {}}}}, {"type": "Beam"}, {"sine": {}}, {"ramp": {"rate": 1e100}}, {"x": 0.0})
SYNTAX = (
    "[",
    "]",
    "{",
    "}",
    "=",
    '"',
    "'",
    ".",
    ",",
    "\n",
    "\\",
    "#",
    "\0",
    "\x1b",
    "inf",
    "nan",
    "[[",
    "]]",
    "1e999",
    "\ud7ff",
)


def mutant(seed: int, number: int) -> str:
    """Text of a damaged model file."""
    chosen = random.Random(f"{seed} {number}")
    text = chosen.choice(GALLERY).read_text(encoding="utf-8")
    if chosen.random() < 0.35:
        for _ in range(chosen.choice((1, 1, 2, 5))):
            text = _damaged_text(text, chosen)
        return text
    data = tomllib.loads(text)
    for _ in range(chosen.choice((1, 1, 1, 2, 4))):
        _damage(data, chosen)
    try:
        return toml.dumps(data, nested=("runs",))
    except (TypeError, AttributeError):  # a table of the file has become something else
        return _damaged_text(text, chosen)


def _damaged_text(text: str, chosen: random.Random) -> str:
    """Characters or lines lost, doubled, exchanged or put in."""
    at = chosen.randrange(len(text) + 1)
    length = chosen.choice((1, 2, 5, 20, 200))
    way = chosen.randrange(6)
    if way == 0:
        return text[:at] + text[at + length :]
    if way == 1:
        return text[:at] + text[at : at + length] * 2 + text[at + length :]
    if way == 2:
        return text[:at] + chosen.choice(SYNTAX) * chosen.choice((1, 1, 1, 3, 50, 2000)) + text[at:]
    if way == 3:
        return text[:at]
    if way == 4:
        return text[:at] + chr(chosen.randrange(1, 0x500)) + text[at + 1 :]
    lines = text.split("\n")
    i, j = chosen.randrange(len(lines)), chosen.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


def _damage(data: dict, chosen: random.Random) -> None:
    """Change one entry somewhere in the tree: its value, its type, its key, its place or its absence."""
    holders = [holder for holder in _holders(data) if len(holder)]
    holder = chosen.choice(holders)
    key = chosen.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    way = chosen.random()
    if way < 0.15:
        del holder[key]
    elif way < 0.25 and isinstance(holder, dict):
        other = chosen.choice([*holder, *chosen.choice(holders)]) if chosen.random() < 0.5 else chosen.choice(TEXTS)
        holder[str(other)] = holder.pop(key)
    elif way < 0.35:
        other = chosen.choice(holders)
        source = chosen.choice(list(other.values()) if isinstance(other, dict) else other)
        holder[key] = copy.deepcopy(source)
    elif way < 0.45 and isinstance(holder[key], float | int):
        holder[key] = holder[key] * chosen.choice((-1, 0, 2, 1e-9, 1e9, 1e-3, 1e3, 1.0000001))
    else:
        holder[key] = copy.deepcopy(
            chosen.choice(chosen.choice((NUMBERS, NUMBERS, TEXTS, LISTS, TABLES, (True, False))))
        )


def _holders(data: object) -> list:
    """All tables and lists of a tree."""
    if not isinstance(data, dict | list):
        return []
    inner = data.values() if isinstance(data, dict) else data
    return [data, *(found for each in inner for found in _holders(each))]
