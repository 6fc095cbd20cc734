"""Studies: many runs over the parameters of a model."""
