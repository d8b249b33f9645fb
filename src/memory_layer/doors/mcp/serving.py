"""The tools of a serving process, for any number of clients."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer import __version__
from memory_layer.doors.mcp.arguments import Extra
from memory_layer.doors.mcp.limits import Shape, bounded
from memory_layer.doors.mcp.tool import Progress, Tool, ToolCall
from memory_layer.doors.mcp.tool_answers import for_an_agent
from memory_layer.doors.shared_engine import SharedEngine, check_folder
from memory_layer.errors import AmbiguousId, InvalidInput, MemoryLayerError, NotAllowed
from memory_layer.model.access import Role
from memory_layer.model.context import Way
from memory_layer.model.record import NamedTuple
from memory_layer.usecases.upkeep.error_log import keep_mishap
from memory_layer.usecases.who.projects import looks_like_path, path_named
from memory_layer.verbs.call import Caller, Dispatcher, Target

if TYPE_CHECKING:
    from memory_layer.ports import Engine
    from memory_layer.settings import Settings

DOOR = "mcp"
LONGEST_MESSAGE = 600  #: characters of an error, which may quote the caller
#: The next step after each kind of error; none of them changes or removes anything.
_NEXT = {
    "invalid_input": "Nothing was changed. Correct the arguments and call again.",
    "ambiguous_id": "Nothing was changed. Call again with more of the id.",
    "not_found": "Nothing was changed. Check the id or name; memory_recall finds existing ids.",
    "not_allowed": "Nothing was changed. Ask the person you work for.",
    "needs_confirmation": "Nothing was changed. Ask the person you work for.",
    "changed_meanwhile": "Nothing was changed. Read it again, then decide.",
    "store_busy": "Nothing was changed. It is safe to call again.",
}
_GO_ON = "Continue without the memory, and tell the person you work for. It is safe to call again."


class Offer(NamedTuple):
    """The options a server was started with."""

    tools: tuple[Tool, ...]
    project: str | None = None
    only_read: bool = False
    here: Path = Path(os.sep)

    @property
    def own(self) -> tuple[Path, ...]:
        """Return the folders whose files the server may read: its working directory and its project."""
        named = self.project is not None and looks_like_path(self.project)
        return (self.here, path_named(self.project or "", self.here)) if named else (self.here,)


class Client(NamedTuple):
    """The client, as far as the protocol identifies it."""

    name: str | None = None
    session: str | None = None
    role: Role | None = None  #: of its token; None: it needs none


class Serving:
    """A runner of tools for any number of clients, without state about any of them."""

    def __init__(self, settings: Settings, offer: Offer, store: SharedEngine | None = None) -> None:
        self.settings = settings
        self.offer = offer
        self.store = store or SharedEngine(settings, DOOR, only_read=offer.only_read, own=offer.own)
        self.tools = {
            tool.name: tool for tool in offer.tools if tool.mixed or not (offer.only_read and tool.writes)
        }

    def close(self) -> None:
        """Close the store once the calls under way have finished."""
        self.store.close()

    def run(
        self, name: str, raw: dict[str, object], client: Client, progress: Progress | None = None
    ) -> Shape:
        """Run a tool once; failures are MemoryLayerErrors with a message."""
        tool = self._tool(name)
        only_read = client.role is Role.READER
        if client.role is not None and not client.role.covers(tool.role):
            raise NotAllowed(f"{tool.name} needs a token with the role {tool.role}, not {client.role}")
        values = tool.read(raw)
        with (self.store.for_reading() if only_read else self.store).engine() as engine:
            extra = tool.extra(values, engine.now())
            named = extra.project or extra.namespace
            if named is not None:
                check_folder(named, self.offer.here)
            remarks: dict[str, None] = {}  # in order, each once
            dispatcher = self._dispatcher(engine, client, extra, remarks.setdefault)
            if named is not None and not tool.writes:
                call = dispatcher.call()
                call.scope  # noqa: B018 - remarked on even where it does not matter
                remarks |= dict.fromkeys(call.remarks)
            answer = tool.run(ToolCall(dispatcher, tool, extra, self.tools, progress), values)
            self.store.keep_tidy(engine)
        if notices := [*filter(None, (answer.get("notice"), *remarks))]:
            answer["notice"] = for_an_agent("; ".join(notices), self.tools)
        return bounded(answer)

    @contextmanager
    def dispatcher(self, client: Client) -> Iterator[Dispatcher]:
        """Yield a dispatcher for one client.

        The store stays open until the end of the block, even if another one replaces it meanwhile.
        """
        only_read = client.role is Role.READER
        with (self.store.for_reading() if only_read else self.store).engine() as engine:
            yield self._dispatcher(engine, client, Extra())

    def _dispatcher(
        self, engine: Engine, client: Client, extra: Extra, remark: Callable[[str], None] | None = None
    ) -> Dispatcher:
        """Return a dispatcher for a client in the project of the call, the server's, or the one here."""
        named = extra.project or extra.namespace
        if extra.only_global and named is not None:
            raise InvalidInput("use either project or global, not both")
        caller = Caller(
            DOOR,
            self.offer.here,
            extra.writer_id or client.name,
            extra.session or client.session,
            home=Target(self.offer.project),
            way=Way.TOOLS,
            only_read=self.offer.only_read or client.role is Role.READER,
        )
        if remark is not None:
            caller = caller._replace(remark=remark)
        project = None if extra.only_global else named or self.offer.project
        return Dispatcher(engine, caller, Target(project, extra.only_global))

    def error_text(self, failure: Exception) -> str:
        """Write an error for a model: what happened, and what is safe to do next."""
        if not isinstance(failure, MemoryLayerError):
            keep_mishap(self.settings.log_folder, failure, datetime.now(UTC), f"mem mcp {__version__}")
            return f"unexpected: internal error ({type(failure).__name__}); details are in the log. {_GO_ON}"
        message = for_an_agent(str(failure), self.tools)
        message = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}…"
        which = f" Matches: {', '.join(failure.candidates[:10])}." if isinstance(failure, AmbiguousId) else ""
        return f"{failure.code}: {message}.{which} {_NEXT.get(failure.code, _GO_ON)}"

    def has(self, name: str) -> bool:
        """Return whether there is such a tool, even one that this server may not run."""
        return any(tool.name == name for tool in self.offer.tools)

    def _tool(self, name: str) -> Tool:
        if name in self.tools:
            return self.tools[name]
        if self.has(name):
            raise NotAllowed(f"this server is read-only, so it has no {name[:80]}")
        raise InvalidInput(f"there is no tool {name[:80]!r}; the tools are {', '.join(self.tools)}")
