"""Unions of contact laws, by the elements that accept them."""

from __future__ import annotations

from flexura.laws.hertz import Hertz
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.line_contact import LineContact
from flexura.laws.oil_film import OilFilm
from flexura.laws.restitution import Restitution

Dry = Hertz | KelvinVoigt | LineContact | Restitution
"""Laws of contact between two dry surfaces."""
Compliant = Hertz | KelvinVoigt | LineContact
"""Laws whose force begins at the touch and ends where it would pull."""
AnyContact = Dry | OilFilm
"""Laws of contact between a journal and its bearing."""
