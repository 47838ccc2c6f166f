"""Puzzles: positions with one provably best card, as a test of players."""
