"""What the commands share: bad input is one line and exit status 2."""

from __future__ import annotations

import argparse
from typing import NoReturn

__all__ = ["BAD_INPUT", "OneLineParser"]

BAD_INPUT = 2  # exit status


class OneLineParser(argparse.ArgumentParser):
    """Reports an error in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Leave with the message."""
        self.exit(BAD_INPUT, f"{self.prog}: error: {message}\n")
