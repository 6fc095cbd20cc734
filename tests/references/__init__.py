"""Independent solutions: formulas and small separate models that share no code with the package."""
