"""Words that users know for arguments, from textbooks and other programs, and the arguments that they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_MEANT = {
    "direction": ("axis",),
    "axis": ("direction",),
    "rate": ("speed", "omega", "velocity", "angular_velocity", "slope"),
    "frequency": ("omega", "freq", "w"),
    "amplitude": ("amp", "size", "magnitude"),
    "c": ("damping", "damper", "d", "cxx"),
    "k": ("stiffness", "spring_constant", "rate", "kxx"),
    "kz": ("kyy", "kzz"),
    "kyz": ("kxy",),
    "kzy": ("kyx",),
    "cz": ("cyy", "czz"),
    "cyz": ("cxy",),
    "czy": ("cyx",),
    "kp": ("p", "gain"),
    "ki": ("i",),
    "kd": ("d",),
    "t": ("time", "times"),
    "free_length": ("length", "l0", "rest_length", "natural_length", "unstretched_length"),
    "preload": ("force", "f0", "pretension"),
    "mass": ("m", "weight"),
    "inertia": ("j", "i", "izz", "jzz", "moment_of_inertia"),
    "Jxx, Jyy, Jzz": ("inertia", "j", "i", "tensor"),
    "centre": ("com", "cog", "center_of_mass", "centre_of_mass"),
    "points": ("nodes", "markers"),
    "mu": ("coefficient", "friction", "friction_coefficient"),
    "e": ("restitution", "cor"),
    "restitution": ("e", "cor"),
    "radius_p and radius_q": ("radii", "r1", "r2"),
    "ratio": ("i",),
    "diameter (twice the radius)": ("radius", "r"),
    "outer and inner (diameters)": ("diameter", "radius", "thickness", "wall", "t"),
    "width": ("b", "w"),
    "height": ("h", "depth"),
    "parts": ("elements", "segments", "divisions", "mesh"),
    "rigid (False for a flexible link, the default)": ("flexible", "elastic"),
    "E": ("modulus", "young", "youngs_modulus", "stiffness"),
    "nu": ("poisson", "poissons_ratio", "poisson_ratio"),
    "rho": ("density",),
    "until": ("t_end", "tend", "end", "t_final", "tf", "duration", "t_stop", "stop", "time", "t"),
    "count": ("n", "num", "number", "modes", "nmodes"),
    "samples": ("n", "num", "number", "steps", "outputs", "frames"),
    "times": ("t_eval", "t_span", "tspan"),
    "method (it has the tolerance, as in DormandPrince(tolerance=1e-8))": (
        "rtol",
        "atol",
        "tol",
        "tolerance",
        "reltol",
        "abstol",
    ),
    "method (it has the step, as in RungeKutta4(step=1e-3))": ("dt", "step", "timestep", "time_step", "h", "stepsize"),
    "method": ("solver", "integrator"),
    "at (a state, as in at=fx.equilibrium(model), or a time)": ("equilibrium", "t", "time", "state", "position"),
    "start": ("initial", "ic", "x0", "y0", "initial_conditions", "initial_state"),
    "elements": ("bodies", "links", "members", "parts", "joints"),
    "nodes": ("points", "positions", "markers", "vertices"),
    "p": ("from", "node1", "node_1", "a"),
    "q": ("to", "node2", "node_2", "b"),
    "runs": ("run", "analyses", "analysis"),
    "fixed": ("constraints", "supports", "bc", "boundary", "boundary_conditions", "grounded", "ground"),
    "inputs": ("drives", "drivers", "motions", "actuators"),
    "loads": ("forces", "torques", "moments"),
    "gravity": ("g", "grav"),
    "force": ("reaction", "reactions", "torque", "moment", "load"),
}
NO_KEYS = {
    "units": "numbers are in SI units and radians; leave it out",
    "unit": "numbers are in SI units and radians; leave it out",
    "parameters": "write numbers where they are used; a study names them by their paths, such as elements.rod.mass",
    "variables": "write numbers where they are used; a study names them by their paths, such as elements.rod.mass",
    "until": "it belongs to a run: write it under [runs.NAME]",
    "analysis": "it belongs to a run: write it under [runs.NAME]",
}
"""Remedies for keys of other programs that a model file does not have."""
_WORDS: dict[str, tuple[str, ...]] = {}
for _argument, _known in _MEANT.items():
    for _word in _known:
        _WORDS[_word] = (*_WORDS.get(_word, ()), _argument)


def familiar(word: str, names: Iterable[str], about: Mapping[str, str] = {}) -> str:
    """Remedy for a familiar word that is none of the arguments: those that it means, with descriptions, or nothing."""
    known = set(names)
    for meant in _WORDS.get(word.lower(), ()):
        head = meant.partition(" (")[0]
        arguments = head.replace(" and ", ", ").split(", ")
        if known.issuperset(arguments):
            quoted = [f"'{name}'" for name in arguments]
            listed = f"{', '.join(quoted[:-1])} and {quoted[-1]}" if len(quoted) > 1 else quoted[0]
            described = f" ({about[head]})" if head == meant and about.get(head) else meant[len(head) :]
            return f"did you mean {listed}{described}?"
    return ""
