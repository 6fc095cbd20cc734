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
from flexura.analyses.sensitivity import sensitivity
from flexura.analyses.simulate import Event, simulate
from flexura.analyses.stability import stability, stability_chart
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
from flexura.laws.materials import Material
from flexura.laws.restitution import Restitution
from flexura.laws.rotation import Rotation
from flexura.laws.sections import Box, Circle, IBeam, Rectangle, Section, Tube
from flexura.laws.signals import Expression, Polynomial, Ramp, Sine, Smoothstep, Table
from flexura.laws.springs import Spring
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
    "Circle",
    "Controller",
    "DirectIntegration",
    "DormandPrince",
    "Event",
    "Expression",
    "FullBalance",
    "GeneralisedAlpha",
    "HarmonicBalance",
    "Hill",
    "IBeam",
    "KennedyCarpenter",
    "Material",
    "Minimal",
    "Model",
    "ModelError",
    "Motion",
    "Multipliers",
    "Newmark",
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
    "sensitivity",
    "simulate",
    "spatial",
    "stability",
    "stability_chart",
    "superpose",
    "sweep",
]
