"""Tests of what takes the luck of the cards out of results."""
