"""The public names; the package fetches them from here when the first is used."""

from flexura import planar, spatial
from flexura import plotting as _plotting  # noqa: F401 - registers what draws results
from flexura.analyses.bifurcation import bifurcation
from flexura.analyses.buckling import buckling
from flexura.analyses.campbell import campbell
from flexura.analyses.continuation import continuation
from flexura.analyses.equilibrium import equilibrium
from flexura.analyses.kinematics import kinematics
from flexura.analyses.linearise import linearise
from flexura.analyses.lyapunov import lyapunov
from flexura.analyses.modes import modes
from flexura.analyses.periodic import periodic
from flexura.analyses.periodic_methods import (
    Averaging,
    DirectIntegration,
    FullBalance,
    HarmonicBalance,
    Hill,
    Shooting,
)
from flexura.analyses.poincare import poincare
from flexura.analyses.root_locus import root_locus
from flexura.analyses.sensitivity import sensitivity
from flexura.analyses.simulate import Event, simulate
from flexura.analyses.stability import stability, stability_chart
from flexura.analyses.steady import steady
from flexura.analyses.superpose import superpose
from flexura.analyses.sweep import sweep
from flexura.errors import AnalysisError, ModelError
from flexura.integrators.guide import Minimal, Multipliers
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
from flexura.laws.slipping import Coulomb, Creep, MagicFormula, Viscous
from flexura.laws.springs import Spring
from flexura.laws.tyres import Bump, Calspan, Cornering
from flexura.model.model import Model
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
    "Friction",
    "FullBalance",
    "GeneralisedAlpha",
    "HarmonicBalance",
    "Hertz",
    "Hill",
    "IBeam",
    "KelvinVoigt",
    "KennedyCarpenter",
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
    "equilibrium",
    "kinematics",
    "linearise",
    "load",
    "lyapunov",
    "modes",
    "periodic",
    "planar",
    "poincare",
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
