"""Number of threads for numpy's matrix multiplication.

The threads of OpenBLAS wait for one another in a busy loop. On a loaded machine that makes a query two to three times
slower than a single thread would be, and on an idle one it wastes half of the second core. So we multiply with one
thread, and many texts are spread over the cores batch by batch. Other libraries are left as they are.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import threading
from collections.abc import Callable
from functools import cache
from typing import Self

PREFIXES_AND_SUFFIXES = (("scipy_", "64_"), ("", "64_"), ("scipy_", ""), ("", ""))


class BlasThreads:
    """The thread setting of the BLAS library, shared by the whole process."""

    def __init__(self, get: Callable[[], int], turn: Callable[[int], None]) -> None:
        self._get = get
        self._turn = turn
        self._lock = threading.Lock()
        self._users = 0
        self._before = 0

    def begin_anew(self) -> None:
        """Reset in a forked child, which has none of the parent's threads."""
        if self._users:
            self._turn(self._before)
        self._lock, self._users = threading.Lock(), 0

    def single(self) -> Self:
        """Return a context in which multiplication uses one thread; contexts may overlap."""
        return self

    def __enter__(self) -> None:
        with self._lock:
            if not self._users:
                self._before = self._get()
                self._turn(1)
            self._users += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._turn(self._before)


@cache
def blas_threads() -> BlasThreads:
    """Return the setting of the BLAS library that numpy has loaded."""
    found = _openblas()
    dial = BlasThreads(*found) if found else BlasThreads(lambda: 1, lambda _count: None)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=dial.begin_anew)
    return dial


def _openblas() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    try:
        # A symbol is also looked for in the libraries that this one was linked with.
        library = ctypes.CDLL(importlib.import_module("numpy._core._multiarray_umath").__file__)
    except (ImportError, OSError):
        return None
    for prefix, suffix in PREFIXES_AND_SUFFIXES:
        get = getattr(library, f"{prefix}openblas_get_num_threads{suffix}", None)
        turn = getattr(library, f"{prefix}openblas_set_num_threads{suffix}", None)
        if get and turn:
            return get, turn
    return None
