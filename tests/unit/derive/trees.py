"""Random expressions: trees that can be built of symbols, of numbers, or of anything that has the functions."""

import math

from hypothesis import strategies as st

from flexura.derive.expression import as_expr, call

NAMES = ("t", "e", "v")

# trees of smooth or continuous functions, all of modest size, so that rounding stays small
leaves = st.sampled_from(NAMES) | st.integers(-12, 12).map(lambda n: n / 4)
PAIRS = {
    "+": lambda a, b, _: a + b,
    "-": lambda a, b, _: a - b,
    "*": lambda a, b, _: a * b,
    "/": lambda a, b, _: a / (b * b + 1.0),
    "max": lambda a, b, f: f["maximum"](a, b),
    "atan2": lambda a, b, f: f["atan2"](a, b * b + 0.5),
}
SINGLES = {
    "sin": lambda a, f: f["sin"](a),
    "cos": lambda a, f: f["cos"](a),
    "tanh": lambda a, f: f["tanh"](a),
    "tan": lambda a, f: f["tan"](f["tanh"](a)),
    "exp": lambda a, f: f["exp"](f["sin"](a)),
    "log": lambda a, f: f["log"](a * a + 0.1),
    "abs": lambda a, f: f["absolute"](a),
    "root": lambda a, f: (a * a + 0.1) ** 0.5,
    "cube": lambda a, f: f["tanh"](a) ** 3,
    "sixth": lambda a, f: (a * a + 0.5) ** -6,
    "five halves": lambda a, f: (a * a + 0.5) ** -2.5,
    "third": lambda a, f: (a * a + 0.5) ** (1 / 3),
}


def grow(children):
    pairs = st.tuples(st.sampled_from(sorted(PAIRS)), children, children)
    return pairs | st.tuples(st.sampled_from(sorted(SINGLES)), children)


trees = st.recursive(leaves, grow, max_leaves=12)
SYMBOLIC = {name: lambda *a, name=name: call(name, *map(as_expr, a)) for name in ("maximum", "atan2", "sin", "cos")}
SYMBOLIC |= {name: lambda a, name=name: call(name, as_expr(a)) for name in ("tanh", "tan", "exp", "log", "absolute")}
NUMERIC = {"maximum": max, "atan2": math.atan2, "absolute": abs}
NUMERIC |= {name: getattr(math, name) for name in ("sin", "cos", "tanh", "tan", "exp", "log")}


def build(tree, values, functions):
    """The value of a tree, given what its names and functions are."""
    if isinstance(tree, str):
        return values[tree]
    if isinstance(tree, float):
        return tree
    head, *rest = tree
    arguments = [build(branch, values, functions) for branch in rest]
    return (PAIRS if len(arguments) == 2 else SINGLES)[head](*arguments, functions)
