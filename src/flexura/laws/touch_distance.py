"""Distance between surfaces that touch."""

TOUCH = 1e-12
"""Distance between touching surfaces, relative to the size of the element or the model: rounding."""
