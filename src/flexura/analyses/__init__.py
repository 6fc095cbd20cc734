"""Verbs: functions from a model to a result, one sub-package per field."""
