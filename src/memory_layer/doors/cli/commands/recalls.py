"""What agents were given, as text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import click

from memory_layer.doors.cli.render import INDENT, LEAST_VALUE, age, count, entry, field, notes, short_ids
from memory_layer.model.recalls import Given, Recall
from memory_layer.usecases.recall.signals import in_words

_BY_SCOPE = "what fits its scope first, then by confidence times relevance"
#: How memories were chosen where nobody searched for them.
_HOW = {
    "run": f"given to a run: {_BY_SCOPE}",
    "compose": f"put into a prompt: {_BY_SCOPE}",
    "context": "given at the beginning: what always applies, then what is present and fits, then procedures",
    "warning": "told at an action: what speaks about it",
}


def several(listed: Sequence[Recall], now: datetime, width: int | None) -> str:
    """One entry for each answer: its id, how many memories it gave, and the question."""
    short = short_ids(each.id for each in listed)
    return "\n".join(_head(each, short[each.id], now, width) for each in listed)


def one(recall: Recall, now: datetime, width: int | None) -> str:
    """An answer, and below it what it gave, best first."""
    short = short_ids(hit.memory.id for hit in recall.hits)
    head = _head(recall, short_ids([recall.id])[recall.id], now, width)
    hits = (_hit(hit, short[hit.memory.id], recall.at, now, width) for hit in recall.hits)
    how = _HOW.get(recall.kind) or f"{recall.mode} search, ranked by {recall.ranker}"
    return "\n".join([head, f"{INDENT}{how}", *hits])


def _head(recall: Recall, short: str, now: datetime, width: int | None) -> str:
    told = [f"by {recall.writer}", f"session {recall.session}", *([recall.project] if recall.project else [])]
    head = [
        click.style(short, fg="cyan"),
        field(recall.kind),
        count(recall.memories, "memory", "memories"),
    ]
    return entry(head, recall.query, [*map(field, told), age(recall.at, now)], width)


def _hit(hit: Given, short: str, at: datetime, now: datetime, width: int | None) -> str:
    head = [
        click.style(short, fg="cyan"),
        click.style(hit.memory.category.value, bold=True),
        f"{hit.score:.2f}",
    ]
    changed = ["changed since"] if hit.memory.updated_at > at else []
    block = entry(head, hit.memory.content, [*notes(hit.memory, now), *changed], width)
    told = [in_words(name, value) for name, value in hit.signals.items() if abs(value) >= LEAST_VALUE]
    return f"{block}\n{INDENT}{field('; '.join(told))}" if told else block
