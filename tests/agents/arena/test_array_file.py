"""Files of arrays: the same bytes for the same arrays, and nothing but whole files is read."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sjavs_agents.arena.array_file import ArrayFileError, arrays_bytes, form_of, read_arrays

ARRAYS: dict[str, NDArray[Any]] = {
    "points": np.linspace(-1, 1, 6).reshape(2, 3),
    "deals": np.arange(4, dtype=np.int64),
    "count": np.array(7, dtype=np.int64),
    "none": np.zeros(0, dtype=np.uint8),
}
FORMS = {name: form_of(array) for name, array in ARRAYS.items()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "a.npz").write_bytes(arrays_bytes(ARRAYS))
    return tmp_path / "a.npz"


def test_what_is_read_is_what_was_written(path: Path) -> None:
    found = read_arrays(path, FORMS)
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_numpy_reads_them(path: Path) -> None:
    with np.load(path) as found:
        assert {name: found[name].tolist() for name in found} == {
            name: array.tolist() for name, array in ARRAYS.items()
        }


def test_the_same_arrays_are_the_same_bytes_whatever_their_memory_looks_like() -> None:
    other = {
        "points": np.asfortranarray(ARRAYS["points"]),
        "deals": np.repeat(ARRAYS["deals"], 2)[::2].astype(">i8"),
        "count": ARRAYS["count"],
        "none": ARRAYS["none"],
    }
    assert arrays_bytes(other) == arrays_bytes(ARRAYS)


def test_an_axis_may_have_any_length(path: Path) -> None:
    assert len(read_arrays(path, FORMS | {"deals": ("<i8", (None,))})["deals"]) == 4


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("points", ("<f8", (2, 4))), ("points", ("<f4", (2, 3))), ("points", ("<f8", (6,))),
        ("deals", ("<f8", (4,))), ("more", ("<f8", (1,))),
    ],
)  # fmt: skip
def test_arrays_of_another_form_are_refused(
    path: Path, name: str, form: tuple[str, tuple[int, ...]]
) -> None:
    with pytest.raises(ArrayFileError, match="is damaged or incomplete: ") as caught:
        read_arrays(path, FORMS | {name: form})
    assert "\n" not in str(caught.value)


def test_a_missing_array_is_told(path: Path) -> None:
    with pytest.raises(ArrayFileError, match=r"'deals\.npy'"):
        read_arrays(path, {k: v for k, v in FORMS.items() if k != "deals"})


@given(st.data())
def test_a_file_with_another_byte_or_cut_off_is_refused_or_holds_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = arrays_bytes(ARRAYS)
    at = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        spoiled = whole[:at]
    else:
        spoiled = whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    path = tmp_path_factory.mktemp("spoiled") / "a.npz"
    path.write_bytes(spoiled)
    try:
        found = read_arrays(path, FORMS)
    except ArrayFileError as error:
        assert str(error).count("\n") == 0  # noqa: PT017  # either outcome is right
        return
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)


def test_objects_are_never_made(tmp_path: Path) -> None:
    out = io.BytesIO()
    np.lib.format.write_array(out, np.array([{}], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as packed:
        packed.writestr("deals.npy", out.getvalue())
    with pytest.raises(ArrayFileError):
        read_arrays(tmp_path / "a.npz", {"deals": ("|O", (1,))})


def test_a_packed_array_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", deals=np.zeros(10**6, dtype=np.int64))
    with pytest.raises(ArrayFileError, match="compressed"):
        read_arrays(tmp_path / "a.npz", {"deals": ("<i8", (None,))})
