"""Results of analyses: names and arrays."""
