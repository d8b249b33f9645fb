"""What agents were given, as text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import click

from memory_layer.doors.cli.arguments import command
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import INDENT, LEAST_VALUE, age, count, entry, field, notes, short_ids
from memory_layer.model.query import Given, Recall
from memory_layer.ranking.explain import signal_text
from memory_layer.verbs.recall import RECALL, RECALLS, TEXT_GIVEN

_BY_SCOPE = "what fits its scope first, then by confidence times relevance"
#: How memories were chosen where nobody searched for them.
_HOW = {
    "run": f"given to a run: {_BY_SCOPE}",
    "compose": f"put into a prompt: {_BY_SCOPE}",
    "context": "given at the beginning: what always applies, then what is present and fits, then procedures",
    "warning": "told at an action: what speaks about it",
}


@command("recalls", "mem recalls --limit 5", "mem recalls rec_abc123", "mem recalls --session nightly --json")
@click.argument("recall_id", required=False, metavar="[ID]")
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), default=20, help="At most this many; 20 by default."
)
@click.option("--session", metavar="NAME", help="Only what this session was given.")
@click.option("--text", is_flag=True, help="With ID: the text that was given, made again and compared.")
@click.pass_obj
def recalls(call: CommandCall, recall_id: str | None, limit: int, session: str | None, text: bool) -> None:
    """Show what agents were given.

    The last answers, newest first; with ID one of them, with the exact list, and for each memory the score and the
    signals it had then beside what it says now. What a person looked for is not recorded. Looking never counts as use.
    """
    from memory_layer.doors import wire, wire_context

    if recall_id is not None and session is not None:
        raise click.UsageError("--session lists answers; it takes no ID")
    if text and recall_id is None:
        raise click.UsageError("--text needs the ID of one answer")
    with call.open() as memory:
        now = memory.engine.now()
        if text:
            again = memory.run(TEXT_GIVEN, {"recall_id": recall_id})
            call.reply(wire_context.reproduced(again), again.text)
            if not again.same:
                call.say("this is not the text that was given: a memory of it was erased or lost since")
            return
        if recall_id is not None:
            one = memory.run(RECALL, {"recall_id": recall_id})
            call.reply(wire.recall(one), recall_text(one, now, call.width))
            return
        listed = memory.run(RECALLS, {"session": session, "limit": limit})
    call.reply(wire.recalls(listed), recalls_text(listed, now, call.width))
    if not listed:
        call.say(
            "no agent has been given anything yet" if session is None else "nothing was given in this session"
        )


def recalls_text(listed: Sequence[Recall], now: datetime, width: int | None) -> str:
    """One entry for each answer: its id, how many memories it gave, and the question."""
    short = short_ids(each.id for each in listed)
    return "\n".join(_head(each, short[each.id], now, width) for each in listed)


def recall_text(recall: Recall, now: datetime, width: int | None) -> str:
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
    told = [signal_text(name, value) for name, value in hit.signals.items() if abs(value) >= LEAST_VALUE]
    return f"{block}\n{INDENT}{field('; '.join(told))}" if told else block
