"""Weights and cards of the trained players of Sjavs; they play under the name ``champion``."""

__version__ = "0.1.0"
