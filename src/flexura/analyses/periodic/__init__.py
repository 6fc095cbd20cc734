"""Periodic motions, their stability and their branches; small motion on a nominal motion."""
