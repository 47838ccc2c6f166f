"""What messages show of wrong values."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sjavs_env import verify_file
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


SOURCES = sorted((Path(__file__).parent.parent / "sjavs_env").rglob("*.py"))
WHOLE = re.compile(r"\{[^{}]*!r\}")
OUR_OWN = {"encode.py", "encode_single.py", "saved.py", "game.py", "errors.py"}  # words of ours


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_message_repeats_a_wrong_value_whole(path: Path) -> None:
    if path.name not in OUR_OWN:
        assert not WHOLE.findall(path.read_text("utf-8"))


LONG = "x" * 5_000_000


@pytest.mark.parametrize(
    "record",
    [
        [LONG],
        {LONG: 1},
        {"format": LONG, "version": 1, "rules": {}, "deals": []},
        {"format": "sjavs-record", "version": 1, "rules": {"name": LONG}, "deals": []},
        {"format": "sjavs-record", "version": 1, "rules": {"name": "faroese"}, "deals": LONG},
    ],
    ids=["list", "key", "format", "rules", "deals"],
)
def test_a_refused_record_of_megabytes_is_told_in_a_line(tmp_path: Path, record: Any) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(record) + "\n")
    with pytest.raises(ValueError, match=r"games\.jsonl, line 1: ") as caught:
        verify_file(path)
    assert len(str(caught.value)) < 1000 + len(str(path))
