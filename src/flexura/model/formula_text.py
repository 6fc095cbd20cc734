r"""Formulas of docstrings as plain text: ``\dot\varepsilon`` becomes ``ε'``."""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import fill

_LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "vartheta": "ϑ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ell": "ℓ", "nabla": "∇",
}  # fmt: skip
_SIGNS = {
    "cdot": "·", "times": "×", "pm": "±", "mp": "∓", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠",
    "approx": "≈", "to": "→", "infty": "∞", "int": "∫", "sum": "Σ", "in": "∈", "partial": "∂", "quad": "   ",
    "qquad": "     ", "dots": "…", "ldots": "…", "circ": "°", "left": "", "right": "", "lvert": "|", "rvert": "|",
}  # fmt: skip
_PLAIN = _LETTERS | _SIGNS
_STYLES = r"\\(?:mathbf|boldsymbol|mathrm|mathit|mathcal|text|operatorname)"
_HALVES = {"12": "½", "13": "⅓", "14": "¼", "16": "⅙", "18": "⅛", "23": "⅔", "34": "¾"}
_LIST = re.compile(r"^\s*(?:[-*] |\d+\. )")
_GROUP = r"\{([^{}]*)\}"


def plain_formula(text: str) -> str:
    """Text whose formulas are written in plain letters and signs."""
    text = re.sub(r"\\begin\{\w+\}|\\end\{\w+\}|(?<!\\)&", "", text)
    text = re.sub(r"\\[,;:!] ?|\\ ", " ", text.replace("\\\\", "\n"))
    text = re.sub(r"\\([A-Za-z]+)", lambda found: _PLAIN.get(found[1], found[0]), text)
    text = re.sub(rf"{_STYLES}\s*{_GROUP}", r"\1", text)
    text = re.sub(rf"{_STYLES}\s*", "", text)
    for command, mark in (("ddot", "''"), ("dot", "'")):
        text = re.sub(rf"\\{command}\s*(?:{_GROUP}|(\w))(_\w|_{_GROUP})?", _primed(mark), text)
    text = re.sub(r"\\t?frac\s*(\d)\s*(?:(\d)|\{(\d+)\})", _number, text)
    # inner groups before outer ones
    for _ in range(4):
        text = re.sub(rf"\\[td]?frac\s*{_GROUP}\s*{_GROUP}", _quotient, text)
        text = re.sub(rf"\\sqrt\s*{_GROUP}", r"√(\1)", text)
        text = re.sub(rf"_{_GROUP}", r"_\1", text)
        text = re.sub(rf"\^{_GROUP}", r"^\1", text)
    text = re.sub(r"(?<=\w)\\([a-z]+)", r" \\\1", text)
    text = re.sub(r"\\([a-z]+)(?![a-z])(?=[^(\s\]|,)])", r"\1 ", text)
    for power, raised in (("^2", "²"), ("^3", "³"), ("^T", "ᵀ"), ("^-1", "⁻¹")):
        text = text.replace(power, raised)
    return re.sub(r"[{}\\]", "", text)


def reflowed(text: str, width: int = 100) -> str:
    """Paragraphs filled to a width; formulas that stand side by side get a line each, and lists stay as they are."""
    return "\n\n".join(
        part if _LIST.match(part) else "\n".join(fill(line, width) for line in _pieces(part))
        for part in re.split(r"\n\s*\n", text)
    )


def _pieces(paragraph: str) -> list[str]:
    """Lines of a paragraph: formulas side by side are three spaces apart."""
    line = re.sub(r"\n\s*", " ", paragraph.strip())
    # a condition in brackets belongs to the formula before it
    return [" ".join(piece.split()) for piece in re.split(r" {3,}(?![ (])", line)]


def _primed(mark: str) -> Callable[[re.Match[str]], str]:
    def write(found: re.Match[str]) -> str:
        return f"{found[1] or found[2]}{found[3] or ''}{mark}"

    return write


def _number(found: re.Match[str]) -> str:
    """A quotient of two whole numbers."""
    lower = found[2] or found[3]
    return _HALVES.get(found[1] + lower, f"{found[1]}/{lower}")


def _quotient(found: re.Match[str]) -> str:
    upper, lower = (part if re.fullmatch(r"\w+", part) else f"({part})" for part in (found[1], found[2]))
    return f"{upper}/{lower}"
