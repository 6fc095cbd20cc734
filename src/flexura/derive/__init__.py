"""Derivation: pure functions become expression graphs, their derivatives, and compiled kernels or programs."""
