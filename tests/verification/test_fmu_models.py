"""FMUs of models, run by FMPy and by SciPy: equal to simulations, in both kinds and both versions of FMI."""

import time
import zipfile
from ctypes import c_double
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import DOP853

import flexura as fx
from flexura.formats.registry import FormatWarning
from flexura.planar import Beam, Clearance, Mass
from flexura.spatial import Beam as SpatialBeam
from flexura.spatial import Body

fmpy = pytest.importorskip("fmpy")
pytest.importorskip("ziglang")
validate_fmu = pytest.importorskip("fmpy.validation").validate_fmu

VERSIONS = ("2.0", "3.0")
TIGHT = fx.DormandPrince(tolerance=1e-12)

bars = {
    "crank": Beam("O", "A", fx.Section(rhoA=1.0), rigid=True),
    "rod": Beam("A", "B", fx.Section(rhoA=0.6), rigid=True),
}
SLIDER_CRANK = fx.Model(
    nodes={"O": (0, 0), "A": (0.1, 0.05), "B": (0.35, 0)},
    elements={**bars, "slider": Mass("B", 0.4)},
    fixed=["O", "B.y"],
    gravity=(0, -9.81),
    start={"crank.p.phi'": 8.0},
    title="Slider-crank",
)
LOOSE_PIN = fx.Model(
    nodes={"O": (0, 0), "A": (0.1, 0.05), "B": (0.35, 0), "C": (0.35, 0)},
    elements={
        **bars,
        "pin": Clearance("B", "C", clearance=5e-4, contact=fx.Hertz(k=1e9, restitution=0.8)),
        "slider": Mass("C", 0.4),
    },
    fixed=["O", "C.y"],
    start={"crank.p.phi'": 20.0},
    title="Loose pin",
)
ARM = fx.Model(
    nodes={"O": (0, 0), "A": (1, 0)},
    elements={
        "hub": Mass("arm.p", 0.0, 0.05),
        "arm": Beam("O", "A", fx.Section(EI=10.0, rhoA=0.6, damping=4e-3), parts=2),
    },
    fixed=["O"],
    title="Flexible arm",
)
CASES = {
    "slider-crank": (SLIDER_CRANK, ["B.x", "B.x'", "O.x.force", "rod.q.phi''"], 0.4, 40),
    "arm": (ARM, ["A.y", "output arm.p.phi", "arm.1.bending_q", "O.y.force"], 0.2, 40),
    "loose pin": (LOOSE_PIN, ["C.x", "C.x'", "pin.gap", "pin.gap.force", "O.x.force"], 0.02, 200),
}
TORQUE = 0.3


@pytest.fixture(scope="module", params=VERSIONS)
def version(request):
    return request.param


@pytest.fixture(scope="module", params=CASES)
def case(request, version, tmp_path_factory):
    """An FMU, and the simulation that it must equal."""
    model, outputs, end, count = CASES[request.param]
    path = tmp_path_factory.mktemp("fmu") / "model.fmu"
    inputs, start = (["arm.p.phi"], {"arm.p.phi": TORQUE}) if request.param == "arm" else ([], {})
    signals = [name.removeprefix("output ") for name in outputs]
    fx.to_fmu(model, path, inputs=inputs, outputs=signals, version=version, tolerance=1e-12)
    # short steps: samples between the ends of long ones are interpolated, forces among them to 1e-8
    fine = fx.DormandPrince(tolerance=1e-12, largest_step=end / 3000)
    motion = fx.simulate(model.replace(loads=start), until=end, samples=count + 1, method=fine)
    expected = {name: motion[signal] for name, signal in zip(outputs, signals, strict=True)}
    return SimpleNamespace(path=str(path), expected=expected, end=end, count=count, start=start, t=motion.t)


def compare(found, expected, tolerance):
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=0, atol=tolerance * np.abs(values).max(), err_msg=name)


def test_the_description_is_valid(case):
    assert validate_fmu(case.path) == []


def test_co_simulation_equals_simulate(case):
    result = fmpy.simulate_fmu(
        case.path, stop_time=case.end, output_interval=case.end / case.count, fmi_type="CoSimulation",
        start_values=case.start, relative_tolerance=1e-12,
    )  # fmt: skip
    compare(result, case.expected, 1e-8)


def test_model_exchange_equals_simulate(case):
    """With CVode of FMPy, which locates the events.

    Penetrations are small differences of positions: with a tolerance of 1e-12 the contact force of the loose pin has an
    error of 1e-7.
    """
    result = fmpy.simulate_fmu(
        case.path, stop_time=case.end, output_interval=case.end / case.count, fmi_type="ModelExchange",
        start_values=case.start, relative_tolerance=1e-14, record_events=False,
    )  # fmt: skip
    compare(result, case.expected, 1e-8)


class Unit:
    """An FMU for co-simulation, of either version."""

    def __init__(self, path, start=None):
        from fmpy.fmi2 import FMU2Slave
        from fmpy.fmi3 import FMU3Slave

        description = fmpy.read_model_description(str(path))
        self.second = description.fmiVersion == "2.0"
        self.refs = {v.name: v.valueReference for v in description.modelVariables}
        self.messages = []
        self.raw = (FMU2Slave if self.second else FMU3Slave)(
            guid=description.guid,
            unzipDirectory=fmpy.extract(str(path)),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="unit",
        )
        self.raw.instantiate()
        self.begin(start or {})

    def begin(self, start):
        if start:
            self.set(**start)
        if self.second:
            self.raw.setupExperiment(startTime=0.0)
            self.raw.enterInitializationMode()
        else:
            self.raw.enterInitializationMode(startTime=0.0)
        self.raw.exitInitializationMode()

    def set(self, **values):
        put = self.raw.setReal if self.second else self.raw.setFloat64
        put([self.refs[name] for name in values], list(values.values()))

    def get(self, *names):
        take = self.raw.getReal if self.second else self.raw.getFloat64
        return np.array(take([self.refs[name] for name in names]))

    def step(self, t, h):
        self.raw.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    def close(self):
        self.raw.terminate()
        self.raw.freeInstance()


@pytest.fixture(scope="module")
def inputs(version, tmp_path_factory):
    """The slider-crank with a motion from outside, and the arm with a torque."""
    folder = tmp_path_factory.mktemp("inputs")
    driven = SLIDER_CRANK.replace(inputs={"crank.p.phi": fx.Ramp(rate=8.0)}, start={})
    fx.to_fmu(
        driven, folder / "driven.fmu", inputs=["crank.p.phi"], outputs=["B.x", "crank.p.phi.force"], version=version
    )
    outputs = ["A.y", "arm.p.phi'"]
    fx.to_fmu(ARM, folder / "arm.fmu", inputs=["arm.p.phi"], outputs=outputs, version=version, tolerance=1e-11)
    return folder


def test_a_motion_from_outside(inputs):
    """Value, rate and acceleration at each communication point: a motion with constant acceleration is exact."""
    model = SLIDER_CRANK.replace(inputs={"crank.p.phi": fx.Polynomial((0.0, 3.0, 10.0))}, start={})
    expected = fx.simulate(model, until=0.2, samples=11, method=TIGHT)
    names = ("crank.p.phi", "crank.p.phi'", "crank.p.phi''")

    def motion(t):
        return dict(zip(names, (3.0 * t + 10.0 * t * t, 3.0 + 20.0 * t, 20.0), strict=True))

    unit = Unit(inputs / "driven.fmu", motion(0.0))
    for i, t in enumerate(expected.t):
        # the motion goes on until it is set again
        found = unit.get("B.x", "crank.p.phi.force")
        np.testing.assert_allclose(found[0], expected["B.x"][i], rtol=1e-10)
        np.testing.assert_allclose(found[1], expected.force("crank.p.phi")[i], rtol=1e-9, atol=1e-9)
        if i % 2:
            unit.set(**motion(t))
        unit.step(t, 0.02)
    unit.close()


def test_a_torque_that_changes_at_communication_points(inputs):
    """Piecewise constant; against simulations from point to point."""
    unit, model = Unit(inputs / "arm.fmu"), ARM
    for i, torque in enumerate((0.4, -0.2, 0.1)):
        unit.set(**{"arm.p.phi": torque})
        unit.step(0.05 * i, 0.05)
        motion = fx.simulate(model.replace(loads={"arm.p.phi": torque}), until=0.05, samples=2, method=TIGHT)
        model = model.replace(start=motion.end)
        found = unit.get("A.y", "arm.p.phi'")
        np.testing.assert_allclose(found, [motion["A.y"][-1], motion["arm.p.phi'"][-1]], rtol=0, atol=1e-9)
    unit.close()


def test_a_torque_that_is_linear_between_communication_points(inputs, version):
    if version == "3.0":
        pytest.skip("FMI 3.0 has no derivatives of inputs")
    expected = fx.simulate(ARM.replace(loads={"arm.p.phi": fx.Ramp(rate=2.0)}), until=0.1, samples=2, method=TIGHT)
    unit = Unit(inputs / "arm.fmu")
    for i in range(4):
        unit.set(**{"arm.p.phi": 2.0 * 0.025 * i})
        unit.raw.setRealInputDerivatives([unit.refs["arm.p.phi"]], [1], [2.0])
        unit.step(0.025 * i, 0.025)
    np.testing.assert_allclose(unit.get("A.y")[0], expected["A.y"][-1], rtol=1e-9)
    unit.close()


def test_a_pulse_shorter_than_the_steps(tmp_path, version):
    """Discontinuities of loads end steps, and are events in model exchange."""
    model = ARM.replace(loads={"arm.p.phi": fx.Expression("50*(step(t-0.0333)-step(t-0.0343))")})
    fx.to_fmu(model, tmp_path / "arm.fmu", outputs=["A.y"], version=version, tolerance=1e-10)
    expected = fx.simulate(model, until=0.1, samples=6, method=TIGHT)["A.y"]
    for kind, tolerance in (("CoSimulation", 1e-9), ("ModelExchange", 1e-7)):
        result = fmpy.simulate_fmu(
            str(tmp_path / "arm.fmu"), stop_time=0.1, output_interval=0.02, fmi_type=kind, relative_tolerance=1e-10,
            record_events=False,
        )  # fmt: skip
        compare(result, {"A.y": expected}, tolerance)


def test_states_are_saved_and_restored(inputs):
    """The bits of a run are those of the run from a saved, serialised or reset state."""
    unit = Unit(inputs / "arm.fmu", {"arm.p.phi": 0.3})
    kind = "state" if unit.second else "State"
    call = {name: getattr(unit.raw, name.replace("State", kind)) for name in (
        "getFMUState", "setFMUState", "freeFMUState", "serializeFMUState"
    )}  # fmt: skip
    restore = unit.raw.deSerializeFMUstate if unit.second else unit.raw.deserializeFMUState
    unit.step(0.0, 0.05)
    state = call["getFMUState"]()
    packed = call["serializeFMUState"](state)
    unit.step(0.05, 0.05)
    expected = unit.get("A.y", "arm.p.phi'")
    for saved in (state, restore(packed)):
        call["setFMUState"](saved)
        unit.step(0.05, 0.05)
        assert np.array_equal(unit.get("A.y", "arm.p.phi'"), expected)
        call["freeFMUState"](saved)
    unit.raw.reset()
    unit.begin({"arm.p.phi": 0.3})
    unit.step(0.0, 0.05)
    unit.step(0.05, 0.05)
    assert np.array_equal(unit.get("A.y", "arm.p.phi'"), expected)
    unit.close()


def test_errors_of_a_run(inputs, capfd):
    """They are reported through the logger, and the functions return errors."""
    unit = Unit(inputs / "driven.fmu")
    with pytest.raises(Exception, match=r"fmi[23]Set"):
        unit.set(**{"B.x": 1.0})
    with pytest.raises(Exception, match=r"fmi[23]Set"):
        unit.set(**{"crank.p.phi": np.nan})
    with pytest.raises(Exception, match=r"fmi[23]DoStep"):
        unit.step(0.0, -0.1)
    unit.raw.freeInstance()
    said = capfd.readouterr().out
    assert "an output cannot be set" in said
    assert "a value that is not finite was set" in said
    assert "the communication step is negative" in said


@pytest.mark.parametrize("change", [1.7, 0.2])
def test_parameters(tmp_path, change):
    """Masses, gravity and stiffness, which enter as sums and products, far from the values of the model."""
    section = fx.Section(EI=10.0, rhoA=0.6, damping=4e-3)
    model = ARM.replace(gravity=(0, -9.81), elements={**ARM.elements, "arm": Beam("O", "A", section, parts=2)})
    paths = {"EI": "elements.arm.section.EI", "rhoA": "elements.arm.section.rhoA", "g": "gravity.y"}
    fx.to_fmu(model, tmp_path / "arm.fmu", outputs=["A.y", "O.y.force"], parameters=paths, tolerance=1e-11)
    values = {name: change * model.parameter(path) for name, path in paths.items()}
    for name, path in paths.items():
        model = model.with_parameter(path, values[name])
    expected = fx.simulate(model, until=0.1, samples=11, method=TIGHT)
    result = fmpy.simulate_fmu(
        str(tmp_path / "arm.fmu"), stop_time=0.1, output_interval=0.01, fmi_type="CoSimulation", start_values=values
    )
    compare(result, {name: expected[name] for name in ("A.y", "O.y.force")}, 1e-8)


def test_a_rolling_wheel_and_orientations_in_space(tmp_path):
    """Euler parameters, rolling and rates about axes of space; by an integrator of SciPy in model exchange."""
    model = fx.example("rolling_disc")
    outputs = ["W.x", "W.y"]
    fx.to_fmu(model, tmp_path / "disc.fmu", outputs=outputs)
    expected = fx.simulate(model, until=0.5, samples=2, method=TIGHT)
    found = exchanged(tmp_path / "disc.fmu", 0.5, outputs)
    np.testing.assert_allclose(found, [expected[name][-1] for name in outputs], rtol=0, atol=1e-9)


@pytest.mark.slow
def test_forces_and_rates_of_ends_in_space(tmp_path):
    """Reaction torques of a clamped end, a load, and angular velocities, about the axes of space and of the body."""
    section = fx.Section(GIt=15.0, EIy=30.0, EIz=20.0, rhoA=0.7)
    model = fx.Model(
        nodes={"O": (0, 0, 0), "A": (0.5, 0.1, 0.05)},
        elements={"arm": SpatialBeam("O", "A", section), "tip": Body("arm.q", 0.3, Jxx=1e-3, Jyy=1.2e-3, Jzz=0.9e-3)},
        fixed=["arm.p"],
        loads={"tip.about_own_y": 0.5},
        gravity=(0, -9.81, -2),
    )
    outputs = [f"{owner}{axis}.force" for owner in ("arm.p.about_", "arm.p.own_", "tip.about_own_") for axis in "xyz"]
    outputs += ["tip.about_z'", "tip.about_own_x''", "tip.own_y''"]
    fx.to_fmu(model, tmp_path / "arm.fmu", outputs=outputs, tolerance=1e-12)
    motion = fx.simulate(model, until=0.05, samples=6, method=TIGHT)
    result = fmpy.simulate_fmu(str(tmp_path / "arm.fmu"), stop_time=0.05, output_interval=0.01, fmi_type="CoSimulation")
    for name in outputs:
        expected = motion[name]
        np.testing.assert_allclose(
            result[name], expected, rtol=0, atol=1e-8 * max(np.abs(expected).max(), 1.0), err_msg=name
        )


def exchanged(path, end, outputs):
    """Outputs at the end of a run in model exchange by DOP853."""
    from fmpy.fmi2 import FMU2Model

    description = fmpy.read_model_description(str(path))
    refs = {v.name: v.valueReference for v in description.modelVariables}
    unit = FMU2Model(
        guid=description.guid, unzipDirectory=fmpy.extract(str(path)),
        modelIdentifier=description.modelExchange.modelIdentifier, instanceName="unit",
    )  # fmt: skip
    unit.instantiate()
    unit.setupExperiment(startTime=0.0)
    unit.enterInitializationMode()
    unit.exitInitializationMode()
    unit.newDiscreteStates()
    unit.enterContinuousTimeMode()
    n = description.numberOfContinuousStates
    room = (c_double * n)()

    def rates(t, y):
        unit.setTime(t)
        unit.setContinuousStates((c_double * n)(*y), n)
        unit.getDerivatives(room, n)
        return np.array(room)

    unit.getContinuousStates(room, n)
    solver = DOP853(rates, 0.0, np.array(room), end, rtol=1e-11, atol=1e-12)
    while solver.status == "running":
        solver.step()
        unit.completedIntegratorStep()
    rates(end, solver.y)
    found = unit.getReal([refs[name] for name in outputs])
    unit.terminate()
    unit.freeInstance()
    return np.array(found)


def test_ten_thousand_steps_a_second(tmp_path):
    fx.to_fmu(
        SLIDER_CRANK, tmp_path / "crank.fmu", outputs=["B.x", "B.x'", "O.x.force", "rod.q.phi''"], tolerance=1e-12
    )
    unit, took = Unit(tmp_path / "crank.fmu"), np.inf
    for block in range(3):  # the best of three, on a machine that has other work
        began = time.process_time()
        for i in range(2000 * block, 2000 * (block + 1)):
            unit.step(i * 1e-3, 1e-3)
        took = min(took, time.process_time() - began)
    unit.close()
    assert took < 0.2


def test_refusals(tmp_path):
    def export(model, **arguments):
        fx.to_fmu(model, tmp_path / "model.fmu", **arguments)

    hard = LOOSE_PIN.with_parameter("elements.pin.contact", fx.Restitution(0.8))
    with pytest.raises(fx.ModelError, match="to_fmu: element 'pin': it has a law of restitution"):
        export(hard)
    with pytest.raises(fx.ModelError, match=r"signal 'D\.x': there is no 'D'"):
        export(ARM, outputs=["D.x"])
    with pytest.raises(fx.ModelError, match=r"parameter 'nodes\.A\.x': the equations of motion are not"):
        export(ARM, parameters=["nodes.A.x"])
    with pytest.raises(fx.ModelError, match=r"parameter 'elements\.arm\.parts'"):
        export(ARM, parameters=["elements.arm.parts"])
    with pytest.raises(fx.ModelError, match="there is no platform 'vax'"):
        export(ARM, platforms=["vax"])
    with pytest.raises(fx.ModelError, match=r"there is no version '1\.0' of FMI"):
        export(ARM, version="1.0")
    with pytest.raises(fx.ModelError, match="the tolerance must be between 0 and 1, got -1"):
        export(ARM, tolerance=-1.0)
    assert not list(tmp_path.iterdir())


def test_a_stiff_model_is_a_warning(tmp_path):
    """Two bars with linear displacements, one end fixed: ω = c/h √(6 (1 - cos θ)/(2 + cos θ)) with θ = 3π/4."""
    section = fx.Section(EA=1e10, EI=10.0, rhoA=0.6)
    stiff = ARM.replace(
        elements={"arm": Beam("O", "A", section, parts=2, axial="linear")}, fixed=["O", "arm.p.phi"], loads={"A.y": 0.1}
    )
    turned = np.cos(0.75 * np.pi)
    fastest = np.sqrt(1e10 / 0.6) / 0.5 * np.sqrt(6.0 * (1.0 - turned) / (2.0 + turned))
    said = rf"to_fmu: the fastest vibration has {fastest:.2g} rad/s, and co-simulation needs".replace("+", r"\+")
    with pytest.warns(FormatWarning, match=said):
        fx.to_fmu(stiff, tmp_path / "arm.fmu", outputs=["A.y"])
    # an implicit solver takes few steps: the fastest vibration turns by 7e4 rad in this run
    result = fmpy.simulate_fmu(
        str(tmp_path / "arm.fmu"), stop_time=0.1, output_interval=0.05, fmi_type="ModelExchange",
        start_values={}, relative_tolerance=1e-8, record_events=False,
    )  # fmt: skip
    bends_only = stiff.with_parameter("elements.arm.section", fx.Section(EI=10.0, rhoA=0.6))
    expected = fx.simulate(bends_only, until=0.1, samples=3, method=TIGHT)["A.y"]
    compare(result, {"A.y": expected}, 1e-4)


def test_the_command(tmp_path):
    """``flexura fmu`` with inputs, outputs and parameters; without outputs all positions."""
    from typer.testing import CliRunner

    from flexura.cli.app import app

    SLIDER_CRANK.to_file(tmp_path / "crank.toml")
    arguments = ["-i", "crank.p.phi", "-p", "mass=elements.slider.mass", "--fmi", "3.0"]
    done = CliRunner().invoke(app, ["fmu", str(tmp_path / "crank.toml"), *arguments])
    assert done.exit_code == 0, done.output
    variables = fmpy.read_model_description(str(tmp_path / "crank.fmu")).modelVariables
    named = {(v.name, v.causality) for v in variables}
    assert {("crank.p.phi", "input"), ("mass", "parameter"), ("B.x", "output"), ("O.y", "output")} <= named


@pytest.mark.slow
def test_other_platforms(tmp_path):
    """Compiled for Windows and macOS: libraries of the right format."""
    wanted = {"x86_64-windows": b"MZ", "aarch64-darwin": b"\xcf\xfa\xed\xfe"}
    fx.to_fmu(ARM, tmp_path / "arm.fmu", outputs=["A.y"], version="3.0", platforms=list(wanted))
    endings = {"x86_64-windows": "dll"}
    with zipfile.ZipFile(tmp_path / "arm.fmu") as archive:
        for platform, magic in wanted.items():
            library = archive.read(f"binaries/{platform}/Flexible_arm.{endings.get(platform, 'dylib')}")
            assert library.startswith(magic)
            assert b"fmi3DoStep" in library
