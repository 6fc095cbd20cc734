"""Linear equations, modes, buckling, root loci, steady motions."""
