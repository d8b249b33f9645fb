"""Compare versions, revert to one, and decide who may do that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any

from memory_layer.model import query as in_list
from memory_layer.model.history import Difference, KeptVersion, Note, Piece, PieceKind
from memory_layer.model.memory import COUNTED, SAID, Change, Memory, Writer
from memory_layer.model.runs import StoredResult
from memory_layer.model.vocabulary import Attention, LinkKind, Reason, Status, WriterKind
from memory_layer.rules import review
from memory_layer.rules.access import is_access_note
from memory_layer.rules.passkeys import is_confirmation, is_registration
from memory_layer.rules.permissions import (
    Action,
    approval_of,
    guarded_by_a_person,
    kept_in_sight_by_a_person,
    may,
    sentence,
)

#: Fields that an agent may add to even if a person guards the memory.
_LABELS = ("tags", "metadata", "citations")
#: Fields for visibility, which has rules of its own.
_STANDING = ("status", "reason", "reason_detail")

#: Above this many words in both texts together, they are compared line by line.
MOST_WORDS = 4_000

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


_SAID = {
    "reinforcement_count": "was confirmed",
    "worked": "worked",
    "partial": "partly worked",
    "failed": "failed",
}
#: Descriptions of changed counters.
_COUNTED = {
    "reinforcement_count": "the confirmation of {}",
    "worked": "the report that {} worked",
    "partial": "the report that {} partly worked",
    "failed": "the report that {} failed",
}
#: Microseconds from 1970 to the first and to behind the last moment that can be told.
FIRST_MOMENT, LAST_MOMENT = -62_135_596_800_000_000, 253_402_300_800_000_000


def differences(before: Memory, after: Memory) -> tuple[Difference, ...]:
    """Return the fields that differ, in the order of the record."""
    fields = ((name, getattr(before, name), getattr(after, name)) for name in SAID)
    return tuple(
        Difference(name, old, new, tuple(pieces(old, new)) if name == "content" else ())
        for name, old, new in fields
        if old != new
    )


def pieces(old: str, new: str) -> Iterator[Piece]:
    """Merge both texts into one diff, word by word or, for long texts, line by line."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if len(before) + len(after) > MOST_WORDS:
        before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    # Words that come again and again mark no place: a text of nothing else would take minutes to compare by them.
    matcher = SequenceMatcher(lambda part: part.isspace(), before, after)
    for kind, *place in matcher.get_opcodes():
        first, last, start, end = place
        if kind == "equal":
            yield Piece(PieceKind.SAME, "".join(before[first:last]))
            continue
        if first < last:
            yield Piece(PieceKind.REMOVED, "".join(before[first:last]))
        if start < end:
            yield Piece(PieceKind.ADDED, "".join(after[start:end]))


def back_to(current: Memory, old: Memory, at: datetime) -> Memory:
    """Return the memory with the fields of an old version; counters stay."""
    result = current._replace(**{name: getattr(old, name) for name in SAID}, updated_at=at)
    if result.status is Status.ACTIVE and (why := review.reasons(result)):
        return review.held(result, why)
    return result


def refusal(
    current: Memory, result: Memory, writer: Writer, *, own: bool = False, trusted: bool = False
) -> str | None:
    """Return why this writer may not revert a memory to that, or None; a person always may.

    An agent that takes back its `own` change may also remove its labels again, and hide what it had shown; if that
    was the end of a run, also undo its effect on confidence (`trusted`).
    """
    if may(writer, Action.REVERT_GUARDED):
        return None
    if approval_of(current) != approval_of(result):
        return sentence(Action.MOVE_APPROVAL)
    if guarded_by_a_person(current) and current.content != result.content:
        return sentence(Action.REVERT_GUARDED, field="text")
    if guarded_by_a_person(current) and not guarded_by_a_person(result):
        return sentence(Action.WEAKEN_RULE)
    if guarded_by_a_person(current) and (name := _guarded_field(current, result, own=own, trusted=trusted)):
        return sentence(Action.REVERT_GUARDED, field=name)
    hidden = result.status not in (current.status, Status.ACTIVE) and current.status is not Status.ARCHIVED
    created = result.reason is Reason.UNDONE
    if hidden and kept_in_sight_by_a_person(current) and (created or not own):
        return sentence(Action.REVERT_TO_HIDDEN)
    retired = current.reason is Reason.ASKED and result.status is Status.ACTIVE
    if retired and guarded_by_a_person(current):
        return sentence(Action.RESTORE_RETIRED)
    marked = current.status is Status.ACTIVE and current.reason is not None and not own
    waits = current.reason is Reason.REVIEW or (marked and current.reason is not result.reason)
    if waits and result.status is Status.ACTIVE:
        return sentence(Action.REVERT_REVIEW)
    return None


def _guarded_field(current: Memory, result: Memory, *, own: bool, trusted: bool) -> str | None:
    """Return the first field an agent may not change; on guarded memories it may only add labels or undo its own."""
    for name in SAID:
        old, new = getattr(current, name), getattr(result, name)
        added = name in _LABELS and (own or set(old) <= set(new))
        moved_by_a_run = trusted and name in ("confidence", "relevance")
        if old != new and name not in _STANDING and not added and not moved_by_a_run:
            return name
    return None


def undone(newest_first: Iterable[Change]) -> dict[str, str]:
    """Map each undone operation to the one that undid it; an undo that was itself undone does not count."""
    taken_back: dict[str, str] = {}
    for change in newest_first:
        if change.undoes and change.operation not in taken_back:
            taken_back.setdefault(change.undoes, change.operation)
    return taken_back


def standing(newest_first: Iterable[Change], writer: str | None) -> Iterator[str]:
    """Yield the operations of a writer, or of anybody, that are neither an undo nor undone, newest first."""
    known: set[str] = set()
    for change in newest_first:
        if change.undoes and change.operation not in known:
            known.add(change.undoes)
        elif not change.undoes and writer in (None, change.writer) and change.operation not in known:
            known.add(change.operation)
            yield change.operation


def out_of_the_way(
    about: Sequence[Memory], projects: Sequence[str | None] | None, *, ended_a_run: bool = False
) -> str | None:
    """Return why an undo without an id skips an operation about these memories; None if it does not."""
    if not about and ended_a_run:
        return None
    if not about or any(memory.reason is Reason.FORGOTTEN for memory in about):
        return "forgotten"
    here = projects is None or any(memory.project in projects for memory in about)
    return None if here else "elsewhere"


def taken_back(notes: Iterable[Note]) -> tuple[str, ...]:
    """Describe the effect of undoing these notes; reports are described by their memory."""
    return tuple(dict.fromkeys(said for note in notes if (said := _taken_back(note))))


def said(note: Note) -> str | None:
    """Describe a note; None if it only marks a report as counted."""
    fields = note.told
    if note.run is not None:
        return note.run
    if "kind" in fields:
        link = f"{fields['source']} {str(fields['kind']).replace('_', ' ')} {fields['target']}"
        return link if fields["after"] else f"{link}, no longer"
    if "task" in fields:
        used = f"{fields['memory']} is linked to the task {fields['task']}"
        return used if fields["after"] else f"{used}, no longer"
    for name, word in _SAID.items():
        if "memory" in fields and name in fields["after"]:
            again = "" if fields["after"][name] > fields["before"][name] else ", which no longer counts"
            return f"{fields['memory']} {word}{again}"
    return None


def describe_proof(told: Mapping[str, Any]) -> str | None:
    """Describe an entry about a confirmation or a passkey."""
    subject = told.get("confirmed") or told.get("passkey")
    if not isinstance(subject, dict):
        return None
    name = str(subject.get("name", ""))[:60]
    if "confirmed" not in told:
        return f"passkey {name}"
    return f"signed with the passkey {name}" if "signature" in subject else f"by {subject.get('by')}"


def _taken_back(note: Note) -> str | None:
    fields = note.told
    before, after = fields["before"], fields["after"]
    if note.run is not None:
        return f"{note.run} {'is in progress again' if after else 'has ended again'}"
    if "kind" in fields:
        text = f"{fields['source']} {str(fields['kind']).replace('_', ' ')} {fields['target']}"
        if before and after:
            return f"the review state of '{text}' is as it was before"
        return f"no longer linked: {text}" if after else f"linked again: {text}"
    if "task" in fields:
        text = f"{fields['memory']} and the task {fields['task']}"
        return f"no longer linked: {text}" if after else f"linked again: {text}"
    for name, text in _COUNTED.items():
        if "memory" in fields and name in after:
            counts = "no longer counts" if after[name] > before[name] else "counts again"
            return f"{text.format(fields['memory'])} {counts}"
    return None


def before_operation(versions: Sequence[KeptVersion], operation: str) -> KeptVersion | None:
    """Return the version before an operation; None if the operation created the memory."""
    first = _places(versions, operation)[0]
    return versions[first - 1] if first else None


def would_be_lost(versions: Sequence[KeptVersion], operation: str) -> Change | None:
    """Return the latest change by others since an operation began, unless later changes cancelled out."""
    places = _places(versions, operation)
    first, last = places[0], places[-1]
    between = [each for each in versions[first:last] if each.change.operation != operation]
    if versions[-1].change.after != versions[last].change.after:
        return versions[-1].change
    return between[-1].change if between else None


def _places(versions: Sequence[KeptVersion], operation: str) -> list[int]:
    return [place for place, each in enumerate(versions) if each.change.operation == operation]


def place(number: int) -> str:
    """Encode the position of a version in the list as a cursor."""
    return in_list.place([number])


def placed(text: str) -> int:
    """Decode such a cursor."""
    (number,) = in_list.values_at(text, int)
    return max(int(number or 0), 1)


def is_note(fields: Mapping[str, object]) -> bool:
    """Is this a note that the program writes for a link, a task, a counter, an outcome's weight or the end of a run?"""
    if fields.get("writer_kind", WriterKind.PERSON) != WriterKind.PERSON:
        return False
    if "confirmed" in fields or "passkey" in fields:
        return is_confirmation(fields) or is_registration(fields)
    if "token" in fields or "passphrase" in fields:
        return is_access_note(fields)
    fits = _SHAPES.get(frozenset(fields) - {"writer_kind"})
    return fits is not None and fits(fields)


def _link(fields: Mapping[str, object]) -> bool:
    known = fields["kind"] in [kind.value for kind in LinkKind]
    return known and _is_link(fields["before"]) and _is_link(fields["after"])


def _is_link(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, dict) or value.keys() != {"review", "created_at"}:
        return False
    return _whole(value["review"]) and value["review"] in list(Attention) and _is_moment(value["created_at"])


def _task_link(fields: Mapping[str, object]) -> bool:
    named = isinstance(fields["task"], str) and isinstance(fields["project"], str | None)
    return named and _is_task_link(fields["before"]) and _is_task_link(fields["after"])


def _is_task_link(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, dict) or value.keys() != {"automatic", "created_at"}:
        return False
    return isinstance(value["automatic"], bool) and _is_moment(value["created_at"])


def _outcome(fields: Mapping[str, object]) -> bool:
    return isinstance(fields["outcome"], str) and (fields["before"], fields["after"]) in ((0, 1), (1, 0))


def _counters(fields: Mapping[str, object]) -> bool:
    before, after = fields["before"], fields["after"]
    if not isinstance(before, dict) or not isinstance(after, dict) or before.keys() != after.keys():
        return False
    return before.keys() <= set(COUNTED) and all(
        _counter(name, value) for each in (before, after) for name, value in each.items()
    )


def _counter(name: str, value: object) -> bool:
    if name == "outcome_score":
        return isinstance(value, int | float) and -1 <= value <= 1
    if name.endswith("_at"):
        return value is None or _is_moment(value)
    return _whole(value)


def _run(fields: Mapping[str, object]) -> bool:
    return isinstance(fields["run"], str) and _is_ending(fields["before"]) and _is_ending(fields["after"])


def _is_ending(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, dict) or value.keys() != {"result", "at", "by", "used"}:
        return False
    used = value["used"]
    named = isinstance(used, list) and all(isinstance(each, str) for each in used)
    known = isinstance(value["by"], str) and value["result"] in list(StoredResult)
    return named and known and _is_moment(value["at"])


def _is_moment(value: object) -> bool:
    """Is this a valid timestamp in microseconds since 1970?"""
    return type(value) is int and FIRST_MOMENT <= value < LAST_MOMENT


def _whole(*values: object) -> bool:
    """Are these integers that a column can hold?"""
    return all(type(value) is int and 0 <= value < 2**63 for value in values)


_SHAPES: dict[frozenset[str], Callable[[Mapping[str, object]], bool]] = {
    frozenset(("source", "target", "kind", "before", "after")): _link,
    frozenset(("outcome", "before", "after")): _outcome,
    frozenset(("memory", "before", "after")): _counters,
    frozenset(("task", "project", "memory", "before", "after")): _task_link,
    frozenset(("run", "before", "after")): _run,
}
