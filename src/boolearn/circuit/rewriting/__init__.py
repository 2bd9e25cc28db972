"""Other circuits for the same function: smaller, with fewer Nots, from And and Or alone, or only a part."""
