"""Numbers of ROSS for a rotor with two discs, its own first example.

Computed with ROSS 2.3.0 (ross-rotordynamics): a steel shaft of 1.5 m and 50 mm diameter (E = 211 GPa, G = 81.2 GPa,
ρ = 7810 kg/m³), discs of 280 × 70 mm with a bore of 50 mm at a third and two thirds of the length, bearings of 1 MN/m
and 0.8 MN/m in the two directions at the ends. With 6 elements as in the example, and with 48.
"""

AT_300 = {
    6: (91.70956585, 96.3513022, 270.61139429, 300.34372005, 690.29815256),
    48: (91.70941525, 96.35113016, 270.60482943, 300.33478217, 690.08544415),
}
"""Frequencies at 300 rad/s."""

CRITICAL = {
    6: (91.78830866, 96.29552922, 271.25188668, 300.35151331),
    48: (91.78815745, 96.29535766, 271.24539034, 300.3423717),
}
"""Critical speeds, rad/s."""

SPEEDS = (50.0, 80.0, 150.0, 200.0)
Y = (4.745280814e-06, 2.740555555e-05, 1.748735157e-05, 8.370898464e-06)
Z = (5.398501573e-06, 3.860376872e-05, 1.552917124e-05, 5.441589619e-06)
"""Amplitudes of the first disc by an unbalance of 1e-3 kg·m there, with 48 elements, m."""
