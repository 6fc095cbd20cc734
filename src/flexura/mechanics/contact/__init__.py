"""Contact: gaps and slips as rows, impulses, stick and slip, complementarity."""
