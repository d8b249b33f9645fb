"""Limits on what can be stored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Tier

CONTENT_CHARACTERS = 65_536
HINT_CHARACTERS = 2_000  #: above this a memory is probably more than one fact
TAGS = 32
TAG_CHARACTERS = 100
SCOPES = 32
SCOPE_CHARACTERS = 500
CITATIONS = 32
METADATA_BYTES = 16 * 1024
NAME_CHARACTERS = 200
QUERY_CHARACTERS = 65_536
EVIDENCE_CHARACTERS = 4_000
MOST_BUDGET = 100_000  #: tokens
LIST_MOST = 1000


def check_text(text: str, what: str, most: int) -> None:
    """Refuse text that cannot be stored exactly: empty, too long, with NUL bytes or broken Unicode."""
    if not text.strip():
        raise InvalidInput(f"{what} is empty")
    if len(text) > most:
        raise InvalidInput(f"{what} has {len(text):,} characters; the limit is {most:,}")
    if "\0" in text:
        raise InvalidInput(f"{what} contains a NUL byte")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{what} is not valid UTF-8 text") from None


def check_budget(budget: int) -> None:
    """Refuse a budget that is out of range."""
    if not 1 <= budget <= MOST_BUDGET:
        raise InvalidInput(f"the budget must be between 1 and {MOST_BUDGET:,} tokens, not {budget:,}")


def check_limit(limit: int, most: int = LIST_MOST) -> None:
    """Refuse a page or list that is empty or too long."""
    if not 1 <= limit <= most:
        raise InvalidInput(f"the limit must be between 1 and {most}, not {limit}")


def check_draft(draft: Draft) -> None:
    """Refuse a draft that exceeds a limit, naming the limit."""
    check_text(draft.content, "the content", CONTENT_CHARACTERS)
    check_labels(draft.tags, draft.metadata)
    _check_list(draft.scope, "scope", SCOPES, SCOPE_CHARACTERS)
    if len(draft.citations) > CITATIONS:
        raise InvalidInput(f"{len(draft.citations)} citations were given; the limit is {CITATIONS}")
    if draft.session is not None:
        check_text(draft.session, "the session", NAME_CHARACTERS)
    if not 0.0 <= draft.relevance <= 1.0:
        raise InvalidInput(f"relevance must be between 0 and 1, not {draft.relevance}")
    for moment in (draft.expires_at, draft.created_at):
        if moment is not None:
            check_moment(moment)


def check_fact(draft: Draft) -> None:
    """Refuse drafts of events and procedures, which are stored by other commands."""
    if draft.tier is Tier.EPISODIC:
        raise InvalidInput("events are recorded with `mem episode`; only facts can be added")
    if draft.tier is Tier.PROCEDURAL:
        raise InvalidInput("procedures are saved with `mem procedure save`; only facts can be added")


def check_expiry(moment: datetime | None, now: datetime) -> None:
    """Refuse an expiry in the past: such a memory would never be found."""
    if moment is None:
        return
    check_moment(moment)
    if moment <= now:
        raise InvalidInput(f"the expiry must be in the future; {moment:%Y-%m-%d %H:%M %Z} is in the past")


def hint(content: str) -> str | None:
    """Return advice about a text that is allowed but long."""
    if len(content) <= HINT_CHARACTERS:
        return None
    return f"this memory has {len(content):,} characters; one memory should be one fact"


def check_moment(moment: datetime) -> None:
    """Refuse a time that could not be read back: without a zone, or out of range in UTC."""
    if moment.tzinfo is None:
        raise InvalidInput("a time needs a time zone, such as datetime.now(UTC)")
    try:
        moment.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"a time must be within the years 1 to 9999 UTC, not {moment}") from None


def _check_list(values: Sequence[str], what: str, most: int, characters: int) -> None:
    if len(values) > most:
        raise InvalidInput(f"{len(values)} {what}s were given; the limit is {most}")
    for value in values:
        check_text(value, f"a {what}", characters)


def metadata_fits(metadata: Mapping[str, object]) -> bool:
    """Is metadata of plain values small enough?"""
    return len(_metadata_json(metadata)) <= METADATA_BYTES


def _metadata_json(metadata: Mapping[str, object]) -> bytes:
    return json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False, sort_keys=True).encode()


def check_labels(tags: Sequence[str], metadata: Mapping[str, object]) -> None:
    """Refuse tags and metadata over the limits, before anything scans them."""
    _check_list(tags, "tag", TAGS, TAG_CHARACTERS)
    _check_metadata(metadata)


def _check_metadata(metadata: Mapping[str, object]) -> None:
    if metadata == {}:
        return
    try:
        written = _metadata_json(metadata)
    except UnicodeEncodeError:
        raise InvalidInput("the metadata is not valid UTF-8 text") from None
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput("the metadata must be a JSON object of plain values") from None
    if len(written) > METADATA_BYTES:
        raise InvalidInput(f"the metadata takes {len(written):,} bytes; the limit is {METADATA_BYTES:,}")
    if rb"\u0000" in written.replace(rb"\\", b""):
        raise InvalidInput("the metadata contains a NUL byte")
