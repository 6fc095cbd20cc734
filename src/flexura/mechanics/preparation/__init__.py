"""From a model to a prepared model: assembly, mobility, initial state."""
