"""Machine code: how functions are compiled, and sets of cards in them."""
