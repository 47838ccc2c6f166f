"""The exact open-handed solver: positions, moves and bounds, the search, its questions."""
