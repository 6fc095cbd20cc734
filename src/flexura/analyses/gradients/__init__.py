"""Derivatives of results with respect to the numbers of a model, and designs that use them."""
