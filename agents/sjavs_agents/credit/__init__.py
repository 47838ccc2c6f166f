"""Split credit: how much of a difference comes from bidding, exchange and cards."""
