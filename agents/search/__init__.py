"""Search: ``worlds`` that a seat may be in, the exact ``solver``, players, and puzzles."""
