"""Compose a whole prompt from its parts and the memories a run would get."""

from __future__ import annotations

from memory_layer.errors import InvalidInput
from memory_layer.model.context import LONGEST_LINE, ContextLayer, ContextLine, SavedContext
from memory_layer.model.memory import Project, Writer
from memory_layer.model.query import Given, Query, Reach
from memory_layer.model.runs import PROMPT, Composing, Prompt, Section
from memory_layer.ports import Engine
from memory_layer.rules.context_text import SECTION, digest_of
from memory_layer.rules.runs import checked as checked_parts
from memory_layer.rules.runs import prompt_text
from memory_layer.text.tokens import estimate
from memory_layer.usecases.give.portions import Filling, Portion, PortionLimits
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.govern.visibility import given
from memory_layer.usecases.learn.run import (
    check_usable,
    checked,
    kept_lines,
    named,
    section,
    section_of,
    written,
)
from memory_layer.usecases.recall.recording import Answer, keep_recall
from memory_layer.usecases.recall.search import prepare
from memory_layer.usecases.who.lookup import whole_ids

#: The order that is recorded for memories that the caller named.
EXACT = "named"


def compose(engine: Engine, wanted: Composing, writer: Writer, project: Project | None) -> Prompt:
    """Compose a prompt; an agent's is recorded as a recall, with its digest."""
    task = checked(wanted.task)
    parts, redacted = checked_parts(wanted.parts._replace(task=wanted.parts.task or task.text))
    prepared = None if wanted.memories else prepare(engine, Query(task.text))
    with engine.store.reading():
        task = named(engine, task, project)
        part = (
            _exactly(engine, wanted, project)
            if wanted.memories
            else section_of(engine, task, ContextScope(Reach.PROJECT, project), prepared)
        )
    part = part._replace(lines=tuple(line._replace(memory=given(engine, line.memory)) for line in part.lines))
    text = prompt_text(parts, part.text)
    prompt = Prompt(None, text, estimate(text), digest_of(text), task.budget, part, redacted)
    if wanted.peek or writer.is_person:
        return prompt
    wanted = wanted._replace(parts=parts, task=task)
    return prompt._replace(recall=_recorded(engine, wanted, prompt, writer, project))


def _exactly(engine: Engine, wanted: Composing, project: Project | None) -> Section:
    """Return the named memories that fit, in order; refuse those that may not be given here."""
    if wanted.task.include or wanted.task.exclude:
        raise InvalidInput("use either memories or include/exclude, not both")
    ids = whole_ids(engine.store, wanted.memories)
    memories = engine.store.memories.get(ids)
    check_usable(memories, project)
    limits = PortionLimits(wanted.task.budget, wanted.task.budget * LONGEST_LINE)
    filling = Filling(engine, SECTION, limits, written, ids)
    signals = {"included": 1.0}
    lines = [ContextLine(each, ContextLayer.CONTEXTUAL, 1.0, signals) for each in memories]
    filling.take(Portion(lines, shorten=False))
    return section(filling.lines, filling.left_out)


def _recorded(
    engine: Engine, wanted: Composing, prompt: Prompt, writer: Writer, project: Project | None
) -> str | None:
    """Record the exact list and the parts; None if the store cannot be written."""
    lines = kept_lines(prompt.section.lines)
    answer = Answer(
        kind="compose",
        query=wanted.task.text,
        ranker=EXACT if wanted.memories else wanted.task.order.value,
        hits=tuple(Given(line.memory, line.score, line.signals) for line in prompt.section.lines),
        project=project.key if project else None,
        context=SavedContext(PROMPT, _asked(wanted), lines, prompt.tokens, prompt.digest),
    )
    return keep_recall(engine, answer, writer)


def _asked(wanted: Composing) -> dict[str, object]:
    """Return the parts and the selection options, as recorded."""
    parts = {
        name: list(part) if isinstance(part, tuple) else part for name, part in wanted.parts._asdict().items()
    }
    options = {
        "budget": wanted.task.budget,
        "exclude": list(wanted.task.exclude),
        "include": list(wanted.task.include),
        "memories": list(wanted.memories),
        "order": wanted.task.order.value,
        "write_scope": list(wanted.task.write_scope),
    }
    return parts | options
