"""Substructures: interfaces, errors, files, damping and truncation."""

import numpy as np
import pytest

import flexura as fx
from flexura.model import files
from flexura.spatial import Beam, Superelement

PLACES = np.array([[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0.0], [0, 0.1, 0], [0.05, 0.05, 0.1]])


def trusses():
    """Mass and stiffness of masses that springs join, each with each."""
    count = 3 * len(PLACES)
    mass, stiffness = np.diag(np.full(count, 0.2)), np.zeros((count, count))
    for a in range(len(PLACES)):
        for b in range(a):
            along = (PLACES[a] - PLACES[b]) / np.linalg.norm(PLACES[a] - PLACES[b])
            row = np.zeros(count)
            row[3 * a : 3 * a + 3], row[3 * b : 3 * b + 3] = along, -along
            stiffness += 1e5 * np.outer(row, row)
    return mass, stiffness


def square():
    return fx.FiniteElements.of_nodes(*trusses(), PLACES)


BASE = fx.Interface((0, 1, 2, 3))


def test_a_set_of_nodes_is_held_rigidly_or_in_the_mean():
    mass, stiffness = trusses()
    held = np.linalg.eigvalsh(np.linalg.solve(mass[12:, 12:], stiffness[12:, 12:]))
    rigid = fx.reduce(square(), [BASE], modes=3).frequencies
    assert rigid == pytest.approx(np.sqrt(held), rel=1e-9)
    mean = fx.reduce(square(), [fx.Interface((0, 1, 2, 3), coupling="mean")], modes=3).frequencies
    assert np.all(mean < rigid + 1e-9)
    assert mean[0] < 0.99 * rigid[0]


def test_modes_below_a_frequency():
    every = fx.reduce(square(), [BASE], modes=3).frequencies / (2 * np.pi)
    limit = 0.5 * (every[1] + every[2])
    assert fx.reduce(square(), [BASE], below=limit).modes == np.count_nonzero(every < limit)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m, k: (m, k + np.triu(k, 1)), r"stiffness: the matrix is not symmetric: entries \(\d+, \d+\)"),
        (lambda m, k: (-m, k), "mass: the matrix is indefinite: an entry of its diagonal is negative; check its signs"),
        (
            lambda m, k: (m + np.eye(15, k=3) + np.eye(15, k=-3), k),
            r"mass: the matrix is indefinite: entry \(\d+, \d+\) is",
        ),
        (lambda m, k: (m, k + np.eye(15)), "stiffness: the stiffness resists the .* of the whole part; give the matri"),
        (lambda m, k: (m[:3, :3], k), "mass: the matrix is 3 × 3, the part has 15 degrees of freedom"),
        (lambda m, k: (m, np.where(k > 1e5, np.nan, k)), "stiffness: an entry is not a finite number"),
    ],
)
def test_wrong_matrices_are_refused(change, message):
    with pytest.raises(fx.ModelError, match=message):
        fx.reduce(fx.FiniteElements.of_nodes(*change(*trusses()), PLACES), [BASE], modes=1)


@pytest.mark.parametrize(
    ("interfaces", "given", "message"),
    [
        ([BASE], {"modes": 4}, "modes: 4 modes are asked for, and the part has 3; ask for fewer, or make the mesh fi"),
        ([fx.Interface((0, 9))], {}, r"interfaces\[0\]: node 9 is off the mesh; the mesh has nodes 0 to 4"),
        ([fx.Interface((0, 1, 1.5))], {}, r"interfaces\[0\]: node 1.5 is off the mesh; the mesh has nodes 0 to 4"),
        ([BASE], {"modes": 1, "below": 9.0}, "modes: modes and below are both given; give a number of modes or a fr"),
        ([fx.Interface((0, 1))], {}, r"interfaces\[0\]: its 2 nodes do not fix a rotation; give three nodes or more"),
        ([], {}, "interfaces: there is none; name the place where the part is attached to its frame"),
        (["foot"], {}, r"interfaces\[0\]: the part has no node 'foot'; nodes with names are none"),
        ([BASE], {"below": -1.0}, "below: -1 Hz is no limit of frequencies; give a positive number of Hz"),
        ([BASE], {"modes": -1}, "modes: -1 is no number of modes; give a whole number, zero or more"),
        ([BASE], {"modes": 1.5}, "modes: 1.5 is no number of modes; give a whole number, zero or more"),
        ([BASE, fx.Interface((3, 4, 1))], {}, r"interfaces\[1\]: node 3 belongs to interfaces\[0\] already; give"),
        ([BASE], {"method": "loose"}, "method: there is no method 'loose'; give 'fixed' or 'free'"),
    ],
)
def test_wrong_reductions_are_refused(interfaces, given, message):
    with pytest.raises(fx.ModelError, match=message):
        fx.reduce(square(), interfaces, **given)


def beam(**given):
    section = fx.Section(EA=1e6, EIy=10.0, EIz=20.0, GIt=5.0, rhoA=0.5, rhoIy=1e-5, rhoIz=1e-5)
    nodes = {"A": (0, 0, 0), "B": (1, 0, 0)}
    return fx.Model(nodes=nodes, elements={"rod": Beam("A", "B", section, parts=4)}, space="spatial", **given)


def test_wrong_models_of_parts_are_refused():
    with pytest.raises(fx.ModelError, match="fixed: a part that is reduced has no fixed: its frame and its interf"):
        fx.reduce(beam(fixed=["rod.p"]), ["rod.p"])
    with pytest.raises(fx.ModelError, match=r"interfaces\[0\]: 'A' has no orientation; name the end of an element; en"):
        fx.reduce(beam(), ["A"])
    wire = fx.Section(EI=10.0, rhoA=0.5)
    inextensible = fx.Model(nodes={"A": (0, 0, 0), "B": (1, 0, 0)}, elements={"rod": Beam("A", "B", wire)})
    with pytest.raises(fx.ModelError, match=r"rigid parts join two interfaces, .* or give the links between"):
        fx.reduce(inextensible, ["rod.p", "rod.q"])
    with pytest.raises(fx.ModelError, match=r"interfaces: 'rod.p' is one name; give a list of names, such as \['rod.p"):
        fx.reduce(beam(), "rod.p")


@pytest.fixture(scope="module")
def part():
    return fx.reduce(beam(), ["rod.p", "rod.q"], modes=3)


def placed(part, at=(1, 0, 0), **given):
    element = Superelement("A", ("B",), part, **given)
    return fx.Model(nodes={"A": (0, 0, 0), "B": at}, elements={"rod": element}, space="spatial")


def test_wrong_superelements_are_refused(part):
    with pytest.raises(
        fx.ModelError, match=r"elements.rod: interfaces: interface 1 is drawn at \(0, 1, 0\) from the frame"
    ):
        placed(part, at=(0, 1, 0))
    placed(part, at=(0, 1, 0), x_axis=(0, 1, 0), y_axis=(-1, 0, 0))
    with pytest.raises(
        fx.ModelError, match="modes: 9 modes are asked for, and the part has 3; reduce the part with mo"
    ):
        placed(part, modes=9)
    with pytest.raises(fx.ModelError, match="2 damping ratios are given for 3 modes; give one number, or one for each"):
        placed(part, damping_ratio=(0.1, 0.2))
    with pytest.raises(fx.ModelError, match="1 interfaces are given, and the part has 0"):
        Superelement("A", ("B",), fx.reduce(beam(), ["rod.p"]))


def test_fewer_modes_are_the_first_of_more(part):
    fewer = fx.reduce(beam(), ["rod.p", "rod.q"], modes=1)
    assert part.truncated(1).frequencies == pytest.approx(fewer.frequencies)
    assert part.truncated(1).content["inertia_2"] == pytest.approx(fewer.content["inertia_2"], abs=1e-9)
    assert placed(part, modes=1).elements["rod"].coordinates[-1] == "mode_1"


def test_damping_by_mode(part):
    element = Superelement("A", ("B",), part, damping_ratio=(0.01, 0.02, 0.03))
    damping, stiffness = element.damping(1.0)[6:, 6:], element.stiffness(1.0)[6:, 6:]
    mass = part.held_mass
    for k, ratio in ((6, 0.01), (7, 0.02), (8, 0.03)):
        assert damping[k, k] == pytest.approx(2 * ratio * np.sqrt(stiffness[k, k] * mass[k, k]))


def test_models_with_parts_go_to_files_and_back(part, tmp_path):
    model = placed(part, modes=2)
    assert files.loads(files.dumps(model)).model == model
    model.to_file(tmp_path / "machine.toml")
    text = (tmp_path / "machine.toml").read_text()
    assert 'matrices = {file = "machine_rod.npz"}' in text
    assert fx.Model.from_file(tmp_path / "machine.toml") == model
    (tmp_path / "machine_rod.npz").unlink()
    with pytest.raises(fx.ModelError, match=r"there is no file 'machine_rod.npz'; give its path relative to the model"):
        fx.Model.from_file(tmp_path / "machine.toml")
    (tmp_path / "machine_rod.npz").write_text("no arrays")
    with pytest.raises(fx.ModelError, match=r"'machine_rod.npz' is no archive of arrays"):
        fx.Model.from_file(tmp_path / "machine.toml")


def test_parts_are_equal_by_content(part, tmp_path):
    saved = part.save(tmp_path / "rod.npz")
    assert saved == part
    assert fx.Substructure(str(tmp_path / "rod.npz")) == part
    assert hash(saved) == hash(part)
    assert part != part.truncated(1)
    assert repr(part) == "<Substructure: 0.5 kg, 1 interface, 3 modes>"


def test_the_deformed_part_is_drawn(part):
    model = placed(part).replace(fixed=["rod.frame"], start={"rod.mode_1": 0.01})
    state = fx.simulate(model, until=1e-6, samples=2)
    lines = state.scene().lines["rod"]
    assert len(lines) == 4
    places = np.array([line[0] for line in lines])
    assert np.abs(places[..., 1:]).max() == pytest.approx(0.01, rel=1e-3)
