"""Files of arrays that NumPy reads: the same arrays give the same bytes, and nothing is unpickled.

They are ``.npz`` files whose members are not compressed and bear no date.  What is read is compared
with what a file must hold before memory is taken for it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from sjavs_env.cli.command import reason
from sjavs_env.errors import shown

__all__ = ["ArrayFileError", "Form", "arrays_bytes", "form_of", "read_arrays"]

Form = tuple[str, tuple[int | None, ...]]  # type, and shape in which None is any length
_HEADER = 1 << 12  # bytes of an array's header that are read at most
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that such a file can bear


class ArrayFileError(ValueError):
    """A file is no whole file of the arrays that it should hold; the message says why."""


def form_of(array: NDArray[Any]) -> Form:
    """Return the form of an array as it stands in a file, where the least byte comes first."""
    return array.dtype.newbyteorder("<").str, array.shape


def arrays_bytes(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return arrays by name as they stand in a file."""
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_STORED) as packed:
        for name, array in arrays.items():
            out = io.BytesIO()
            plain = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
            np.lib.format.write_array(out, plain, version=(1, 0), allow_pickle=False)
            packed.writestr(ZipInfo(f"{name}.npy", _DATE), out.getbuffer())
    return file.getvalue()


def read_arrays(path: Path, forms: Mapping[str, Form]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file; ArrayFileError unless it holds those, whole and of these forms.

    OSError for a file that is not there or cannot be read.
    """
    with path.open("rb") as file:
        try:
            with ZipFile(file) as packed:
                _check_members(packed, forms)
                return {name: _read(packed, name, form) for name, form in forms.items()}
        except (BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            raise ArrayFileError(f"{path} is damaged or incomplete: {reason(error)}") from None


def _check_members(packed: ZipFile, forms: Mapping[str, Form]) -> None:
    members = packed.infolist()
    names, wanted = [m.filename for m in members], [f"{name}.npy" for name in forms]
    if sorted(names) != sorted(wanted):
        odd = sorted(set(names) ^ set(wanted)) or names
        raise ValueError(f"it does not hold the arrays that it should, {shown(odd[0])}")
    if any(m.compress_type != ZIP_STORED or m.file_size != m.compress_size for m in members):
        raise ValueError("its arrays are compressed")


def _read(packed: ZipFile, name: str, form: Form) -> NDArray[Any]:
    """Read one array once its header says what it should."""
    kind, shape = form
    with packed.open(f"{name}.npy") as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError(f"{name} is of another version")
        there, by_column, dtype = np.lib.format.read_array_header_1_0(file, max_header_size=_HEADER)
        fits = len(there) == len(shape) and all(
            wanted in (None, n) for n, wanted in zip(there, shape, strict=True)
        )
        size = packed.getinfo(f"{name}.npy").file_size
        if dtype.str != kind or not fits or by_column or np.prod(there) * dtype.itemsize > size:
            raise ValueError(f"{name} is {dtype.str} {there}")
        data = file.read()  # to its end, where its checksum is compared
    count = int(np.prod(there))
    return np.frombuffer(data, dtype=dtype, count=count).reshape(there).copy()
