"""Methods of time integration, compiled; each runs whole blocks of steps without returning to Python."""
