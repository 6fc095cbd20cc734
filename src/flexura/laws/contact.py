"""What acts between two surfaces: the laws that a contact may be given."""

from __future__ import annotations

from flexura.laws.hertz import Hertz
from flexura.laws.kelvin_voigt import KelvinVoigt
from flexura.laws.line_contact import LineContact
from flexura.laws.oil_film import OilFilm
from flexura.laws.restitution import Restitution

Dry = Hertz | KelvinVoigt | LineContact | Restitution
"""What may happen where two surfaces meet."""
AnyContact = Dry | OilFilm
"""What may stand between the journal and the sleeve of a joint."""
