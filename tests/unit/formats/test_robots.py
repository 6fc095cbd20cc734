"""Robot files that are wrong or hostile, and their notes."""

import random
import time

import pytest

import flexura as fx
from flexura.formats.registry import FormatWarning
from flexura.formats.robots import read_mjcf, read_urdf
from references.robots import ARM, CRANE

pytest.importorskip("defusedxml")


def message(read, text, path):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(fx.ModelError) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('type="revolute"', 'type="revolut"', "joint 'lift': there is no joint of the type 'revolut' in"),
        ('<child link="upper"/>', '<child link="uper"/>', "joint 'lift': there is no link 'uper'; did you mean"),
        ('<child link="upper"/>', '<child link="base"/>', "robot: the joints run in a circle; a URDF file is a tree"),
        ('<child link="hand"/>', '<child link="tool"/>', "joint 'wrist': the link 'tool' is the child of two joints"),
        ('axis xyz="0 1 0.2"', 'axis xyz="0 0 0"', "joint 'lift': the axis is zero; give a direction such as 0 0 1"),
        ('mass value="1.5"', 'mass value="heavy"', "link 'upper': 'heavy' is not 1 numbers; give 1 finite numbers"),
        ('mass value="1.5"', 'mass value="nan"', "link 'upper': 'nan' is not 1 numbers; give 1 finite numbers"),
        ('ixx="0.003"', 'ixx="3"', "upper: Body: the principal moments of inertia are impossible"),
        ('<link name="upper">', '<link name="turret">', "link 'turret': this name is given twice; give one of them"),
        ("</robot>", "", "this is not XML: no element found"),
        ("robot", "robto", "the root is <robto>, not <robot>; give a URDF file"),
    ],
)  # fmt: skip
def test_mistakes_in_a_urdf_file(old, new, said, tmp_path):
    assert message(read_urdf, ARM.replace(old, new), tmp_path / "arm.urdf").startswith(f"arm.urdf: {said}")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('type="slide"', 'type="slyde"', "body 'cart': joint 'rail': there is no joint of the type 'slyde';"),
        ('childclass="rod"', 'childclass="rud"', "body 'boom': <joint>: there is no default class 'rud';"),
        ('type="box"', 'type="mesh"', "body 'cart': geom 'mesh': the inertia of a mesh is not known without its mesh"),
        ("<worldbody>", '<include file="x.xml"/><worldbody>', "<include file='x.xml'>: the file cannot be read"),
        ("<worldbody>", '<include file="../x.xml"/><worldbody>', "<include file='../x.xml'>: the file is outside the"),
        ("<worldbody>", '<include file="crane.xml"/><worldbody>', "<include file='crane.xml'>: the file is included"),
        ("<worldbody>", "<worldbody><replicate/>", "<replicate>: this importer does not read it; save the compiled"),
        ('quat="0.9 0.1 0.3 0"', 'quat="1 2"', "body 'hook': quat: '1 2' is not 4 numbers; give 4 finite numbers"),
        ('eulerseq="zyx"', 'eulerseq="abc"', "body 'cart': compiler: eulerseq: 'abc' is no"),
    ],
)  # fmt: skip
def test_mistakes_in_an_mjcf_file(old, new, said, tmp_path):
    assert message(read_mjcf, CRANE.replace(old, new), tmp_path / "crane.xml").startswith(f"crane.xml: {said}")


def test_what_is_left_out_is_a_warning(tmp_path):
    text = CRANE.replace('name="swing"', 'name="swing" armature="0.1" frictionloss="0.2"').replace(
        "</mujoco>", '<actuator><motor joint="swing"/></actuator></mujoco>'
    )
    (tmp_path / "crane.xml").write_text(text)
    with pytest.warns(FormatWarning) as caught:
        fx.load_mjcf(tmp_path / "crane.xml")
    assert [line.strip() for line in str(caught[0].message).split("\n")[1:]] == [
        "joint 'swing': left out: armature = 0.1: the inertia of the rotor",
        "joint 'swing': left out: frictionloss = 0.2: dry friction",
        "actuator: left out: 1 of them: actuators have no signal",
    ]


def test_included_files_and_repeated_sections(tmp_path):
    """A file in parts is the same model."""
    head, rest = CRANE.split("<worldbody>")
    inside, end = rest.split("</worldbody>")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "defaults.xml").write_text(f"<mujocoinclude>{head.split('>', 1)[1]}</mujocoinclude>")
    (tmp_path / "bodies.xml").write_text(f"<mujoco><worldbody>{inside}</worldbody></mujoco>")
    (tmp_path / "whole.xml").write_text(CRANE)
    (tmp_path / "split.xml").write_text(
        '<mujoco model="crane"><include file="parts/defaults.xml"/><worldbody><light/></worldbody>'
        f'<include file="bodies.xml"/>{end}'
    )
    assert read_mjcf(tmp_path / "split.xml").model == read_mjcf(tmp_path / "whole.xml").model


def test_settings_without_counterpart_are_losses(tmp_path):
    settings = '<compiler inertiagrouprange="0 1"/><option density="1.2" wind="0 0 0"/>'
    text = CRANE.replace("<worldbody>", f"{settings}<worldbody>").replace('name="flag"', 'name="flag" gravcomp="1"')
    (tmp_path / "crane.xml").write_text(text)
    assert [str(note) for note in read_mjcf(tmp_path / "crane.xml").losses] == [
        "body 'flag': left out: mocap and gravcomp: the body has its weight, and is moved by nothing",
        "compiler: inertiagrouprange: left out: all geoms have mass",
        "option: density: left out: the medium exerts no forces",
    ]


def test_a_moment_of_inertia_that_is_zero_may_be_turned(tmp_path):
    """A thin rod, turned, has moments that rounding makes negative."""
    inertia = '<inertia ixx="0" iyy="2e-3" izz="2e-3" ixy="0" ixz="0" iyz="0"/>'
    links = '<link name="a"/><link name="b"><inertial><origin rpy="TURNED"/><mass value="1"/>{}</inertial></link>'
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    for rpy in ("0 0 0", "3.141592653589793 -1.5707963267948966 0", "0.1 3.141592653589793 1.5707963267948966"):
        text = f"<robot>{links.format(inertia)}{joint}</robot>".replace("TURNED", rpy)
        (tmp_path / "rod.urdf").write_text(text)
        assert min(read_urdf(tmp_path / "rod.urdf").model.elements["b"].Jzz, 0.0) == 0.0


def test_a_floating_robot_is_free(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM)
    held, free = (fx.load_urdf(tmp_path / "arm.urdf", floating=floating) for floating in (False, True))
    assert held.fixed == ("pan.p",)
    assert free.fixed == ()


BOMB = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'
HOSTILE = {
    "bomb": BOMB + "<robot>&c;</robot>",
    "entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>',
    "document type": '<!DOCTYPE r SYSTEM "http://127.0.0.1/x.dtd"><robot/>',
    "deep": "<robot>" + "<link>" * 100_000 + "</link>" * 100_000 + "</robot>",
    "wide": "<robot>" + '<link name="a"/>' * 300_000 + "</robot>",
    "noise": random.Random(2).randbytes(200_000),
    "long number": f'<robot><link name="a"><inertial><mass value="{"9" * 400}"/></inertial></link></robot>',
    "nothing": "",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("read", [read_urdf, read_mjcf])
def test_hostile_files_are_refused_soon(name, read, tmp_path):
    began = time.process_time()
    said = message(read, HOSTILE[name], tmp_path / "hostile.xml")
    assert said.startswith("hostile.xml: ")
    assert ";" in said
    assert time.process_time() - began < 5.0


def test_large_files_are_refused_unread(tmp_path):
    with (tmp_path / "huge.urdf").open("wb") as file:
        file.truncate(10**10)
    with pytest.raises(fx.ModelError, match=r"huge\.urdf: the file is larger than 10 MB"):
        read_urdf(tmp_path / "huge.urdf")
