"""Runs as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import click

from memory_layer.doors.cli.render import age, count, entry, field, notes, short_id, short_ids
from memory_layer.model.recalls import Given
from memory_layer.model.runs import Finished, Run, RunResult
from memory_layer.model.vocabulary import Status

_COLOURS = {RunResult.SUCCESS: "green", RunResult.FAILURE: "red"}


def several(listed: Sequence[Run], now: datetime, width: int | None) -> str:
    """One entry for each run: its id, how it ended, its task."""
    short = short_ids(each.id for each in listed)
    return "\n".join(_head(each, short[each.id], now, width) for each in listed)


def one(run: Run, now: datetime, width: int | None) -> str:
    """A run, and below it what it was given, in its order."""
    short = short_ids(hit.memory.id for hit in run.hits)
    used = run.ending.used if run.ending else ()
    hits = (_hit(hit, short, used, now, width) for hit in run.hits)
    return "\n".join([_head(run, short_id(run.id), now, width), *hits])


def finished(done: Finished) -> str:
    """How a run ended, and what it did to each memory that it used."""
    short = short_ids(each.id for each in done.trusted)
    lines = [f"{click.style(short_id(done.run.id), fg='cyan')}  {_state(done.run)}"]
    for each in done.trusted:
        told = f"confidence {each.confidence_before:.2f} → {each.confidence:.2f}"
        mark = "" if each.status is Status.ACTIVE else f"  {each.status}"
        lines.append(f"{click.style(short[each.id], fg='cyan')}  {told}{mark}")
    for moved in done.moved:
        told = (
            f"relevance {moved.relevance_before:.2f} → {moved.relevance:.2f}, after what was reported of it"
        )
        lines.append(f"{click.style(short[moved.id], fg='cyan')}  {told}")
    lines += [f"{click.style(short_id(each.id), fg='cyan')}  {each.status}" for each in done.learned]
    return "\n".join(lines)


def remarks(done: Finished) -> Iterator[str]:
    """What else there is to say about an end."""
    if done.notice:
        yield field(done.notice)
    for each in done.learned:
        told = [f"{short_id(each.id)}: {said}" for said in (each.reason, each.hint) if said]
        told += [f"{short_id(each.id)}: a secret was taken out ({kind})" for kind in each.redacted]
        if each.status == "similar":
            told.append(f"{short_id(each.id)}: close to a known memory; `mem review` decides")
        yield from map(field, told)


def _head(run: Run, short: str, now: datetime, width: int | None) -> str:
    told = [f"by {run.writer}", *([run.project] if run.project else [])]
    told += [f"writes {', '.join(run.write_scope)}"] if run.write_scope else []
    head = [click.style(short, fg="cyan"), _state(run), count(run.memories, "memory", "memories")]
    return entry(head, run.task, [*map(field, told), age(run.at, now)], width)


def _state(run: Run) -> str:
    if run.ending is None:
        return "under way"
    return click.style(run.ending.result.value, fg=_COLOURS[run.ending.result])


def _hit(hit: Given, short: Mapping[str, str], used: Sequence[str], now: datetime, width: int | None) -> str:
    head = [
        click.style(short[hit.memory.id], fg="cyan"),
        click.style(hit.memory.category.value, bold=True),
        f"{hit.score:.2f}",
    ]
    told = ["fits the scope"] if hit.signals.get("write_scope") else []
    told += ["included"] if hit.signals.get("included") else []
    told += ["used"] if hit.memory.id in used else []
    told += [click.style(f"conflicts with {short[rival]}", fg="yellow") for rival in hit.conflicts]
    return entry(head, hit.memory.content, [*told, *notes(hit.memory, now)], width)
