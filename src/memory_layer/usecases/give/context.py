"""Select the memories an agent needs for its task, within a token budget."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memory_layer.errors import InvalidInput
from memory_layer.model.context import Context, ContextLine, ContextQuery, SavedContext
from memory_layer.model.memory import Writer
from memory_layer.model.query import Given, Mode
from memory_layer.model.tasks import Task, TaskLink
from memory_layer.ports import Engine
from memory_layer.rules import limits
from memory_layer.rules.context_text import FRAMES, digest_of, line_of, printed, text_of
from memory_layer.rules.tasks import as_query
from memory_layer.text.secrets.redact import redact
from memory_layer.text.tokens import estimate
from memory_layer.usecases.give.fill import fill, kept_line, prepared_for
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.govern.visibility import given as given_out
from memory_layer.usecases.look_up.tasks import TaskScope, check_name, current_task, find_task
from memory_layer.usecases.recall.pool import PreparedQuery
from memory_layer.usecases.recall.recording import Answer, keep_recall

MOST_PATHS = 32
LONGEST_PATH = 4_096  #: characters


def context(engine: Engine, wanted: ContextQuery, writer: Writer, around: ContextScope) -> Context:
    """Build the text for an agent, record it as a recall, and link its memories to the current task."""
    task = _named_task(engine, wanted, writer, around)
    if task is not None:
        wanted = wanted._replace(task=wanted.task or as_query(task) or None)
    wanted, redacted = _checked(wanted)
    prepared = prepared_for(engine, wanted, around)
    frame = FRAMES[wanted.format, wanted.way]
    write = partial(_write, wanted=wanted)
    with engine.store.reading():
        lines, left_out = fill(engine, wanted, around, prepared, frame, write)
    text = text_of(list(map(write, lines)), frame)
    result = Context(
        recall=None,
        text=text,
        tokens=estimate(text),
        budget=wanted.budget,
        digest=digest_of(text),
        lines=tuple(line._replace(memory=given_out(engine, line.memory)) for line in lines),
        left_out=len(left_out),
        redacted=redacted,
        notice=prepared.notice if prepared else None,
    )
    if wanted.peek or (writer.is_person and task is None):
        return result
    links = _task_links(engine, task, result, writer, around)
    if writer.is_person:
        with engine.store.writing():
            engine.store.task_links.put(links)
        return result
    return result._replace(recall=_recorded(engine, wanted, result, prepared, writer, around, links))


def _named_task(engine: Engine, wanted: ContextQuery, writer: Writer, around: ContextScope) -> Task | None:
    """Return the task that the caller named."""
    if wanted.task_id is None:
        return None
    task = find_task(engine, wanted.task_id, _task_scope(writer, around))
    check_name(task)
    return task


def _task_scope(writer: Writer, around: ContextScope) -> TaskScope:
    return TaskScope(around.project.id if around.project else None, around.place, writer.session)


def _task_links(
    engine: Engine, named: Task | None, result: Context, writer: Writer, around: ContextScope
) -> tuple[TaskLink, ...]:
    """Return links from the named task, or else the one in progress, to the memories that were given."""
    scope = _task_scope(writer, around)
    task = named or (current_task(engine, scope) if result.lines else None)
    if task is None:
        return ()
    now = engine.now()
    ids = dict.fromkeys(line.memory.id for line in result.lines)
    return tuple(TaskLink(task.ref, each, now, scope.project, automatic=True) for each in ids)


def check_paths(paths: Sequence[str]) -> None:
    """Refuse too many paths."""
    if len(paths) > MOST_PATHS:
        raise InvalidInput(f"a context takes at most {MOST_PATHS} paths, not {len(paths)}")


def _checked(wanted: ContextQuery) -> tuple[ContextQuery, tuple[str, ...]]:
    """Validate and redact a query; also return the kinds of secrets found."""
    limits.check_budget(wanted.budget)
    if wanted.characters < 1:
        raise InvalidInput(f"the character limit must be at least 1, not {wanted.characters}")
    check_paths(wanted.paths)
    kinds: list[str] = []

    def clean(text: str, what: str, most: int = limits.QUERY_CHARACTERS // 2) -> str:
        limits.check_text(text, what, most)
        redacted = redact(text)
        kinds.extend(redacted.kinds)
        return redacted.text

    wanted = wanted._replace(
        task=None if wanted.task is None else clean(wanted.task, "the task"),
        query=None if wanted.query is None else clean(wanted.query, "the query"),
        paths=tuple(clean(path, "a path", LONGEST_PATH) for path in wanted.paths),
    )
    return wanted, tuple(dict.fromkeys(kinds))


def _write(line: ContextLine, wanted: ContextQuery) -> str:
    shown = printed(line.memory, line.layer, line.note, line.characters, wanted.way, line.start)
    return line_of(shown, wanted.format)


def _recorded(
    engine: Engine,
    wanted: ContextQuery,
    result: Context,
    prepared: PreparedQuery | None,
    writer: Writer,
    around: ContextScope,
    links: tuple[TaskLink, ...],
) -> str | None:
    """Record the exact list and the inputs of the text; None if the store cannot be written."""
    answer = Answer(
        kind="context",
        query=prepared.text if prepared else "",
        ranker=wanted.order.value,
        hits=tuple(Given(line.memory, line.score, line.signals) for line in result.lines),
        project=around.project.key if around.project else None,
        mode=prepared.mode if prepared else Mode.KEYWORD,
        embedder=prepared.embedder if prepared else None,
        vector=prepared.vector if prepared else None,
        context=_saved_context(wanted, result),
        standings={line.memory.id: line.standing for line in result.lines if line.standing},
        task_links=links,
    )
    return keep_recall(engine, answer, writer)


def _saved_context(wanted: ContextQuery, result: Context) -> SavedContext:
    options: dict[str, object] = {
        "budget": wanted.budget,
        "characters": wanted.characters,
        "order": wanted.order.value,
        "paths": list(wanted.paths),
        "way": wanted.way.value,
    }
    lines = tuple(kept_line(line, line.layer.value) for line in result.lines)
    return SavedContext(wanted.format.value, options, lines, result.tokens, result.digest)
