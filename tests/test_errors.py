"""What messages show of wrong values."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sjavs_env.errors import MOST_SHOWN, shown

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inner)
    ),
)


@given(VALUES)
def test_a_value_is_shown_as_python_writes_it_up_to_200_characters(value: Any) -> None:
    whole, text = repr(value), shown(value)
    assert len(text) <= MOST_SHOWN
    if len(whole) <= MOST_SHOWN:
        assert text == whole
    elif not text.startswith("a whole number"):
        assert text.endswith("...")


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


class Broken:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (nested(100_000), "[" * 197 + "..."),
        ("x" * 10**7, "'" + "x" * 196 + "..."),
        ([1] * 10**7, json.dumps([1] * 80)[:197] + "..."),
        (10**6000, "a whole number of 19932 bits"),
        ([10**6000], "[a whole number of 19932 bits]"),
        (np.arange(3).reshape(3, 1), "array([[0], [1], [2]])"),
        (Broken(), "a Broken"),
        ("\ud800", r"'\ud800'"),
    ],
    ids=["deep", "long text", "long list", "huge", "huge inside", "array", "broken", "surrogate"],
)
def test_what_is_too_large_deep_or_broken_is_shown_in_one_short_line(value: Any, text: str) -> None:
    assert shown(value) == text
