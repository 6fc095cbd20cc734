"""Equilibrium."""
