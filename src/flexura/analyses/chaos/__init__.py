"""Bifurcation diagrams, Poincaré sections, Lyapunov exponents."""
