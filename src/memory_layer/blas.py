"""Number of threads for numpy's matrix multiplication.

The threads of OpenBLAS wait for one another in a busy loop. On a loaded machine that makes a query two to three times
slower than with a single thread, and on an idle one it wastes half of the second core. So we multiply with one
thread, and distribute many texts over the cores batch by batch. Other libraries are left as they are.
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

    def __init__(self, get_count: Callable[[], int], set_count: Callable[[int], None]) -> None:
        self._get = get_count
        self._set = set_count
        self._lock = threading.Lock()
        self._users = 0
        self._before = 0

    def reset_in_child(self) -> None:
        """Reset in a forked child, which has none of the parent's threads."""
        if self._users:
            self._set(self._before)
        self._lock, self._users = threading.Lock(), 0

    def single(self) -> Self:
        """Return a context in which multiplication uses one thread; contexts may overlap."""
        return self

    def __enter__(self) -> None:
        with self._lock:
            if not self._users:
                self._before = self._get()
                self._set(1)
            self._users += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._set(self._before)


@cache
def blas_threads() -> BlasThreads:
    """Return the setting of the BLAS library that numpy has loaded."""
    found = _openblas()
    threads = BlasThreads(*found) if found else BlasThreads(lambda: 1, lambda _count: None)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=threads.reset_in_child)
    return threads


def _openblas() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    try:
        # A symbol is also looked up in the libraries that this one links to.
        library = ctypes.CDLL(importlib.import_module("numpy._core._multiarray_umath").__file__)
    except (ImportError, OSError):
        return None
    for prefix, suffix in PREFIXES_AND_SUFFIXES:
        get_count = getattr(library, f"{prefix}openblas_get_num_threads{suffix}", None)
        set_count = getattr(library, f"{prefix}openblas_set_num_threads{suffix}", None)
        if get_count and set_count:
            return get_count, set_count
    return None
