"""Robots as texts of URDF and MJCF files, and their motion by MuJoCo."""

# ruff: noqa: E501 - lines of other languages

import xml.etree.ElementTree as ET
from importlib.util import find_spec
from pathlib import Path

import numpy as np

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="turret"><inertial><origin xyz="0.02 0.01 0.1" rpy="0.1 0.2 0.3"/><mass value="2.0"/>
    <inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0.001" ixz="-0.002" iyz="0.0015"/></inertial></link>
  <link name="upper"><inertial><origin xyz="0.2 0 0.01"/><mass value="1.5"/>
    <inertia ixx="0.003" iyy="0.02" izz="0.021" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"><inertial><origin xyz="0 0 0.05"/><mass value="0.3"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.0005" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="piston"><inertial><origin xyz="0.1 0 0"/><mass value="0.7"/>
    <inertia ixx="0.001" iyy="0.004" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hand"><inertial><origin xyz="0.05 0.02 0" rpy="0 0 0.5"/><mass value="0.4"/>
    <inertia ixx="0.0004" iyy="0.0006" izz="0.0008" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pan" type="continuous"><parent link="base"/><child link="turret"/><origin xyz="0 0 0.3" rpy="0 0.1 0"/>
    <axis xyz="0 0 1"/><dynamics damping="0.05"/></joint>
  <joint name="lift" type="revolute"><parent link="turret"/><child link="upper"/><origin xyz="0.1 0 0.2" rpy="0.3 0 0.2"/>
    <axis xyz="0 1 0.2"/><limit lower="-2.5" upper="2.5" effort="1" velocity="1"/><dynamics damping="0.1"/></joint>
  <joint name="weld" type="fixed"><parent link="upper"/><child link="tool"/><origin xyz="0.3 0.05 0" rpy="0 1 0"/></joint>
  <joint name="extend" type="prismatic"><parent link="upper"/><child link="piston"/><origin xyz="0.4 0 0" rpy="0 0 0.4"/>
    <axis xyz="1 0 0"/><limit lower="-5" upper="5" effort="1" velocity="1"/><dynamics damping="2"/></joint>
  <joint name="wrist" type="continuous"><parent link="piston"/><child link="hand"/><origin xyz="0.2 0 0"/>
    <axis xyz="0 0 1"/></joint>
</robot>"""

CRANE = """<mujoco model="crane">
  <compiler angle="degree" eulerseq="zyx"/>
  <option gravity="0.3 0 -9.81"/>
  <default><joint damping="0.02"/><geom density="800"/>
    <default class="rod"><geom type="capsule" size="0.02"/><joint damping="0.1" axis="0 1 0"/></default></default>
  <worldbody>
    <body name="cart" pos="0 0 1" euler="20 0 10">
      <joint name="rail" type="slide" axis="1 0 0" stiffness="40" springref="0.1"/>
      <geom type="box" size="0.1 0.05 0.04"/>
      <body name="boom" childclass="rod" pos="0 0 -0.05">
        <joint name="swing"/><joint name="sway" axis="1 0 0" pos="0 0 0.01"/>
        <geom fromto="0 0 0 0.1 0 -0.5"/>
        <body name="hook" pos="0.1 0 -0.5" quat="0.9 0.1 0.3 0">
          <joint name="turn" axis="0 0.2 1" range="-170 170" limited="true"/>
          <geom type="ellipsoid" size="0.05 0.03 0.08" pos="0.02 0 -0.05" class="main"/>
          <geom type="cylinder" size="0.02 0.06" pos="0 0.04 0" zaxis="1 1 0" class="main" mass="0.2"/>
        </body>
      </body>
      <body name="flag" pos="0.1 0 0.1"><inertial pos="0.01 0 0.1" mass="0.3" fullinertia="1e-3 2e-3 1.5e-3 1e-4 0 2e-4"/></body>
    </body>
  </worldbody>
</mujoco>"""

SATELLITE = """<mujoco model="satellite">
  <compiler angle="radian"/><option gravity="0 0 0"/>
  <worldbody>
    <body name="hub" pos="0 0 2"><freejoint name="float"/><geom type="box" size="0.3 0.2 0.1" mass="8"/>
      <body name="panel" pos="0.3 0 0"><joint name="fold" axis="0 1 0" stiffness="0.5" damping="0.01"/>
        <geom type="box" size="0.4 0.2 0.01" pos="0.4 0 0" mass="1"/></body>
      <body name="dish" pos="0 0.2 0" xyaxes="0 1 0 -1 0 0.2"><joint name="gimbal" type="ball"/>
        <geom type="sphere" size="0.1" pos="0 0 0.15" mass="0.8"/></body>
    </body>
  </worldbody>
</mujoco>"""

FOUR_BAR = """<mujoco model="four-bar">
  <compiler angle="radian"/>
  <worldbody>
    <body name="crank"><joint name="drive" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.3" mass="0.5"/>
      <body name="coupler" pos="0 0 0.3"><joint name="pin" axis="0 1 0"/>
        <geom type="capsule" size="0.02" fromto="0 0 0 0.8 0 0.3" mass="1"/></body></body>
    <body name="rocker" pos="0.8 0 0"><joint name="pivot" axis="0 1 0"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.6" mass="0.8"/></body>
  </worldbody>
  <equality><connect name="close" body1="coupler" body2="rocker" anchor="0.8 0 0.3"/></equality>
</mujoco>"""

LEG = """<mujoco model="leg">
  <compiler angle="radian" settotalmass="12"/>
  <default><geom type="capsule" size="0.03" density="700"/><joint axis="0 1 0" damping="0.2"/>
    <default class="light"><geom density="200" size="0.02"/><default class="lighter"><geom size="0.015"/></default></default></default>
  <worldbody>
    <frame pos="0 0 1.2" axisangle="0 0 1 0.4">
      <frame euler="0.1 0 0" childclass="light">
        <body name="hip" pos="0.05 0 0">
          <joint name="yaw" axis="0 0 1"/>
          <geom class="main" fromto="0 0 0 0 0.1 0"/>
          <frame pos="0 0.1 0" xyaxes="1 0 0.1 0 1 0">
            <joint name="pitch" pos="0 0 0.01"/>
            <geom class="lighter" fromto="0 0 0 0.05 0 -0.4"/>
            <body name="shank" pos="0.05 0 -0.4" zaxis="0.1 0 1">
              <joint name="knee" stiffness="3" springref="0.4"/>
              <inertial pos="0 0 -0.2" mass="1.1" diaginertia="0.02 0.021 0.002" quat="0.98 0 0.2 0"/>
              <frame euler="0 0.3 0"><body name="foot" pos="0 0 -0.4"><joint name="ankle" range="-1 1"/>
                <geom type="box" size="0.1 0.04 0.02" pos="0.05 0 -0.02"/></body></frame>
            </body>
          </frame>
        </body>
      </frame>
    </frame>
  </worldbody>
  <worldbody><body name="arm" pos="0 -0.2 1.2"><joint name="shoulder"/><geom fromto="0 0 0 0.3 0 0"/></body></worldbody>
  <default><default class="unused"><geom size="9"/></default></default>
</mujoco>"""

PARALLEL = """<mujoco model="parallel">
  <compiler angle="degree" eulerseq="XYZ" inertiafromgeom="true"/><option><flag gravity="disable"/></option>
  <default><geom type="cylinder" size="0.02 0.2" mass="0.6"/></default>
  <worldbody>
    <body name="base" pos="0.1 0 0" euler="15 -20 30">
      <joint name="left" axis="0 0 1"/><geom euler="90 0 0" pos="0 0.2 0"/>
      <inertial pos="9 9 9" mass="99" diaginertia="1 1 1"/>
      <body name="second" pos="0 0.4 0" axisangle="0 0 2 -35">
        <joint name="bend" axis="0 1 1" ref="20" stiffness="1.5" springref="35"/><geom type="ellipsoid" size="0.1 0.2 0.05"/>
        <body name="slide" pos="0.1 0 0"><joint name="out" type="slide" axis="1 1 0" damping="0.5"/><geom type="sphere" size="0.07" mass="0.3"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>"""

GRIPPER = """<robot name="gripper" xmlns:xacro="http://ros.org/wiki/xacro">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <joint type="revolute" name="lift"><origin rpy="1.5707963 0 0.3" xyz="0 0 0.5"/><parent link="world"/><child link="boom"/>
    <axis xyz="0 0 -2"/><limit lower="-1.0" upper="2.0" effort="100" velocity="2"/></joint>
  <link name="world"/>
  <link name="palm"><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual><inertial><mass value="0.4"/>
    <inertia ixx="4e-4" iyy="4e-4" izz="6e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="boom"><inertial><origin xyz="0.25 0 0" rpy="0 0.2 0"/><mass value="2"/>
    <inertia ixx="0.001" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="finger"><inertial><origin xyz="0 0.02 0.03"/><mass value="0.05"/>
    <inertia ixx="2e-5" iyy="2e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tip"><inertial><mass value="0.01"/><inertia ixx="1e-6" iyy="1e-6" izz="1e-6" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="flange" type="fixed"><parent link="boom"/><child link="palm"/><origin xyz="0.5 0 0" rpy="0.1 0.2 0.3"/></joint>
  <joint name="close" type="prismatic"><parent link="palm"/><child link="finger"/><origin xyz="0 0.03 0.05"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="1"/><dynamics damping="0.3"/></joint>
  <joint name="bend" type="revolute"><parent link="finger"/><child link="tip"/><origin xyz="0 0 0.06"/><axis xyz="1 0 0"/>
    <limit lower="-3" upper="3" effort="5" velocity="1"/><dynamics damping="1e-4"/></joint>
</robot>"""


def installed_robots() -> dict[str, Path]:
    """URDF files of robots that an installed package has, by name."""
    if find_spec("cmeel_example_robot_data") is None and find_spec("mujoco") is None:
        return {}
    import mujoco

    folder = Path(mujoco.__file__).parents[1] / "cmeel.prefix/share/example-robot-data/robots"
    wanted = {"ur5": "ur_description/urdf/ur5_robot.urdf", "panda": "panda_description/urdf/panda.urdf",
              "double_pendulum": "double_pendulum_description/urdf/double_pendulum.urdf",
              "kinova": "kinova_description/robots/kinova.urdf", "z1": "z1_description/urdf/z1.urdf"}  # fmt: skip
    return {name: folder / path for name, path in wanted.items() if (folder / path).is_file()}


def without_meshes(text: str) -> str:
    """A URDF text without pictures, surfaces, and joints that follow others."""
    root = ET.fromstring(text)
    for joint in root.findall("joint"):
        for child in joint.findall("mimic"):
            joint.remove(child)
    for link in root.findall("link"):
        for tag in ("visual", "collision"):
            for child in link.findall(tag):
                link.remove(child)
    return ET.tostring(root, encoding="unicode")


def mujoco_motion(text, start, until, samples, steps=4000):
    """Values of all joints by MuJoCo's Runge-Kutta method, without contacts, limits and friction; positions of bodies."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(text)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = until / steps
    flags = mujoco.mjtDisableBit
    model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
    model.dof_frictionloss[:] = 0.0
    model.dof_armature[:] = 0.0
    data = mujoco.MjData(model)
    for name, (q, v) in start.items():
        joint = model.joint(name)
        drawn = model.qpos0[joint.qposadr[0]]
        data.qpos[joint.qposadr[0]], data.qvel[joint.dofadr[0]] = drawn + q, v
    names = [model.joint(i).name for i in range(model.njnt) if model.jnt_type[i] in (2, 3)]
    found = []
    for i in range(steps + 1):
        if i % (steps // (samples - 1)) == 0:
            mujoco.mj_forward(model, data)
            found.append((data.qpos.copy(), data.xipos.copy()))
        mujoco.mj_step(model, data)
    places = {name: model.joint(name).qposadr[0] for name in names}
    values = {name: np.array([q[at] - model.qpos0[at] for q, _ in found]) for name, at in places.items()}
    centres = {model.body(i).name: np.array([x[i] for _, x in found]) for i in range(1, model.nbody)}
    return values, centres


ODD_URDF = """<robot name="odd">
 <link name="base"/>
 <link name="plate"><inertial><origin xyz="0.02 0.01 0.0" rpy="0.1 0.2 0.3"/><mass value="1.2"/><inertia ixx="0.01" iyy="0.02" izz="0.025" ixy="0.001" ixz="-0.002" iyz="0.0005"/></inertial></link>
 <link name="tool"><inertial><origin xyz="0.1 0 0" rpy="0 0.7 0"/><mass value="0.5"/><inertia ixx="0.002" iyy="0.003" izz="0.004" ixy="0" ixz="0.0004" iyz="0"/></inertial></link>
 <link name="flange"/>
 <link name="tip"><inertial><mass value="0.2"/><inertia ixx="1e-4" iyy="2e-4" izz="2e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
 <joint name="j1" type="revolute"><parent link="base"/><child link="plate"/><origin xyz="0 0 0.3" rpy="0.3 -0.2 0.1"/><axis xyz="0 1 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/><dynamics damping="0.05"/></joint>
 <joint name="f1" type="fixed"><parent link="plate"/><child link="flange"/><origin xyz="0.2 0 0" rpy="0 0 1.2"/></joint>
 <joint name="j2" type="continuous"><parent link="flange"/><child link="tool"/><origin xyz="0.05 0 0.02" rpy="1.0 0 0"/><axis xyz="1 0 0"/></joint>
 <joint name="f2" type="fixed"><parent link="tool"/><child link="tip"/><origin xyz="0.3 0 0" rpy="0 0.5 0"/></joint>
</robot>"""
"""Fixed joints in series, a link without inertia, turned inertias, a skew axis."""

ODD_MJCF = """<mujoco model="odd">
 <compiler angle="degree" eulerseq="zyx" autolimits="true"/>
 <option gravity="0 0 -9.81"/>
 <default><joint damping="0.02"/><geom contype="0" conaffinity="0"/>
  <default class="arm"><joint axis="0 1 0"/><geom type="capsule" size="0.02" density="800"/>
   <default class="thin"><geom size="0.01" density="1200"/></default></default></default>
 <worldbody>
  <frame pos="0 0 1" euler="30 0 10">
   <body name="a" childclass="arm" pos="0 0 0">
    <joint name="ja" type="hinge"/>
    <geom fromto="0 0 0 0.3 0 0"/>
    <frame pos="0.3 0 0" quat="0.9238795 0 0 0.3826834">
     <body name="b" pos="0.01 0 0.02" axisangle="1 0 0 40">
      <joint name="jb" type="hinge" axis="0 0 1" pos="0.01 0 0" range="-170 170"/>
      <geom class="thin" fromto="0 0 0 0.25 0 0.05"/>
      <geom type="box" size="0.02 0.03 0.01" pos="0.2 0 0" mass="0.1" euler="0 20 0"/>
      <body name="c" pos="0.25 0 0.05"><joint name="jc" type="slide" axis="1 0 0" stiffness="20" springref="0.01"/>
        <inertial pos="0.01 0 0" mass="0.3" diaginertia="0.001 0.0012 0.0011" quat="0.9 0.1 0.2 0.3"/></body>
     </body></frame></body></frame>
 </worldbody>
</mujoco>"""
"""Frames in frames, classes in classes, angles in degrees about z, y, x, a spring with a reference, turned inertias."""
