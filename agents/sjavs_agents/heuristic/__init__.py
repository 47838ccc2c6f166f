"""Players by rules of thumb: how they see the table, bid, discard and play."""
