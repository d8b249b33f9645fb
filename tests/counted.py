"""Calls of a function, counted while a test runs."""

from __future__ import annotations

from typing import Any

import pytest


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[tuple[Any, ...]]:
    """The arguments of every call of a function from now on."""
    calls: list[tuple[Any, ...]] = []
    function = getattr(owner, name)

    def call(*given: Any) -> Any:
        calls.append(given)
        return function(*given)

    monkeypatch.setattr(owner, name, call)
    return calls
