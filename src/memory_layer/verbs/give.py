"""Verbs that choose what an agent is given: context, compose, warn, and notes for a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.model.context import MOST_CHARACTERS, ContextOrder, Format
from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.verbs.call import Verb
from memory_layer.verbs.filters import in_scope
from memory_layer.verbs.request import Nothing

if TYPE_CHECKING:
    from memory_layer.model.context import Context as Given
    from memory_layer.model.context import PromptNotes, Warned
    from memory_layer.model.runs import Prompt
    from memory_layer.usecases.give.scoped import ContextScope
    from memory_layer.verbs.call import Call


class ContextRequest(NamedTuple):
    """The task of an agent, and how much it can read."""

    task: str | None = None
    task_id: str | None = None  #: a task of another program, which the memories are linked to
    query: str | None = None
    paths: tuple[str, ...] = ()
    budget: int | None = None  #: default: configured
    max_characters: int = MOST_CHARACTERS
    format: Format = Format.MARKDOWN
    start: bool = False  #: put the open handoffs first
    order: ContextOrder = ContextOrder.BALANCED
    peek: bool = False


def context(call: Call, request: ContextRequest) -> Given:
    """Write what an agent should know before it begins, within its budget."""
    from memory_layer.model.context import ContextQuery
    from memory_layer.usecases.give import context as usecase

    usecase.check_paths(request.paths)
    query = ContextQuery(
        task=request.task,
        task_id=request.task_id,
        query=request.query,
        paths=call.relative(request.paths),
        budget=call.limits(None, request.budget)[1],
        characters=request.max_characters,
        format=request.format,
        start=request.start,
        peek=request.peek or call.only_reads,
        way=call.caller.way,
        order=request.order,
    )
    return usecase.context(call.engine, query, call.writer, _context_scope(call))


def _context_scope(call: Call) -> ContextScope:
    from memory_layer.usecases.give.scoped import ContextScope

    return ContextScope(call.scope.reach, call.scope.project, call.scope.place)


class Compose(NamedTuple):
    """The parts of a prompt, and the caller's choice of memories."""

    task: str
    role: str = ""
    workspace: str = ""
    read_first: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    retry_digest: str = ""
    output_format: str = ""
    write_scope: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()  #: exactly these, in this order
    limit: int | None = None  #: default: configured, else as many as fit, of order s1 ten
    budget: int | None = None  #: default: configured
    order: ContextOrder = ContextOrder.BALANCED
    peek: bool = False


def compose(call: Call, request: Compose) -> Prompt:
    """Write a whole prompt from these parts and the memories that a run would be given."""
    from memory_layer.model.runs import Composing, PromptParts, RunTask
    from memory_layer.usecases.give import compose as usecase

    parts = PromptParts(
        role=request.role,
        task=request.task,
        workspace=request.workspace,
        read_first=request.read_first,
        constraints=request.constraints,
        digest=request.retry_digest,
        output_format=request.output_format,
    )
    task = RunTask(
        request.task,
        request.write_scope,
        request.include,
        request.exclude,
        *call.limits(request.limit, request.budget),
        request.order,
    )
    composing = Composing(parts, task, request.memories, request.peek or call.only_reads)
    return usecase.compose(call.engine, composing, call.writer, call.scope.project)


class Warn(NamedTuple):
    """An action about to be taken, or an error that just occurred."""

    command: str | None = None
    path: str | None = None
    error: str | None = None
    repeat: bool = False  #: include what this session was warned about a short while ago


def warn(call: Call, request: Warn) -> Warned:
    """Return at most two lines about known problems with a command, a file or an error."""
    from memory_layer.model.context import AgentAction
    from memory_layer.usecases.give import warn as usecase

    path = call.relative((request.path,))[0] if request.path else request.path
    action = AgentAction(request.command, path, request.error)
    return usecase.warn(call.engine, action, call.writer, _context_scope(call), repeat=request.repeat)


class PromptRequest(NamedTuple):
    """The words of a person to an agent."""

    text: str


def notes_for_prompt(call: Call, request: PromptRequest) -> PromptNotes:
    """Return what answers a prompt well and is new to the session; mostly nothing."""
    from memory_layer.usecases.give import prompt as usecase

    filters = in_scope(call, Filters())
    return usecase.notes_for(
        call.engine, request.text, filters, call.writer, call.scope.place, call.caller.way
    )


def has_context(call: Call, request: Nothing) -> bool:
    """Return whether the session was given a context."""
    from memory_layer.usecases.give import session

    return session.has_context(call.engine, call.writer)


CONTEXT = Verb("context", ContextRequest, context)
COMPOSE = Verb("compose", Compose, compose)
WARN = Verb("warn", Warn, warn)
NOTES_FOR_PROMPT = Verb("notes_for_prompt", PromptRequest, notes_for_prompt)
HAS_CONTEXT = Verb("has_context", Nothing, has_context)
