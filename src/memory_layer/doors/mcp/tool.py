"""Tools: name and description for a model, the verbs behind it, its arguments, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from memory_layer.doors.mcp import arguments
from memory_layer.doors.mcp.arguments import Argument, Extra
from memory_layer.doors.mcp.tool_answers import EVERYWHERE
from memory_layer.errors import InvalidInput, MemoryLayerError, NotAllowed
from memory_layer.model.access import Role
from memory_layer.model.query import Reach
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from memory_layer.doors.mcp.arguments import Arguments, Verbs
    from memory_layer.doors.mcp.limits import Shape
    from memory_layer.verbs.call import Dispatcher, Scope, Target, Verb

Progress = Callable[[int], None]
Values = Mapping[str, Any]  #: arguments by their names
Answer = TypeVar("Answer")

NOWHERE = "stored as global, because the server's folder is in no project; pass `project` next time"
NOTHING: Mapping[str, Any] = MappingProxyType({})
AT_ONCE = {"anthropic/alwaysLoad": True}


class ToolCall(NamedTuple):
    """One call of a tool."""

    dispatcher: Dispatcher
    tool: Tool
    extra: Extra = Extra()
    tools: Collection[str] = ()  #: the names of the server's tools
    progress: Progress | None = None

    def do(
        self,
        verb: Verb[Any, Answer],
        values: Values = NOTHING,
        *,
        target: Target | None = None,
        measure: Callable[[Any], str] | None = None,
        **more: Any,
    ) -> Answer:
        """Run a verb with the arguments that it takes, and with values of the tool's own."""
        taken = self.tool.all_arguments
        return self.dispatcher.run(
            verb,
            arguments.values_for(verb, taken, values) | more,
            target=target,
            progress=self.progress,
            measure=measure,
            names=arguments.names_of(taken),
        )

    @property
    def project_key(self) -> str | None:
        """Return the key of the call's project; None if it has none."""
        scope = self._scope()
        return scope.project.key if scope and scope.project else None

    def placed(self, answer: Shape) -> Shape:
        """Add a notice if the memory is global only because no project was found."""
        scope = self._scope()
        if scope is None or scope.reach is not Reach.PROJECT or scope.project or scope.place:
            return answer
        notice = " ".join(each for each in (answer.get("notice"), NOWHERE) if each)
        return answer | {"project": EVERYWHERE, "notice": notice}

    def _scope(self) -> Scope | None:
        """Return the scope of the call; None if its project no longer exists, which fails nothing."""
        with suppress(MemoryLayerError):
            return self.dispatcher.call().scope
        return None

    def check_may_write(self, what: str) -> None:
        """Refuse a write on a read-only server, before anything is tried."""
        if self.dispatcher.caller.only_read:
            raise NotAllowed(f"this server is read-only, or the token is a reader's, so it cannot {what}")


class ToolAction(NamedTuple):
    """One action of a tool; its verb takes the arguments that it has fields for."""

    verb: Verb[Any, Any]
    run: Callable[[ToolCall, Values], Shape]
    writes: bool = False


class Tool(NamedTuple):
    name: str
    description: str
    verbs: Verbs
    arguments: Arguments
    answer: Shape
    run: Callable[[ToolCall, Values], Shape]
    in_session: bool = False  #: takes the argument `session`
    writes: bool = False
    idempotent: bool = False
    mixed: bool = False  #: some of its actions only read, so that a read-only server has it too
    reading: str = ""  #: its description on a read-only server, if different
    at_once: bool = False  #: loaded from the start by clients that hide tools behind a search

    @property
    def role(self) -> Role:
        """Return the role that its callers need over HTTP, as its annotations say."""
        return Role.WRITER if self.writes and not self.mixed else Role.READER

    @property
    def all_arguments(self) -> Arguments:
        """Return all of its arguments."""
        shared = ("project", "session") if self.in_session else ("project",)
        return {**self.arguments, **{name: Argument() for name in shared}}

    def read(self, values: Values) -> dict[str, Any]:
        return arguments.read(self.all_arguments, self.verbs, values)

    def extra(self, values: Values, now: datetime) -> Extra:
        return arguments.extra(self.all_arguments, self.verbs, values, now)


def of_actions(
    name: str,
    description: str,
    actions: Mapping[str, ToolAction],
    taken: Arguments,
    answer: Shape,
    **more: Any,
) -> Tool:
    """Return a tool whose argument `action` selects one of its verbs."""

    def run(call: ToolCall, values: Values) -> Shape:
        chosen = str(call.extra.action)
        _check_taken(chosen, actions, taken, values)
        if actions[chosen].writes:
            call.check_may_write(f"{chosen} with {name}")
        return actions[chosen].run(call, values)

    verbs = tuple(each.verb for each in actions.values())
    action = {"action": Argument(words=tuple(actions), needed=True)}
    return Tool(name, description, verbs, action | dict(taken), answer, run, writes=True, mixed=True, **more)


def _check_taken(chosen: str, actions: Mapping[str, ToolAction], taken: Arguments, values: Values) -> None:
    """Refuse arguments of another action, and report missing ones."""
    takes = {action: _names(each.verb, taken) for action, each in actions.items()}
    if wrong := [name for name in taken if name not in takes[chosen] and values.get(name)]:
        of = [action for action, names in takes.items() if wrong[0] in names]
        raise InvalidInput(
            f"the action {chosen} takes no {wrong[0]}, only {' and '.join(takes[chosen])}; {wrong[0]} goes with"
            f" {' and '.join(of)}"
        )
    defaults = actions[chosen].verb.request._field_defaults
    needed = [name for name in takes[chosen] if (taken[name].field or name) not in defaults]
    if missing := [name for name in needed if name not in values]:
        raise InvalidInput(f"the action {chosen} needs the argument {missing[0]}")


def _names(verb: Verb[Any, Any], taken: Arguments) -> list[str]:
    return [name for name, each in taken.items() if (each.field or name) in verb.request._fields]


def listing(tool: Tool, only_read: bool = False) -> Shape:
    """Return the tool as clients see it."""
    return ({"_meta": AT_ONCE} if tool.at_once else {}) | {
        "annotations": _hints(tool._replace(writes=tool.writes and not only_read)),
        "description": (only_read and tool.reading) or tool.description,
        "inputSchema": arguments.schema(tool.all_arguments, tool.verbs),
        "name": tool.name,
        "outputSchema": tool.answer,
    }


def _hints(tool: Tool) -> Shape:
    """Return the tool's annotations: nothing ever erases, so nothing is destructive."""
    if not tool.writes:
        return {"openWorldHint": False, "readOnlyHint": True}
    repeatable = {"idempotentHint": True} if tool.idempotent else {}
    return {"destructiveHint": False} | repeatable | {"openWorldHint": False}
