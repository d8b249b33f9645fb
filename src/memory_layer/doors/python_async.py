"""The Python door for asyncio: `async with memory_layer.open_async() as memory: await memory.add(…)`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_layer.doors.python import Memories, open_memory


class AsyncMemories:
    """An open memory with the methods of `Memories`, each awaited while a thread runs it."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories
        self._threads = ThreadPoolExecutor(thread_name_prefix="memory_layer")

    if TYPE_CHECKING:  # the methods are made below

        def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]: ...

    async def close(self) -> None:
        """Wait for the calls under way, then close the store."""
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._memories.close)

    async def _run(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        call = partial(method, self._memories, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)


def _awaited(method: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """Return the method of the same name that runs in a thread."""

    @wraps(method)
    async def run(self: AsyncMemories, *args: Any, **kwargs: Any) -> Any:
        return await self._run(method, *args, **kwargs)

    return run


for _name, _method in vars(Memories).items():
    if not _name.startswith("_") and _name != "close":
        setattr(AsyncMemories, _name, _awaited(_method))


@asynccontextmanager
async def open_async(database: str | Path | None = None, **options: Any) -> AsyncIterator[AsyncMemories]:
    """Open a store as `open` does, with the same arguments, for `async with`."""
    opened = AsyncMemories(await asyncio.to_thread(open_memory, database, **options))
    try:
        yield opened
    finally:
        await opened.close()
