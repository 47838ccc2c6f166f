"""Search with open hands: an exact solver for games in which two sides play each other."""
