"""What analyses return: names and arrays."""
