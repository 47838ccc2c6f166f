"""PettingZoo's own tests.  Importing them warns: they build one of its games in the old way."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

__all__ = ["api_test", "check_state", "check_state_space", "render_test", "seed_test"]


def _import(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return importlib.import_module(f"pettingzoo.test.{name}")


api_test = _import("api_test").api_test
seed_test = _import("seed_test").seed_test
render_test = _import("render_test").render_test
check_state = _import("state_test").test_state
check_state_space = _import("state_test").test_state_space
