"""Kinematics and simulation."""
