"""What a seat may know, and the same as numbers for a network."""
