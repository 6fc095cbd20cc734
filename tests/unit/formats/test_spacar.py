"""SPACAR files: structure, names, modes, round trip, and the command that converts them."""

import pytest

import flexura as fx
from flexura.formats.registry import FormatWarning
from flexura.formats.spacar import format_spacar, parse_spacar, read_spacar, save_spacar
from flexura.planar import Beam, Gear
from flexura.spatial import Beam as SpatialBeam
from flexura.spatial import Body, Hinge, Link, Mass, Wheel
from references.spacar_models import FOLDER

FILES = sorted(FOLDER.glob("*.dat"))

EVERYTHING = """OUTLEVEL 0 1
HINGE 1 1 2 0 0 1
BEAM 2 3 2 4 5 0 1 0 % flexible
BEAM 3 4 5 6 7 0 1 0
TRUSS 4 3 6
PINBODY 5 6 7 8
RBEAM 6 8 9 10
HINGE 7 7 9 0 1 0
X 3 0 0 0
X 4 1 0 0
X 6 2 0 0
X 8 2 0.5 0
X 10 2 1.5 0
FIX 1
FIX 3
INPUTE 1 1
DYNE 2 1 2 3 4 5
DYNE 3 2 3
RLSE 4 1
DYNE 7 1 2
KINX 10 1
END
HALT
EM 2 1 0.002 0.001 0.001 0
EM 3 2
EM 4 0.1
EM 6 0.5
ESTIFF 2 1e5 20 30 40 0.01 0.01333333333333333333
ESTIFF 3 0 20 30
ESTIFF 4 50
EDAMP 2 10 2 3 5
EDAMP 4 0.5
ESTIFF 7 3 4
EDAMP 7 0.1 0.2
ESIG 2 0 0 0 0 0.1
ESIG 4 2
XM 10 3
XM 9 0.2 0 0.01 0.2 0 0.3
XM 8 0.25
XF 10 0 1 2
XF 7 0.5 0 0
XF 9 0 0 0 0.25
INPUTE 1 1 0.1 2 0.5
STARTDE 7 1 0.1 0.2
STARTDX 10 3 0 0.5
GRAVITY 0 0 -9.81
EPSKIN 1e-9
TIMESTEP 2 10
END
END
VISUALIZATION
COLOR 1 1 1
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("mode", [None, 7])
@pytest.mark.parametrize("second_order", [None, False, True])
def test_a_round_trip_gives_an_equal_model(path, mode, second_order):
    """Without options: the dialect that is written has the beams of the model."""
    model = read_spacar(path, mode=mode, second_order=second_order).model
    assert parse_spacar(format_spacar(model)).model == model


def test_a_dialect_without_the_beams_of_a_model_says_so(tmp_path):
    model = read_spacar(FOLDER / "leaf_springs.dat", second_order=False).model
    with pytest.warns(FormatWarning, match=r"elements\.e1: approximated: .* second order"):
        save_spacar(model, tmp_path / "case.dat", dialect="twente")
    curved = read_spacar(FOLDER / "leaf_springs.dat").model
    assert "beamnl 1 " in format_spacar(curved, dialect="delft")
    assert parse_spacar(format_spacar(curved, dialect="delft")).model == curved


def test_every_keyword_survives_a_round_trip():
    imported = parse_spacar(EVERYTHING)
    again = parse_spacar(format_spacar(imported.model))
    assert again.model == imported.model
    assert [str(note) for note in imported.losses] == []


def test_every_keyword_is_in_the_model():
    imported = parse_spacar(EVERYTHING)
    model = imported.model
    assert list(model.nodes) == ["n3", "n4", "n6", "n8", "n10"]
    assert model.elements["e1"] == Hinge("n3", "e2.p", axis=(0, 0, 1))
    assert model.elements["e3"] == SpatialBeam(
        "e2.q", "n6", fx.Section(GIt=20.0, EIy=30.0, EIz=float("inf"), rhoA=2.0), y_axis=(0, 1, 0)
    )
    assert model.elements["e5"] == Link("e3.q", "n8")
    assert model.elements["e6"] == SpatialBeam("n8", "n10", fx.Section(rhoA=0.5), rigid=True)
    assert model.elements["b8"] == Body("e6.p", 0.25, Jxx=0.2, Jxz=0.01, Jyy=0.2, Jzz=0.3)
    assert model.elements["m10"] == Mass("n10", 3.0)
    assert model.fixed == ("e1.p", "e2.bending_z_q", "e3.bending_y_q")
    assert model.inputs["e1.rotation"] == fx.Polynomial((0.1, 2.0, 0.25))
    assert model.laws == {"e7.bending_y": fx.LinearLaw(k=4.0, c=0.2)}
    assert model.released == ("e7.bending_y",)
    assert model.start == {"e7.rotation": 0.1, "e7.rotation'": 0.2, "n10.z'": 0.5}
    assert imported.runs == {"forward_dynamics": {"analysis": "simulate", "until": 2.0, "samples": 11}}
    assert [note.where for note in imported.notes if note.severity == "ignored"] == [
        "lines 51 to 52", "line 1", "line 47", "line 21",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "analyses"),
    [(0, []), (1, ["simulate"]), (2, ["kinematics"]), (3, ["kinematics", "linearise"]), (4, ["simulate", "linearise"]),
     (7, ["equilibrium", "linearise"]), (8, ["buckling"]), (9, ["equilibrium", "linearise"]), (-1, ["simulate"])],
)  # fmt: skip
def test_modes_are_analyses(mode, analyses):
    runs = read_spacar(FOLDER / "slider_crank.dat", mode=mode).runs
    assert [run["analysis"] for run in runs.values()] == analyses


def test_modes_without_a_meaning_are_refused():
    with pytest.raises(fx.ModelError, match="mode 5 of SPACAR has no analysis here; modes are 0, 1, 2"):
        read_spacar(FOLDER / "slider_crank.dat", mode=5)


def test_load_steps_are_runs_over_the_load():
    imported = read_spacar(FOLDER / "leaf_springs.dat")
    assert list(imported.runs) == [f"step_{i}" for i in range(10)]
    assert imported.runs["step_9"] == {"analysis": "equilibrium", "at": 1.0}
    assert imported.model.loads == {"n7.x": fx.Ramp(rate=5.0)}


def test_inputs_and_outputs_of_a_linear_system():
    text = (
        (FOLDER / "cantilever.dat")
        .read_text()
        .replace("END\nEND", "END\nHALT\nINPUTF 1 5 2\nOUTXP 1 5 3\nOUTE 2 1 3\nEND\nEND")
    )
    imported = parse_spacar(text)
    assert (imported.inputs, imported.outputs) == (("n5.y",), ("n5.z'", "e1.bending_y_p"))
    assert [run["analysis"] for run in imported.runs.values()] == ["equilibrium", "linearise"]


def test_moments_of_three_and_of_four_numbers():
    text = (FOLDER / "cantilever.dat").read_text()
    three, four = (parse_spacar(text.replace("XF 5", f"XF 6 {numbers}\nXF 5")) for numbers in ("1 2 0", "0 2 4 0"))
    assert {"e2.q.about_x": 1.0, "e2.q.about_y": 2.0}.items() <= {
        k: v.value for k, v in three.model.loads.items()
    }.items()
    states = [
        fx.equilibrium(each.model.replace(loads=dict(each.model.loads) | {"n5.y": 0.0})) for each in (three, four)
    ]
    assert states[0]["n5.z"] == pytest.approx(states[1]["n5.z"], rel=0.05)


def test_an_orientation_at_two_positions_is_welded():
    drawn = "X 1 0 0 0\nX 3 1 0 0\nX 5 1 1 0\nX 6 2 1 0\n"
    text = f"BEAM 1 1 2 3 4\nBEAM 2 5 4 6 7\n{drawn}FIX 1\nFIX 2\nFIX 5\nDYNE 1 2\nDYNE 2 2\n"
    model = parse_spacar(text + "END\nHALT\nESTIFF 1 0 5\nESTIFF 2 0 5\nEND\nEND\n").model
    assert model.elements["r4_5"] == Hinge("e1.q", "e2.p", axis=(1, 0, 0), k=float("inf"))


def test_wheels_roll_on_one_ground():
    text = "WHEEL 1 1 2 3 0 1 0\nX 1 0 0 .3\nX 3 0 0 0\nENHC 1 4 1 4\nENHC 1 5 1 5\n"
    imported = parse_spacar(text + "END\nHALT\nXM 1 2\nXM 2 .1 0 0 .2 0 .1\nEND\nEND\n")
    assert imported.model.elements["e1"] == Wheel("n1", "n3", "ground", axle=(0, 1, 0))
    assert imported.model.fixed == ("e1.g",)
    assert parse_spacar(format_spacar(imported.model)).model == imported.model


def test_what_a_file_cannot_say_is_refused_by_name(tmp_path):
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"b": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True), "g": Gear("b.p", "A", ratio=2.0)},
        fixed=["O"],
    )
    with pytest.raises(fx.ModelError, match=r"elements\.g: no line of a SPACAR file for a planar Gear is known"):
        save_spacar(model, tmp_path / "gear.dat")
    lumped = SpatialBeam("O", "A", fx.Section(EI=1.0, rhoIy=1.0), rotary="lumped")
    with pytest.warns(FormatWarning, match=r"elements\.b: left out: the rotary inertia is lumped"):
        save_spacar(fx.Model(nodes={"O": (0, 0, 0), "A": (1, 0, 0)}, elements={"b": lumped}), tmp_path / "b.dat")


def test_the_command_converts_both_ways(tmp_path, invoke):
    result = invoke("convert", FOLDER / "slider_crank.dat", tmp_path / "case.toml")
    assert result.exit_code == 0
    assert "assumed: PLBEAM 1: the mass of a rigid beam is that of a rod" in result.stderr
    model = fx.Model.from_file(tmp_path / "case.toml")
    assert model == fx.load_spacar(FOLDER / "slider_crank.dat")
    result = invoke("convert", tmp_path / "case.toml", tmp_path / "again.dat")
    assert result.exit_code == 0
    assert "again.dat: left out: the runs forward_dynamics" in result.stderr
    assert fx.load_spacar(tmp_path / "again.dat") == model
    result = invoke("convert", tmp_path / "case.toml", tmp_path / "case.docx")
    assert result.exit_code == 2
    assert "models are not written in files that end in '.docx'; options are .dat, .toml" in result.stderr


def test_planar_shear_rotary_inertia_and_points_survive_a_round_trip():
    text = "PLBEAM 1 1 2 3 4\nPLPINBODY 2 3 4 5\nX 1 0 0\nX 3 1 0\nX 5 1 1\nFIX 1\nFIX 2\nDYNE 1 1 2 3\nRLSE 2 2\n"
    text += "END\nHALT\nEM 1 2 0.01\nESTIFF 1 1e6 300 0.003\nESTIFF 2 0 40\nEDAMP 2 0 0.5\n"
    text += "XM 5 1.5\nXM 4 0.1\nEND\nEND\n"
    imported = parse_spacar(text)
    assert imported.losses == ()
    assert imported.model.elements["e1"] == Beam(
        "n1", "n3", fx.Section(EA=1e6, EI=300.0, rhoA=2.0, rhoIz=0.01, GA=300.0 / 0.003), shear=1.0
    )
    assert imported.model.laws == {"e2.along_y": fx.LinearLaw(k=40.0, c=0.5)}
    assert parse_spacar(format_spacar(imported.model)).model == imported.model
