"""Swings: the boards on which two players differed most, and where they parted."""
