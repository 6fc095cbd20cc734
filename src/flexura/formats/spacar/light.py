"""SPACAR Light: equilibria, frequencies, buckling loads, compliances and stresses of flexure mechanisms."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag, eig, eigh

from flexura.analyses.linear.linearise import linearise
from flexura.analyses.statics.equilibrium import equilibrium
from flexura.errors import ModelError
from flexura.formats.registry import FormatWarning
from flexura.formats.spacar.light_arguments import AXES, Arguments, arguments, read_mat
from flexura.formats.spacar.light_lines import LightFile, light_file, position
from flexura.formats.spacar.light_stresses import largest_stress
from flexura.formats.spacar.reader import parse_spacar
from flexura.laws.rotation import forms
from flexura.model.model import Model
from flexura.model.names import Names
from flexura.results.linear_system import LinearSystem
from flexura.results.state import State

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LightNode:
    """Results at a node: rotations from the drawn position, reactions on it, and its compliance."""

    p: Array
    r_quat: Array
    r_axang: Array
    """angle [rad], then the axis"""
    r_eulzyx: Array
    Freac: Array
    Mreac: Array
    CMglob: Array | None
    """6 × 6: displacements and rotations about the axes of space by forces and moments"""
    CMloc: Array | None
    """compliance in the axes of the node"""


@dataclass(frozen=True)
class LightElement:
    """Results of an element."""

    e: Array
    """strains, a row for each beam"""
    stressmax: float
    """largest von Mises stress [Pa]; zero without a section"""
    spa_nrs: tuple[int, ...]
    """numbers of its beams"""


@dataclass(frozen=True)
class LightStep:
    """Results of a load step."""

    freq: Array
    """frequencies [Hz], the lowest first"""
    freqmodes: Array
    """mass-normalised shapes in the independent coordinates, a column each"""
    buck: Array | None
    """load multipliers, by their size"""
    stressmax: float
    node: tuple[LightNode, ...]
    element: tuple[LightElement, ...]
    state: State = field(repr=False)
    system: LinearSystem = field(repr=False)


@dataclass(frozen=True)
class LightResult:
    """Results of SPACAR Light: ``out.step[i].node[j].p``, counted from 0, and over all steps ``out.freq``."""

    step: tuple[LightStep, ...]
    ndof: int
    overconstraints: tuple[str, ...]
    """redundant constraints by name"""
    statespace: tuple[Array, Array, Array, Array] | None
    """A, B, C, D of the last step"""
    model: Model
    text: str = field(repr=False)
    """the SPACAR file of the arguments"""
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    @property
    def freq(self) -> Array:
        """Frequencies [Hz], a column for each step."""
        return np.stack([step.freq for step in self.step], axis=1)

    @property
    def buck(self) -> Array | None:
        """Load multipliers of the last step."""
        return self.step[-1].buck

    @property
    def stressmax(self) -> Array:
        """Largest stress [Pa] of each step."""
        return np.array([step.stressmax for step in self.step])


def spacar_light(nodes: Any, elements: Any = None, nprops: Any = (), eprops: Any = (), opt: Any = None) -> LightResult:
    """Run the analysis of SPACAR Light with its five arguments, or with a MATLAB file that has them.

    Numbers of nodes and elements in the arguments count from 1, as in MATLAB. ``nprops`` and ``eprops`` are lists of
    dictionaries, ``opt`` is a dictionary. A warning lists what the model lacks, such as warping.
    """
    if isinstance(nodes, str | os.PathLike):
        nodes, elements, nprops, eprops, opt = read_mat(nodes)
    given = arguments(nodes, elements, nprops, eprops, opt)
    file = light_file(given)
    imported = parse_spacar(file.text, mode=10)
    losses = (*file.notes, *imported.losses)
    if losses:
        lines = "".join(f"\n  {note}" for note in losses)
        warnings.warn(f"the model differs from the arguments:{lines}", FormatWarning, stacklevel=2)
    model = imported.model
    count = int(given.opt.get("loadsteps", 10)) if _grows(model) else 1
    over = tuple(_redundant(model))
    steps, last = list[LightStep](), None
    for i in range(count):
        try:
            last = equilibrium(model, at=i / (count - 1) if count > 1 else 0.0, near=last)
        except ModelError:
            if not over:
                raise
            what = f"the model is overconstrained: {', '.join(over)} depend on each other"
            raise ModelError("opt.rls", what, "release strains of flexible elements with opt.rls(i).def") from None
        steps.append(_step(given, file, model, last))
    system = steps[-1].system
    space = _state_space(given, system, imported.inputs, imported.outputs)
    return LightResult(
        tuple(steps), len(system.coordinates), over, space, model, file.text, imported.inputs, imported.outputs
    )


def _grows(model: Model) -> bool:
    return any(type(signal).__name__ != "Constant" for signal in (*model.loads.values(), *model.inputs.values()))


def _redundant(model: Model) -> list[str]:
    from flexura.mechanics.preparation.prepared_model import PreparedModel

    return [str(address) for address in PreparedModel(model).start(model, redundant_allowed=True).mobility.redundant]


def _step(given: Arguments, file: LightFile, model: Model, state: State) -> LightStep:
    system = linearise(model, state)
    squares, shapes = undamped(system.K, system.M)
    freq = np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi)
    names = Names(model)
    nodes = tuple(_node(given, names, state, system, i) for i in range(1, len(given.nodes) + 1))
    elements = tuple(_element(given, file, state, j) for j in range(1, len(given.elements) + 1))
    buck = _buckling(system) if given.opt.get("calcbuck") else None
    worst = max((each.stressmax for each in elements), default=0.0)
    return LightStep(freq, shapes, buck, worst, nodes, elements, state, system)


def undamped(stiffness: Array, mass: Array) -> tuple[Array, Array]:
    """Squares of the undamped frequencies, by their size, and shapes of unit modal mass.

    The inverse problem is solved, in which the lowest frequencies are the most accurate. Moments about the axes of
    space make the stiffness unsymmetric.
    """
    if not len(mass):
        return np.zeros(0), np.zeros((0, 0))
    inverse, shapes = eig(mass, stiffness)
    real = np.real_if_close(shapes, tol=1e6).real
    norms = np.sqrt(np.abs(np.einsum("ij,ik,kj->j", real, mass, real)))
    squares = np.divide(1.0, inverse.real, out=np.full(len(mass), np.inf), where=inverse.real != 0.0)
    order = np.argsort(np.abs(squares), kind="stable")
    return squares[order], (real / np.where(norms, norms, 1.0))[:, order]


def _buckling(system: LinearSystem) -> Array:
    """Multipliers λ of the loads at which K0 + λ G0 is singular, by their size."""
    material = system.contributions["material"][1]
    values = eig(material, material - system.K, right=False)
    real = values.real[np.isfinite(values) & (np.abs(values.imag) <= 1e-6 * np.abs(values))]
    real = real[np.abs(real) < 1e12]
    return np.asarray(real[np.argsort(np.abs(real))])


def _node(given: Arguments, names: Names, state: State, system: LinearSystem, number: int) -> LightNode:
    name = f"n{position(number)}"
    end = next(
        f"{part}.{slot}"
        for part, slots in names.attachments.items()
        for slot, at in slots.items()
        if at.position == name and at.orientation is not None
    )
    parameters = state.orientation(end)
    R = np.asarray(state.orientation(end, "cosines")).reshape(3, 3)
    angle, axis = _axis_angle(parameters)
    local = whole = None
    if given.opt.get("calccompl", True) and len(system.coordinates):
        signals = [*(f"{name}.{a}" for a in AXES), *(f"{end}.about_{a}" for a in AXES)]
        rows = np.array([system.input(signal) for signal in signals])
        whole = rows @ np.linalg.solve(system.K, rows.T)
        both = block_diag(R, R)
        local = both.T @ whole @ both
    return LightNode(
        p=np.array([state[f"{name}.{a}"] for a in AXES]),
        r_quat=np.asarray(parameters),
        r_axang=np.array([angle, *axis]),
        r_eulzyx=np.asarray(forms(np.asarray(parameters)[None], "angles", "ZYX")[0]),
        Freac=np.array([state.force(f"{name}.{a}") for a in AXES]),
        Mreac=np.array([state.force(f"{end}.about_{a}") for a in AXES]),
        CMglob=whole,
        CMloc=local,
    )


def _axis_angle(parameters: Any) -> tuple[float, Array]:
    e = np.asarray(parameters, dtype=float)
    size = float(np.linalg.norm(e[1:]))
    axis = e[1:] / size if size > 0.0 else np.array([1.0, 0.0, 0.0])
    return 2.0 * float(np.arctan2(size, e[0])), axis


def _element(given: Arguments, file: LightFile, state: State, number: int) -> LightElement:
    beams = file.beams[number - 1]
    words = ("elongation", "torsion", "bending_y_p", "bending_y_q", "bending_z_p", "bending_z_q")
    strains = np.array([[state[f"e{beam}.{word}"] for word in words] for beam in beams])
    stresses = np.array([[-state.force(f"e{beam}.{word}") for word in words] for beam in beams])
    flexible = bool(given.properties(number).get("flex")) or bool(given.opt.get("rigidstress"))
    worst = largest_stress(given, number, stresses) if flexible else 0.0
    return LightElement(strains, worst, beams)


def _state_space(
    given: Arguments, system: LinearSystem, inputs: tuple[str, ...], outputs: tuple[str, ...]
) -> tuple[Array, Array, Array, Array] | None:
    """State space with the same modal damping ratio for all modes."""
    wanted = np.ravel(np.asarray(given.opt.get("transfer", False), dtype=object))
    if not wanted.size or not wanted[0] or not inputs or not outputs:
        return None
    ratio = float(wanted[1]) if wanted.size > 1 else 0.0
    damped = system
    if ratio:
        from dataclasses import replace

        squares, shapes = eigh(0.5 * (system.K + system.K.T), system.M)
        factors = 2.0 * ratio * np.sqrt(np.maximum(squares, 0.0))
        C = system.M @ shapes @ np.diag(factors) @ shapes.T @ system.M
        damped = replace(system, C=system.C + C)
    return damped.to_state_space(inputs, outputs)
