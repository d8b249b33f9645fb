"""What full text sees of a memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Category
from memory_layer.ports.store import Terms
from memory_layer.text.dates import date_words
from memory_layer.text.words import line

#: The fields that full text sees.
SEEN = ("content", "category", "tags", "scope", "metadata", "created_at")

_LONGEST = 200  #: characters of labels that are remembered


def terms_of(memory: Memory) -> Terms:
    """The words of its content, and those of its labels: tags, category, scope, metadata, date."""
    if not (memory.tags or memory.scope or memory.metadata):
        return Terms(
            body=line(memory.content), labels=_kind_and_day(memory.category, memory.created_at.date())
        )
    labels = [
        memory.category.value,
        *memory.tags,
        *memory.scope,
        *_values(memory.metadata.values()),
        date_words(memory.created_at),
    ]
    told = "\n".join(labels)
    read = _remembered if len(told) <= _LONGEST else line
    return Terms(body=line(memory.content), labels=read(told))


_remembered = lru_cache(maxsize=256)(line)  # memories of one day are labelled alike


@lru_cache(maxsize=256)
def _kind_and_day(category: Category, day: date) -> str:
    """The labels of a memory that has no others."""
    return line(f"{category.value}\n{date_words(day)}")


def _values(values: Iterable[object]) -> Iterator[str]:
    """Every plain value of a JSON structure as text."""
    for value in values:
        if isinstance(value, dict):
            yield from _values(value.values())
        elif isinstance(value, list | tuple):
            yield from _values(value)
        elif value is not None:
            yield str(value)
