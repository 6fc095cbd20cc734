"""Numbers of the equations of an FMU as polynomials of its parameters."""

import numpy as np

import flexura as fx
from flexura.formats.fmi.parameter_terms import terms_of
from flexura.spatial import Beam, Mass

ROD = fx.Model(
    nodes={"O": (0, 0, 0), "A": (1, 0, 0)},
    elements={"rod": Beam("O", "A", fx.Section(EIy=4.0, EIz=4.0, rhoA=0.2)), "bob": Mass("A", 0.15)},
)


def test_infinite_numbers_do_not_depend_on_a_parameter():
    """Strains that are held have an infinite stiffness; the difference of two of them is not a number."""

    def vector(model):
        mass = model.elements["bob"].mass
        return np.array([np.inf, 2.0 * mass, 3.0, mass**2]), ()

    terms = terms_of(ROD, {"bob": "elements.bob.mass"}, vector)
    assert terms.place == (1, 3)
    (linear,), (square,) = terms.terms
    assert linear[0] == square[0] == 0
    # the parameter is 0.15 (1 + c): 2 m = 0.3 + 0.3 c, m² = 0.0225 (1 + 2 c + c²)
    np.testing.assert_allclose(linear[1][:3], [0.3, 0.3, 0.0], atol=1e-15)
    np.testing.assert_allclose(square[1][:3], [0.0225, 0.045, 0.0225], atol=1e-15)
