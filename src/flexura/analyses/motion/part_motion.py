"""Motion and stresses at the nodes inside a reduced part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flexura.elements.element import Element
from flexura.errors import ModelError, did_you_mean
from flexura.nodes import AXIS
from flexura.results.motion import Motion
from flexura.results.part_motion import PartMotion
from flexura.results.providers import provides
from flexura.rotations import triad
from flexura.substructures.substructure import Substructure

Array = NDArray[np.float64]


@provides("part motion")
def part_motion(motion: Motion, element: str, nodes: Sequence[str | int] | None = None) -> PartMotion:
    """Motion of nodes of a superelement, of all if none are named, and its stresses."""
    c = _part(motion, element).content
    names = [str(name) for name in c["names"]] if "names" in c else [str(i) for i in range(len(c["positions"]))]
    chosen = _chosen(names, nodes, element)
    amplitudes = [_amplitudes(motion, element, prime) for prime in ("", "'", "''")]
    # an element may use fewer modes than its part has
    used = amplitudes[0].shape[1]

    # displacements and their rates in the axes of the part, then in space
    own = [np.einsum("nak,tk->tna", c["shapes"][chosen, :, :used], q) for q in amplitudes]
    drawn = motion.names.drawing.numbers(element)
    axes = np.array([list(axis) for axis in triad([drawn[name] for name in AXIS])]).T
    turned = motion.orientation(f"{element}.frame", "cosines") @ axes
    arm, rate, second = (
        np.einsum("tij,tnj->tni", turned, u) for u in (c["positions"][chosen] + own[0], own[1], own[2])
    )

    place, velocity, acceleration = (_of_frame(motion, element, "", prime) for prime in ("", "'", "''"))
    spin, twist = (_of_frame(motion, element, "about_", prime) for prime in ("'", "''"))
    carried = np.cross(spin, arm)
    rows = c["stress"][:, :used] if "stress" in c else np.zeros((0, used))
    return PartMotion(
        title=motion.title,
        element=element,
        t=motion.t,
        nodes=tuple(names[i] for i in chosen),
        axes=("x", "y", "z"),
        displacement=own[0],
        position=place + arm,
        velocity=velocity + carried + rate,
        acceleration=acceleration + np.cross(twist, arm) + np.cross(spin, carried + 2.0 * rate) + second,
        labels=tuple(map(str, c["labels"])) if "labels" in c else (),
        stresses=amplitudes[0] @ rows.T,
    )


def _amplitudes(motion: Motion, element: str, prime: str) -> Array:
    """Amplitudes of the shapes of a superelement, or their rates, a row for each time."""
    names = motion.names.elements[element].coordinates
    return np.array([motion[f"{element}.{name}{prime}"] for name in names]).reshape(len(names), len(motion.t)).T


def _of_frame(motion: Motion, element: str, word: str, prime: str) -> Array:
    """Vector of the frame of a superelement: time, one node, axis."""
    return np.stack([motion[f"{element}.frame.{word}{axis}{prime}"] for axis in "xyz"], axis=1)[:, None]


def _part(motion: Motion, element: str) -> Substructure:
    """The part that a superelement is, or an error."""
    known = motion.model.elements
    if element not in known:
        raise ModelError(f"part '{element}'", f"there is no element '{element}'", did_you_mean(element, list(known)))
    found = _substructure(known[element])
    if found is None:
        parts = [name for name, each in known.items() if _substructure(each) is not None]
        what = f"a {type(known[element]).__name__} has no nodes inside"
        raise ModelError(f"part '{element}'", what, f"name a Superelement: {', '.join(parts) or 'there is none'}")
    return found


def _substructure(element: Element) -> Substructure | None:
    """The first part among the fields of an element."""
    return next((value for value in vars(element).values() if isinstance(value, Substructure)), None)


def _chosen(names: list[str], nodes: Sequence[str | int] | None, element: str) -> list[int]:
    """Numbers of nodes by their names; those without a name have no displacements of their own."""
    if nodes is None:
        return [i for i, name in enumerate(names) if name]
    wanted = [str(node) for node in nodes]
    for name in wanted:
        if not name or name not in names:
            what = f"there is no node '{name}'"
            raise ModelError(f"part '{element}'", what, did_you_mean(name, [known for known in names if known]))
    return [names.index(name) for name in wanted]
