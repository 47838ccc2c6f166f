"""Whether a TensorBoard log can be read to its end, which the reader of TensorBoard does not tell.

It takes a record that is damaged for the end of the log, and shows what stands before it.
A record is its length, a checksum of these 8 bytes, its data, and a checksum of these (the format
of TFRecord).
"""

from __future__ import annotations

from pathlib import Path
from struct import Struct

from sjavs_env.cli.extras import needing
from sjavs_env.errors import shown

__all__ = ["check_log"]

_HEAD, _CHECKSUM = Struct("<QI"), Struct("<I")
_LENGTH = 8  # bytes
MOST_BYTES = 2**26  # of a record


def check_log(path: Path) -> None:
    """ValueError, one line, for a log that is damaged; one that was cut off in a record is not.

    That is how a killed training leaves it.  Needs the extra ``train``.
    """
    with needing("train"):
        from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c
    with path.open("rb") as file:
        at = 0
        while len(head := file.read(_HEAD.size)) == _HEAD.size:
            length, checksum = _HEAD.unpack(head)
            if masked_crc32c(head[:_LENGTH]) != checksum or length > MOST_BYTES:
                raise ValueError(_damaged(path, at))
            data = file.read(length)
            end = file.read(_CHECKSUM.size)
            if len(end) < _CHECKSUM.size:
                return
            if masked_crc32c(data) != _CHECKSUM.unpack(end)[0]:
                raise ValueError(_damaged(path, at))
            at = file.tell()


def _damaged(path: Path, at: int) -> str:
    what = f"damaged at byte {at}" if at else "no log of TensorBoard"
    return f"{shown(str(path))} is unreadable: {what}; allowed: a log as it was written"
