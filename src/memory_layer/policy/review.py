"""What a person has to look at before it counts."""

from __future__ import annotations

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Category, Priority, Reason, Status, WriterKind
from memory_layer.policy.suspicion import suspicions


def reasons(memory: Memory) -> tuple[str, ...]:
    """Why a memory waits for a person, in sentences; nothing once a person has approved it."""
    if memory.approved_by is not None:
        return ()
    strong = memory.category is Category.POLICY or memory.priority is Priority.CRITICAL
    if strong and memory.writer_kind is not WriterKind.PERSON:
        return (*suspicions(memory.content), "a rule this strong needs a person's approval")
    return suspicions(memory.content)


def held(memory: Memory, why: tuple[str, ...]) -> Memory:
    """The memory as it waits for a person."""
    return memory._replace(status=Status.STAGED, reason=Reason.REVIEW, reason_detail="; ".join(why))
