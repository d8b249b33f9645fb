"""Keep SQLite connections out of child processes.

SQLite tracks the locks of a process outside its connections, and a child inherits that state without the locks.
So every connection is closed before a fork, once its thread has finished its transaction, and opened again on next use,
by parent and child separately.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref
from typing import Protocol

NAP_SECONDS = 0.0005
WAIT_SECONDS = 5.0  #: wait for transactions of other threads; a fork proceeds without those that take longer


_STORES: weakref.WeakSet[Forking] = weakref.WeakSet()


class Forking(Protocol):
    """A store whose connections are closed at a fork."""

    def rest(self, deadline: float) -> list[threading.RLock]:
        """Close idle connections until the deadline; return the locks that keep them closed."""

    def begin_anew(self) -> None:
        """Discard, in a child, what belongs to the parent."""


class _Fork:
    """The fork in progress; one at a time."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.held: list[threading.RLock] = []


_fork = _Fork()


def end_at_forks(store: Forking) -> None:
    """Close the store's connections before each fork of this process."""
    _STORES.add(store)


def _before() -> None:
    _fork.lock.acquire()
    deadline = time.monotonic() + WAIT_SECONDS
    for store in list(_STORES):
        _fork.held += store.rest(deadline)
    while _is_importing() and time.monotonic() < deadline:
        time.sleep(NAP_SECONDS)


def _is_importing() -> bool:
    """Check whether another thread is importing one of our modules, which the child could then never load."""
    ours = [module for name, module in sys.modules.copy().items() if name.startswith("memory_layer.")]
    return any(getattr(module.__spec__, "_initializing", False) for module in ours)


def _in_parent() -> None:
    held, _fork.held = _fork.held, []
    for lock in held:
        lock.release()
    _fork.lock.release()


def _in_child() -> None:
    global _fork  # noqa: PLW0603  its locks may be held by threads that this process does not have
    _fork = _Fork()
    for store in list(_STORES):
        store.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
