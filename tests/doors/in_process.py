"""The tools in this process, for what needs no wire between them and their caller."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.mcp.serving import Client, Offer, Serving
from memory_layer.doors.mcp.tool import Tool
from memory_layer.errors import MemoryLayerError
from memory_layer.settings import load


def as_repository(folder: Path) -> Path:
    """Make a folder a git repository, so that a server reads its files."""
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return folder


class Tools:
    """A server's tools as one client calls them."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving
        self.client = "an-agent"

    def __call__(self, tool: str, **arguments: Any) -> Any:
        return self.serving.run(tool, arguments, Client(self.client))

    def refused(self, tool: str, **arguments: Any) -> str:
        """What the model is told of a call that cannot be."""
        with pytest.raises(MemoryLayerError) as refusal:
            self(tool, **arguments)
        return self.serving.error_text(refusal.value)


@contextmanager
def tools(here: Path, offered: tuple[Tool, ...] = FULL, **offer: Any) -> Iterator[Tools]:
    """The tools of a server that was started in a folder."""
    serving = Serving(load(), Offer(offered, here=here, **offer))
    try:
        yield Tools(serving)
    finally:
        serving.close()
