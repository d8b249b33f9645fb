"""The part of the Python door that changes and relates memories."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from datetime import datetime

from memory_layer.doors.python_given import category as category_given
from memory_layer.doors.python_given import moment, number, optional, text, texts, whole, word
from memory_layer.doors.scope import Scope
from memory_layer.model.changes import Changes, Edited, Neighbours
from memory_layer.model.memory import Citation, Link, Project, Writer
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import LinkKind, Priority
from memory_layer.ports import Engine
from memory_layer.usecases import edit, links, related, tag

EVERYTHING_ACTIVE = Filters()


class Changing(ABC):
    """What an open memory can do to the memories it holds, beside judging them."""

    _engine: Engine

    def edit(
        self,
        memory_id: str,
        *,
        content: str | None = None,
        category: str | None = None,
        priority: str | None = None,
        confidence: float | None = None,
        relevance: float | None = None,
        expires_at: datetime | None = None,
        never_expires: bool = False,
        scope_patterns: Iterable[str] | None = None,
        add_tags: Iterable[str] = (),
        remove_tags: Iterable[str] = (),
        metadata: Mapping[str, object] | None = None,
        unset_metadata: Iterable[str] = (),
        cite: Iterable[str] | None = None,
        version: int | None = None,
    ) -> Edited:
        """Change what a memory says or how it is labelled; what is not named stays.

        `metadata` is merged over what is there; `cite` replaces what it cites, and an empty one takes it away. With
        `version` nothing happens unless the memory still has it.
        """
        cited = optional(texts, cite, "cite")
        changes = Changes(
            content=optional(text, content, "content"),
            category=category_given(category) if category is not None else None,
            priority=word(Priority, priority, "priority") if priority is not None else None,
            confidence=optional(number, confidence, "confidence"),
            relevance=optional(number, relevance, "relevance"),
            expires_at=optional(moment, expires_at, "expires_at"),
            never_expires=never_expires,
            scope=optional(texts, scope_patterns, "scope_patterns"),
            add_tags=texts(add_tags, "add_tags"),
            remove_tags=texts(remove_tags, "remove_tags"),
            metadata=metadata or {},
            unset_metadata=texts(unset_metadata, "unset_metadata"),
            citations=None if cited is None else self._citations(memory_id, cited),
        )
        return edit.edit(
            self._engine,
            text(memory_id, "memory_id"),
            changes,
            self._writer(),
            optional(whole, version, "version"),
        )

    def tag(self, memory_id: str, *words: str, remove: bool = False) -> Edited:
        """Label a memory: a bare word is a tag, `key=value` is metadata; `remove` takes them away."""
        return tag.tag(self._engine, memory_id, words, self._writer(), remove)

    def related(self, memory_id: str, *, limit: int = 10, filters: Filters = EVERYTHING_ACTIVE) -> Neighbours:
        """The active memories closest to one; never counts as use."""
        return related.related(self._engine, memory_id, self._reaching(filters), limit)

    def links(self, memory_id: str) -> list[Link]:
        """How a memory relates to others, in both directions."""
        return links.links(self._engine, memory_id)

    def link(self, memory_id: str, kind: str, other: str) -> list[Link]:
        """Say that a memory `supersedes`, `conflicts_with` or `relates_to` another."""
        return links.link(self._engine, memory_id, word(LinkKind, kind, "kind"), other, self._writer())

    def unlink(self, memory_id: str, kind: str, other: str) -> list[Link]:
        """Take such a relation away."""
        return links.unlink(self._engine, memory_id, word(LinkKind, kind, "kind"), other, self._writer())

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...

    def _citations(self, memory_id: str, references: tuple[str, ...]) -> tuple[Citation, ...]:
        return edit.citations_for(self._engine, memory_id, references, self._around().place)

    @abstractmethod
    def _around(self) -> Scope: ...

    @abstractmethod
    def _reaching(self, filters: Filters) -> Filters: ...
