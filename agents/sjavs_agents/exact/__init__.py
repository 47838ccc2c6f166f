"""Games small enough to be computed whole: their trees, solutions, and what players are worth."""
