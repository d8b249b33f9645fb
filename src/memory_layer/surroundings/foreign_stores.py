"""Read the stores of other memory programs, and map their fields.

A field with an equivalent here is mapped to it; every other one is kept unchanged in the metadata under `imported`.
Vectors are skipped, because those of different programs cannot be compared.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import ForeignLink, ForeignMemory, ImportSource, Origin, Past, Skipped
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category, LinkKind, category_named
from memory_layer.surroundings.foreign_sqlite import Row, opened

if TYPE_CHECKING:
    from memory_layer.surroundings.foreign_sqlite import Foreign


LONGEST_NAME = 200  #: characters of a project's name
MOST_LISTED_BYTES = 12 * 1024  #: of the lists under `imported` together
MOST_TIMES = 1_000_000  #: limit of a count
#: The metadata key of fields without an equivalent here.
KEY = "imported"


#: The columns of the table `memories` by which a store is known, the most particular first.
MARKS = {
    Origin.RUNTIME_MEMORY: {"id", "content", "category", "outcome_score", "project", "archived"},
    Origin.MCP_MEMORY_SERVICE: {"content_hash", "content", "memory_type", "tags", "created_at"},
    Origin.PY_MEMORI: {"id", "content", "vector", "metadata", "created_at", "updated_at"},
}
_KINDS = {
    "conflicts_with": LinkKind.CONFLICTS_WITH,
    "contradicts": LinkKind.CONFLICTS_WITH,
    "supersedes": LinkKind.SUPERSEDES,
    "updates": LinkKind.SUPERSEDES,
}
Relations = dict[str, list[ForeignLink]]
RowsByKey = dict[str, list[Row]]


def category(word: object) -> Category | None:
    """Return the category of that name, if there is one."""
    try:
        return category_named(str(word)) if word else None
    except ValueError:
        return None


def json_object(text: object) -> dict[str, Any] | None:
    """Parse a JSON object; None for nothing, and anything else under one key."""
    if text is None or text == "":
        return None
    try:
        value = json.loads(text) if isinstance(text, str | bytes) else text
    except (ValueError, RecursionError):
        value = text
    return value if isinstance(value, dict) else {"metadata": _plain(value)}


def listed(value: object) -> tuple[str, ...]:
    """Parse a JSON list or comma-separated words, without duplicates."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = str(value)
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return tuple(dict.fromkeys(word for part in parts if (word := str(part).strip())))


def content(value: object) -> str:
    """Return the text of a memory; empty, which is refused later, if there is none."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return "" if value is None else str(value)


def moment(value: object) -> datetime | None:
    """Parse a time in seconds since 1970 or in ISO 8601."""
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        found = datetime.fromisoformat(str(value)) if value else None
        aware = found.replace(tzinfo=UTC) if found and found.tzinfo is None else found
        return aware.astimezone(UTC) if aware else None
    except (ValueError, OverflowError, OSError):
        return None


def count(value: object) -> int:
    """Round a count to a whole number; 0 if it is none."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return min(MOST_TIMES, max(0, round(value)))


def share(value: object) -> float | None:
    """Return a number from 0 to 1; None for anything else."""
    return float(value) if isinstance(value, int | float) and 0.0 <= value <= 1.0 else None


def name(value: object) -> str | None:
    """Return a project's name as one line of text; None if it is unusable."""
    bare = " ".join(str(value).split()) if isinstance(value, str) else ""
    return bare if bare and len(bare) <= LONGEST_NAME and bare.isprintable() else None


def metadata(
    origin: Origin,
    own: Mapping[str, Any] | None,
    row: Mapping[str, Any],
    lists: Mapping[str, list[dict[str, Any]] | None] | None = None,
) -> dict[str, object]:
    """Return a memory's own metadata, with the fields of its row that have no place here under `imported`."""
    extra: dict[str, object] = {"store": origin.value}
    extra |= {key: _plain(value) for key, value in row.items() if value is not None}
    bytes_left = MOST_LISTED_BYTES
    for label, entries in (lists or {}).items():
        fitting: list[object] = []
        for entry in entries or []:
            plain = {key: _plain(value) for key, value in entry.items() if value is not None}
            bytes_left -= len(json.dumps(plain, default=str))
            if bytes_left > 0:
                fitting.append(plain)
        if entries:
            extra[label] = fitting
            if len(fitting) < len(entries):
                extra[f"{label}_left_out"] = len(entries) - len(fitting)
    key = KEY if KEY not in (own or {}) else f"{KEY}_from"
    return {**(own or {}), key: extra}


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


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
    columns = set(foreign.columns("memories"))
    return next((origin for origin, marks in MARKS.items() if marks <= columns), None)


def _py_memori(foreign: Foreign, path: Path, skipped: list[Skipped]) -> Iterator[ForeignMemory]:
    for row in foreign.rows("memories", without=("vector",)):
        own = json_object(row.pop("metadata"))
        kind = own.get("type") if own else None
        yield ForeignMemory(
            where=_where(path, row["id"]),
            key=_key(path, row["id"]),
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
                ForeignLink(LinkKind.SUPERSEDES, _key(path, row["supersedes"]))
            )
        own, importance = json_object(row.pop("metadata", None)), share(row.get("importance"))
        more = {"relations": rows_by_key.get(key), "tasks": tasks.get(key)}
        yield ForeignMemory(
            where=_where(path, key),
            key=_key(path, key),
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
            newer.append(ForeignLink(LinkKind.SUPERSEDES, _key(path, row["content_hash"])))
    for row in rows:
        key = str(row["content_hash"])
        if row.get("deleted_at") is not None:
            skipped.append(Skipped(_where(path, key), "it was deleted there"))
            continue
        own = json_object(row.pop("metadata", None))
        yield ForeignMemory(
            where=_where(path, key),
            key=_key(path, key),
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
            where=_where(path, row["belief_hash"]),
            key=_key(path, row["belief_hash"]),
            relations=tuple(
                ForeignLink(kind, _key(path, key)) for kind, keys in links for key in listed(keys)
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
        relation = ForeignLink(_KINDS.get(kind, LinkKind.RELATES_TO), _key(path, target))
        links.setdefault(source, []).append(relation)
    return rows_by_key, links


def _where(path: Path, key: Any) -> str:
    return f"{path.name}#{str(key)[:80]}"


def _key(path: Path, key: Any) -> str:
    return f"{path}#{key}"


_READERS: dict[Origin, Callable[[Foreign, Path, list[Skipped]], Iterator[ForeignMemory]]] = {
    Origin.PY_MEMORI: _py_memori,
    Origin.RUNTIME_MEMORY: _runtime_memory,
    Origin.MCP_MEMORY_SERVICE: _mcp_memory_service,
}
