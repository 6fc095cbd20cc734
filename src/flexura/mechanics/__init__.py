"""Theory of flexible multibody systems, one sub-package per chapter; the only layer with indices."""
