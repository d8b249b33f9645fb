"""Map the knowledge graph of the MCP reference memory server to memories.

Each observation becomes a memory that names its entity, and each relation a sentence, linked with the first observation
of its two ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memory_layer.model.imports import ForeignLink, ForeignMemory, Origin, Skipped
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category, LinkKind
from memory_layer.surroundings.imports.fields import category, content, key_of, metadata

LONGEST_TAG = 60
Entries = Iterable[tuple[str, Mapping[str, Any]]]


def memories(entries: Entries, path: Path, skipped: list[Skipped]) -> Iterator[ForeignMemory]:
    """Yield the memories of entities and relations, each given with its place in the file."""
    for where, entry in entries:
        if "from" in entry and "to" in entry:
            yield _relation(entry, path, where)
        elif isinstance(entry.get("name"), str):
            yield from _observations(entry, path, where, skipped)
        else:
            skipped.append(Skipped(where, "neither an entity nor a relation"))


def _observations(
    entry: Mapping[str, Any], path: Path, where: str, skipped: list[Skipped]
) -> Iterator[ForeignMemory]:
    entity, kind = entry["name"], content(entry.get("entityType")).strip()
    found = entry.get("observations")
    told = [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
    if not told:
        skipped.append(Skipped(where, "an entity without observations"))
    for number, text in enumerate(told):
        known = entity.casefold() in text.casefold()
        draft = Draft(
            content=text if known else f"{entity}: {text}",
            category=category(kind.lower()) or Category.FACT,
            tags=(kind,) if kind and len(kind) <= LONGEST_TAG else (),
            metadata=metadata(Origin.KNOWLEDGE_GRAPH, None, {"entity": entity, "entity_type": kind}),
            never_expires=True,
        )
        yield ForeignMemory(where=where, draft=draft, key=None if number else key_of(path, entity))


def _relation(entry: Mapping[str, Any], path: Path, where: str) -> ForeignMemory:
    ends = (entry["from"], entry["to"])
    kind = content(entry.get("relationType")).strip()
    words = " ".join(kind.replace("_", " ").split()) or "relates to"
    draft = Draft(
        content=f"{content(ends[0])} {words} {content(ends[1])}",
        category=Category.RELATIONSHIP,
        metadata=metadata(
            Origin.KNOWLEDGE_GRAPH, None, {"from": ends[0], "to": ends[1], "relation_type": kind}
        ),
        never_expires=True,
    )
    links = tuple(ForeignLink(LinkKind.RELATES_TO, key_of(path, end)) for end in ends)
    return ForeignMemory(where=where, draft=draft, key=f"{path}:{where}", relations=links)
