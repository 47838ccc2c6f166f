"""Options and fixtures that all tests share."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import settings

from tests.golden_files import Golden

# Tests share the cores already: threads inside each of them would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Drawn cases are the same in every run, on machines of any speed.  The search for new ones:
# pytest --hypothesis-profile=search
settings.register_profile("suite", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile("suite")


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
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare with the golden files, or rewrite them if asked to."""
    return Golden(update=bool(request.config.getoption("--update-golden")))
