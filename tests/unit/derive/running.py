"""Expressions computed as kernels are: emitted as assembly, compiled, and called."""

import ctypes

import numpy as np

from flexura.derive.expression import symbol
from flexura.derive.expression_assembly import Writer
from flexura.derive.machine_code import load

FUNCTION = """
{declarations}

define void @evaluate(ptr %in, ptr noalias %out) {{
{lines}
  ret void
}}
"""


def assembly(exprs, names):
    """A function that loads these inputs from an array and stores the expressions in another."""
    writer = Writer({symbol(name): f"%in_{name}" for name in names})
    results = writer.write(exprs)
    lines = []
    for i, name in enumerate(names):
        lines += [f"%p{i} = getelementptr double, ptr %in, i64 {i}", f"%in_{name} = load double, ptr %p{i}"]
    lines += writer.lines
    for i, result in enumerate(results):
        lines += [f"%o{i} = getelementptr double, ptr %out, i64 {i}", f"store double {result}, ptr %o{i}"]
    return FUNCTION.format(declarations=writer.declarations, lines="\n".join(f"  {line}" for line in lines))


def call(address, inputs, count):
    """What a compiled function of this kind stores."""
    given, out = np.array(inputs, dtype=float), np.full(count, np.nan)
    pointer = ctypes.POINTER(ctypes.c_double)
    function = ctypes.CFUNCTYPE(None, pointer, pointer)(address)
    function(given.ctypes.data_as(pointer), out.ctypes.data_as(pointer))
    return out.tolist()


def run(exprs, inputs):
    """The values of expressions for inputs by name."""
    address = load(assembly(exprs, tuple(inputs)), "evaluate")
    return call(address, list(inputs.values()), len(exprs))
