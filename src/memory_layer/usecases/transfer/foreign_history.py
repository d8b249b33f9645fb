"""Import the outcomes of foreign memories, the runs behind lessons, and the relations between memories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from memory_layer.errors import MemoryLayerError
from memory_layer.model.imports import EVIDENCE, ForeignLink, ForeignMemory, Past
from memory_layer.model.memory import Link, Memory, Writer
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.vocabulary import LinkKind, Outcome
from memory_layer.ports import Edit, Engine
from memory_layer.ports.log import RunFilter
from memory_layer.rules import lifecycle
from memory_layer.rules.transfer.evidence import with_results
from memory_layer.usecases.remember.links import check_linking
from memory_layer.usecases.who.lookup import read_memory

#: The most reports of one kind to import; more would add nothing.
MOST_REPORTS = 20


def lived(memory: Memory, past: Past | None) -> Memory:
    """Return a new memory with its past counts, scored as if reported here."""
    if past is None:
        return memory
    memory = memory._replace(
        use_count=past.use_count, last_used_at=past.last_used_at, recall_count=past.recall_count
    )
    for result in _results(past):
        memory = lifecycle.judged(memory, result, past.judged_at or memory.created_at, archive_below=None)
    return memory


def events(memory: Memory, past: Past | None, edit: Edit) -> Iterator[OutcomeEvent]:
    """Return a report for each past outcome; the original query is unknown."""
    if past is None:
        return
    for number, result in enumerate(_results(past)):
        yield OutcomeEvent(
            id=f"carried:{memory.id}:{number}",
            memory=memory.id,
            result=result,
            counted=True,
            at=past.judged_at or memory.created_at,
            session=f"carried:{memory.id}:{number}",  # one session per report
            writer=edit.writer.name,
            evidence=f"carried over: worked {past.worked}, failed {past.failed} in its original store",
        )


def _results(past: Past) -> list[Outcome]:
    worked = [Outcome.WORKED] * min(past.worked, MOST_REPORTS)
    return worked + [Outcome.FAILED] * min(past.failed, MOST_REPORTS)


def with_run_results(engine: Engine, item: ForeignMemory) -> ForeignMemory:
    """Add to a lesson how the runs that it names ended here, as far as this store knows them."""
    evidence = cast("dict[str, Any]", item.draft.metadata[EVIDENCE])
    runs = engine.store.log.runs(RunFilter(ids=evidence["runs"], ended=True))
    metadata = {EVIDENCE: with_results(evidence, [run.ending.result for run in runs if run.ending])}
    return item._replace(draft=item.draft._replace(metadata=metadata))


class Relations:
    """Foreign keys and their memories, and relations whose other end is missing."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._open: list[tuple[str, ForeignLink]] = []

    def met(self, item: ForeignMemory, memory_id: str) -> None:
        """Record the id under which an item is stored."""
        if item.key is None:
            return
        if item.key not in self._ids:
            self._open += [(item.key, relation) for relation in item.relations]
        self._ids[item.key] = memory_id

    def made(self, added: set[str], engine: Engine, writer: Writer) -> Iterator[Link]:
        """Return the links with both ends present, if one was just added."""
        waiting = []
        for source_key, relation in self._open:
            source, target = self._ids[source_key], self._ids.get(relation.target)
            if target is None:
                waiting.append((source_key, relation))
            elif source != target and added & {source, target}:
                kind = _allowed(engine, source, target, relation.kind, writer)
                yield Link(source, target, kind, engine.now())
        self._open = waiting


def _allowed(engine: Engine, source: str, target: str, kind: LinkKind, writer: Writer) -> LinkKind:
    """Return the requested kind of link, weakened if the writer may not hide the target."""
    try:
        check_linking(
            engine, read_memory(engine.store, source), read_memory(engine.store, target), kind, writer
        )
    except MemoryLayerError:
        return LinkKind.RELATES_TO
    return kind
