"""What the commands share: whatever goes wrong is one line, and an exit status says what kind."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

__all__ = [
    "BAD_INPUT",
    "FAILED",
    "INTERRUPTED",
    "OneLineParser",
    "in_one_line",
    "one_line",
    "reason",
    "run_command",
    "settings_apart",
]

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130  # exit statuses
_HEAD, _TAIL = 1500, 500  # characters of an error that are shown; the longest lists have fewer


_SETTING = re.compile(r"[\w.]+=.*", re.DOTALL)


def settings_apart(words: Iterable[str]) -> list[str]:
    """Return a command line in which each ``KEY=VALUE`` has a ``--set`` of its own.

    Several may follow one ``--set``; it ends at a word of another form, such as an agent's name.
    """
    apart: list[str] = []
    in_set = False  # the word before was --set, or a setting of it
    for word in words:
        if in_set and apart[-1] != "--set" and _SETTING.fullmatch(word):
            apart.append("--set")
        in_set = word == "--set" or (in_set and bool(_SETTING.fullmatch(word)))
        apart.append(word)
    return apart


class OneLineParser(argparse.ArgumentParser):
    """Reports an error in one line, without the usage."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; what is overridden is the same method with its overloads, hence the types."""
        words = sys.argv[1:] if args is None else args
        return super().parse_known_args(settings_apart(words), namespace)

    def format_help(self) -> str:
        """Return the help; where a docstring is the description, without its markup."""
        return super().format_help().replace("``", "")

    def error(self, message: str) -> NoReturn:
        """Leave with the message."""
        self.exit(BAD_INPUT, f"{self.prog}: error: {one_line(message)}\n")


def reason(error: Exception) -> str:
    """Return in one line what an error says, or else its type; of a file, its name first."""
    if isinstance(error, OSError) and error.filename is not None:
        return one_line(f"{error.filename}: {error.strerror}")
    return one_line(str(error)) or type(error).__name__


def one_line(text: str) -> str:
    """Return a text in one line, cut in the middle where it repeats a file."""
    line = " ".join(text.split())
    if len(line) > _HEAD + _TAIL:
        line = f"{line[:_HEAD]} ... {line[-_TAIL:]}"
    return line.encode("utf-8", "backslashreplace").decode("utf-8")  # what a terminal can show


def in_one_line(program: str, work: Callable[[], int], *failures: type[Exception]) -> int:
    """Do the work of a command; return its exit status, and tell in one line what stops it.

    ValueError and OSError are bad input, ``failures`` go wrong later.
    """
    try:
        return work()
    except BrokenPipeError:  # a reader has left; nothing is wrong with the input
        raise
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{program}: error: {reason(error)}\n")
        return BAD_INPUT
    except failures as error:
        sys.stderr.write(f"{program}: error: {error}\n")
        return FAILED


def run_command(program: str, main: Callable[[], int]) -> int:
    """Run a command for the shell; return its exit status.

    An interrupt, a reader who has left (``| head``) and a disk that is full are no errors of the
    program: no traceback.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # better a ``?`` for a suit than no result
    try:
        status = main()
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stderr.write(f"{program}: interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes once more when it ends; there has to be something that takes it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        sys.stderr.write(f"{program}: error: {reason(error)}\n")
        return FAILED
    return status
