"""Search: worlds that a seat may be in, and what play is worth in them."""
