"""Extract preferences, corrections, rules and decisions from what people say.

A known memory is confirmed instead of stored again, once for each time it is said: a message older than the memory's
last change does nothing, so the same transcript can be read any number of times.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.capture import Captured, CapturedStatement, Noticed, Said, Transcript
from memory_layer.model.memory import Draft, Memory, Project, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import OnDuplicate, Source, Status, WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.rules import drafts, lifecycle, review
from memory_layer.rules.permissions import Action, check_confirmed, is_rule
from memory_layer.rules.reminder import REMINDER, REMINDER_OF_MANY
from memory_layer.text.secrets.redact import redact
from memory_layer.text.statements import READ_CHARACTERS
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.recall.vectors import embedded
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.listen import listen
from memory_layer.usecases.remember.new_memory import (
    confirmed,
    known_text,
    likeness,
    neighbourhood,
    new_memory,
)
from memory_layer.usecases.who.lookup import read_memory

MOST_KEPT = 200  #: by one capture; the rest is left, and it says so
_TOO_MANY = f"{{:,}} more were left: one capture changes at most {MOST_KEPT}; capture again to continue"
SKIPPED = "skipped"
_LOOKED_AT = READ_CHARACTERS + 10_000
_REDACTED = re.compile(r"\[REDACTED:([\w-]+)\]")
_CUT = "the transcript is too long; its end was not read"


#: In which list of the answer each result stands; the rest was skipped.
_KINDS = {
    "kept": ("created", "staged", "exists", "merged", "similar"),
    "would_keep": ("would keep", "would stage"),
    "reinforced": ("reinforced", "would reinforce"),
}


def heard(engine: Engine, text: str | None, file: Path | None, whole: bool | None = None) -> Transcript:
    """Read a text or a file: one message, or a whole transcript."""
    if (text is None) == (file is None):
        raise InvalidInput("give either a text or a file to capture from")
    if file is not None:
        from memory_layer.usecases.transfer.import_ import check_stays_inside  # a text needs no import

        check_stays_inside(engine, file)
        return engine.surroundings.read_transcript(file, whole)
    return engine.surroundings.transcript(text or "", whole)


def capture(
    engine: Engine,
    transcript: Transcript,
    writer: Writer,
    project: Project | None = None,
    *,
    overheard: bool = False,
    dry_run: bool = False,
) -> Captured:
    """Keep what is worth keeping of a transcript; no person vouches for what is only `overheard`."""
    if overheard:
        writer = writer._replace(kind=WriterKind.AGENT)
    work = _Work(engine, Edit(writer, engine.new_id("op"), "capture", engine.now()), project, dry_run)
    found, unsure = _listened(transcript.messages)
    if not dry_run and any(is_rule(each.category, each.priority) for each, _ in found):
        check_confirmed(writer, Action.MAKE_RULE)  # before the first is stored
    results, left = _taken(work, found)
    notice = _TOO_MANY.format(left) if left else _CUT if transcript.cut else None
    by = {name: tuple(each for each in results if each.status in words) for name, words in _KINDS.items()}
    changed = not dry_run and bool(by["kept"] or by["reinforced"])
    return Captured(
        operation=work.edit.operation if changed else None,
        dry_run=dry_run,
        messages=len(transcript.messages),
        **by,
        skipped=len(results) - sum(map(len, by.values())),
        damaged=transcript.damaged,
        notice=notice,
        reminder=None if not unsure else REMINDER if unsure == 1 else REMINDER_OF_MANY.format(unsure),
    )


def _taken(
    work: _Work, found: Sequence[tuple[Noticed, datetime | None]]
) -> tuple[list[CapturedStatement], int]:
    """Store statements up to the limit of one capture; also return how many were left."""
    results, changed = list[CapturedStatement](), 0
    for each, at in found:
        if changed == MOST_KEPT:
            break
        results.append(_kept(work, each, at))
        changed += results[-1].status != SKIPPED
    return results, len(found) - len(results)


class _Work(NamedTuple):
    engine: Engine
    edit: Edit
    project: Project | None
    dry_run: bool


def _listened(messages: Sequence[Said]) -> tuple[list[tuple[Noticed, datetime | None]], int]:
    """Return the statements of all messages, of repetitions the last, and how many messages may hold more."""
    before, unsure, latest = "", 0, dict[str, tuple[Noticed, datetime | None]]()
    for message in messages:
        text = redact(message.text[:_LOOKED_AT]).text  # before it is cut, for half a secret looks like none
        heard_now = listen(text, before)
        for each in heard_now.noticed:
            latest[each.content.lower()] = (each, message.at)
        unsure += heard_now.reminder is not None
        before = text
    return list(latest.values()), unsure


def _kept(work: _Work, found: Noticed, said_at: datetime | None) -> CapturedStatement:
    """Store one statement, or confirm the memory that says it already."""
    draft, _ = drafts.redacted_draft(_draft(found))
    redacted = tuple(dict.fromkeys(_REDACTED.findall(draft.content)))
    memory = new_memory(work.engine, draft, work.edit.writer, work.project)
    answer = _result(found, memory, None, SKIPPED, redacted)
    known = _known(work, memory)
    if known is not None and said_at is not None and said_at <= _touched(known):
        return answer._replace(id=known.id)
    if known is not None and known.status is not Status.ARCHIVED:
        return _confirmed(work, known, answer)
    if work.dry_run:
        why = "; ".join(review.reasons(memory))
        return answer._replace(status="would stage" if why else "would keep", reason=why or None)
    added = add(work.engine, draft, work.edit.writer, work.project, work.edit.operation)
    return answer._replace(id=added.id, status=added.status, reason=added.reason)


def _draft(found: Noticed) -> Draft:
    return Draft(
        content=found.content,
        category=found.category,
        priority=found.priority,
        source=Source.CAPTURE,
        on_duplicate=OnDuplicate.KEEP,
    )


def _result(
    found: Noticed, memory: Memory, memory_id: str | None, status: str, redacted: tuple[str, ...]
) -> CapturedStatement:
    return CapturedStatement(
        id=memory_id,
        status=status,
        category=memory.category,
        priority=memory.priority,
        content=memory.content,
        cue=found.cue,
        why=found.why,
        redacted=redacted,
    )


def _known(work: _Work, memory: Memory) -> Memory | None:
    """Return the memory that says the same, verbatim or nearly."""
    store = work.engine.store
    if (same := known_text(store, memory.content_hash)) is not None:
        return same
    vectors = embedded(work.engine, memory.content)
    if vectors is None or len(vectors[1]) != 1:
        return None
    (near,) = store.search.neighbours(vectors[1], vectors[0], [neighbourhood(memory)])
    similar = likeness(memory, near, work.engine.settings.duplicate_threshold).similar
    return similar[0][0] if similar else None


def _touched(known: Memory) -> datetime:
    """Return when a memory was last written, confirmed or archived."""
    return max(known.created_at, known.updated_at, known.reinforced_at or known.created_at)


def _confirmed(work: _Work, known: Memory, answer: CapturedStatement) -> CapturedStatement:
    """Confirm a memory, which restarts its decay, unless only an agent says so of a global one."""
    content = shown(work.engine, known).content
    result = answer._replace(id=known.id, content=content, category=known.category, priority=known.priority)
    if lifecycle.reinforced(known, work.edit.writer, work.edit.at) == known:
        return result._replace(status=SKIPPED, reason=lifecycle.NOT_COUNTED)
    if work.dry_run:
        return result._replace(status="would reinforce")
    with work.engine.store.writing():
        current = read_memory(work.engine.store, known.id)
        counted = confirmed(work.engine, current, work.edit._replace(action="reinforce"))
    return result._replace(status="reinforced", reason=counted.notice)
