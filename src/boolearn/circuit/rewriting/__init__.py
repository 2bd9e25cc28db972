"""Other circuits for the same function: smaller, with fewer Nots, or from And and Or alone."""
