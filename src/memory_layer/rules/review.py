"""Decide what a person has to look at before it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from memory_layer.model.memory import Memory, Writer
from memory_layer.model.vocabulary import Reason, Source, Status, WriterKind
from memory_layer.rules.permissions import Action, guarded_by_a_person, is_rule, is_vouched, may, sentence
from memory_layer.text.injection.detect import suspicions

_SHORT = 120  #: characters of a label that may be a piece of a longer text
#: Word separators in tags, keys, paths and addresses, including a change of case.
_JOINTS = re.compile(r"[_\-+./:=&?#~,]+|(?<=[a-z])(?=[A-Z])")


def reasons(memory: Memory) -> tuple[str, ...]:
    """Return why a memory waits for a person; nothing once a person has approved it."""
    if memory.approved_by is not None:
        return ()
    found = doubts(memory)
    if is_rule(memory.category, memory.priority) and memory.writer_kind is not WriterKind.PERSON:
        return (*found, sentence(Action.MAKE_RULE))
    return found


def reasons_to_return(memory: Memory, writer: Writer) -> tuple[str, ...]:
    """Return why an archived memory has to go through review before it is restored."""
    allowed = may(writer, Action.RESTORE_RETIRED)
    found = reasons(memory) if allowed else reasons_for_a_person(memory)
    if found or allowed:
        return found
    retired = memory.reason is Reason.ASKED and guarded_by_a_person(memory)
    return (sentence(Action.RESTORE_RETIRED),) if retired else ()


def reasons_for_a_person(memory: Memory) -> tuple[str, ...]:
    """Return why a memory needs a person's look: its text, its strength or its origin."""
    found = reasons(memory)
    return (*found, "it was suggested, and no person has approved it") if is_suggestion(memory) else found


def is_suggestion(memory: Memory) -> bool:
    """Did the program learn a memory by itself, without a person's approval?"""
    return memory.source is Source.LEARNING and not is_vouched(memory)


def doubts(memory: Memory) -> tuple[str, ...]:
    """Return what in the text and labels reads like an instruction, whoever vouches for it."""
    names = _in_names(memory.writer, memory.session, memory.source_run_id, memory.project)
    if not (names or memory.tags or memory.scope or memory.metadata or memory.citations):
        return suspicions(memory.content)
    return tuple(dict.fromkeys([*suspicions(memory.content), *names, *_in_labels(labels(memory))]))


def label_doubts(before: Memory, after: Memory) -> tuple[str, ...]:
    """Return the doubts about new labels, alone and combined with the old ones."""
    old, current = labels(before), labels(after)
    if old == current:
        return ()
    new = [text for text in current if text not in old]
    together = [reason for reason in _in_labels(current) if reason not in _in_labels(old)]
    return tuple(dict.fromkeys([*_in_labels(new), *together]))


def labels(memory: Memory) -> list[str]:
    """Return every text besides the content that an agent may read."""
    cited = (text for each in memory.citations for text in (each.path, each.url, each.excerpt) if text)
    return [*memory.tags, *memory.scope, *_leaves(dict(memory.metadata)), *cited]


def _leaves(value: object) -> Iterator[str]:
    """Yield the keys and texts of nested values, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield str(key)
            yield from _leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each)


def _in_labels(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the doubts about each text, and about adjacent short ones, which may be one text in pieces."""
    looked_at = list(texts)
    for short, some in groupby(texts, lambda text: len(text) <= _SHORT):
        if short and len(pieces := list(some)) > 1:
            looked_at.append(" ".join(pieces))
    return tuple(dict.fromkeys(reason for text in looked_at for reason in _in_label(text)))


def _in_label(text: str) -> tuple[str, ...]:
    """Return the doubts about a label as written, and with spaces between its words."""
    spaced = _JOINTS.sub(" ", text)
    return suspicions(text) + (suspicions(spaced) if spaced != text else ())


@lru_cache(maxsize=256)
def _in_names(*names: str | None) -> tuple[str, ...]:
    return _in_labels([name for name in names if name])


def held(memory: Memory, why: tuple[str, ...]) -> Memory:
    """Hold a memory back for a person."""
    return memory._replace(status=Status.STAGED, reason=Reason.REVIEW, reason_detail="; ".join(why))
