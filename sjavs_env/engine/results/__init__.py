"""What a deal is worth, and what it does to the match."""
