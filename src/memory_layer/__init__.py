"""Memory Layer: a local memory for AI coding agents that learns what works.

import memory_layer

with memory_layer.open() as memory:
    memory.add("The build needs Java 21", category="environment")
    for hit in memory.search("which java version"):
        print(hit.score, hit.memory.content)
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers read it as true; importing `typing` for it would cost every start 7 ms
if TYPE_CHECKING:
    from memory_layer.doors.python import Memories
    from memory_layer.doors.python import open_memory as open  # noqa: A004 - the door is called what it does
    from memory_layer.doors.python_async import AsyncMemories, open_async
    from memory_layer.errors import MemoryLayerError
    from memory_layer.model.history import History, Operation, Undone, Verdict, Version
    from memory_layer.model.memory import Added, Citation, Memory, Project
    from memory_layer.model.outcome import Judged
    from memory_layer.model.query import Filters, Found, Hit, Page, Stats
    from memory_layer.model.sources import SourceState, Standing, Verified

#: Where each public name lives; nothing is imported before it is asked for.
_HOMES = {
    "Added": "memory_layer.model.memory",
    "Citation": "memory_layer.model.memory",
    "Filters": "memory_layer.model.query",
    "Found": "memory_layer.model.query",
    "History": "memory_layer.model.history",
    "Hit": "memory_layer.model.query",
    "Judged": "memory_layer.model.outcome",
    "Memories": "memory_layer.doors.python",
    "Memory": "memory_layer.model.memory",
    "MemoryLayerError": "memory_layer.errors",
    "Operation": "memory_layer.model.history",
    "Page": "memory_layer.model.query",
    "Project": "memory_layer.model.memory",
    "SourceState": "memory_layer.model.sources",
    "Standing": "memory_layer.model.sources",
    "Stats": "memory_layer.model.query",
    "Undone": "memory_layer.model.history",
    "Verdict": "memory_layer.model.history",
    "Verified": "memory_layer.model.sources",
    "Version": "memory_layer.model.history",
    "AsyncMemories": "memory_layer.doors.python_async",
    "open": "memory_layer.doors.python",
    "open_async": "memory_layer.doors.python_async",
}

__all__ = [
    "Added",
    "AsyncMemories",
    "Citation",
    "Filters",
    "Found",
    "History",
    "Hit",
    "Judged",
    "Memories",
    "Memory",
    "MemoryLayerError",
    "Operation",
    "Page",
    "Project",
    "SourceState",
    "Standing",
    "Stats",
    "Undone",
    "Verdict",
    "Verified",
    "Version",
    "open",
    "open_async",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'memory_layer' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), "open_memory" if name == "open" else name)


def __dir__() -> list[str]:
    return __all__
