"""SPACAR Light: flexure mechanisms against models written directly and against closed forms."""

from math import pi, sqrt, tanh

import numpy as np
import pytest

import flexura as fx
from flexura.formats.registry import FormatWarning
from flexura.spatial import Beam, Body, Mass

E, G, RHO = 210e9, 70e9, 7800.0
NU = E / (2 * G) - 1
LEAF = {"emod": E, "smod": G, "dens": RHO, "cshape": "rect", "dim": [0.03, 0.5e-3], "orien": [0, 0, 1]}


def leaf_section(width, thickness, flex=(1, 2, 3, 4, 5, 6), factor=1.0):
    """Section of a leaf spring by textbook formulas; torsion by Saint-Venant's series."""
    w, t = width, thickness
    n = np.arange(1, 400, 2)
    a, b = max(w, t), min(w, t)
    It = a * b**3 / 3 * (1 - 192 / pi**5 * b / a * np.sum(np.tanh(n * pi * a / (2 * b)) / n**5))
    stiffness = {"EA": E * w * t, "GIt": G * It * factor, "EIy": E * w * t**3 / 12, "EIz": E * t * w**3 / 12}
    kinds = {"EA": {1}, "GIt": {2}, "EIy": {3, 4}, "EIz": {5, 6}}
    free = {name: value if kinds[name] & set(flex) else np.inf for name, value in stiffness.items()}
    inertia = {"rhoA": RHO * w * t, "rhoIy": RHO * w * t**3 / 12, "rhoIz": RHO * t * w**3 / 12}
    return fx.Section(**free, **inertia, GA=G * w * t)


BODY = [1e-4, 0, 0, 2e-4, 0, 2e-4]
SHEAR = 10 * (1 + NU) / (12 + 11 * NU)


def leaf(p, q, parts, section=None, flex=(1, 2, 3, 4, 5, 6)):
    return Beam(p, q, section or leaf_section(0.03, 0.5e-3, flex), y_axis=(0, 0, 1), parts=parts, shear=SHEAR)


def compare(out, direct, nodes):
    """Positions, frequencies and reactions of the last step of SPACAR Light and of a model written directly."""
    state = None
    for i in range(len(out.step)):
        # the same steps: rounding of a state is seen in the eighth figure of a frequency near buckling
        state = fx.equilibrium(direct, at=i / (len(out.step) - 1), near=state)
    for number, name in nodes.items():
        found = out.step[-1].node[number - 1].p
        np.testing.assert_allclose(found, [state[f"{name}.{axis}"] for axis in "xyz"], rtol=0, atol=1e-11)
    system = fx.linearise(direct, state)
    # of the inverse problem, whose largest eigenvalues are the lowest frequencies
    squares = 1 / np.sort(np.linalg.eigvals(np.linalg.solve(system.K, system.M)).real)[::-1]
    np.testing.assert_allclose(out.step[-1].freq[:6], np.sqrt(squares[:6]) / (2 * pi), rtol=1e-9)
    return state, system


def test_a_flexure_hinge_is_the_model_written_directly():
    out = fx.spacar_light(
        [[0, 0, 0], [0, 0.1, 0], [0, 0.2, 0]],
        [[1, 2], [2, 3]],
        [{"fix": True}, {}, {"force": [2.0, 0, 0], "moment_initial": [0, 0, 0.02], "mass": 0.4, "mominertia": BODY}],
        [{"elems": 1, "flex": [1, 2, 3, 4, 5, 6], "nbeams": 3, **LEAF}, {"elems": [2], **LEAF, "flex": []}],
        {"gravity": [0, 0, -9.81], "loadsteps": 5},
    )  # fmt: skip
    direct = fx.Model(
        nodes={"A": (0, 0, 0), "B": (0, 0.1, 0), "C": (0, 0.2, 0)},
        elements={
            "leaf": leaf("A", "B", 3),
            "arm": Beam("leaf.q", "C", leaf_section(0.03, 0.5e-3), y_axis=(0, 0, 1), rigid=True),
            "end": Body("arm.q", 0.4, Jxx=1e-4, Jyy=2e-4, Jzz=2e-4),
        },
        fixed=["leaf.p"],
        loads={"C.x": fx.Ramp(rate=2.0), "arm.q.about_z": 0.02},
        gravity=(0, 0, -9.81),
    )
    assert len(out.step) == 5
    state, system = compare(out, direct, {1: "A", 2: "B", 3: "C"})
    assert (out.ndof, out.overconstraints) == (18, ())
    # reactions, and the compliance of the tip against a frequency response at rest
    np.testing.assert_allclose(out.step[-1].node[0].Freac[0], -2.0, rtol=1e-9)
    moment = state.force("leaf.p.about_z")
    np.testing.assert_allclose(out.step[-1].node[0].Mreac[2], moment, rtol=1e-8)
    compliance = system.frequency_response("C.x", "C.x", [0.0])[0].real
    np.testing.assert_allclose(out.step[-1].node[2].CMglob[0, 0], compliance, rtol=1e-8)


def test_compliance_and_stress_of_a_cantilever_are_those_of_the_textbook():
    # one slender leaf spring, unloaded: L³/3EI with shear L/kGA, L/GIt; under a force 6FL/wt²
    L, (w, t) = 0.1, LEAF["dim"]
    nodes, elements = [[0, 0, 0], [0, L, 0]], [[1, 2]]
    sets = [{"elems": 1, "flex": [1, 2, 3, 4, 5, 6], "nbeams": 4, **LEAF}]
    out = fx.spacar_light(nodes, elements, [{"fix": True}, {}], sets)
    section = leaf_section(w, t)
    expected = L**3 / (3 * section.EIy) + L / (SHEAR * section.GA)
    # y' is z and z' is x' × y': bending about y' moves the tip along x
    compliance = out.step[0].node[1].CMglob
    assert compliance[0, 0] == pytest.approx(expected, rel=1e-9)
    assert compliance[4, 4] == pytest.approx(L / section.GIt, rel=1e-9)
    assert compliance[1, 1] == pytest.approx(L / section.EA, rel=1e-9)
    np.testing.assert_allclose(compliance, compliance.T, rtol=1e-6, atol=1e-12)
    loaded = fx.spacar_light(nodes, elements, [{"fix": True}, {"force_initial": [0.01, 0, 0]}], sets)
    assert loaded.stressmax[0] == pytest.approx(6 * 0.01 * L / (w * t**2), rel=1e-4)
    assert len(loaded.step) == 1


def parallelogram(flex, **opt):
    return fx.spacar_light(
        [[0, 0, 0], [0, 0.08, 0], [0.06, 0.08, 0], [0.06, 0, 0]],
        [[1, 2], [2, 3], [3, 4]],
        {1: {"fix": True}, 2: {"displ_x": 2e-3}, 3: {"mass": 0.2}, 4: {"fix": True}},
        [{"elems": [1, 3], "flex": flex, "nbeams": 2, **LEAF}],
        opt,
    )


def test_a_parallelogram_flexure_with_a_prescribed_displacement():
    out = parallelogram([1, 2, 3, 4, 5, 6], loadsteps=4, rls=[{"def": [1]}, {}, {"def": [3]}])
    direct = fx.Model(
        nodes={"A": (0, 0, 0), "B": (0, 0.08, 0), "C": (0.06, 0.08, 0), "D": (0.06, 0, 0)},
        elements={
            "left": leaf("A", "B", 2),
            "bridge": Beam("left.q", "C", fx.Section(), rigid=True),
            "right": leaf("bridge.q", "D", 2),
            "load": Mass("C", 0.2),
        },
        fixed=["left.p", "right.q"],
        inputs={"B.x": fx.Ramp(rate=2e-3)},
    )
    state, _ = compare(out, direct, {1: "A", 2: "B", 3: "C", 4: "D"})
    np.testing.assert_allclose(out.step[-1].node[1].Freac[0], state.force("B.x"), rtol=1e-8)
    # two clamped leaf springs: 24 EI/L³, stiffened by 0.2 % at this displacement
    assert out.step[-1].node[1].Freac[0] == pytest.approx(
        2e-3 * 24 * leaf_section(0.03, 0.5e-3).EIy / 0.08**3, rel=5e-3
    )


def test_overconstraints_of_partly_flexible_leaf_springs_are_named():
    # two leaf springs hold three motions each, and the bridge should keep one of its six
    with pytest.raises(fx.ModelError) as caught:
        parallelogram([2, 3, 4])
    assert str(caught.value).startswith("opt.rls: the model is overconstrained: e1.bending_z_p")
    # a released strain of the last beam has its stiffness, and the bridge is free
    freed = parallelogram([2, 3, 4], rls=[{}, {}, {"def": [6]}])
    assert freed.overconstraints == ()
    assert freed.model.elements["e5"].section.EIz == pytest.approx(E * 0.5e-3 * 0.03**3 / 12, rel=1e-12)


def cartwheel():
    """Four leaf springs from a fixed ring to a centre, two of them to the moving body; 45° apart."""
    s = 0.02
    nodes = [[0, 0, 0], [-s, -s, 0], [s, -s, 0], [-s, s, 0], [s, s, 0], [0, s, 0]]
    return nodes, [[1, 2], [1, 3], [1, 4], [1, 5], [4, 6], [6, 5]]


def test_a_cartwheel_hinge_with_buckling_loads():
    nodes, elements = cartwheel()
    properties = {2: {"fix": True}, 3: {"fix": True}, 6: {"force": [0, -5.0, 0], "mass": 0.1}}
    sets = [{"elems": [1, 2, 3, 4], "flex": [1, 2, 3, 4, 5, 6], "nbeams": 2, **LEAF}]
    out = fx.spacar_light(nodes, elements, properties, sets, {"calcbuck": True, "loadsteps": 3})
    places = dict(zip("OABCDT", nodes, strict=True))
    direct = fx.Model(
        nodes=places,
        elements={
            "a": leaf("O", "A", 2),
            "b": leaf("a.p", "B", 2),
            "c": leaf("a.p", "C", 2),
            "d": leaf("a.p", "D", 2),
            "left": Beam("c.q", "T", fx.Section(), rigid=True),
            "right": Beam("left.q", "d.q", fx.Section(), rigid=True),
            "m": Mass("T", 0.1),
        },
        fixed=["a.q", "b.q"],
        loads={"T.y": fx.Ramp(rate=-5.0)},
    )
    _, system = compare(out, direct, {1: "O", 4: "C", 6: "T"})
    # multipliers: K0 + λ G0 is singular
    K0 = system.contributions["material"][1]
    lowest = out.buck[0]
    spectrum = np.linalg.svd(K0 + lowest * (system.K - K0), compute_uv=False)
    assert spectrum[-1] < 1e-6 * spectrum[0]
    assert np.abs(out.buck[0]) > 1.0


def test_constrained_warping_scales_the_torsional_stiffness():
    L, w = 0.1, LEAF["dim"][0]
    sets = [{"elems": 1, "flex": [1, 2, 3, 4, 5, 6], "nbeams": 1, **LEAF}]
    plain, held = (
        fx.spacar_light([[0, 0, 0], [0, L, 0]], [[1, 2]], [{"fix": True}, {}], [{**sets[0], "cw": cw}]).step[0]
        for cw in (False, True)
    )
    a = L / w * sqrt(24 / (1 + NU))
    ratio = plain.node[1].CMglob[4, 4] / held.node[1].CMglob[4, 4]
    assert ratio == pytest.approx(a / (a - 2 * tanh(a / 2)), rel=1e-9)


def test_buckling_load_of_a_clamped_leaf_spring():
    # Euler: π² EI / 4 L² of a cantilever, in its weak direction
    L = 0.1
    sets = [{"elems": 1, "flex": [1, 2, 3, 4, 5, 6], "nbeams": 6, **LEAF}]
    out = fx.spacar_light(
        [[0, 0, 0], [0, L, 0]], [[1, 2]], [{"fix": True}, {"force_initial": [0, -1.0, 0]}], sets, {"calcbuck": True}
    )
    assert out.buck[0] == pytest.approx(pi**2 * leaf_section(0.03, 0.5e-3).EIy / (4 * L**2), rel=1e-4)


def test_a_state_space_with_modal_damping():
    sets = [{"elems": 1, "flex": [1, 2, 3, 4, 5, 6], **LEAF}]
    table = {1: {"fix": True}, 2: {"mass": 1.0, "transfer_in": "force_x", "transfer_out": ["displ_x", "veloc_x"]}}
    out = fx.spacar_light([[0, 0, 0], [0, 0.1, 0]], [[1, 2]], table, sets, {"transfer": [True, 0.05]})
    A, B, C, D = out.statespace
    values = np.linalg.eigvals(A)
    np.testing.assert_allclose(-values.real / np.abs(values), 0.05, rtol=1e-6)
    np.testing.assert_allclose((C @ np.linalg.solve(-A, B) + D)[0, 0], out.step[0].node[1].CMglob[0, 0], rtol=1e-6)


def test_arguments_from_a_matlab_file(tmp_path):
    from scipy.io import savemat

    nodes, elements = [[0, 0, 0], [0, 0.1, 0]], [[1, 2]]
    nprops = [{"fix": True}, {"force": [1.0, 0, 0]}]
    eprops = [{"elems": 1, "flex": [1, 2, 3, 4, 5, 6], "nbeams": 2, **LEAF}]
    struct = np.array([(1.0, []), ([], [1.0, 0.0, 0.0])], dtype=[("fix", "O"), ("force", "O")])
    savemat(tmp_path / "case.mat", {"nodes": nodes, "elements": elements, "nprops": struct, "eprops": eprops[0]})
    read, written = fx.spacar_light(tmp_path / "case.mat"), fx.spacar_light(nodes, elements, nprops, eprops)
    assert read.model == written.model
    np.testing.assert_array_equal(read.freq, written.freq)


def test_custom_lines_are_lines_of_the_file():
    sets = [{"elems": 1, "flex": [1, 2, 3, 4, 5, 6], **LEAF}]
    opt = {"customdyn": ["XM 4 0.5"], "customkin": "OUTLEVEL 0 1"}
    out = fx.spacar_light([[0, 0, 0], [0, 0.1, 0]], [[1, 2]], [{"fix": True}], sets, opt)
    assert out.model.elements["m4"] == Mass("n4", 0.5)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"elements": [[1, 3]]}, "elements: the numbers of nodes run from 1 to 3, and there are 2 nodes; count nodes"),
        ({"nprops": [{"fxi": 1}]}, "nprops(1).fxi: there is no 'fxi'; did you mean 'fix'?"),
        ({"nprops": [{"force": [1, 2]}]}, "nprops(1).force: these are 2 numbers, or not finite ones; give 3"),
        ({"eprops": [{"flex": 1}]}, "eprops(1): it has no elems, the numbers of its elements; give elems"),
        ({"eprops": [{"elems": 1, "flex": 7}]}, "eprops(1).flex: [7] has numbers beyond 1 to 6; strains are 1 to 6"),
        ({"eprops": [{"elems": 1, "flex": 1}]}, "eprops(1): flexible elements need emod; give emod, smod, dens"),
        ({"eprops": [{"elems": 1}, {"elems": 1}]}, "eprops(2).elems: element 1 is in eprops(1), too"),
        ({"opt": {"mode": 3}}, "opt.mode: mode 3 is not supported; leave it out, or give 10"),
        ({"nodes": [[0, 0, 0], [0, 0, 0]]}, "elements(1): the element is shorter than 1e-5 m; check its nodes"),
        ({"nodes": "missing.mat"}, "missing.mat: the file cannot be read"),
    ],
)
def test_mistakes_in_arguments(change, said):
    given = {"nodes": [[0, 0, 0], [0, 0.1, 0]], "elements": [[1, 2]], "nprops": [{"fix": True}], "eprops": []} | change
    with pytest.raises(fx.ModelError) as caught:
        fx.spacar_light(**given)
    assert str(caught.value).startswith(said)


def test_warping_is_left_out_with_a_warning():
    sets = [{"elems": 1, "flex": [1, 2, 3, 4, 5, 6], "warping": True, **LEAF}]
    with pytest.warns(FormatWarning, match=r"elements\(1\): left out: warping"):
        fx.spacar_light([[0, 0, 0], [0, 0.1, 0]], [[1, 2]], [{"fix": True}], sets)
