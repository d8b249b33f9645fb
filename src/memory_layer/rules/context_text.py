"""Format memories for an agent: labelled as data, one line each, with nothing in them able to end the block."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from memory_layer.model.context import LONGEST_LINE, ContextLayer, Format, Way
from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import AGAINST_IT, Source, Tier
from memory_layer.rules.excerpts import excerpt

SHORT_ID = 8  #: characters behind the prefix
PART = " · "  #: between what stood on lines of its own
NEEDS_REVIEW = "needs review"  #: beside what a person guards and reports speak against
MOST_RIVALS = 2  #: contradictions named on a line; many would push it out of a budget
LEAST_SHOWN = 20  #: characters; a shorter beginning of a text says nothing
_MORE = {Way.SHELL: '`mem search "..."`', Way.TOOLS: "memory_recall"}
NOTICES = {
    way: f"Notes from earlier sessions; may be outdated. Verify before relying on them. {more} finds more."
    for way, more in _MORE.items()
}
#: The notices of earlier versions; texts given with them can still be reproduced exactly.
FORMER_NOTICES = {
    way: f"Notes from earlier work: supplementary, not facts, and only a sample; {more} finds more."
    for way, more in _MORE.items()
}
#: The command that shows the rest of a long text.
_REST = {Way.SHELL: "`mem show {}`", Way.TOOLS: "memory_recall"}

_SOURCES = frozenset(source.value for source in Source)
#: Also with marks, unseen characters or another slash in it; bounded, so that a text of `<` takes no time.
_FENCE = re.compile(r"[<\uff1c\ufe64](?=\W{0,4}" + r"\W{0,2}".join("memories") + ")", re.IGNORECASE)
#: Characters that break a line, also those unknown to `split`, and terminal control codes.
#: A single space stays as it is, so it is no match: long texts have thousands.
_BREAKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]{2,}|[^\S ]|[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Frame(NamedTuple):
    """The text before, between and after the lines of a format."""

    head: str
    between: str
    tail: str


class Printed(NamedTuple):
    """The printed parts of a memory: its content, and the note beside it."""

    id: str
    label: str
    content: str
    note: str


def _frame(form: Format, way: Way) -> Frame:
    notice = NOTICES[way]
    return {
        Format.MARKDOWN: Frame(f"## Memories\n\n{notice}\n\n<memories>\n", "\n", "\n</memories>"),
        Format.COMPACT: Frame(f"<memories> {notice}\n", "\n", "\n</memories>"),
        Format.PLAIN: Frame(f"{notice}\n\n", "\n", ""),
        Format.JSON: Frame(f'{{"notice":{json.dumps(notice)},"memories":[', ",", "]}"),
    }[form]


FRAMES = {(form, way): _frame(form, way) for form in Format for way in Way}
#: The section of a whole prompt: bare lines, since the prompt itself says what they are.
SECTION = Frame("## Memories\n", "\n", "")


def text_of(lines: Sequence[str], frame: Frame) -> str:
    """Join the lines in their frame; empty without lines."""
    return f"{frame.head}{frame.between.join(lines)}{frame.tail}" if lines else ""


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text that was given, in hex."""
    return str(_sha256()(text.encode()).hexdigest())


@cache
def _sha256() -> Any:
    """Return the interpreter's own function, because a context should not wait for OpenSSL to load."""
    for name in ("_sha2", "_sha256"):  # since Python 3.12, and before
        with suppress(ImportError):
            return import_module(name).sha256
    return import_module("hashlib").sha256


def as_given(text: str, way: Way, digest: str) -> str:
    """Return a reproduced text with the notice it was given with, which earlier versions worded differently."""
    if digest_of(text) != digest:
        for quoted in (str, json.dumps):
            earlier = text.replace(quoted(NOTICES[way]), quoted(FORMER_NOTICES[way]), 1)
            if digest_of(earlier) == digest:
                return earlier
    return text


def line_of(printed: Printed, form: Format) -> str:
    """Format one memory."""
    if form is Format.JSON:
        shape = {
            "id": printed.id,
            "category": printed.label,
            "content": printed.content,
            "note": printed.note,
        }
        return json.dumps(shape, ensure_ascii=False, separators=(",", ":"))
    if form is Format.COMPACT:
        return f"{printed.label}: {printed.content} [{_without_source(printed.note)}]"
    if form is Format.PLAIN:
        return f"{printed.label}: {printed.content} ({printed.note})"
    return f"- [{printed.label}] {printed.content} ({printed.note})"


def bare_line(printed: Printed) -> str:
    """Format one memory for a whole prompt: bare, unless something speaks against it."""
    return f"- [{printed.label}] {printed.content}" + (f" ({printed.note})" if printed.note else "")


def printed(
    memory: Memory,
    layer: ContextLayer,
    note: str,
    characters: int = LONGEST_LINE,
    way: Way = Way.SHELL,
    start: int | None = None,
) -> Printed:
    """Prepare a memory for printing, however long or unusual it is; with `start` a part of it."""
    label = "handoff" if layer is ContextLayer.HANDOFF else memory.category.value
    text = on_one_line(memory, layer)
    shown = _within(text, characters, memory.id, way) if start is None else excerpt(text, start, characters)
    return Printed(memory.id, label, shown, note)


def on_one_line(memory: Memory, layer: ContextLayer = ContextLayer.CONTEXTUAL) -> str:
    """Return the content on one line; steps and the parts of a handoff stay separate."""
    in_parts = layer is ContextLayer.HANDOFF or memory.tier is Tier.PROCEDURAL
    return one_line(memory.content.replace("\n", PART) if in_parts else memory.content)


@lru_cache(maxsize=1)  # a long memory is written in several forms, one after the other, until one fits
def one_line(text: str) -> str:
    """Remove line breaks, and anything that would end the block of memories."""
    return _FENCE.sub("‹", _BREAKS.sub(" ", text)).strip()


def _within(text: str, characters: int, memory_id: str, way: Way) -> str:
    """Cut a text at a word and say where the rest is."""
    if len(text) <= characters:
        return text
    where = _REST[way].format(short(memory_id))
    rest = f" … ({where} has the rest)"
    start = text[: max(characters - len(rest), 0)]
    if len(start) < LEAST_SHOWN:
        return f"{where} has it"
    return (start.rsplit(" ", 1)[0] if " " in start else start) + rest


def note_of(memory: Memory, conflicts: Sequence[str] = (), source: str | None = None) -> str:
    """Describe a memory: its source, approval, outcomes, warnings and short id."""
    counts = (("worked", memory.worked), ("partial", memory.partial), ("failed", memory.failed))
    parts = [memory.source.value]
    parts += ["approved"] if memory.approved_at and memory.source is not Source.HUMAN else []
    parts += [f"{word} {count}" for word, count in counts if count]
    parts += [NEEDS_REVIEW] if memory.reason in AGAINST_IT else []
    parts += [f"source {source}"] if source else []
    parts += [f"contradicts {_named(conflicts)}"] if conflicts else []
    return ", ".join([*parts, short(memory.id)])


def _named(rivals: Sequence[str]) -> str:
    """Name the first memories that contradict a line, and count the others."""
    more = len(rivals) - MOST_RIVALS
    names = ", ".join(map(short, rivals[:MOST_RIVALS]))
    return f"{names} and {more} more" if more > 0 else names


def _without_source(note: str) -> str:
    """Drop the source from a note; warnings stay."""
    return ", ".join(part for part in note.split(", ") if part not in _SOURCES)


def short(memory_id: str) -> str:
    """Return the short form of an id, which every command accepts."""
    return memory_id.partition("_")[2][:SHORT_ID]
