"""Compose a whole prompt from its parts and the memories a run would get."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.errors import InvalidInput
from memory_layer.model.context import SavedContext
from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.query import Given
from memory_layer.model.runs import PROMPT, Composing, Prompt
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Engine
from memory_layer.rules.context_text import digest_of
from memory_layer.rules.runs import checked as checked_parts
from memory_layer.rules.runs import prompt_text
from memory_layer.text.tokens import estimate
from memory_layer.usecases.govern.visibility import given
from memory_layer.usecases.learn.run import RULE, checked, choice, kept_lines, named, section
from memory_layer.usecases.recall.search import Answer, keep_recall
from memory_layer.usecases.who.lookup import whole_ids


def compose(engine: Engine, wanted: Composing, writer: Writer, project: Project | None) -> Prompt:
    """Compose a prompt; an agent's is recorded as a recall, with its digest."""
    task = checked(wanted.task)
    parts, redacted = checked_parts(wanted.parts._replace(task=wanted.parts.task or task.text))
    with engine.store.reading():
        task = named(engine, task)
        if wanted.memories:
            memories = _exactly(engine, wanted)
            always: Sequence[str] = [memory.id for memory in memories]
        else:
            memories = engine.store.memories.get([each.id for each in choice(engine, task, project)])
            always = task.include
        part = section(engine, memories, task.budget, always)
    part = part._replace(memories=tuple(given(engine, memory) for memory in part.memories))
    text = prompt_text(parts, part.text)
    prompt = Prompt(None, text, estimate(text), digest_of(text), task.budget, part, redacted)
    if wanted.peek or writer.is_person:
        return prompt
    wanted = wanted._replace(parts=parts, task=task)
    return prompt._replace(recall=_recorded(engine, wanted, prompt, writer, project))


def _exactly(engine: Engine, wanted: Composing) -> list[Memory]:
    """Return the named memories in order; refuse those that are not active."""
    if wanted.task.include or wanted.task.exclude:
        raise InvalidInput("use either memories or include/exclude, not both")
    ids = whole_ids(engine.store, wanted.memories)
    memories = engine.store.memories.get(ids)
    for memory in memories:
        if memory.status is not Status.ACTIVE:
            raise InvalidInput(f"{memory.id} cannot be used: it is {memory.status} ({memory.reason})")
    return memories


def _recorded(
    engine: Engine, wanted: Composing, prompt: Prompt, writer: Writer, project: Project | None
) -> str | None:
    """Record the exact list and the parts; None if the store cannot be written."""
    lines = kept_lines(prompt.section.memories)
    answer = Answer(
        kind="compose",
        query=wanted.task.text,
        ranker=RULE,
        hits=tuple(
            Given(memory, memory.confidence * memory.relevance, {"confidence": memory.confidence})
            for memory in prompt.section.memories
        ),
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
        "write_scope": list(wanted.task.write_scope),
    }
    return parts | options
