"""Options and fixtures that all tests share."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from tests.golden_files import Golden

# Tests share the cores already: threads inside each of them would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Drawn cases are the same in every run, on machines of any speed.  The search for new ones:
# pytest --hypothesis-profile=search
settings.register_profile("suite", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile("suite")

# What each process would make anew (machine code, game trees, results to report, a team) is made
# once: the tests that need it share one worker.
TOGETHER = {
    "machine code": (
        "tests/agents/analyze/",
        "tests/agents/belief/",
        "tests/agents/credit/",
        "tests/agents/exploit/",
        "tests/agents/luck/",
        "tests/agents/puzzles/",
        "tests/agents/search/",
        "tests/agents/solver/",
        "tests/agents/worlds/",
        "tests/benchmarks/",
    ),
    "game trees": ("tests/agents/exact/",),
    "results": ("tests/agents/reporting/",),
    "a team": ("tests/agents/training/test_team.py",),
}


class _Workers(LoadScopeScheduling):
    """Which worker runs a test: any that is free, but one and the same for what is together."""

    def _split_scope(self, nodeid: str) -> str:
        shared = (name for name, places in TOGETHER.items() if nodeid.startswith(places))
        return next(shared, nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _Workers:
    """Share the tests out among the workers of ``-n``."""
    return _Workers(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that accepts changes of the golden files."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the files under tests/golden instead of comparing with them",
    )


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """Take back the threads that a test before has asked of PyTorch."""
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)


@pytest.fixture
def signals_as_in_a_terminal() -> Iterator[None]:
    """Let signals do what they do by default, to this process and those that it starts.

    Under nohup, and in the background of a script, some are ignored, and so by all children.
    """
    numbers = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
    ignored = [n for n in numbers if n is not None and signal.getsignal(n) == signal.SIG_IGN]
    for number in ignored:
        is_interrupt = number == signal.SIGINT
        signal.signal(number, signal.default_int_handler if is_interrupt else signal.SIG_DFL)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare with the golden files, or rewrite them if asked to."""
    return Golden(update=bool(request.config.getoption("--update-golden")))
