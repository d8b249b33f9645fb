"""The state that the steps of a consolidation share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.upkeep import ConsolidationStep, Deed
from memory_layer.ports import Edit, Engine
from memory_layer.rules import lifecycle

#: Memories changed in one transaction, at most: others wait for it.
AT_ONCE = 100
_SHOWN = 100  #: characters of a text in the report


class Work:
    """One consolidation in progress; a dry run keeps the same books and writes nothing."""

    def __init__(self, engine: Engine, edit: Edit, project: str | None, dry_run: bool) -> None:
        self.engine = engine
        self.edit = edit
        self.project = project  #: the key of the only project it concerns
        self.dry_run = dry_run
        self.steps: list[ConsolidationStep] = []
        self.hidden: set[str] = set()  #: memories that it takes out of sight
        self.gained: set[str] = set()  #: memories that are confirmed by merging
        self.touched: set[str] = set()  #: every memory that it changes
        self.groups: list[Sibling] = []  #: texts that stand in several projects
        self.asked: set[tuple[str, str]] = set()  #: pairs that it puts up for review
        self.said: set[str] = set()  #: the hashes of what it suggests

    def concerns(self, memory: Memory) -> bool:
        return self.project is None or memory.project == self.project

    def as_it_will_be(self, memory: Memory) -> Memory:
        """Return the memory with the confirmations a dry run would have added."""
        if not self.dry_run or memory.id not in self.gained:
            return memory
        return lifecycle.reinforced(memory, self.edit.writer, self.edit.at)

    def step(
        self, deed: Deed, memory: Memory, reason: str, other: str | None = None, made: bool = True
    ) -> ConsolidationStep:
        """Describe one step, and mark its memories as touched."""
        self.touched |= {each for each in (memory.id, other) if each}
        return ConsolidationStep(deed, memory.id if made else None, reason, excerpt(memory.content), other)

    def each(self, memories: Sequence[Memory], do: Callable[[Memory], ConsolidationStep | None]) -> None:
        """Apply `do` to memories as they are under the lock."""
        if not memories:
            return
        if self.dry_run:
            self.steps += filter(None, map(do, memories))
            return
        with self.engine.store.writing():
            fresh = self.engine.store.memories.get([memory.id for memory in memories])
            done = list(filter(None, map(do, fresh)))
        self.steps += done


def excerpt(text: str, most: int = _SHOWN) -> str:
    """Return a text on one line, cut to `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


class Sibling(NamedTuple):
    """A text that occurs in several projects and is not global."""

    memories: tuple[str, ...]
    projects: int
