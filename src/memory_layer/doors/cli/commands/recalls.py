"""`mem recalls`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import click

from memory_layer.doors.cli.arguments import command, limit_option, page_option
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import INDENT, LEAST_VALUE, age, count, entry, field, notes, short_ids
from memory_layer.model.query import Given, Recall
from memory_layer.ranking.explain import signal_text
from memory_layer.verbs.look_up import RECALL, RECALLS, TEXT_GIVEN

_BY_SCOPE = "first by scope, then by confidence × relevance"
_BY_LAYERS = "standing rules, then recent relevant memories, then procedures"
#: How memories were selected, by the order that was recorded; two names are those of earlier versions.
_ORDERS = {
    "balanced": "rules, then what the task and its files need, then the best of each kind",
    "s4": _BY_LAYERS,
    "layers": _BY_LAYERS,
    "s1": _BY_SCOPE,
    "confidence": _BY_SCOPE,
    "named": "as the caller named them",
}
_FOR = {"run": "for a run", "compose": "for a prompt", "context": "for a session"}
_WARNING = "for a warning: memories about the command, file or error"


@command("recalls", "mem recalls --limit 5", "mem recalls rec_abc123", "mem recalls --session nightly --json")
@click.argument("recall_id", required=False, metavar="[ID]")
@limit_option(20)
@click.option("--session", metavar="NAME", help="Only recalls of this session.")
@click.option("--memory", "memory_id", metavar="ID", help="Only recalls that returned this memory.")
@click.option("--since", metavar="WHEN", help="Only recalls since 7d, 2w or 12h ago, or since a date.")
@click.option("--until", metavar="WHEN", help="Only recalls before that.")
@click.option("--here", is_flag=True, help="Only recalls of this project.")
@page_option
@click.option("--text", is_flag=True, help="With ID: rebuild the text that was given, and compare it.")
@click.pass_obj
def recalls(
    call: CommandCall, /, recall_id: str | None, limit: int, text: bool, start: str | None, **wanted: Any
) -> None:
    """Show which memories were given to agents.

    Lists the last recalls, newest first. With ID, shows one of them: every memory with its current text and the score
    and signals that it had at the time. Searches by a person are not recorded. Never counts as use.
    """
    from memory_layer.doors import wire, wire_context

    if recall_id is not None and any(wanted.values()):
        raise click.UsageError("use either ID or --session, --memory, --since, --until and --here")
    if text and recall_id is None:
        raise click.UsageError("--text needs the ID of a recall")
    with call.open() as memory:
        now = memory.engine.now()
        if text:
            again = memory.run(TEXT_GIVEN, {"recall_id": recall_id})
            call.reply(wire_context.reproduced(again), again.text, exact=True)
            if not again.same:
                call.say("this is not the original text: a memory in it was erased or lost since")
            return
        if recall_id is not None:
            one = memory.run(RECALL, {"recall_id": recall_id})
            call.reply(wire.recall(one), recall_text(one, now, call.width))
            return
        listed = memory.run(RECALLS, {**wanted, "limit": limit, "after": start})
    call.reply(wire.listed(wire.recalls(listed), counted=False), recalls_text(listed, now, call.width))
    if not listed:
        call.say(_none(wanted))


def _none(wanted: Mapping[str, Any]) -> str:
    if wanted["session"] is not None:
        return "no recalls in this session"
    return "no such recalls" if any(wanted.values()) else "no recalls yet"


def recalls_text(listed: Sequence[Recall], now: datetime, width: int | None) -> str:
    """List recalls, each with its id, its number of memories and its query."""
    short = short_ids(each.id for each in listed)
    return "\n".join(_head(each, short[each.id], now, width) for each in listed)


def recall_text(recall: Recall, now: datetime, width: int | None) -> str:
    """Show a recall and its memories, best first."""
    short = short_ids(hit.memory.id for hit in recall.hits)
    head = _head(recall, short_ids([recall.id])[recall.id], now, width)
    hits = (_hit(hit, short[hit.memory.id], recall.at, now, width) for hit in recall.hits)
    return "\n".join([head, f"{INDENT}{_how(recall)}", *hits])


def _how(recall: Recall) -> str:
    """Say how the memories of a recall were selected."""
    if recall.kind == "warning":
        return _WARNING
    if recall.kind in _FOR:
        return f"{_FOR[recall.kind]}: {_ORDERS.get(recall.ranker, recall.ranker)}"
    return f"{recall.mode} search, ranked by {recall.ranker}"


def _head(recall: Recall, short: str, now: datetime, width: int | None) -> str:
    notes = [
        f"by {recall.writer}",
        f"session {recall.session}",
        *([recall.project] if recall.project else []),
    ]
    head = [
        click.style(short, fg="cyan"),
        field(recall.kind),
        count(recall.memories, "memory", "memories"),
    ]
    return entry(head, recall.query, [age(recall.at, now), *map(field, notes)], width)


def _hit(hit: Given, short: str, at: datetime, now: datetime, width: int | None) -> str:
    head = [
        click.style(short, fg="cyan"),
        click.style(hit.memory.category.value, bold=True),
        f"{hit.score:.2f}",
    ]
    changed = ["changed since"] if hit.memory.updated_at > at else []
    block = entry(head, hit.memory.content, [*notes(hit.memory, now), *changed], width)
    signals = [signal_text(name, value) for name, value in hit.signals.items() if abs(value) >= LEAST_VALUE]
    return f"{block}\n{INDENT}{field('; '.join(signals))}" if signals else block
