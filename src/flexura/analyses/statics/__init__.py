"""Statics: equilibria of a model, and the check of a model."""
