"""Materials."""

import math

import pytest

from flexura.errors import ModelError
from flexura.laws.materials import Material


def test_material_is_a_value():
    assert Material(E=210, rho=7850) == Material(210.0, 7850.0)
    assert len({Material(210, 7850), Material(210.0, 7850.0)}) == 1


def test_shear_modulus_of_an_isotropic_material():
    assert Material(E=2.6, rho=1.0, nu=0.3).shear_modulus == pytest.approx(1.0)
    assert Material(E=2.6, rho=1.0, G=3.0).shear_modulus == 3.0


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"E": -1.0}, "Material.E: -1 is out of range; give a finite number greater than 0 (Young's modulus, Pa)"),
        ({"E": math.inf}, "Material.E: inf is out of range"),
        ({"rho": -1.0}, "Material.rho: -1 is out of range; give a finite number of at least 0 (density, kg/m³)"),
        ({"nu": 0.6}, "Material.nu: 0.6 is out of range"),
        ({"G": 0.0}, "Material.G: 0 is out of range"),
        ({"damping": math.nan}, "Material.damping: the value is not a number (NaN)"),
        ({"damping": 0.1, "damping_ratio": 0.1}, "Material: damping and damping_ratio are both given"),
    ],
)
def test_refusals(values, text):
    with pytest.raises(ModelError) as refusal:
        Material(**({"E": 1.0, "rho": 1.0} | values))
    assert str(refusal.value).startswith(text)
