"""Compiled picture of a model: layout, index lists, kernel calls, sparse factors."""
