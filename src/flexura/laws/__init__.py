"""What an element is given: materials, sections, damping, functions of time, laws on strains."""
