"""Means with their intervals, and the distributions that these come from."""
