"""Names of what happens at the unit circle."""

import numpy as np
import pytest

from flexura.results.floquet import Floquet, bifurcation


@pytest.mark.parametrize(
    ("multiplier", "kind"),
    [(1.0 + 0j, "fold"), (1.2 + 1e-9j, "fold"), (-1.0 + 0j, "flip"), (0.6 + 0.8j, "Neimark–Sacker")],
)
def test_kinds(multiplier, kind):
    assert bifurcation(multiplier) == kind


def test_growth_within_rounding_is_stable():
    found = Floquet(2.0, np.array([1e-12 + 1j, -0.3 - 1j]), "by hand", 1e-10)
    assert found.stable
    assert found.growth == 1e-12
    assert found.critical == pytest.approx(np.exp(2.0 * (1e-12 + 1j)))
    assert "stable, period 2 s" in str(found)
    assert not Floquet(2.0, np.array([1e-9 + 0j]), "by hand", 1e-10).stable
