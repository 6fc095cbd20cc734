"""Equilibrium equations and follower stiffness."""
