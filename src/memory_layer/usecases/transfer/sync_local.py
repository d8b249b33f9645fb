"""Read what this store has to say in a sync: the states of a project's memories that may leave it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from memory_layer.model.memory import Link, Memory, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.sync import Revision, SyncNote
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Engine
from memory_layer.rules.transfer import sharing
from memory_layer.usecases.who.lookup import batches

PAGE = 1000


class LocalMemories:
    """The memories of a project and their links, as last read."""

    def __init__(self, engine: Engine, project: Project) -> None:
        self._engine, self._store, self._project = engine, engine.store, project
        self.memories: dict[str, Memory] = {}
        self.links: dict[str, list[Link]] = {}  #: by the memory they start from
        self.withheld: set[str] = set()

    def read(self, known: Collection[str]) -> None:
        """Read all memories, and those of the `known` that were forgotten, which no list shows."""
        filters = Filters(
            Reach.PROJECT, self._project.id, statuses=tuple(Status), expired=True, superseded=True
        )
        pages = batches(self._store, filters, self._engine.now(), PAGE)
        found = {each.id: each for page in pages for each in page}
        found |= {each.id: each for each in self._store.memories.get(sorted(known))}
        self.memories = {name: each for name, each in found.items() if each.project == self._project.key}
        self.links = {}
        for link in self._store.links.of(sorted(self.memories)):
            self.links.setdefault(link.source, []).append(link)

    def states(self, revisions: Collection[str], notes: Mapping[str, SyncNote]) -> dict[str, Revision]:
        """Read again, and return every state that travels, with the links between such memories."""
        self.read({*revisions, *notes})
        found = {}
        for memory in self.memories.values():
            state = sharing.shared(memory)
            if state is not None and not self._is_withheld(memory, state, notes.get(memory.id)):
                found[memory.id] = state
        known = {*revisions, *notes, *(name for name, each in found.items() if each.memory)}
        return {name: self._linked(each, known) if each.memory else each for name, each in found.items()}

    def _linked(self, state: Revision, known: Collection[str]) -> Revision:
        links = {(each.kind, each.target) for each in self.links.get(state.id, ()) if each.target in known}
        return state._replace(links=tuple(sorted(links)))

    def _is_withheld(self, memory: Memory, state: Revision, note: SyncNote | None) -> bool:
        """Check a text that is new or has changed since it was last checked."""
        if state.memory is None or (note is not None and note.version == memory.version):
            return False
        if sharing.is_withheld(memory):
            self.withheld.add(memory.id)
            return True
        return False
