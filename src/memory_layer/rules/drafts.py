"""Prepare drafts: redact secrets, compute content addresses, parse tags and values."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from memory_layer.errors import InvalidInput
from memory_layer.model.changes import Changes
from memory_layer.model.memory import Citation, Draft, Memory
from memory_layer.model.vocabulary import Reason, Tier
from memory_layer.text.compare.duplicates import content_hash
from memory_layer.text.secrets.redact import redact, redact_value

#: Stored length of cited lines; cut only after redaction, because half a secret looks like none.
EXCERPT_CHARACTERS = 200
_TRUTH = {"true": True, "false": False}
_LARGEST = 2**63  #: beyond it other programs would round
_LONGEST = 24  #: characters of a number


def address(memory: Memory, project_id: str | None) -> str:
    """Return the content address: facts by text, procedures by name, events each by itself.

    A hash of a forgotten text would confirm a guess; no text can contain a NUL, so its address never matches again.
    """
    if memory.reason is Reason.FORGOTTEN:
        return content_hash(None, f"\0{memory.id}")
    return place_of(memory.id, memory.tier, memory.content, memory.metadata, project_id)


def place_of(
    memory_id: str, tier: Tier, content: str, metadata: Mapping[str, object], project_id: str | None
) -> str:
    """Return the content address of what becomes a memory."""
    if tier is Tier.EPISODIC:
        return content_hash(project_id, f"{memory_id}\0{content}")
    name = metadata.get("name")
    if tier is Tier.PROCEDURAL and isinstance(name, str):
        return named(name, project_id)
    return content_hash(project_id, content)


def named(name: str, project_id: str | None) -> str:
    """Return the address of the procedure with this name in a project."""
    material = f"{project_id or ''}\0procedure\0{folded(name)}"
    return hashlib.sha256(material.encode("utf-8", "surrogatepass")).hexdigest()


def folded(name: str) -> str:
    """Fold case and white space, so that equal names compare equal."""
    decomposed = unicodedata.normalize("NFD", " ".join(name.split())).casefold()
    return unicodedata.normalize("NFC", decomposed)


def redacted_draft(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """Redact secrets; return the draft and the kinds found, each once."""
    found: list[str] = []

    def clean(text: str) -> str:
        result = redact(text)
        found.extend(result.kinds)
        return result.text

    has_more = draft.tags or draft.scope or draft.metadata or draft.session or draft.source_run_id
    if not (has_more or draft.citations):
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
        citations=tuple(clean_citations(draft.citations, clean)),
    )
    return result, tuple(dict.fromkeys([*found, *kinds]))


def redacted_changes(changes: Changes) -> tuple[Changes, tuple[str, ...]]:
    """Redact secrets; return the changes and the kinds found, each once."""
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


def clean_citations(citations: Iterable[Citation], clean: Callable[[str], str]) -> Iterable[Citation]:
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


def split(words: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Split words into tags and key=value pairs; values stay text."""
    tags, pairs = [], {}
    for word in words:
        key, sign, value = word.partition("=")
        if not key.strip():
            raise InvalidInput(f"{word[:40]!r} is neither a tag nor key=value")
        if sign:
            pairs[key.strip()] = value
        else:
            tags.append(key.strip())
    return tuple(tags), pairs


def coerced(text: str) -> bool | int | float | str:
    """Convert a text to a boolean or number only if it is exactly one, so that 007 and 1.10 stay text."""
    if text.lower() in _TRUTH:
        return _TRUTH[text.lower()]
    if len(text) > _LONGEST:
        return text
    for kind in (int, float):
        number = _number(text, kind)
        if number is not None and str(number) == text:
            return number
    return text


def _number(text: str, kind: type[int] | type[float]) -> int | float | None:
    try:
        number = kind(text)
    except ValueError:
        return None
    fits = math.isfinite(number) and (isinstance(number, float) or -_LARGEST <= number < _LARGEST)
    return number if fits else None
