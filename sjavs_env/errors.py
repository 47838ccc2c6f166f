"""What a message shows of a wrong value: enough to know it by, and never pages of it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping

__all__ = ["MOST_SHOWN", "is_one_of", "shown"]

MOST_SHOWN = 200  # characters of a wrong value that a message repeats
_MOST_BITS = 600  # of a whole number that is written out; Python refuses some longer ones


def is_one_of(value: object, allowed: Collection[object]) -> bool:
    """Return whether a value is an allowed one; an array, which equals by element, is none."""
    return isinstance(value, Hashable) and value in allowed


def shown(value: object) -> str:
    """Return ``repr(value)`` in one line, cut where it is longer than ``MOST_SHOWN``.

    Only what is shown is looked at, so a value of any size or depth takes no time, and a value
    whose own ``repr`` fails is named by its type.
    """
    text = ""
    for piece in _pieces(value):
        text += piece
        if len(text) > MOST_SHOWN:
            return text[: MOST_SHOWN - 3] + "..."
    return text


def _pieces(value: object) -> Iterator[str]:
    """Write a value piece by piece; every level of nesting begins with a character of its own."""
    if type(value) in (str, bytes):
        yield repr(value[: MOST_SHOWN + 1])  # type: ignore[index]  # both can be cut
    elif type(value) is int and value.bit_length() > _MOST_BITS:
        yield f"a whole number of {value.bit_length()} bits"
    elif type(value) in (list, tuple):
        yield from _items(value)  # type: ignore[arg-type]  # one of the two
    elif type(value) is dict:
        yield from _entries(value)
    else:
        yield " ".join(_own_repr(value).split())


def _items(values: list[object] | tuple[object, ...]) -> Iterator[str]:
    opening, closing = "[]" if type(values) is list else "()"
    yield opening
    for place, value in enumerate(values):
        yield ", " if place else ""
        yield from _pieces(value)
    yield f",{closing}" if closing == ")" and len(values) == 1 else closing


def _entries(entries: Mapping[object, object]) -> Iterator[str]:
    yield "{"
    for place, (name, value) in enumerate(entries.items()):
        yield ", " if place else ""
        yield from _pieces(name)
        yield ": "
        yield from _pieces(value)
    yield "}"


def _own_repr(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # whatever the repr of a stranger's class does, the message is about more
        return f"a {type(value).__name__}"
