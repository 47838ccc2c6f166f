"""Slow, plain reference implementations, written from the rules text alone.

They are the second opinion in the differential tests: one file a game, standard library only,
and no table, constant or function shared with the package under test.
"""
