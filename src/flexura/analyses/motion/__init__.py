"""Kinematics and simulation, with the accuracy, the events and the findings of runs."""
