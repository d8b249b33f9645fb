"""What a person has to look at before it counts."""

from __future__ import annotations

import json
from collections.abc import Iterator

from memory_layer.model.memory import Memory, Writer
from memory_layer.model.vocabulary import Category, Priority, Reason, Source, Status, WriterKind
from memory_layer.policy.merging import guarded_by_a_person
from memory_layer.policy.suspicion import suspicions


def reasons(memory: Memory) -> tuple[str, ...]:
    """Why a memory waits for a person, in sentences; nothing once a person has approved it."""
    if memory.approved_by is not None:
        return ()
    found = doubts(memory)
    strong = memory.category is Category.POLICY or memory.priority is Priority.CRITICAL
    if strong and memory.writer_kind is not WriterKind.PERSON:
        return (*found, "a rule this strong needs a person's approval")
    return found


def reasons_to_return(memory: Memory, writer: Writer) -> tuple[str, ...]:
    """Why an archived memory comes back only into the review."""
    found = reasons(memory) if writer.is_person else reasons_for_a_person(memory)
    if found or writer.is_person:
        return found
    retired = memory.reason is Reason.ASKED and guarded_by_a_person(memory)
    return ("a person put it aside",) if retired else ()


def reasons_for_a_person(memory: Memory) -> tuple[str, ...]:
    """Return why a memory needs a person's look, by its text, its strength or its origin."""
    found = reasons(memory)
    return (*found, "it was suggested, and no person has approved it") if is_suggestion(memory) else found


def is_suggestion(memory: Memory) -> bool:
    """Whether the program learned a memory by itself, and no person has said that it is right."""
    by_a_person = memory.approved_by is not None or memory.writer_kind is WriterKind.PERSON
    return memory.source is Source.LEARNING and not by_a_person


def doubts(memory: Memory) -> tuple[str, ...]:
    """What in the text and labels of a memory reads like an instruction, whoever vouches for it."""
    if not (memory.tags or memory.scope or memory.metadata or memory.citations):
        return suspicions(memory.content)
    return tuple(dict.fromkeys(reason for text in _told(memory) for reason in suspicions(text)))


def _told(memory: Memory) -> Iterator[str]:
    """Every text of a memory that an agent may come to read."""
    yield memory.content
    if memory.tags or memory.scope:
        yield "\n".join((*memory.tags, *memory.scope))
    if memory.metadata:
        yield json.dumps(dict(memory.metadata), ensure_ascii=False)
    yield from (citation.excerpt for citation in memory.citations if citation.excerpt)


def held(memory: Memory, why: tuple[str, ...]) -> Memory:
    """The memory as it waits for a person."""
    return memory._replace(status=Status.STAGED, reason=Reason.REVIEW, reason_detail="; ".join(why))
