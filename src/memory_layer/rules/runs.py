"""Select the memories for a run, and render its prompt; equal input gives equal output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache

from memory_layer.errors import InvalidInput
from memory_layer.model.context import MOST_GIVEN, Present
from memory_layer.model.runs import PromptParts, RunTask, SelectedMemory
from memory_layer.model.vocabulary import Status
from memory_layer.rules import limits
from memory_layer.rules.lifecycle import LEAST_CONFIDENCE
from memory_layer.rules.permissions import may_be_given
from memory_layer.text.scope_overlap import meet, tag_meets
from memory_layer.text.secrets.redact import redact

MOST_ITEMS = 100  #: of one list
_NAMES = {
    "role": "the role",
    "task": "the task",
    "workspace": "the workspace",
    "read_first": "a path to read first",
    "constraints": "a constraint",
    "digest": "the digest",
    "output_format": "the output format",
}


def chosen(memories: Iterable[Present], task: RunTask, now: datetime) -> list[SelectedMemory]:
    """Select memories for a task: those in its write scope first, then by confidence x relevance, then by id.

    Included memories are always selected and excluded ones never; neither changes the order.
    """

    @cache  # many memories have the same labels
    def fits(scope: tuple[str, ...], tags: tuple[str, ...]) -> bool:
        return meet(scope, task.write_scope) or any(tag_meets(tag, task.write_scope) for tag in tags)

    def judged(memory: Present) -> SelectedMemory:
        return SelectedMemory(
            memory.id, fits(memory.scope, memory.tags), memory.confidence * memory.relevance
        )

    candidates = [memory for memory in memories if memory.id not in task.exclude]
    included = [judged(memory) for memory in candidates if memory.id in task.include]
    rest = [judged(memory) for memory in candidates if _counts(memory, task.include, now)]
    slots = max(0, (task.most or MOST_GIVEN) - len(included))
    return sorted([*included, *sorted(rest, key=_selection_order)[:slots]], key=_selection_order)


def _counts(memory: Present, included: Collection[str], now: datetime) -> bool:
    """Is a memory eligible unasked: active, unexpired, trusted, and with a warrant?"""
    lasts = memory.expires_at is None or memory.expires_at > now
    trusted = memory.confidence >= LEAST_CONFIDENCE
    shown = memory.status is Status.ACTIVE and lasts and trusted and memory.id not in included
    return shown and may_be_given(memory.warrant)


def _selection_order(memory: SelectedMemory) -> tuple[bool, float, str]:
    return not memory.fits_scope, -memory.score, memory.id


def prompt_text(parts: PromptParts, memories: str) -> str:
    """Join the non-empty sections in order, with blank lines between them."""
    return "\n\n".join(_sections(parts, memories))


def _sections(parts: PromptParts, memories: str) -> Iterator[str]:
    for heading, body in (
        ("Role", parts.role),
        ("Task", parts.task),
        ("Workspace", parts.workspace),
        ("Read First", _listed(parts.read_first)),
        ("", memories),
        ("Constraints", _listed(parts.constraints)),
        ("Retry/Continue Digest", parts.digest),
        ("Output Format", parts.output_format),
    ):
        if body.strip():
            yield f"## {heading}\n{body.strip()}" if heading else body


def _listed(items: tuple[str, ...]) -> str:
    return "\n".join(f"- {item.strip()}" for item in items)


def checked(parts: PromptParts) -> tuple[PromptParts, tuple[str, ...]]:
    """Redact the parts and check their limits; also return the kinds of secrets found."""
    found: list[str] = []

    def clean(text: str, what: str) -> str:
        limits.check_text(text, what, limits.CONTENT_CHARACTERS)
        redacted = redact(text)
        found.extend(redacted.kinds)
        return redacted.text

    for field in ("read_first", "constraints"):
        if len(items := getattr(parts, field)) > MOST_ITEMS:
            raise InvalidInput(f"{_NAMES[field]} was given {len(items)} times; the limit is {MOST_ITEMS}")
    result = mapped(parts, lambda field, text: clean(text, _NAMES[field]) if text else "")
    return result, tuple(dict.fromkeys(found))


def mapped(parts: PromptParts, change: Callable[[str, str], str]) -> PromptParts:
    """Apply `change(field, text)` to every text of the parts."""
    return PromptParts(
        role=change("role", parts.role),
        task=change("task", parts.task),
        workspace=change("workspace", parts.workspace),
        read_first=tuple(change("read_first", each) for each in parts.read_first),
        constraints=tuple(change("constraints", each) for each in parts.constraints),
        digest=change("digest", parts.digest),
        output_format=change("output_format", parts.output_format),
    )


def parts_from(asked: Mapping[str, object]) -> PromptParts:
    """Read the parts of a stored prompt."""

    def text(name: str) -> str:
        return str(asked.get(name, ""))

    def texts(name: str) -> tuple[str, ...]:
        found = asked.get(name)
        return tuple(map(str, found)) if isinstance(found, list) else ()

    return PromptParts(
        role=text("role"),
        task=text("task"),
        workspace=text("workspace"),
        read_first=texts("read_first"),
        constraints=texts("constraints"),
        digest=text("digest"),
        output_format=text("output_format"),
    )
