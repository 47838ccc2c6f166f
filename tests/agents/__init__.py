"""Tests of the players, the arena and the evaluation command."""
