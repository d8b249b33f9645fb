"""The part of the Python door that remembers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from memory_layer.doors import python_given as given
from memory_layer.doors import scope
from memory_layer.doors.python_given import word
from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Added, Draft, Project, Writer
from memory_layer.model.vocabulary import MergeText, OnDuplicate, Priority, Source
from memory_layer.ports import Engine, Place
from memory_layer.usecases import add, add_many, projects


class Adding(ABC):
    """How an open memory is told something."""

    _engine: Engine
    _asked: scope.Asked
    _here: Path

    def add(
        self,
        content: str,
        *,
        category: str = "general",
        tags: Iterable[str] = (),
        metadata: Mapping[str, object] | None = None,
        scope_patterns: Iterable[str] = (),
        priority: str | None = None,
        source: str | None = None,
        confidence: float | None = None,
        relevance: float = 1.0,
        expires_at: datetime | None = None,
        never_expires: bool = False,
        cite: Iterable[str] = (),
        on_duplicate: str = "ask",
        merge_text: str = "fuller",
    ) -> Added:
        """Remember one fact; the answer says whether it was created, known, similar, merged or held back."""
        around = scope.writing(self._engine, self._asked, self._here)
        told = {
            "content": content,
            "category": category,
            "tags": tags,
            "metadata": metadata,
            "scope_patterns": scope_patterns,
            "priority": priority,
            "source": source,
            "confidence": confidence,
            "relevance": relevance,
            "expires_at": expires_at,
            "never_expires": never_expires,
            "cite": cite,
        }
        draft = _draft(self._engine, around.place, told)._replace(
            on_duplicate=word(OnDuplicate, on_duplicate, "on_duplicate"),
            merge_text=word(MergeText, merge_text, "merge_text"),
        )
        return add.add(self._engine, draft, self._writer(around.project), around.project)

    def add_many(self, memories: Iterable[str | Mapping[str, object]]) -> list[Added]:
        """Remember many facts in few durable steps; the answers come in their order, each as from `add`.

        Each is a text, or what `add` takes by name: `{"content": "…", "tags": ["build"]}`. Nobody is asked about
        duplicates: what is similar is kept, linked, and named in the answer. If one cannot be stored, none is.

        With the model nearly all of the time goes into embedding, each 256 are durable before the next, and a
        process that is killed leaves those; without it two thousand.
        """
        around = scope.writing(self._engine, self._asked, self._here)
        drafts = [
            self._numbered(number, each, around.place)
            for number, each in enumerate(given.several(memories, "memories"), 1)
        ]
        return add_many.add_many(self._engine, drafts, self._writer(around.project), around.project)

    def _numbered(self, number: int, memory: object, place: Place | None) -> Draft:
        try:
            return _draft(self._engine, place, _told(memory))
        except InvalidInput as error:
            raise InvalidInput(f"memory {number}: {error}; none was stored") from None

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...


def _told(memory: object) -> Mapping[str, object]:
    if isinstance(memory, str):
        return {"content": memory}
    if isinstance(memory, Mapping) and "content" in memory:
        return memory
    raise InvalidInput(f"it must be a text, or a dict with its content, not {given.shown(memory)}")


def _as_given(value: object, name: str) -> object:
    return value


#: What may be said of a memory: how it is checked, and what a draft calls it.
_PARTS: Mapping[str, tuple[Callable[[object, str], object], str]] = {
    "content": (given.text, "content"),
    "category": (lambda value, name: given.category(value), "category"),
    "tags": (given.texts, "tags"),
    "metadata": (_as_given, "metadata"),
    "scope_patterns": (given.texts, "scope"),
    "priority": (lambda value, name: word(Priority, value, name), "priority"),
    "source": (lambda value, name: word(Source, value, name), "source"),
    "confidence": (given.number, "confidence"),
    "relevance": (given.number, "relevance"),
    "expires_at": (given.moment, "expires_at"),
    "never_expires": (given.yes_or_no, "never_expires"),
    "cite": (given.texts, "citations"),
}
#: Of these None says nothing.
_OPTIONAL = frozenset(("metadata", "priority", "source", "confidence", "expires_at"))


def _draft(engine: Engine, place: Place | None, told: Mapping[str, object]) -> Draft:
    """What was said of a memory, each part checked."""
    if unknown := [name for name in told if name not in _PARTS]:
        raise InvalidInput(
            f"{given.shown(unknown[0])} is no part of a memory; its parts are: {', '.join(_PARTS)}"
        )
    fields: dict[str, Any] = {}
    for name, value in told.items():
        check, field = _PARTS[name]
        if value is not None or name not in _OPTIONAL:
            fields[field] = check(value, name)
    if "citations" in fields:
        fields["citations"] = projects.citations(engine, place, fields["citations"])
    return Draft(**fields)
