"""Elements: their contract, the parts that they share, and a file for each element of the plane and of space."""
