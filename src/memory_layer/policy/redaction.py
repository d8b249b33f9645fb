"""Secrets taken out of everything a draft carries, before anything else sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from memory_layer.model.memory import Citation, Draft
from memory_layer.policy.secrets import redact, redact_value


def redacted_draft(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """The draft without secrets, and the kinds that were found, each once."""
    found: list[str] = []

    def clean(text: str) -> str:
        result = redact(text)
        found.extend(result.kinds)
        return result.text

    metadata, kinds = redact_value(dict(draft.metadata))
    result = replace(
        draft,
        content=clean(draft.content),
        tags=tuple(map(clean, draft.tags)),
        scope=tuple(map(clean, draft.scope)),
        metadata=cast("dict[str, object]", metadata),
        session=clean(draft.session) if draft.session else None,
        source_run_id=clean(draft.source_run_id) if draft.source_run_id else None,
        citations=tuple(_clean_citations(draft.citations, found)),
    )
    return result, tuple(dict.fromkeys([*found, *kinds]))


def _clean_citations(citations: Iterable[Citation], found: list[str]) -> Iterable[Citation]:
    for citation in citations:
        changes = {}
        for name in ("path", "excerpt", "url"):
            text = getattr(citation, name)
            if text:
                result = redact(text)
                found.extend(result.kinds)
                changes[name] = result.text
        yield replace(citation, **changes)
