"""Tests of the rule sets and of their tables."""
