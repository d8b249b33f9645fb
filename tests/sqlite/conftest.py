"""The fixtures of the contract: what is SQLite's own is tested on the same store."""

from __future__ import annotations

from tests.contract.conftest import open_store, put, store

__all__ = ["open_store", "put", "store"]
