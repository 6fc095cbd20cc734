"""Lowest modes of vibration about a state of rest, also of models with very many elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from flexura.analyses.declaration import FileKeys, analysis
from flexura.analyses.linear.linearisation_arguments import NominalState
from flexura.analyses.motion.model_cache import borrowed
from flexura.analyses.motion.unsupported_contact import refuse_grips, refuse_touch
from flexura.derive.records import Floats
from flexura.errors import AnalysisError, ModelError
from flexura.laws.units import Bounds, NonNegative, Unit
from flexura.mechanics.core.layout import Layout
from flexura.mechanics.linear.refined_inverse import RefinedInverse
from flexura.mechanics.linear.sparse_linearisation import Inverse, Pencil, assemble
from flexura.mechanics.motion.equations_of_motion import track
from flexura.mechanics.preparation.prepared_model import PreparedModel
from flexura.model.model import Model
from flexura.model.names import AXES
from flexura.results.modes import Modes
from flexura.results.state import State

Array = NDArray[np.float64]

_DENSE = 240
"""Number of coordinates up to which all modes are computed at once."""
_NEAR = 1e-10
"""First shift, relative to the largest ω²: stiffness for motions without any."""
_ROUGH = 8
"""Number of modes of the first estimate: those of a floating body without stiffness, and some more."""
_LOOSE = 1e-3
"""Accuracy of the first estimate."""
_ZERO = 1e-8
"""ω² that count as zero, relative to the smallest non-zero one."""
_STILL = 1e-9
"""Rates, in sizes of the model and radians per second, that count as zero."""


@analysis
def modes(
    model: Model,
    count: Annotated[int, Unit("", "number of modes, in order of increasing frequency"), Bounds(1, 100_000)] = 10,
    *,
    at: Annotated[float | State, Unit("s", "time, or a state of rest"), FileKeys(NominalState, NominalState.of)] = 0.0,
    shift: Annotated[
        float, Unit("rad/s", "frequency near which modes are sought; zero for the lowest modes"), NonNegative()
    ] = 0.0,
) -> Modes:
    """Lowest undamped modes, ``count`` of them, or those nearest to the frequency ``shift`` in rad/s.

    ``at`` is a state of rest: an equilibrium with its stresses, or a time at which the inputs are at rest and the
    forces balance. The stiffness is that of the material, of the stresses and of gravity. Free bodies have modes of
    frequency zero. For damping, and for states of motion, use ``linearise``.
    """
    if count < 1:
        raise ModelError("count", f"{count} is not a number of modes", "ask for one or more")
    if not np.isfinite(shift) or shift < 0.0:
        raise ModelError("shift", f"{shift} is not a frequency", "give a number of rad/s, or zero for the lowest modes")
    with borrowed(model) as prepared:
        return _modes(prepared, model, count, at, shift)


def _modes(prepared: PreparedModel, model: Model, count: int, at: float | State, shift: float) -> Modes:
    """Modes of a prepared model."""
    refuse_grips(prepared.layout)
    t, x = _resting(prepared, model, at)
    layout, system = prepared.layout, prepared.whole.plain.system
    if system.feedback.load.size:
        touching = any(element.contacts for element in layout.names.elements.values())
        cause = "contacts with force laws" if touching else "loads or states that depend on signals"
        what = f"{cause} have no undamped modes"
        raise ModelError("model", what, "use linearise(model, at), which includes their eigenvalues")
    refuse_touch(layout, system, x, np.zeros_like(x))
    pencil = assemble(layout, system, t, x)
    if pencil.degrees <= 0:
        raise ModelError("model", "it cannot move", "release a degree of freedom")
    if not np.any(pencil.mass.diagonal() > 0.0):
        raise ModelError("model", "no moving part has mass", "give rho, rhoA, a Mass or a Body")
    _refuse_follower(pencil)
    squares, free = _solved(pencil, min(count, pencil.degrees), shift)
    shapes = np.zeros((len(layout.coordinates), squares.size))
    shapes[pencil.free] = free
    pushes = _translations(layout)
    return Modes(
        model=model,
        squares=squares,
        shapes=shapes,
        strains=np.asarray(pencil.slope_all @ shapes),
        position=x,
        coordinates=tuple(layout.coordinates),
        deformations=tuple(layout.strains),
        participation=np.asarray(shapes.T @ (pencil.mass_all @ pushes)),
        mass=float(pushes[:, 0] @ (pencil.mass_all @ pushes[:, 0])),
    )


def _resting(prepared: PreparedModel, model: Model, at: float | State) -> tuple[float, Floats]:
    """Time and position of a state of rest."""
    layout = prepared.layout
    if isinstance(at, State):
        motion, system = at.motion, prepared.whole.plain.restored()
        places = {address: k for k, address in enumerate(motion.nodal_coordinates)}
        t = float(motion.t[0])
        x, v = (np.array([motion.position[i][0][places[a]] for a in layout.coordinates]) for i in (0, 1))
    else:
        # this also names errors of the model
        t, system = float(at), prepared.start(model, float(at), dynamic=False).system
        x, v = prepared.x, prepared.v
    lengths = np.array([1.0 if address.turns else layout.size for address in layout.coordinates])
    if np.abs(v / lengths).max(initial=0.0) > _STILL:
        what, remedy = "the model moves in this state, but modes are those about a state of rest", "use linearise"
        raise ModelError("modes", what, f"{remedy}, which includes gyroscopic and other effects of motion")
    track(system, x, v)
    return t, x


def _refuse_follower(pencil: Pencil) -> None:
    difference = pencil.geometric - pencil.geometric.T
    size = max(abs(pencil.geometric).max(), 1e-300)
    if abs(difference).max() > 1e-9 * size:
        what = "follower loads make the stiffness unsymmetric"
        raise ModelError("model", what, "use linearise(model, at), which includes their eigenvalues")


def _translations(layout: Layout) -> Array:
    """Derivatives of the coordinates with respect to a translation along each axis."""
    axes = AXES[: layout.model.dimension]
    pushes = np.zeros((len(layout.coordinates), len(axes)))
    for k, address in enumerate(layout.coordinates):
        if address.component in axes and not address.turns:
            pushes[k, axes.index(address.component)] = 1.0
    return pushes


def _solved(pencil: Pencil, count: int, shift: float) -> tuple[Array, Array]:
    """ω² and the shapes of unit modal mass, the slowest first."""
    if shift:
        return _nearest(pencil, count, shift**2, None)
    # a rough estimate locates the slowest motion with a frequency; a second solution from just below it is accurate
    first = _NEAR * pencil.fastest
    squares, shapes = _nearest(pencil, min(_ROUGH, count + 6, pencil.degrees), -first, None, _LOOSE)
    slow = np.abs(squares[np.abs(squares) > 1e-5 * first])
    if not slow.size and count + 6 > _ROUGH:
        squares, shapes = _nearest(pencil, min(count + 6, pencil.degrees), -first, None)
        slow = np.abs(squares[np.abs(squares) > 1e-5 * first])
    if not slow.size:
        return np.zeros(min(count, squares.size)), shapes[:, :count]
    least = float(slow.min())
    # a random start also contains modes that the first estimate has missed
    squares, shapes = _nearest(pencil, count, -0.7 * least, None)
    return np.where(np.abs(squares) <= _ZERO * least, 0.0, squares), shapes


def _nearest(
    pencil: Pencil, count: int, square: float, begin: Array | None, tolerance: float = 0.0
) -> tuple[Array, Array]:
    """Modes whose ω² are nearest to a number."""
    n = pencil.free.size
    if n <= _DENSE or 4 * count > n:
        parts, shapes = _all(pencil, Inverse(pencil, square))
    else:
        parts, shapes = _some_refined(pencil, square, count, begin, tolerance)
    # the largest 1/(ω² - shift) are computed; massless motions have zero
    chosen = np.argsort(-np.abs(parts), kind="stable")[:count]
    chosen = chosen[np.abs(parts[chosen]) > 1e-13 * np.abs(parts).max(initial=0.0)]
    squares = square + 1.0 / parts[chosen]
    order = np.argsort(squares, kind="stable")
    return squares[order], shapes[:, chosen[order]]


def _all(pencil: Pencil, inverse: Inverse) -> tuple[Array, Array]:
    """All 1/(ω² - shift), with shapes of unit modal mass."""
    mass = pencil.mass.toarray()
    sizes, turned = np.linalg.eigh(mass)
    heavy = sizes > 1e-13 * sizes.max(initial=0.0)
    root = turned[:, heavy] * np.sqrt(sizes[heavy])
    solved = np.array([inverse(column) for column in root.T]).T.reshape(len(mass), -1)
    small = root.T @ solved
    parts, shapes = eigh(0.5 * (small + small.T))
    kept = np.abs(parts) > 1e-13 * np.abs(parts).max(initial=0.0)
    return parts[kept], solved @ shapes[:, kept] / parts[kept]


def _some_refined(
    pencil: Pencil, square: float, count: int, begin: Array | None, tolerance: float
) -> tuple[Array, Array]:
    """Largest 1/(ω² - shift), with the factors of the assembled matrix if these are accurate enough."""
    if square < 0.0:
        refined = RefinedInverse(pencil, square)
        if refined.serves:
            found = _some(pencil, refined, count, begin, tolerance)
            if refined.serves:
                return found
    return _some(pencil, Inverse(pencil, square), count, begin, tolerance)


def _some(
    pencil: Pencil, inverse: Callable[[Array], Array], count: int, begin: Array | None, tolerance: float
) -> tuple[Array, Array]:
    """Largest 1/(ω² - shift), by Lanczos's method."""
    n = pencil.free.size
    if begin is None:
        begin = np.random.default_rng(1).standard_normal(n)
    operator = LinearOperator((n, n), matvec=inverse, dtype=float)
    try:
        # with the shift zero the values are ω² - shift themselves; the start satisfies the held strains
        squares, shapes = eigsh(
            LinearOperator((n, n), matvec=lambda b: 0.0 * b, dtype=float),
            k=count,
            M=pencil.mass,
            sigma=0.0,
            OPinv=operator,
            v0=inverse(pencil.mass @ begin),
            tol=tolerance,
        )
    except ArpackNoConvergence:
        raise AnalysisError(
            f"{count} modes were not found: ask for fewer, or for those near a frequency with shift=…"
        ) from None
    return 1.0 / squares, shapes
