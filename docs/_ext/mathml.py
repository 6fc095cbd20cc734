"""Formulas as MathML: every browser draws it by itself, without scripts and without a network."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util.math import get_node_equation_number


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"version": "1", "parallel_read_safe": True}


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.math_block) -> None:
    """A formula on a line of its own, with its number and a link to it where it has a label."""
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(convert(_aligned(node.astext()), display="block"))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def _aligned(text: str) -> str:
    """Lines that are to stand under each other, as Sphinx lets one write them."""
    return rf"\begin{{aligned}}{text}\end{{aligned}}" if r"\\" in text and r"\begin" not in text else text
