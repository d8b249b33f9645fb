"""One process that serves: it opens its own engine, keeps it while the file stays the same, and runs the tools."""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memory_layer import __version__
from memory_layer.doors.mcp import arguments
from memory_layer.doors.mcp.bounded import Shape, bounded
from memory_layer.doors.mcp.tool import Call, Progress, Tool
from memory_layer.doors.scope import Asked
from memory_layer.errors import AmbiguousId, InvalidInput, MemoryLayerError, NotAllowed
from memory_layer.usecases.mishap import keep_mishap

if TYPE_CHECKING:
    from memory_layer.doors.python import Memories
    from memory_layer.ports import Engine
    from memory_layer.settings import Settings

DOOR = "mcp"
LONGEST_MESSAGE = 600  #: characters of an error; what a caller gave may stand in it
#: What is safe to do after each kind of error; none of it changes or removes anything.
_NEXT = {
    "invalid_input": "Nothing was changed. Correct the arguments and call again.",
    "ambiguous_id": "Nothing was changed. Call again with more of the id.",
    "not_found": "Nothing was changed. Check what you named; memory_recall finds ids that exist.",
    "not_allowed": "Nothing was changed. Ask the person you work for.",
    "changed_meanwhile": "Nothing was changed. Read it again before you decide.",
    "store_busy": "Nothing was changed. Calling again is safe.",
}
_GO_ON = "Go on without the memory, and tell the person you work for. Calling again is safe."


class Offer(NamedTuple):
    """What a server was started with."""

    tools: tuple[Tool, ...]
    project: str | None = None
    only_read: bool = False
    here: Path = Path(os.sep)


class Client(NamedTuple):
    """Who calls, as far as the protocol says."""

    name: str | None = None
    session: str | None = None


class Serving:
    """Runs tools for any number of clients and keeps nothing about any of them."""

    def __init__(self, settings: Settings, offer: Offer) -> None:
        self.settings = settings
        self.offer = offer
        self.tools = {
            tool.name: tool for tool in offer.tools if tool.mixed or not (offer.only_read and tool.writes)
        }
        self._guard = threading.Lock()
        self._opened: tuple[Engine, object] | None = None
        self._closing = ExitStack()

    def close(self) -> None:
        """Close the store; a call that is under way finishes first."""
        with self._guard:
            self._opened = None
            self._closing.close()

    def run(
        self, name: str, given: dict[str, object], client: Client, progress: Progress | None = None
    ) -> Shape:
        """One call of a tool; what goes wrong is a MemoryLayerError with a sentence."""
        tool = self._named(name)
        said = arguments.checked(tool.arguments, given)
        memory = self.memory(
            client._replace(session=getattr(said, "session", None)),
            said.project,
            only_global=getattr(said, "only_global", False),
        )
        return bounded(tool.run(Call(memory, self._engine().now(), self.offer.only_read, progress), said))

    def memory(self, client: Client, project: str | None = None, *, only_global: bool = False) -> Memories:
        """The memory as one client sees it: in the project it names, the server's, or the one around here."""
        from memory_layer.doors.python import (
            Memories,  # a hundred modules, and a client waits for the list first
        )

        if only_global and project is not None:
            raise InvalidInput("a memory belongs to one project or to all; choose project or global")
        asked = Asked(None if only_global else project or self.offer.project, only_global)
        return Memories(
            self._engine(), asked, client.name, client.session, ExitStack(), door=DOOR, here=self.offer.here
        )

    def told(self, failure: Exception) -> str:
        """An error for a model: what it is, in a sentence, and what is safe to do next."""
        if not isinstance(failure, MemoryLayerError):
            keep_mishap(self.settings.log_folder, failure, datetime.now(UTC), f"mem mcp {__version__}")
            return f"unexpected: something went wrong ({type(failure).__name__}); it is in the log. {_GO_ON}"
        message = str(failure)
        message = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}…"
        which = f" It fits {', '.join(failure.candidates[:10])}." if isinstance(failure, AmbiguousId) else ""
        return f"{failure.code}: {message}.{which} {_NEXT.get(failure.code, _GO_ON)}"

    def _named(self, name: str) -> Tool:
        if name in self.tools:
            return self.tools[name]
        if any(tool.name == name for tool in self.offer.tools):
            raise NotAllowed(f"this server may only read, so it has no {name[:80]}")
        raise InvalidInput(f"there is no tool {name[:80]!r}; there are {', '.join(self.tools)}")

    def _engine(self) -> Engine:
        """The process's engine; another one where the file was replaced, or where opening failed before."""
        from memory_layer.wiring import open_engine

        with self._guard:
            place = _identity(self.settings.database_path)
            if self._opened is None or self._opened[1] != place:
                self._closing.close()
                opening = open_engine(self.settings, DOOR, only_read=self.offer.only_read)
                engine = self._closing.enter_context(opening)
                self._opened = engine, _identity(self.settings.database_path)
            return self._opened[0]


def _identity(path: Path) -> object:
    """Which file lies at a path; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
