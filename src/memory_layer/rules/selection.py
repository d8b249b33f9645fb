"""Select the memories for a run, deterministically."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from functools import cache

from memory_layer.model.context import Present
from memory_layer.model.runs import SelectedMemory, Task
from memory_layer.model.vocabulary import Status
from memory_layer.rules.lifecycle import LEAST_CONFIDENCE
from memory_layer.rules.permissions import may_be_given
from memory_layer.text.scope_overlap import meet, tag_meets


def chosen(memories: Iterable[Present], task: Task, now: datetime) -> list[SelectedMemory]:
    """Select memories for a task: those in its write scope first, then by confidence x relevance, then by id.

    Included memories are always selected and excluded ones never; neither changes the order.
    """

    @cache  # many memories have the same labels
    def fits(scope: tuple[str, ...], tags: tuple[str, ...]) -> bool:
        return meet(scope, task.write_scope) or any(tag_meets(tag, task.write_scope) for tag in tags)

    def judged(memory: Present) -> SelectedMemory:
        return SelectedMemory(
            memory.id, fits(memory.scope, memory.tags), memory.confidence * memory.relevance
        )

    wanted = [memory for memory in memories if memory.id not in task.exclude]
    asked = [judged(memory) for memory in wanted if memory.id in task.include]
    rest = [judged(memory) for memory in wanted if _counts(memory, task.include, now)]
    room = max(0, task.most - len(asked))
    return sorted([*asked, *sorted(rest, key=_selection_order)[:room]], key=_selection_order)


def _counts(memory: Present, asked: Collection[str], now: datetime) -> bool:
    """Is a memory eligible unasked: active, unexpired, trusted, and with a warrant?"""
    lasts = memory.expires_at is None or memory.expires_at > now
    trusted = memory.confidence >= LEAST_CONFIDENCE
    shown = memory.status is Status.ACTIVE and lasts and trusted and memory.id not in asked
    return shown and may_be_given(memory.warrant)


def _selection_order(memory: SelectedMemory) -> tuple[bool, float, str]:
    return not memory.fits_scope, -memory.score, memory.id
