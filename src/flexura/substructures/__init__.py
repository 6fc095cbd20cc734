"""Substructures: finite-element parts, their component modes, and their constants in a moving frame."""
