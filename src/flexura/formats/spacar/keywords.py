"""Keywords of SPACAR files: the form of their lines and the modules in which they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flexura.formats.spacar.lines import DYNAMICS, KINEMATICS, LINEARISATION

Target = Literal["node", "element", "nothing", "number", "name"]


@dataclass(frozen=True)
class Form:
    """Form of a line: a target, then whole numbers, then real ones; each with the least and the greatest count."""

    module: int
    target: Target
    whole: tuple[int, int] = (0, 0)
    reals: tuple[int, int] = (0, 0)

    @property
    def meaning(self) -> str:
        """The arguments in words, for messages."""
        parts = {"nothing": [], "name": ["the name of a routine"], "number": ["a number"]}.get(
            self.target, [f"the number of {_article(self.target)}"]
        )
        inner = "strains" if self.target == "element" else "coordinates"
        parts += [f"{_count(self.whole)} {inner}"] if self.whole[1] else []
        parts += [f"{_count(self.reals)} real numbers"] if self.reals[1] else []
        return ", ".join(parts)


def _article(word: str) -> str:
    return f"an {word}" if word == "element" else f"a {word}"


def _count(span: tuple[int, int]) -> str:
    return f"{span[0]}" if span[0] == span[1] else f"{span[0]} to {span[1]}"


def _list(module: int, target: Target, least: int = 1) -> Form:
    return Form(module, target, (least, 8))


def _reals(target: Target, least: int, most: int, module: int = DYNAMICS) -> Form:
    return Form(module, target, (0, 0), (least, most))


def _value(target: Target, least: int, most: int) -> Form:
    return Form(DYNAMICS, target, (1, 1), (least, most))


_CONDITIONS = {
    "FIX": _list(KINEMATICS, "node", 0),
    "INPUTX": _list(KINEMATICS, "node"),
    "INPUTE": _list(KINEMATICS, "element"),
    "DYNX": _list(KINEMATICS, "node"),
    "DYNE": _list(KINEMATICS, "element"),
    "RLSE": _list(KINEMATICS, "element"),
    "KINX": _list(KINEMATICS, "node"),
    "KINE": _list(KINEMATICS, "element"),
    "LINE": _list(KINEMATICS, "element"),
    "ENHC": Form(KINEMATICS, "element", (3, 3)),
    "X": _reals("node", 2, 3, KINEMATICS),
    "XY": _reals("node", 2, 2, KINEMATICS),
    "XYZ": _reals("node", 3, 3, KINEMATICS),
}
_PROPERTIES = {
    "XM": _reals("node", 1, 6),
    "MASS": _reals("node", 1, 6),
    "EM": _reals("element", 1, 6),
    "EMASS": _reals("element", 1, 6),
    "ESTIFF": _reals("element", 1, 7),
    "EDAMP": _reals("element", 1, 7),
    "EDAMPP": _reals("element", 1, 7),
    "ESIG": _reals("element", 1, 8),
    "XF": _reals("node", 1, 4),
    "FORCE": _reals("node", 1, 4),
    "DELXF": _reals("node", 1, 4),
    "DELINPX": _value("node", 1, 1),
    "DELINPE": _value("element", 1, 1),
    "STARTDX": _value("node", 1, 2),
    "STARTDE": _value("element", 1, 2),
    "XD": _value("node", 1, 1),
    "E": _value("element", 1, 1),
    "ED": _value("element", 1, 1),
    "GRAVITY": _reals("nothing", 2, 3),
    "TIMESTEP": _reals("nothing", 2, 2),
    "ITERSTEP": _reals("nothing", 2, 6),
    "USERINP": Form(DYNAMICS, "name"),
    "USERSIG": Form(DYNAMICS, "name"),
}
_VALUES = {"INPUTX": _value("node", 1, 3), "INPUTE": _value("element", 1, 3)}
"""Keywords that declare in the kinematics module and give values in that of dynamics."""

_SYSTEM = {
    **{word: Form(LINEARISATION, "number", (2, 2)) for word in ("INPUTF", "OUTX", "OUTXP", "OUTF", "NOMF")},
    **{word: Form(LINEARISATION, "number", (2, 2)) for word in ("INPUTS", "OUTE", "OUTEP", "OUTS", "NOMS")},
    **{f"REF{kind}{rate}": Form(LINEARISATION, "number", (2, 2)) for kind in "XE" for rate in ("", "P", "DP")},
}
SETTINGS = {"OUTLEVEL", "EPSKIN", "EPSINT", "EPSIND", "HMAX", "MAXITERAT", "FORCEMODE", "ANIMATE", "MATASC", "JOBID"}
"""Keywords without effect on a model: amounts of output and tolerances."""

DRAWING = {"BEAMVIS", "TRUSSVIS"}


def form_of(keyword: str, module: int) -> Form | None:
    """Form of a line of a keyword in a module; None if there is no such keyword."""
    if module in {DYNAMICS, LINEARISATION} and keyword in _VALUES:
        return _VALUES[keyword]
    return (_CONDITIONS | _PROPERTIES | _SYSTEM).get(keyword)


@dataclass(frozen=True)
class ElementForm:
    """Line of an element: kinds of its nodes (x position, r orientation, w warping), direction, strains."""

    space: Literal["planar", "spatial", ""]
    """empty where both are possible"""
    nodes: str
    direction: tuple[int, ...]
    """possible counts of the numbers of a direction"""
    strains: tuple[str, ...]
    """names of the strains in Flexura, in the order of SPACAR"""


_BEAM = ("elongation", "torsion", "bending_y_p", "bending_y_q", "bending_z_p", "bending_z_q")
_PLANAR = ("elongation", "bending_p", "bending_q")

ELEMENTS = {
    "BEAM": ElementForm("spatial", "xrxr", (0, 3), _BEAM),
    "BEAMNL": ElementForm("spatial", "xrxr", (0, 3), _BEAM),
    "BEAMW": ElementForm("spatial", "xrwxrw", (0, 3), (*_BEAM, "", "")),
    "RBEAM": ElementForm("spatial", "xrxr", (0,), _BEAM),
    "TRUSS": ElementForm("spatial", "xx", (0,), ("elongation",)),
    "HINGE": ElementForm("spatial", "rr", (3,), ("rotation", "bending_y", "bending_z")),
    "PINBODY": ElementForm("spatial", "xrx", (0,), ("along_x", "along_y", "along_z")),
    "WHEEL": ElementForm("spatial", "xrx", (3,), ("radial", "lateral", "height", "along", "across")),
    "PLBEAM": ElementForm("planar", "xrxr", (0,), _PLANAR),
    "PLBEAMNL": ElementForm("planar", "xrxr", (0,), _PLANAR),
    "PLRBEAM": ElementForm("planar", "xrxr", (0,), _PLANAR),
    "PLTRUSS": ElementForm("planar", "xx", (0,), ("elongation",)),
    "PLHINGE": ElementForm("planar", "rr", (0,), ("rotation",)),
    "PLTOR": ElementForm("planar", "rr", (0,), ("rotation",)),
    "PLPINBODY": ElementForm("planar", "xrx", (0,), ("along_x", "along_y")),
}
WITHOUT_SOURCE = {
    "TUBE",
    "SCREW",
    "PLTUBE",
    "PLBEARING",
    "BEARING",
    "BELT",
    "PLBELT",
    "GEAR",
    "PLGEAR",
    "PLWHEEL",
    "SLIDER",
}
"""Elements of SPACAR whose input lines no source of this importer describes."""


def keywords() -> list[str]:
    """All keywords that are understood."""
    return sorted({*_CONDITIONS, *_PROPERTIES, *_SYSTEM, *ELEMENTS, *SETTINGS, "END", "HALT"})
