"""Tests of split credit."""
