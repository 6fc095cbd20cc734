"""Outputs that noise and wear are judged by: spectra, bands, phases of contacts, exceedance, path errors."""

from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from scipy.signal import welch

import flexura as fx
from flexura.planar import Beam, Mass, PointContact
from flexura.spatial import Body


@pytest.fixture(scope="module")
def shaken():
    model = fx.Model(
        nodes={"B": (0.0, 0.0)},
        elements={"mass": Mass("B", 1.0)},
        fixed=["B.y"],
        inputs={"B.x": "0.3 + sin(40*t) + 0.2*sin(911*t + 1) + 0.05*cos(2500*t)"},
    )
    return fx.kinematics(model, np.linspace(0.0, 4.0, 8001))


def test_density_is_that_of_welch(shaken):
    rate = 2000.0
    for samples, overlap in ((1024, 0.5), (1000, 0.75), (999, 0.0)):
        found = fx.power_spectrum(shaken, "B.x", samples=samples, overlap=overlap)
        f, density = welch(
            shaken["B.x"], rate, nperseg=samples, noverlap=int(samples * overlap), window="hann", detrend="constant"
        )
        assert found.frequency == pytest.approx(f, rel=1e-12)
        assert found.density == pytest.approx(density, rel=1e-12, abs=1e-12 * density.max())


def test_parseval(shaken):
    values = shaken["B.x"]
    for samples in (None, 8000):
        spectrum = fx.power_spectrum(shaken, "B.x", samples=samples, window="none")
        part = values[: samples or len(values)]
        assert spectrum.mean_square == pytest.approx(np.var(part), rel=1e-10)


def test_bands_of_a_third_of_an_octave(shaken):
    spectrum = fx.power_spectrum(shaken, "B.x", samples=4000)
    bands = spectrum.bands()
    # exact middle frequencies 10^(n/10), and edges a third of an octave apart [IEC61260]
    for band in bands:
        n = round(10.0 * np.log10(band.nominal))
        assert band.low * band.high == pytest.approx(10.0 ** (0.2 * n), rel=1e-12)
        assert band.high / band.low == pytest.approx(10.0**0.1, rel=1e-12)
        assert abs(band.nominal / 10.0 ** (0.1 * n) - 1.0) < 0.02
    assert {31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800} <= {band.nominal for band in bands}
    by_name = {band.nominal: band for band in bands}
    # 911 rad/s = 145 Hz, 2500 rad/s = 398 Hz, 40 rad/s = 6.37 Hz
    assert by_name[160.0].rms == pytest.approx(0.2 / sqrt(2.0), rel=1e-2)
    assert by_name[400.0].rms == pytest.approx(0.05 / sqrt(2.0), rel=1e-2)
    assert by_name[400.0].level(0.05) == pytest.approx(-3.01, abs=0.1)


def test_phases_of_a_bouncing_ball():
    k, m, v = 1e5, 0.5, 1.0
    model = fx.Model(
        nodes={"floor": (0, 0), "B": (0, 0.1)},
        elements={"ball": Mass("B", m), "ground": PointContact("floor", "B", fx.KelvinVoigt(k))},
        fixed=["floor", "B.x"],
        start={"B.y'": -v},
    )
    motion = fx.simulate(model, 0.2, samples=20001)
    contact = fx.contact_phases(motion, "ground.gap")
    (phase,) = contact.phases
    omega = sqrt(k / m)
    assert phase.begin == pytest.approx(0.1 / v, abs=1e-8)
    assert phase.duration == pytest.approx(pi / omega, rel=1e-6)
    assert phase.peak == pytest.approx(m * v * omega, rel=1e-6)
    assert phase.impulse == pytest.approx(2.0 * m * v, rel=1e-5)
    assert phase.approach == pytest.approx(v, rel=1e-8)
    assert contact.share == pytest.approx(pi / omega / 0.2, rel=1e-6)
    struck = fx.simulate(model.with_parameter("elements.ground.contact", fx.Restitution(0.5)), 0.15)
    (blow,) = fx.contact_phases(struck, "ground.gap").phases
    assert (blow.duration, blow.impulse) == pytest.approx((0.0, 1.5 * m * v))
    with pytest.raises(
        fx.ModelError, match=r"signal 'B\.y': it is no gap of a contact; name one, such as 'joint\.gap'"
    ):
        fx.contact_phases(motion, "B.y")


def test_exceedance_and_settling(shaken):
    model = fx.Model(
        nodes={"B": (0.0, 0.0)}, elements={"mass": Mass("B", 1.0)}, fixed=["B.y"], inputs={"B.x": "sin(t)"}
    )
    motion = fx.kinematics(model, np.linspace(0.0, 2.0 * pi, 4001))
    levels = [0.0, 0.5, 0.9, 1.1]
    expected = [1.0 - 2.0 * np.arcsin(min(level, 1.0)) / pi for level in levels]
    assert fx.exceedance(motion, "B.x", levels) == pytest.approx(expected, abs=1e-5)
    t = np.linspace(0.0, 10.0, 10001)
    assert fx.settling_time(t, np.exp(-t), 0.1) == pytest.approx(np.log(10.0), abs=1e-6)
    assert fx.settling_time(t, np.exp(-t), 0.1, after=1.0) == pytest.approx(np.log(10.0) - 1.0, abs=1e-6)
    assert fx.settling_time(t, np.ones_like(t), 0.1) == float("inf")
    other = fx.kinematics(model.replace(inputs={"B.x": "sin(t) + 0.1"}), motion.t)
    assert fx.path_error(motion, other, "B") == pytest.approx(0.1)


def test_motion_of_a_point_of_a_body():
    arm = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0)},
        elements={"arm": Beam("O", "A", fx.Section(), rigid=True)},
        fixed=["O"],
        inputs={"arm.p.phi": "0.7*t^2"},
    )
    motion = fx.kinematics(arm, [0.0, 0.5, 1.0])
    t = motion.t
    phi, w, e = 0.7 * t**2, 1.4 * t, 1.4
    found = fx.motion_at(motion, "arm.q", (0.0, 0.5), "acceleration")
    along, across = np.stack([np.cos(phi) - 0.5 * np.sin(phi), np.sin(phi) + 0.5 * np.cos(phi)], 1), None
    across = np.stack([-along[:, 1], along[:, 0]], 1)
    assert found == pytest.approx(e * across - w[:, None] ** 2 * along, abs=1e-9)
    body = fx.Model(
        nodes={"O": (0, 0, 0)},
        elements={"body": Body("O", 1.0, 1.0, 1.0, 1.0)},
        fixed=["O"],
        start={"body.p.about_z'": 3.0},
    )
    turning = fx.simulate(body, 1.0, samples=3)
    place = fx.motion_at(turning, "body.p", (0.2, 0.0, 0.1))
    pull = fx.motion_at(turning, "body.p", (0.2, 0.0, 0.1), "acceleration")
    assert place[-1] == pytest.approx([0.2 * cos(3.0), 0.2 * sin(3.0), 0.1], abs=1e-6)
    assert pull[-1] == pytest.approx(-9.0 * place[-1] * [1.0, 1.0, 0.0], abs=1e-5)


def test_equilibrium_is_a_start_as_it_is():
    model = fx.Model(
        nodes={"O": (0, 0), "A": (1, 0), "B": (2, 0)},
        elements={
            "one": Beam("O", "A", fx.Section(EA=1e5, EI=20.0, rhoA=0.5), parts=2),
            "two": Beam("A", "B", fx.Section(rhoA=0.3), rigid=True),
        },
        fixed=["O", "one.p.phi", "B.y"],
        gravity=(0, -9.81),
        states={"z": "1 - z"},
    )
    state = fx.equilibrium(model)
    for motion in (fx.simulate(model, 0.1, start=state), fx.simulate(model.replace(start=state), 0.1)):
        assert np.ptp(motion["A.y"]) < 1e-8
        assert motion["A.y"][0] == pytest.approx(state["A.y"], rel=1e-10)
        assert motion["z"] == pytest.approx(1.0)
