"""Which memories may be given to an agent that asked for nothing they are about."""

from __future__ import annotations

from memory_layer.model.context import Warrant
from memory_layer.model.memory import WRITTEN_FROM, Memory
from memory_layer.model.vocabulary import WriterKind


def may_be_given(warrant: Warrant) -> bool:
    """Return whether a memory may be given whatever the task is: a person stands for it, or it was learned right here.

    A global memory of an agent therefore reaches only the questions that it answers.
    """
    return warrant.vouched or (warrant.here and not warrant.disputed)


def scope_counts(memory: Memory, project: str | None) -> bool:
    """Return whether the patterns of a memory make it relevant to a file of the project with this key.

    An agent's patterns mean the files of the project they were written in: `**` would be relevant everywhere.
    """
    return is_vouched(memory) or is_learned_in(memory, project)


def is_learned_in(memory: Memory, project: str | None) -> bool:
    """Return whether a memory was learned in the project with this key, and not only written for it from elsewhere."""
    return memory.project is not None and memory.project == project and WRITTEN_FROM not in memory.metadata


def is_vouched(memory: Memory) -> bool:
    """Return whether a person wrote or approved a memory."""
    return memory.writer_kind is WriterKind.PERSON or memory.approved_by is not None
