"""The theory, one file a chapter; the only layer with indices."""
