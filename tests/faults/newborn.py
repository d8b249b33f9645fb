"""A process that creates a store: it says `ready`, opens the store, and waits to be killed."""

from __future__ import annotations

import sys

from memory_layer.settings import load
from memory_layer.wiring import open_engine

settings = load()
print("ready", flush=True)
with open_engine(settings, "python"):
    print("open", flush=True)
    sys.stdin.readline()
