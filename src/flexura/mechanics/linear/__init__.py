"""Exact linearisation, rolling, symmetries, superposition."""
