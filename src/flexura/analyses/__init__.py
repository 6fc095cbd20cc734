"""Verbs: functions from a model to a result."""
