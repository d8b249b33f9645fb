"""Build events and handoffs, and refuse changes to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from memory_layer.errors import InvalidInput
from memory_layer.model.episodes import CATEGORY_OF, Event, Handoff, HandoffParts, text_of, texts_of
from memory_layer.model.memory import WRITTEN_FROM, Draft, Memory
from memory_layer.model.vocabulary import Status, Tier
from memory_layer.rules import limits
from memory_layer.rules.permissions import is_learned_in, is_vouched
from memory_layer.text.secrets.redact import redact
from memory_layer.text.words import content_words

MOST_PARTS = 100  #: of one kind in a handoff
OPEN_FOR = timedelta(days=14)
LEAST_WORDS = 5  #: that carry a meaning; a handoff of fewer leaves nothing to do
_NOTHING_LEFT = re.compile(
    r"\b(?:nothing|none|no)\b[\w ]{0,20}\b(?:open|left|pending|outstanding|remaining|todo|to do|next)\b"
    r"|\b(?:next|open|left)\b\W{0,4}(?:nothing|none)\b|\ball (?:is |was )?(?:done|finished|complete)\b",
    re.IGNORECASE,
)
#: Tolerated clock skew.
LENIENCE = timedelta(minutes=5)

#: The key in the metadata of a handoff that the program wrote itself, because its session left none.
AUTOMATIC = "automatic"
_HEADINGS = (("done", "Done"), ("next", "Next"), ("questions", "Open questions"), ("files", "Files"))


def draft_of(event: Event, session: str, now: datetime) -> Draft:
    """Turn an event into a draft that never expires; its kind determines the category."""
    at = event.at or now
    limits.check_moment(at)
    if at > now + LENIENCE:
        raise InvalidInput(f"an event cannot be in the future: {at:%Y-%m-%d %H:%M %Z}")
    metadata = {"kind": event.kind.value}
    if event.outcome is not None:
        metadata["outcome"] = event.outcome.value
    return Draft(
        content=event.text,
        category=CATEGORY_OF[event.kind],
        tier=Tier.EPISODIC,
        tags=event.tags,
        metadata=metadata,
        session=_short(redact(session).text),
        never_expires=True,
        created_at=at,
    )


def _short(session: str) -> str:
    """Shorten the name of a session that was derived from a long path."""
    most = limits.NAME_CHARACTERS
    return session if len(session) <= most else f"{session[: most - 61]}…{session[-60:]}"


def check_append_only(*memories: Memory) -> None:
    """Refuse to change events."""
    for memory in memories:
        if memory.tier is Tier.EPISODIC:
            raise InvalidInput(
                f"{memory.id} is an event, and events are only added: it can be archived, but neither reworded,"
                " relabelled, merged nor superseded"
            )


def check_parts(parts: HandoffParts) -> None:
    """Refuse a handoff that is empty or too large."""
    if parts == HandoffParts():
        raise InvalidInput("a handoff needs at least one of: done, next, questions, files, text")
    for name, _ in _HEADINGS:
        entries = getattr(parts, name)
        if len(entries) > MOST_PARTS:
            raise InvalidInput(
                f"a handoff takes at most {MOST_PARTS} entries of each kind, not {len(entries)}"
            )
        for each in entries:
            limits.check_text(each, f"a part of the handoff ({name})", limits.CONTENT_CHARACTERS)
    if parts.text:
        limits.check_text(parts.text, "the text of the handoff", limits.CONTENT_CHARACTERS)


def on_lines(parts: HandoffParts) -> HandoffParts:
    """Put each part on one line; multi-line secrets must be redacted already."""
    listed = {name: tuple(" ".join(each.split()) for each in getattr(parts, name)) for name, _ in _HEADINGS}
    return parts._replace(text=parts.text.strip(), **listed)


def handed_over(parts: HandoffParts) -> str:
    """Join the parts of a handoff into one searchable text."""
    lines = [parts.text] if parts.text else []
    for name, heading in _HEADINGS:
        if each := getattr(parts, name):
            lines.append(f"{heading}: {'; '.join(each)}")
    return "\n".join(lines)


def as_metadata(parts: HandoffParts) -> dict[str, object]:
    """Return the parts as metadata; the key `next` marks a handoff."""
    return {"text": parts.text} | {name: list(getattr(parts, name)) for name, _ in _HEADINGS}


def is_handoff(memory: Memory) -> bool:
    """Return whether the end of a session is a handoff: it lists what is next."""
    return isinstance(memory.metadata.get("next"), list | tuple)


def is_offered(end: Memory) -> bool:
    """Return whether the end of a session may be handed to the next one; an agent's from another project may not."""
    learned_here = end.project is None or is_learned_in(end, end.project)
    return end.status is Status.ACTIVE and (learned_here or is_vouched(end))


def hides_plain_end(other: Memory) -> bool:
    """Return whether an end of a session makes the plain ends of the same session say nothing more."""
    return other.status is Status.ACTIVE and is_handoff(other) and WRITTEN_FROM not in other.metadata


def is_substantial(end: Memory) -> bool:
    """Return whether the end of a session leaves something to do: it lists it, or says more than that all is done."""
    left = handoff_of(end)
    if left.next or left.questions:
        return True
    return not _NOTHING_LEFT.search(left.text) and len(content_words(left.text)) >= LEAST_WORDS


def open_handoffs(ends: Sequence[Memory], now: datetime) -> list[Memory]:
    """Return the handoffs that the next session should read, of ends that are sorted newest first.

    A handoff is closed by a later one of the same session or about the same work, by saying that nothing is left, and
    after two weeks. The last substantial one stays, however old it is; without one, the last end.
    """
    found: list[Memory] = []
    for number, end in enumerate(ends):
        if not is_substantial(end) or any(_closes(later, end) for later in ends[:number]):
            continue
        if not found or now - end.created_at <= OPEN_FOR:
            found.append(end)
    return found or list(ends[:1])


def _closes(later: Memory, end: Memory) -> bool:
    """Return whether a later handoff speaks for an earlier one: the same session, or half of its words.

    One that nobody wrote gives way to any later one.
    """
    if AUTOMATIC in end.metadata:
        return True
    if end.session is not None and later.session == end.session:
        return True
    words = content_words(end.content)
    return 2 * len(words & content_words(later.content)) >= len(words)


def handoff_of(memory: Memory) -> Handoff:
    """Read the handoff in a memory; a plain end of a session is all text."""
    metadata = memory.metadata
    return Handoff(
        id=memory.id,
        session=memory.session,
        at=memory.created_at,
        done=texts_of(metadata, "done"),
        next=texts_of(metadata, "next"),
        questions=texts_of(metadata, "questions"),
        files=texts_of(metadata, "files"),
        text=(text_of(metadata, "text") or "") if "next" in metadata else memory.content,
    )
