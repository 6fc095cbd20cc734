"""Formulas as MathML: every browser draws it by itself, without a network.

Equations that stand beside each other are formulas of their own, which a narrow page puts below each other. What is
still too wide is made smaller by a script, or scrolls where scripts are off.
"""

from __future__ import annotations

import re
from typing import Any
from unicodedata import lookup

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util.math import get_node_equation_number

# browsers know bold and sans serif letters only as characters of their own
ALPHABETS = {"mathbf": (0x1D400, 0x1D41A), "mathsf": (0x1D5A0, 0x1D5BA)}
LETTER = re.compile(r"\\(mathbf|mathsf)(?:\s+([A-Za-z])|\{([A-Za-z])\})")
GREEK = re.compile(r"\\boldsymbol(?:\{\\([A-Za-z]+)\}|\\([A-Za-z]+))")
PRIMES = re.compile(r"('+)(?:\^(\{|\w))?")
OPENING, SPACES = ("{", r"\begin", r"\left"), (r"\quad", r"\qquad")
MARKS = re.compile(r"\\(?:begin|end|left|right|quad|qquad)(?![A-Za-z])|(?<!\\)[{}]")
BAR = '<mo stretchy="false">&#x0007C;</mo>'


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"version": "1", "parallel_read_safe": True}


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(written(node.astext()))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.math_block) -> None:
    """A formula on a line of its own, with its number and a link to it where it has a label."""
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body += [written(piece, display="block") for piece in pieces(node.astext())]
    if node["number"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def pieces(formula: str) -> list[str]:
    """Equations of a formula that a wide space parts, outside of brackets and environments."""
    found, depth, begin = [], 0, 0
    for mark in MARKS.finditer(formula):
        if mark[0] in SPACES and depth == 0:
            found.append(formula[begin : mark.start()])
            begin = mark.end()
        elif mark[0] not in SPACES:
            depth += 1 if mark[0] in OPENING else -1
    return [piece for piece in (*found, formula[begin:]) if piece.strip()]


def written(formula: str, display: str = "inline") -> str:
    """A formula of TeX as MathML; the bars of a norm stand close to what they hold."""
    plain = LETTER.sub(_letter, GREEK.sub(_greek, formula))
    text = convert(PRIMES.sub(_prime, plain), display=display)
    return text.replace(BAR, BAR.replace("<mo", '<mo lspace="0" rspace="0"'))


def _prime(match: re.Match[str]) -> str:
    """Primes as one raised sign, together with what else is raised."""
    raised = match[2] or ""
    return "^{" + "′″‴"[len(match[1]) - 1] + ("" if raised == "{" else raised + "}")


def _letter(match: re.Match[str]) -> str:
    upper, lower = ALPHABETS[match[1]]
    letter = match[2] or match[3]
    return chr(upper + ord(letter) - ord("A") if letter.isupper() else lower + ord(letter) - ord("a"))


def _greek(match: re.Match[str]) -> str:
    word = match[1] or match[2]
    size = "CAPITAL" if word[0].isupper() else "SMALL"
    letter = word.removeprefix("var").upper().replace("LAMBDA", "LAMDA")
    return lookup(f"MATHEMATICAL BOLD {size} {letter}")
