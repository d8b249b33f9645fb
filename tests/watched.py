"""What is really opened, seen from inside the process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest


class Watch:
    """Collects what is opened while somebody looks."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.looking = False

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and self.looking and isinstance(arguments[0], str):
            path = arguments[0]
            self.paths.append(os.path.realpath(path) if os.path.isabs(path) else path)


WATCH = Watch()
sys.addaudithook(WATCH)


def watching(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Everything that is opened meanwhile: by its path, and by where a handle leads."""
    real_open = os.open

    def watched(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        handle = real_open(path, flags, mode, dir_fd=dir_fd)
        WATCH.paths.append(os.path.realpath(f"/proc/self/fd/{handle}"))
        return handle

    monkeypatch.setattr(os, "open", watched)
    WATCH.paths.clear()
    WATCH.looking = True
    yield WATCH.paths
    WATCH.looking = False
