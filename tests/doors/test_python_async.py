"""`open_async`: the methods of the Python door, awaited; many calls at once lose nothing."""

from __future__ import annotations

import asyncio
import inspect

import pytest

import memory_layer
from memory_layer.doors.python import Memories
from memory_layer.doors.python_async import AsyncMemories
from memory_layer.errors import InvalidInput, StoreUnavailable


def test_every_method_can_be_awaited_and_is_described():
    names = [name for name in vars(Memories) if not name.startswith("_")]

    for name in names:
        method = getattr(AsyncMemories, name)
        assert inspect.iscoroutinefunction(method)
        assert name == "close" or method.__doc__ == getattr(Memories, name).__doc__


def test_calls_that_run_at_once_are_all_stored_and_found(machine):
    async def steps() -> None:
        async with memory_layer.open_async() as memory:
            texts = [f"Server {number} stands in hall {number * 7}" for number in range(20)]
            added = await asyncio.gather(*(memory.add(text, on_duplicate="keep") for text in texts))
            found = await asyncio.gather(*(memory.search(text, limit=1) for text in texts))

            assert len({each.id for each in added}) == 20
            assert [hits[0].memory.content for hits in found] == texts

    asyncio.run(steps())
    with memory_layer.open() as memory:
        assert memory.list().total == 20


def test_the_loop_goes_on_while_a_call_runs(machine):
    async def steps() -> None:
        async with memory_layer.open_async() as memory:
            call = asyncio.ensure_future(memory.add("The build needs Java 21"))
            assert not call.done()
            await asyncio.sleep(0)
            assert (await call).status == "created"

    asyncio.run(steps())


def test_errors_are_raised_where_the_call_is_awaited(machine):
    async def steps() -> None:
        async with memory_layer.open_async() as memory:
            with pytest.raises(InvalidInput):
                await memory.add("  ")

    asyncio.run(steps())


def test_closing_waits_for_calls_under_way(machine):
    async def steps() -> None:
        async with memory_layer.open_async() as memory:
            calls = [asyncio.ensure_future(memory.add(f"Hall {number} is cold")) for number in range(5)]
            await asyncio.sleep(0)
        assert [(await call).status for call in calls] == ["created"] * 5

    asyncio.run(steps())


def test_a_store_that_cannot_be_opened_says_so(machine):
    async def steps() -> None:
        (machine / "work" / "notes.db").write_text("this is not a database, but it is long enough" * 99)
        with pytest.raises(StoreUnavailable):
            async with memory_layer.open_async("notes.db") as memory:
                await memory.stats()

    asyncio.run(steps())
