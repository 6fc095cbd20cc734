"""Small simulator of machines in plain NumPy, independent of the package."""
