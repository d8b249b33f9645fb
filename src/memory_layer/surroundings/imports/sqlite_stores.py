"""Read the SQLite stores of other memory programs.

Vectors are skipped, because those of different programs cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import ForeignLink, ForeignMemory, ImportSource, Origin, Past, Skipped
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category, LinkKind
from memory_layer.surroundings.foreign_sqlite import Row, opened
from memory_layer.surroundings.imports import claude_mem, mem0
from memory_layer.surroundings.imports.fields import (
    category,
    content,
    count,
    json_object,
    key_of,
    listed,
    metadata,
    moment,
    name,
    place,
    share,
)

if TYPE_CHECKING:
    from memory_layer.surroundings.foreign_sqlite import Foreign


#: The table and its columns by which a store is known, the most particular first.
MARKS = {
    Origin.RUNTIME_MEMORY: (
        "memories",
        {"id", "content", "category", "outcome_score", "project", "archived"},
    ),
    Origin.MCP_MEMORY_SERVICE: ("memories", {"content_hash", "content", "memory_type", "tags", "created_at"}),
    Origin.PY_MEMORI: ("memories", {"id", "content", "vector", "metadata", "created_at", "updated_at"}),
    Origin.CLAUDE_MEM: ("observations", {"id", "project", "type", "text", "created_at_epoch"}),
    Origin.MEM0: ("history", {"memory_id", "old_memory", "new_memory", "event", "is_deleted"}),
}
_KINDS = {
    "conflicts_with": LinkKind.CONFLICTS_WITH,
    "contradicts": LinkKind.CONFLICTS_WITH,
    "supersedes": LinkKind.SUPERSEDES,
    "updates": LinkKind.SUPERSEDES,
}
Relations = dict[str, list[ForeignLink]]
RowsByKey = dict[str, list[Row]]


def kind_of(path: Path) -> Origin | None:
    """Return the program that a SQLite file belongs to; None if it is unknown."""
    with opened(path) as foreign:
        return _kind(foreign)


def read(path: Path, origin: Origin) -> ImportSource:
    """Read every memory of a store, in the order it was stored."""
    skipped: list[Skipped] = []
    with opened(path) as foreign:
        if _kind(foreign) is not origin:
            raise InvalidInput(f"{path} is not a {origin} store")
        items = tuple(_READERS[origin](foreign, path, skipped))
    return ImportSource(origin, items=items, skipped=tuple(skipped))


def _kind(foreign: Foreign) -> Origin | None:
    known = {table: set(foreign.columns(table)) for table, _ in MARKS.values()}
    return next((origin for origin, (table, marks) in MARKS.items() if marks <= known[table]), None)


def _py_memori(foreign: Foreign, path: Path, skipped: list[Skipped]) -> Iterator[ForeignMemory]:
    for row in foreign.rows("memories", without=("vector",)):
        own = json_object(row.pop("metadata"))
        kind = own.get("type") if own else None
        yield ForeignMemory(
            where=place(path, row["id"]),
            key=key_of(path, row["id"]),
            project=name(own.get("project")) if own else None,
            draft=Draft(
                content=content(row.pop("content", None)),
                category=category(kind) or Category.GENERAL,
                tags=listed(own.get("tags")) if own else (),
                created_at=moment(row["created_at"]),
                metadata=metadata(Origin.PY_MEMORI, own, row),
                never_expires=True,
            ),
            past=Past(use_count=count(row["access_count"]), last_used_at=moment(row["last_accessed"] or None))
            if "access_count" in row and "last_accessed" in row
            else None,
        )


def _runtime_memory(foreign: Foreign, path: Path, skipped: list[Skipped]) -> Iterator[ForeignMemory]:
    rows_by_key, relations = _related(
        foreign, path, "memory_relations", ("source_id", "target_id", "relation_type")
    )
    tasks: RowsByKey = {}
    for row in foreign.rows("task_memory_links"):
        tasks.setdefault(str(row.pop("memory_id", "")), []).append(row)
    for row in foreign.rows("memories", without=("embedding",)):
        key = str(row["id"])
        if row.get("supersedes"):
            relations.setdefault(key, []).append(
                ForeignLink(LinkKind.SUPERSEDES, key_of(path, row["supersedes"]))
            )
        own, importance = json_object(row.pop("metadata", None)), share(row.get("importance"))
        more = {"relations": rows_by_key.get(key), "tasks": tasks.get(key)}
        yield ForeignMemory(
            where=place(path, key),
            key=key_of(path, key),
            project=None if row.get("scope") == "global" else name(row["project"]),
            relations=tuple(relations.get(key, ())),
            archived="archived in runtime-memory" if row["archived"] else None,
            past=Past(
                worked=count(row.get("worked")),
                failed=count(row.get("failed")),
                judged_at=moment(row.get("evidence_at")),
                recall_count=count(row.get("use_count")),
            ),
            draft=Draft(
                content=content(row.pop("content", None)),
                category=category(row["category"]) or Category.GENERAL,
                tags=listed(row.pop("tags", None)),
                confidence=share(row.get("confidence")),
                # The default importance there is 0.5, the default relevance here 1.
                relevance=1.0 if importance is None else min(1.0, 2 * importance),
                created_at=moment(row.get("created_at")),
                metadata=metadata(Origin.RUNTIME_MEMORY, own, row, more),
                never_expires=True,
            ),
        )


def _mcp_memory_service(foreign: Foreign, path: Path, skipped: list[Skipped]) -> Iterator[ForeignMemory]:
    rows_by_key, relations = _related(
        foreign, path, "memory_graph", ("source_hash", "target_hash", "relationship_type")
    )
    rows = list(foreign.rows("memories"))
    for row in rows:
        if row.get("superseded_by"):
            newer = relations.setdefault(str(row["superseded_by"]), [])
            newer.append(ForeignLink(LinkKind.SUPERSEDES, key_of(path, row["content_hash"])))
    for row in rows:
        key = str(row["content_hash"])
        if row.get("deleted_at") is not None:
            skipped.append(Skipped(place(path, key), "it was deleted there"))
            continue
        own = json_object(row.pop("metadata", None))
        yield ForeignMemory(
            where=place(path, key),
            key=key_of(path, key),
            project=name(own.get("project")) if own else None,
            relations=tuple(relations.get(key, ())),
            draft=Draft(
                content=content(row.pop("content", None)),
                category=category(row["memory_type"]) or Category.GENERAL,
                tags=tuple(tag for tag in listed(row["tags"]) if tag != "untagged"),
                confidence=share(row.get("confidence")),
                created_at=moment(row["created_at"]) or moment(row.get("created_at_iso")),
                metadata=metadata(Origin.MCP_MEMORY_SERVICE, own, row, {"relations": rows_by_key.get(key)}),
                never_expires=True,
            ),
        )
    yield from _beliefs(foreign, path)


def _beliefs(foreign: Foreign, path: Path) -> Iterator[ForeignMemory]:
    """Yield the conclusions that mcp-memory-service drew from its memories."""
    if "belief_hash" not in foreign.columns("beliefs"):
        return
    for row in foreign.rows("beliefs"):
        own = json_object(row.pop("metadata", None))
        links = [
            (LinkKind.RELATES_TO, row.get("derived_from")),
            (LinkKind.CONFLICTS_WITH, row.get("contradicted_by")),
        ]
        yield ForeignMemory(
            where=place(path, row["belief_hash"]),
            key=key_of(path, row["belief_hash"]),
            relations=tuple(
                ForeignLink(kind, key_of(path, key)) for kind, keys in links for key in listed(keys)
            ),
            archived="superseded in mcp-memory-service" if row.get("status") == "superseded" else None,
            draft=Draft(
                content=content(row.pop("content", None)),
                category=Category.FACT,
                tags=("belief",),
                confidence=share(row.get("confidence")),
                created_at=moment(row.get("created_at")),
                metadata=metadata(Origin.MCP_MEMORY_SERVICE, own, row),
                never_expires=True,
            ),
        )


def _related(
    foreign: Foreign, path: Path, table: str, columns: tuple[str, str, str]
) -> tuple[RowsByKey, Relations]:
    """Return the rows of a relation table by their source: the rows themselves, and as links."""
    rows_by_key: RowsByKey = {}
    links: Relations = {}
    for row in foreign.rows(table):
        source, target, kind = (str(row.get(column)) for column in columns)
        rows_by_key.setdefault(source, []).append(
            {name: value for name, value in row.items() if name != columns[0]}
        )
        relation = ForeignLink(_KINDS.get(kind, LinkKind.RELATES_TO), key_of(path, target))
        links.setdefault(source, []).append(relation)
    return rows_by_key, links


def _claude_mem(foreign: Foreign, path: Path, skipped: list[Skipped]) -> Iterator[ForeignMemory]:
    return claude_mem.memories(foreign.rows, path, skipped)


def _mem0(foreign: Foreign, path: Path, skipped: list[Skipped]) -> Iterator[ForeignMemory]:
    return mem0.from_history(foreign.rows("history"), path, skipped)


_READERS: dict[Origin, Callable[[Foreign, Path, list[Skipped]], Iterator[ForeignMemory]]] = {
    Origin.PY_MEMORI: _py_memori,
    Origin.RUNTIME_MEMORY: _runtime_memory,
    Origin.MCP_MEMORY_SERVICE: _mcp_memory_service,
    Origin.CLAUDE_MEM: _claude_mem,
    Origin.MEM0: _mem0,
}
