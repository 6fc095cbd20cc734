"""The public names. The package reads here where each is, and imports its module when the name is first used."""

from flexura import formats as _formats  # noqa: F401 - registers what writes other programs' files
from flexura import planar, spatial
from flexura import plotting as _plotting  # noqa: F401 - registers what draws results
from flexura.analyses.chaos.bifurcation import bifurcation
from flexura.analyses.chaos.lyapunov import lyapunov
from flexura.analyses.chaos.poincare import poincare
from flexura.analyses.gradients.gradient import gradient
from flexura.analyses.gradients.identify import identify
from flexura.analyses.gradients.optimise import optimise
from flexura.analyses.linear.buckling import buckling
from flexura.analyses.linear.campbell import campbell
from flexura.analyses.linear.equilibria import equilibria
from flexura.analyses.linear.linearise import linearise
from flexura.analyses.linear.modes import modes
from flexura.analyses.linear.reduce import reduce
from flexura.analyses.linear.response import response
from flexura.analyses.linear.root_locus import root_locus
from flexura.analyses.linear.sensitivity import sensitivity
from flexura.analyses.linear.steady import steady
from flexura.analyses.motion.force_parts import force_parts as _force_parts  # noqa: F401 - registers itself
from flexura.analyses.motion.kinematics import kinematics
from flexura.analyses.motion.part_motion import part_motion as _part_motion  # noqa: F401 - registers itself
from flexura.analyses.motion.section_forces import section_forces as _section_forces  # noqa: F401 - registers itself
from flexura.analyses.motion.signal_events import Event
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
from flexura.analyses.statics import model_check as _model_check  # noqa: F401 - registers itself
from flexura.analyses.statics.equilibrium import equilibrium
from flexura.analyses.studies.distributions import LogUniform, Normal, Uniform
from flexura.analyses.studies.indices import sensitivity_indices
from flexura.analyses.studies.study import study
from flexura.elements.planar.candidates import contact_pairs
from flexura.errors import AnalysisError, ModelError
from flexura.formats.calculix import load_calculix
from flexura.formats.fmi import controller_from_fmu, to_fmu
from flexura.formats.matrix_market import load_matrices
from flexura.formats.robots import load_mjcf, load_urdf
from flexura.formats.scikit_fem import from_mesh, from_scikit_fem
from flexura.formats.spacar import load_spacar, spacar_light
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
from flexura.laws.filters import LowPass, Notch
from flexura.laws.friction import Friction
from flexura.laws.hertz import Hertz
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.line_contact import LineContact
from flexura.laws.materials import Material
from flexura.laws.motors import DCMotor
from flexura.laws.oil_film import OilFilm
from flexura.laws.restitution import Restitution
from flexura.laws.rotation import Rotation
from flexura.laws.sampled_controllers import Sampled
from flexura.laws.sampled_laws import PID, Discrete, Observer, SampledLaw
from flexura.laws.sections import Box, Circle, IBeam, Rectangle, Section, Tube
from flexura.laws.signals import Expression, Polynomial, Ramp, Sine, Smoothstep, Table
from flexura.laws.slip_laws import Coulomb, Creep, MagicFormula, Viscous
from flexura.laws.solids import Cuboid, Cylinder, Wireframe
from flexura.laws.springs import LinearLaw
from flexura.laws.trajectories import Trajectory
from flexura.laws.tyres import Bump, Calspan, Cornering
from flexura.laws.unit_conversions import GPa, MPa, degrees, hz, kN, mm, rpm, um
from flexura.model.gallery import example
from flexura.model.model import Model
from flexura.plotting.studies import plot_study
from flexura.public_names import fetch as _fetch
from flexura.results.contact_phases import contact_phases
from flexura.results.findings import Finding
from flexura.results.measures import exceedance, motion_at, path_error, settling_time
from flexura.results.motion import Motion
from flexura.results.outcome import Outcome
from flexura.results.power_spectrum import power_spectrum
from flexura.results.state import State
from flexura.results.storage import load
from flexura.rotors import RotorBearing, RotorSystem
from flexura.substructures.finite_elements import FiniteElements
from flexura.substructures.interfaces import Interface
from flexura.substructures.substructure import Substructure

__all__ = [
    "PID",
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
    "Cuboid",
    "Cylinder",
    "DCMotor",
    "DirectIntegration",
    "Discrete",
    "DormandPrince",
    "Event",
    "Expression",
    "Finding",
    "FiniteElements",
    "Friction",
    "FullBalance",
    "GPa",
    "GeneralisedAlpha",
    "HarmonicBalance",
    "Hertz",
    "Hill",
    "IBeam",
    "Interface",
    "KelvinVoigt",
    "KennedyCarpenter",
    "Limits",
    "LineContact",
    "LinearLaw",
    "LogUniform",
    "LowPass",
    "MPa",
    "MagicFormula",
    "Material",
    "Minimal",
    "Model",
    "ModelError",
    "Motion",
    "Multipliers",
    "Newmark",
    "Normal",
    "Notch",
    "Observer",
    "OilFilm",
    "OneStage",
    "Outcome",
    "Polynomial",
    "Ramp",
    "Rectangle",
    "Restitution",
    "Rotation",
    "RotorBearing",
    "RotorSystem",
    "RungeKutta4",
    "Sampled",
    "SampledLaw",
    "Section",
    "Shooting",
    "Sine",
    "Smoothstep",
    "State",
    "Substructure",
    "Table",
    "Trajectory",
    "Tube",
    "Uniform",
    "Viscous",
    "Wireframe",
    "bifurcation",
    "buckling",
    "campbell",
    "contact_pairs",
    "contact_phases",
    "continuation",
    "controller_from_fmu",
    "degrees",
    "equilibria",
    "equilibrium",
    "example",
    "exceedance",
    "from_mesh",
    "from_scikit_fem",
    "gradient",
    "hz",
    "identify",
    "kN",
    "kinematics",
    "linearise",
    "load",
    "load_calculix",
    "load_matrices",
    "load_mjcf",
    "load_spacar",
    "load_urdf",
    "lyapunov",
    "mm",
    "modes",
    "motion_at",
    "optimise",
    "path_error",
    "periodic",
    "planar",
    "plot_study",
    "poincare",
    "power_spectrum",
    "reduce",
    "response",
    "root_locus",
    "rpm",
    "sensitivity",
    "sensitivity_indices",
    "settling_time",
    "simulate",
    "spacar_light",
    "spatial",
    "stability",
    "stability_chart",
    "steady",
    "study",
    "superpose",
    "sweep",
    "to_fmu",
    "um",
]

# constructors answer what is misspelt or left out
for _name in __all__:
    _fetch(_name)
