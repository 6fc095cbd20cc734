"""Laws and properties of elements: materials, sections, damping, functions of time, laws of strains."""
