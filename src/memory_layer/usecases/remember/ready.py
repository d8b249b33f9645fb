"""A draft made ready to be stored in one step: without secrets, within the limits, held back if it has to be."""

from __future__ import annotations

from memory_layer.model.memory import Draft, Memory, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Engine
from memory_layer.ports.store import New
from memory_layer.rules import drafts, limits
from memory_layer.text import scopes, tokens
from memory_layer.usecases.remember.add import embedded
from memory_layer.usecases.remember.new_memory import new_memory, settled
from memory_layer.usecases.remember.terms import terms_of


class Ready(NamedTuple):
    """A memory as it will be shown or wait, with its vectors, and the kinds of secrets that were taken out."""

    new: New
    redacted: tuple[str, ...]

    def at(self, position: int) -> New:
        """The same with its place in a session."""
        return self.new._replace(memory=self.new.memory._replace(position=position))


def ready(engine: Engine, draft: Draft, writer: Writer, project: Project | None) -> Ready:
    """Everything that can be done before the lock is taken; nothing is compared with what is known."""
    limits.check_draft(draft)
    draft = draft._replace(scope=scopes.validated(draft.scope))
    clean, redacted = drafts.redacted_draft(draft)
    memory = settled(new_memory(engine, clean, writer, project))
    return Ready(new_from(engine, memory), redacted)


def new_from(engine: Engine, memory: Memory) -> New:
    return New(memory, terms_of(memory), tokens.estimate(memory.content), embedded(engine, memory.content))
