"""Functions compiled to machine code by numba, with their types kept for the type checker.

What has been compiled is kept on disk where numba keeps it: in ``NUMBA_CACHE_DIR``, beside the
module, or in the user's folder of caches.  numba alone would go on with old code after a change
of another module, and stop where nothing can be written or a file is damaged; here a cache is a
help that may fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.dispatcher import Dispatcher

__all__ = ["compiled", "inlined", "places", "spliced"]

F = TypeVar("F", bound=Callable[..., object])

_CONSTANTS = (bool, int, float, str, bytes, tuple, np.generic, np.ndarray)  # part of the code


def compiled(function: F) -> F:
    """Compile at the first call; the result is cached on disk and runs without the GIL."""
    return _made(function)


def inlined(function: F) -> F:
    """Compile as a part of those that call it: for the innermost loops."""
    return _made(function, forceinline=True)


def spliced(function: F) -> F:
    """Put the code itself into its callers: passing many arrays would cost more than the call."""
    return _made(function, inline="always")


def _made(function: F, **options: Any) -> F:
    made: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    cached: Any = _Cache
    if made is not function:  # as numba leaves it when told not to compile
        with suppress(RuntimeError, OSError):  # there is nowhere to write: compile each time
            made._cache = cached(function)
    return cast(F, made)


def places() -> list[Any]:
    """Return where numba may look for caches, best first: the user's folder if there is a user.

    It would make a folder named ``~`` for one whose home is not known.
    """
    try:
        has_home = Path.home().is_absolute()
    except RuntimeError:
        has_home = False
    known = CompileResultCacheImpl._locator_classes  # with an underscore before their names once
    return [
        kind for kind in known if has_home or not kind.__name__.endswith("UserWideCacheLocator")
    ]


class _Place(CompileResultCacheImpl):
    _locator_classes = places()  # the name under which numba looks for it


class _Cache(FunctionCache):
    """What has been compiled of one function, as long as nothing that it calls has changed."""

    _impl_class = _Place

    def _load_overload(self, sig: object, target_context: object) -> object:
        """Return what is stored, None for nothing; drop what cannot be read."""
        self._cache_file._source_stamp = _stamp(self._py_func)
        numbas: Any = super()  # untyped
        try:
            return numbas._load_overload(sig, target_context)
        except Exception:  # random bytes can fail in any way
            self._drop()
            return None

    def _save_overload(self, sig: object, data: object) -> None:
        numbas: Any = super()
        try:
            numbas._save_overload(sig, data)
        except OSError:  # the disk is full, or another user's
            numbas.disable()

    def _drop(self) -> None:
        name = f"{self._impl.filename_base}.*"
        for path in Path(self._cache_path).glob(name):
            with suppress(OSError):  # another process has done it, or this one may not write
                path.unlink()


def _stamp(function: FunctionType) -> bytes:
    """Return a digest of all that shapes a compiled function: sources and constants."""
    digest = sha256()
    for part in sorted(_parts(function, set())):
        digest.update(sha256(part).digest())
    return digest.digest()


def _parts(function: FunctionType, seen: set[FunctionType]) -> Iterator[bytes]:
    """Yield the source and the constants of a function and of all compiled ones it may call."""
    seen.add(function)
    yield _source(function.__code__.co_filename) or function.__code__.co_code
    for name in _names(function.__code__):
        value = function.__globals__.get(name)
        if isinstance(value, Dispatcher):
            if value.py_func not in seen:
                yield from _parts(value.py_func, seen)
        elif isinstance(value, np.ndarray):
            yield f"{name} {value.dtype} {value.shape}".encode() + value.tobytes()
        elif isinstance(value, _CONSTANTS):
            yield f"{name} {value!r}".encode()


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


@cache
def _source(path: str) -> bytes:
    """Return the text of a module, nothing where there is none to read, as in an archive."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
