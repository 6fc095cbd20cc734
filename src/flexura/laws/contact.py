"""What acts between two surfaces: the laws that a contact may be given."""

from __future__ import annotations

from flexura.laws.hertz import Hertz
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.line_contact import LineContact
from flexura.laws.oil_film import OilFilm

Smooth = Hertz | KelvinVoigt | LineContact
"""Laws that give the force as a function of depth, its rate and the velocity of the approach."""
AnyContact = Smooth | OilFilm
"""What may stand between the journal and the sleeve of a joint."""
