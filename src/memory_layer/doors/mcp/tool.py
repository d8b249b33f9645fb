"""What a tool is: a name and a description for a model, arguments, an answer, and the use case behind it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import mcp_types as types

from memory_layer.doors.mcp import arguments
from memory_layer.doors.mcp.bounded import Shape
from memory_layer.doors.scope import Scope
from memory_layer.errors import MemoryLayerError, NotAllowed
from memory_layer.model.query import Reach
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from memory_layer.doors.python import Memories

Progress = Callable[[int], None]

EVERYWHERE = "global"  #: what stands for a project where there is none
NOWHERE = "no project is around the server's folder, so this holds everywhere; name `project` next time"


class Call(NamedTuple):
    """What a tool works with."""

    memory: Memories
    now: datetime
    around: Callable[[], Scope]  #: the project that the call is about
    only_read: bool = False
    progress: Progress | None = None
    tools: Collection[str] = ()  #: the names of those that the server has

    @property
    def own(self) -> str | None:
        """The key of the project that the call is about; None if it is about none."""
        scope = self._scope()
        return scope.project.key if scope and scope.project else None

    def placed(self, answer: Shape) -> Shape:
        """What was kept, with a word if it holds everywhere only because no project was found."""
        scope = self._scope()
        if scope is None or scope.reach is not Reach.PROJECT or scope.project or scope.place:
            return answer
        notice = " ".join(each for each in (answer.get("notice"), NOWHERE) if each)
        return answer | {"project": EVERYWHERE, "notice": notice}

    def _scope(self) -> Scope | None:
        """The project that the call is about; None if it cannot be told now, which fails nothing that is done."""
        with suppress(MemoryLayerError):
            return self.around()
        return None

    def check_may_write(self, what: str) -> None:
        """Refuse what a server that may only read cannot do, before anything is tried."""
        if self.only_read:
            raise NotAllowed(f"this server may only read, so it cannot {what}")


class Tool(NamedTuple):
    name: str
    description: str
    arguments: type[arguments.Arguments]
    answer: Shape
    run: Callable[[Call, Any], Shape]
    writes: bool = False
    idempotent: bool = False
    mixed: bool = False  #: some of what it does only reads, so that a server that may only read has it too
    reading: str = ""  #: what it is for on such a server, where that is not the same


def listed(tool: Tool, only_read: bool = False) -> types.Tool:
    """A tool as clients of a server see it."""
    return types.Tool(
        name=tool.name,
        description=(only_read and tool.reading) or tool.description,
        input_schema=arguments.schema(tool.arguments),
        output_schema=tool.answer,
        annotations=_hints(tool._replace(writes=tool.writes and not only_read)),
    )


def _hints(tool: Tool) -> types.ToolAnnotations:
    """What it may do: nothing ever erases, so nothing is destructive."""
    if not tool.writes:
        return types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return types.ToolAnnotations(
        destructive_hint=False, idempotent_hint=tool.idempotent or None, open_world_hint=False
    )
