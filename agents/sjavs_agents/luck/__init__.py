"""Luck of the deal taken out of results: what the cards were worth to whoever was dealt them."""
