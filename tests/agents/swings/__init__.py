"""Tests of swings."""
