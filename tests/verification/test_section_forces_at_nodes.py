"""Section forces of generated chains: at every node those of the links carry what is attached there, to rounding."""

import numpy as np
import pytest

import flexura as fx
from flexura import planar, spatial
from flexura.analyses.motion.cut_links import CutLink

STEEL = fx.Material(E=2.1e11, rho=7850.0, nu=0.3, damping=1e-4)
SHAPES = (fx.Circle(0.03), fx.Tube(0.05, 0.04), fx.Rectangle(0.04, 0.02), fx.Box(0.05, 0.03, 0.003))


def chain(seed, dimension):
    """Links of all kinds in a row from O, some welded, with masses, loads and gravity, and a spring to G at the end."""
    random, kinds = np.random.default_rng(seed), planar if dimension == 2 else spatial
    count, place = int(random.integers(1, 4)), np.zeros(dimension)
    nodes, elements, loads, node = {"O": tuple(place)}, {}, {}, "O"
    for i in range(count):
        step = random.normal(size=dimension)
        place = place + step / np.linalg.norm(step) * random.uniform(0.4, 1.0)
        given = {"rigid": True} if random.random() < 0.3 else {"parts": int(random.integers(1, 6)), "shear": 0.85}
        begin = f"link{i - 1}.q" if i and random.random() < 0.5 else node
        node = f"N{i}"
        nodes[node] = tuple(place)
        section = SHAPES[random.integers(len(SHAPES))]
        elements[f"link{i}"] = kinds.Beam(begin, node, section, STEEL, **given)
        if random.random() < 0.5:
            elements[f"mass{i}"] = kinds.Mass(node, random.uniform(0.5, 5.0))
        if random.random() < 0.5:
            loads[f"{node}.y"] = "10*sin(30*t) + 3"
        if random.random() < 0.5:
            loads[f"link{i}"] = tuple(random.normal(size=dimension))
    nodes["G"] = tuple(place + random.normal(size=dimension))
    elements["spring"] = kinds.Spring("G", node, k=300.0, c=2.0, preload=random.uniform(-5.0, 5.0))
    gravity = tuple(random.normal(size=dimension) * 5.0)
    return fx.Model(nodes=nodes, elements=elements, fixed=["O", "G"], loads=loads, gravity=gravity)


def cut(motion, link, s):
    """Force and moment, in global axes, that the side of q exerts on the side of p."""
    section, part = motion.section(link, s), motion.names.parts[link][0 if s == 0.0 else -1]
    axes = CutLink(motion, part, np.zeros((motion.t.size, motion.model.dimension))).axes(s)
    names = ("N", "V") if len(axes) == 2 else ("N", "Vy", "Vz")
    force = sum(section[name][:, None] * axis for name, axis in zip(names, axes, strict=True))
    if len(axes) == 2:
        return force, section.M[:, None]
    return force, sum(section[name][:, None] * axis for name, axis in zip(("T", "My", "Mz"), axes, strict=True))


def other_forces(motion, node):
    """Forces on a node by its support, load, mass and spring."""
    model, axes = motion.model, "xyz"[: motion.model.dimension]
    places = {name: np.stack([motion[f"{name}.{axis}"] for axis in axes], axis=-1) for name in (node, "G")}
    total = np.zeros_like(places[node])
    for k, axis in enumerate(axes):
        if node in model.fixed or f"{node}.{axis}" in model.loads:
            total[:, k] += motion.force(f"{node}.{axis}")
    for element in model.elements.values():
        if type(element).__name__ == "Mass" and element.p == node:
            columns = [motion.column(motion.names.resolve(f"{node}.{axis}")) for axis in axes]
            second = (motion.position[2] if motion.balanced is None else motion.balanced)[:, columns]
            total += element.mass * (np.array(model.gravity) - second)
        if type(element).__name__ == "Spring" and element.q == node:
            way = places[node] - places["G"]
            total += motion.force("spring.elongation")[:, None] * way / np.linalg.norm(way, axis=1, keepdims=True)
    return total


@pytest.mark.parametrize(("seed", "dimension"), [(0, 2), (3, 2), (7, 2), (9, 2), (3, 3), (5, 3), (7, 3)])
def test_every_node_is_in_equilibrium(seed, dimension):
    model = chain(seed, dimension)
    motion = fx.simulate(model, until=0.02, samples=4)
    links = [name for name in model.elements if name.startswith("link")]
    ends = {name: (cut(motion, name, 0.0), cut(motion, name, 1.0)) for name in links}
    size = 1.0 + max(np.abs(force).max() for both in ends.values() for force, _ in both)
    for i, name in enumerate(links):
        (first, moment), (last, bent) = ends[name]
        if i == 0:
            assert np.abs(first + other_forces(motion, "O")).max() < 1e-9 * size
        welded = i + 1 < len(links) and "." in model.elements[links[i + 1]].p
        onward = ends[links[i + 1]][0] if i + 1 < len(links) else (0.0, 0.0)
        assert np.abs(onward[0] - last + other_forces(motion, f"N{i}")).max() < 1e-9 * size
        # a weld passes the moment on, a pin has none
        assert np.abs(bent - (onward[1] if welded else 0.0)).max() < 1e-9 * size
        if "." not in model.elements[name].p:
            assert np.abs(moment).max() < 1e-9 * size


def test_a_flexible_connecting_rod_between_the_steps_of_an_implicit_method(tmp_path):
    wire = fx.Material(E=2e11, rho=7870.0, damping_ratio=0.02)
    model = fx.Model(
        nodes={"O": (0, 0), "A": (0.15, 0), "B": (0.45, 0)},
        elements={
            "crank": planar.Beam("O", "A", fx.Circle(0.02), STEEL, rigid=True),
            "rod": planar.Beam("A", "B", fx.Circle(0.004), wire, parts=8),
            "piston": planar.Mass("B", 0.033),
        },
        fixed=["O", "B.y"],
        inputs={"crank.p.phi": fx.Ramp(rate=150.0)},
    )
    motion = fx.simulate(model, until=0.02, samples=7, method=fx.KennedyCarpenter())
    ends = [cut(motion, link, s) for link, s in (("crank", 0.0), ("crank", 1.0), ("rod", 0.0), ("rod", 1.0))]
    (root, moment), (tip, _), (first, at_a), (last, at_b) = ends
    size = np.abs(root).max()
    assert np.abs(tip - first).max() < 1e-9 * size
    assert np.abs([at_a, at_b]).max() < 1e-9 * size
    assert np.abs(last[:, 1] - motion.force("B.y")).max() < 1e-9 * size
    assert np.abs(root + np.stack([motion.force("O.x"), motion.force("O.y")], axis=-1)).max() < 1e-9 * size
    assert np.abs(moment[:, 0] + motion.force("crank.p.phi")).max() < 1e-9 * size
    # accelerations that are shown agree within the accuracy of the run, and both are stored
    assert np.abs(last[:, 0] + 0.033 * motion["B.x''"]).max() < 0.01 * size
    motion.save(tmp_path / "a.nc")
    assert fx.load(tmp_path / "a.nc") == motion
    later = motion.only(slice(2, 4)).section("rod")
    assert np.array_equal(later.M, motion.section("rod").M[2:4])
