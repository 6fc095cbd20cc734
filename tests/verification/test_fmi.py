"""FMUs of linear systems and controllers, run by FMPy, and FMUs as controllers in a model."""

import time
import zipfile

import numpy as np
import pytest
from scipy.linalg import expm

import flexura as fx
from flexura.formats.fmi import controller_from_fmu, to_fmu
from flexura.planar import Beam, Mass

fmpy = pytest.importorskip("fmpy")
pytest.importorskip("ziglang")
validate_fmu = pytest.importorskip("fmpy.validation").validate_fmu

PI = fx.Controller([[0.0]], [[1.0]], [[4.0]], [[3.0]], measured=("arm.p.phi",), acting=("arm.p.phi",), reference=(0.1,))


@pytest.fixture(scope="module")
def arm():
    section = fx.Section(EI=10.0, rhoA=0.6, damping=4e-3)
    return fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={
            "hub": Mass("arm.p", 0.0, 0.05),
            "arm": Beam("O", "A", section, parts=2),
        },
        fixed=["O"],
        title="Flexible arm",
    )


@pytest.fixture(scope="module")
def exported(arm, tmp_path_factory):
    path = tmp_path_factory.mktemp("fmu") / "arm.fmu"
    system = fx.linearise(arm)
    to_fmu(system, path, inputs=["arm.p.phi"], outputs=["A.y", "arm.p.phi'"])
    return path, system.to_state_space(["arm.p.phi"], ["A.y", "arm.p.phi'"])


def test_the_description_is_valid(exported):
    assert validate_fmu(str(exported[0])) == []


def test_co_simulation_is_the_exact_response(exported):
    path, (A, B, C, D) = exported
    result = fmpy.simulate_fmu(
        str(path), stop_time=1.0, output_interval=0.01, fmi_type="CoSimulation", start_values={"arm.p.phi": 0.3}
    )
    n = len(A)
    whole = expm(np.block([[A, B], [np.zeros((1, n + 1))]]))
    state = whole[:n, n] * 0.3
    np.testing.assert_allclose(result["A.y"][-1], (C @ state + D[:, 0] * 0.3)[0], rtol=1e-8)


def test_model_exchange_is_the_exact_response(exported):
    path, (A, B, C, D) = exported
    result = fmpy.simulate_fmu(
        str(path), stop_time=0.5, output_interval=0.01, fmi_type="ModelExchange", start_values={"arm.p.phi": 0.3},
        relative_tolerance=1e-10,
    )  # fmt: skip
    n = len(A)
    whole = expm(0.5 * np.block([[A, B], [np.zeros((1, n + 1))]]))
    state = whole[:n, n] * 0.3
    np.testing.assert_allclose(result["A.y"][-1], (C @ state + D[:, 0] * 0.3)[0], rtol=1e-6)


def test_ten_thousand_steps_a_second(exported):
    from fmpy.fmi2 import FMU2Slave

    description = fmpy.read_model_description(str(exported[0]))
    folder = fmpy.extract(str(exported[0]))
    name = description.coSimulation.modelIdentifier
    unit = FMU2Slave(guid=description.guid, unzipDirectory=folder, modelIdentifier=name, instanceName="a")
    unit.instantiate()
    unit.setupExperiment(startTime=0.0)
    unit.enterInitializationMode()
    unit.exitInitializationMode()
    took = np.inf
    for block in range(3):  # the best of three, on a machine that has other work
        began = time.process_time()
        for i in range(2000 * block, 2000 * (block + 1)):
            unit.doStep(currentCommunicationPoint=i * 1e-3, communicationStepSize=1e-3)
        took = min(took, time.process_time() - began)
    unit.terminate()
    unit.freeInstance()
    assert took < 0.2


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_a_controller_comes_back_from_its_fmu(arm, tmp_path, version):
    to_fmu(PI, tmp_path / "pi.fmu", version=version)
    assert validate_fmu(str(tmp_path / "pi.fmu")) == []
    read = controller_from_fmu(tmp_path / "pi.fmu", measured=PI.measured, acting=PI.acting, reference=[0.1])
    np.testing.assert_allclose(
        [*np.ravel(read.A), *np.ravel(read.B), *np.ravel(read.C), *np.ravel(read.D)], [0.0, 1.0, 4.0, 3.0], atol=1e-14
    )
    motions = [
        fx.simulate(
            arm.replace(controllers={"servo": law}), until=0.5, samples=6, method=fx.DormandPrince(tolerance=1e-9)
        )
        for law in (PI, read)
    ]
    np.testing.assert_allclose(motions[1]["A.y"], motions[0]["A.y"], rtol=0, atol=1e-8)


def test_mistakes(arm, tmp_path):
    with pytest.raises(fx.ModelError, match="to_fmu: an FMU of a linear system has inputs and outputs; give loads"):
        to_fmu(fx.linearise(arm), tmp_path / "arm.fmu")
    with pytest.raises(fx.ModelError, match=r"to_fmu: a dict has no equations of motion; give a Model, the result of"):
        to_fmu({}, tmp_path / "arm.fmu")
    with pytest.raises(fx.ModelError, match=r"arm\.zip: the name of an FMU ends in \.fmu; call it arm\.fmu"):
        to_fmu(PI, tmp_path / "arm.zip")
    (tmp_path / "noise.fmu").write_bytes(bytes(range(256)) * 100)
    with pytest.raises(fx.ModelError, match=r"noise\.fmu: this is not an FMU"):
        controller_from_fmu(tmp_path / "noise.fmu", ["a"], ["b"])
    with zipfile.ZipFile(tmp_path / "bomb.fmu", "w") as archive:
        entity = '<!DOCTYPE r [<!ENTITY a "ha">]><fmiModelDescription fmiVersion="2.0" modelName="&a;"/>'
        archive.writestr("modelDescription.xml", entity)
    with pytest.raises(fx.ModelError, match=r"bomb\.fmu: "):
        controller_from_fmu(tmp_path / "bomb.fmu", ["a"], ["b"])
    with zipfile.ZipFile(tmp_path / "zeros.fmu", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", b" " * 300_000_000)
    with pytest.raises(fx.ModelError, match=r"zeros\.fmu: it unpacks to more than 200 MB"):
        controller_from_fmu(tmp_path / "zeros.fmu", ["a"], ["b"])
    with zipfile.ZipFile(tmp_path / "outside.fmu", "w") as archive:
        archive.writestr("../outside.txt", "text")
    with pytest.raises(fx.ModelError, match=r"outside\.fmu: the file '\.\./outside\.txt' is outside its folder"):
        controller_from_fmu(tmp_path / "outside.fmu", ["a"], ["b"])
    to_fmu(PI, tmp_path / "pi.fmu")
    with zipfile.ZipFile(tmp_path / "pi.fmu") as whole, zipfile.ZipFile(tmp_path / "bare.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", whole.read("modelDescription.xml"))
    with pytest.raises(fx.ModelError, match=r"bare\.fmu: it cannot be evaluated"):
        controller_from_fmu(tmp_path / "bare.fmu", ["a"], ["b"])
