"""The public names; the package fetches them from here when the first is used."""

from flexura import formats as _formats  # noqa: F401 - registers what writes other programs' files
from flexura import planar, spatial
from flexura import plotting as _plotting  # noqa: F401 - registers what draws results
from flexura.analyses.chaos.bifurcation import bifurcation
from flexura.analyses.chaos.lyapunov import lyapunov
from flexura.analyses.chaos.poincare import poincare
from flexura.analyses.linear.buckling import buckling
from flexura.analyses.linear.campbell import campbell
from flexura.analyses.linear.equilibria import equilibria
from flexura.analyses.linear.linearise import linearise
from flexura.analyses.linear.modes import modes
from flexura.analyses.linear.response import response
from flexura.analyses.linear.root_locus import root_locus
from flexura.analyses.linear.sensitivity import sensitivity
from flexura.analyses.linear.steady import steady
from flexura.analyses.motion.events import Event
from flexura.analyses.motion.kinematics import kinematics
from flexura.analyses.motion.simulate import simulate
from flexura.analyses.periodic.continuation import continuation
from flexura.analyses.periodic.periodic import periodic
from flexura.analyses.periodic.periodic_methods import (
    Averaging,
    DirectIntegration,
    FullBalance,
    HarmonicBalance,
    Hill,
    Shooting,
)
from flexura.analyses.periodic.stability import stability, stability_chart
from flexura.analyses.periodic.superpose import superpose
from flexura.analyses.periodic.sweep import sweep
from flexura.analyses.statics.equilibrium import equilibrium
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.formulations import Minimal, Multipliers
from flexura.integrators.limits import Limits
from flexura.integrators.methods import (
    Adams,
    DormandPrince,
    GeneralisedAlpha,
    KennedyCarpenter,
    Newmark,
    OneStage,
    RungeKutta4,
)
from flexura.laws.control import Controller
from flexura.laws.friction import Friction
from flexura.laws.hertz import Hertz
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.line_contact import LineContact
from flexura.laws.materials import Material
from flexura.laws.oil_film import OilFilm
from flexura.laws.restitution import Restitution
from flexura.laws.rotation import Rotation
from flexura.laws.sections import Box, Circle, IBeam, Rectangle, Section, Tube
from flexura.laws.signals import Expression, Polynomial, Ramp, Sine, Smoothstep, Table
from flexura.laws.slip_laws import Coulomb, Creep, MagicFormula, Viscous
from flexura.laws.springs import Spring
from flexura.laws.tyres import Bump, Calspan, Cornering
from flexura.model.model import Model
from flexura.results.findings import Finding
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome
from flexura.results.state import State
from flexura.results.storage import load

__all__ = [
    "Adams",
    "AnalysisError",
    "Averaging",
    "Box",
    "Bump",
    "Calspan",
    "Circle",
    "Controller",
    "Cornering",
    "Coulomb",
    "Creep",
    "DirectIntegration",
    "DormandPrince",
    "Event",
    "Expression",
    "Finding",
    "Friction",
    "FullBalance",
    "GeneralisedAlpha",
    "HarmonicBalance",
    "Hertz",
    "Hill",
    "IBeam",
    "KelvinVoigt",
    "KennedyCarpenter",
    "Limits",
    "LineContact",
    "MagicFormula",
    "Material",
    "Minimal",
    "Model",
    "ModelError",
    "Motion",
    "Multipliers",
    "Newmark",
    "OilFilm",
    "OneStage",
    "Outcome",
    "Polynomial",
    "Ramp",
    "Rectangle",
    "Restitution",
    "Rotation",
    "RungeKutta4",
    "Section",
    "Shooting",
    "Sine",
    "Smoothstep",
    "Spring",
    "State",
    "Table",
    "Tube",
    "Viscous",
    "bifurcation",
    "buckling",
    "campbell",
    "continuation",
    "equilibria",
    "equilibrium",
    "kinematics",
    "linearise",
    "load",
    "lyapunov",
    "modes",
    "periodic",
    "planar",
    "poincare",
    "response",
    "root_locus",
    "sensitivity",
    "simulate",
    "spatial",
    "stability",
    "stability_chart",
    "steady",
    "superpose",
    "sweep",
]
