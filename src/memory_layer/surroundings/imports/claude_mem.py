"""Map what claude-mem observed, from its database or from its export, to memories.

An observation becomes one memory: its title and what happened. Its single facts stay in the metadata, where a search
finds them too. Of the summary of a session only the lesson is kept. What people typed is no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memory_layer.model.imports import ForeignMemory, Origin, Skipped
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category
from memory_layer.surroundings.imports.fields import category, content, listed, metadata, moment, name, place

Entry = Mapping[str, Any]
Table = Callable[[str], Iterable[Any]]

_TYPES = {
    "bugfix": Category.TROUBLESHOOTING,
    "discovery": Category.FACT,
    "feature": Category.OBSERVATION,
    "refactor": Category.OBSERVATION,
    "change": Category.OBSERVATION,
    "security_alert": Category.PITFALL,
    "security_note": Category.OBSERVATION,
}
_LISTS = ("facts", "concepts", "files_read", "files_modified", "files_edited")
_EMPTY = (None, "", "[]", "{}", 0)
MOST_TAGS = 10
_MILLISECONDS = 1000


def memories(table: Table, path: Path, skipped: list[Skipped]) -> Iterator[ForeignMemory]:
    """Yield every observation, then the lesson of every session; `table` returns the rows of a table."""
    for row in table("observations"):
        if row.get("type") == "sensitive":
            skipped.append(Skipped(place(path, row.get("id")), "marked as sensitive there"))
        else:
            yield _memory(row, path, _text(row), _category(row), f"observation {row.get('id')}")
    for row in table("session_summaries"):
        if lesson := content(row.get("learned")).strip():
            yield _memory(row, path, lesson, Category.OBSERVATION, f"summary {row.get('id')}")
        else:
            where = place(path, f"summary {row.get('id')}")
            skipped.append(Skipped(where, "a summary of a session without a lesson"))
    for row in table("user_prompts"):
        skipped.append(Skipped(place(path, f"prompt {row.get('id')}"), "a prompt, not a memory"))


def _memory(row: Entry, path: Path, text: str, kind: Category, key: str) -> ForeignMemory:
    extra = {field: _shown(field, value) for field, value in row.items() if _is_told(field, value)}
    return ForeignMemory(
        where=place(path, key),
        project=name(row.get("project")),
        draft=Draft(
            content=text,
            category=kind,
            tags=_tags(row),
            created_at=_created(row),
            metadata=metadata(Origin.CLAUDE_MEM, None, extra),
            never_expires=True,
        ),
    )


def _is_told(field: str, value: object) -> bool:
    return value not in _EMPTY and field not in (
        "title",
        "narrative",
        "learned",
        "project",
        "text",
        "created_at",
    )


def _shown(field: str, value: object) -> object:
    return list(listed(value)) if field in _LISTS else value


def _text(row: Entry) -> str:
    """Return the title with what happened; without that with the facts, as far as the observation has them."""
    title = content(row.get("title")).strip()
    told = content(row.get("narrative")).strip() or content(row.get("text")).strip()
    told = told or " ".join(listed(row.get("facts"))) or content(row.get("subtitle")).strip()
    if not title or not told or told.startswith(title):
        return told or title
    return f"{title}{'' if title.endswith(('.', '!', '?', ':')) else ':'} {told}"


def _category(row: Entry) -> Category:
    concepts = [category(each) for each in listed(row.get("concepts"))]
    particular = next((each for each in concepts if each in (Category.GOTCHA, Category.PATTERN)), None)
    kind = content(row.get("type"))
    return particular or _TYPES.get(kind) or category(kind) or Category.OBSERVATION


def _tags(row: Entry) -> tuple[str, ...]:
    kind = content(row.get("type"))
    return tuple(dict.fromkeys([*([kind] if kind else []), *listed(row.get("concepts"))]))[:MOST_TAGS]


def _created(row: Entry) -> Any:
    epoch = row.get("created_at_epoch")
    seconds = epoch / _MILLISECONDS if isinstance(epoch, int | float) else None
    return moment(seconds) or moment(row.get("created_at"))
