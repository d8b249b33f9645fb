"""Secrets taken out of everything a draft carries, before anything else sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from memory_layer.model.changes import Changes
from memory_layer.model.memory import Citation, Draft
from memory_layer.text.secrets.secrets import redact, redact_value

#: How much of the cited lines is kept; cut off only here, because half a secret looks like none.
EXCERPT_CHARACTERS = 200


def redacted_draft(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """The draft without secrets, and the kinds that were found, each once."""
    found: list[str] = []

    def clean(text: str) -> str:
        result = redact(text)
        found.extend(result.kinds)
        return result.text

    beside = draft.tags or draft.scope or draft.metadata or draft.session or draft.source_run_id
    if not (beside or draft.citations):
        content = clean(draft.content)
        return (draft._replace(content=content) if found else draft), tuple(dict.fromkeys(found))
    metadata, kinds = redact_value(dict(draft.metadata))
    result = draft._replace(
        content=clean(draft.content),
        tags=tuple(map(clean, draft.tags)),
        scope=tuple(map(clean, draft.scope)),
        metadata=cast("dict[str, object]", metadata),
        session=clean(draft.session) if draft.session else None,
        source_run_id=clean(draft.source_run_id) if draft.source_run_id else None,
        citations=tuple(_clean_citations(draft.citations, clean)),
    )
    return result, tuple(dict.fromkeys([*found, *kinds]))


def redacted_changes(changes: Changes) -> tuple[Changes, tuple[str, ...]]:
    """The changes without secrets, and the kinds that were found, each once."""
    draft, found = redacted_draft(
        Draft(
            content=changes.content or "",
            tags=changes.add_tags,
            scope=changes.scope or (),
            metadata=changes.metadata,
            citations=changes.citations or (),
        )
    )
    clean = changes._replace(
        content=None if changes.content is None else draft.content,
        add_tags=draft.tags,
        scope=None if changes.scope is None else draft.scope,
        metadata=draft.metadata,
        citations=None if changes.citations is None else draft.citations,
    )
    return clean, found


def _clean_citations(citations: Iterable[Citation], clean: Callable[[str], str]) -> Iterable[Citation]:
    from memory_layer.rules.citations import anchor_of  # few memories cite anything

    for citation in citations:
        yield citation._replace(
            path=clean(citation.path) if citation.path else None,
            excerpt=clean(citation.excerpt)[:EXCERPT_CHARACTERS] if citation.excerpt else None,
            url=clean(citation.url) if citation.url else None,
            anchor=citation.anchor
            if anchor_of(citation)
            else None,  # it has one form, and no room for a text
        )
