"""Deals that agree with what a seat knows: what rules them out, counted and drawn evenly."""
