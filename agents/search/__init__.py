"""Search: worlds that agree with what a seat knows, the exact solver, and players built on them."""
