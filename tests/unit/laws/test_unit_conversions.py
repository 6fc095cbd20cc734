"""Quantities in units that people think in."""

from math import pi

import numpy as np
import pytest

import flexura as fx
from flexura.errors import ModelError
from flexura.laws.unit_conversions import SHOWN, shown_in

CASES = {
    fx.hz: 2 * pi,
    fx.rpm: pi / 30, fx.degrees: pi / 180, fx.mm: 1e-3, fx.um: 1e-6, fx.kN: 1e3, fx.MPa: 1e6, fx.GPa: 1e9,
}  # fmt: skip


@pytest.mark.parametrize("convert", CASES)
def test_numbers_and_arrays_are_converted(convert):
    assert convert(2.0) == pytest.approx(2.0 * CASES[convert], rel=1e-15)
    assert convert(np.array([1.0, 3.0])) == pytest.approx(np.array([1.0, 3.0]) * CASES[convert], rel=1e-15)


def test_every_shown_unit_leads_back():
    for si, others in SHOWN.items():
        for name in others:
            assert shown_in(name) == {si: (name, others[name])}
    with pytest.raises(ModelError, match="unit 'rps': this unit is not known; use one of mm"):
        shown_in("rps")


def test_plots_take_units_and_labels():
    motion = fx.simulate(fx.example("four_bar"), 0.1, samples=11)
    figure = motion.plot("crank.p.phi'", "P.y", unit=("rpm", "mm"), labels=["speed", "height"])
    first, second = figure.axes
    assert first.get_ylabel() == "speed [rpm]"
    assert second.get_ylabel() == "height [mm]"
    assert first.lines[0].get_ydata() == pytest.approx(motion["crank.p.phi'"] * 30 / pi)
    with pytest.raises(
        ModelError, match="unit 'kN': no signal has a unit that can be shown in 'kN'; units of the signals are m"
    ):
        motion.plot("P.y", unit="kN")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"E": 210.0}, "E = 210 Pa is softer than any solid; if it is in GPa, write 2.1e+11 or fx.GPa(210)"),
        ({"E": 210e3}, "E = 210000 Pa is softer than rubber; if it is in MPa (N/mm²), write 2.1e+11 or fx.MPa(210000)"),
        ({"rho": 7.85}, "rho = 7.85 kg/m³ is lighter than foam; if it is in g/cm³ (t/m³), write 7850"),
        (
            {"diameter": 20.0},
            "the section is 20 m across, and the whole machine 1 m; if it is in mm, write 0.02 or fx.mm(20)",
        ),
    ],
)
def test_numbers_in_other_units_are_noticed(given, said):
    section = fx.Circle(given.pop("diameter", 0.02))
    steel = fx.Material(**{"E": 2.1e11, "rho": 7850.0} | given)
    model = fx.Model({"O": (0, 0), "A": (1, 0)}, {"rod": fx.planar.Beam("O", "A", section, steel)}, ["O"])
    report = model.check()
    assert any(said in remark for remark in report.remarks)
    assert report
    assert "degrees of freedom" in str(report)
    plain = fx.Model({"O": (0, 0), "A": (1, 0)}, {"rod": fx.planar.Beam("O", "A", fx.Section(EI=1.0, rhoA=1.0))}, ["O"])
    assert plain.check().remarks == ()
