"""The moments of decision of a deal, one module each: what is legal, and what it does."""
