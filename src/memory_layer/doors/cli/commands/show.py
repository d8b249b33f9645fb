"""`mem show`, `mem list` and `mem stats`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from memory_layer.doors.cli.arguments import (
    MemoryId,
    command,
    filter_options,
    filters_from,
    limit_option,
    page_option,
    scope_options,
    who_options,
)
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.render import (
    FAILING,
    age,
    entry,
    evidence,
    field,
    fitted,
    one_line,
    short_id,
    short_ids,
    source,
    state,
    status_text,
    times,
    visible,
    wrapped,
)
from memory_layer.model.changes import Traces
from memory_layer.model.lists import SORTS, WEEKS_MOST, Weekly
from memory_layer.model.memory import Link, Memory
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Mode, Reach, Stats
from memory_layer.model.sources import Checked
from memory_layer.model.vocabulary import FAMILY_OF, Tier
from memory_layer.verbs.call import Target
from memory_layer.verbs.look_up import LIST, SHOW, STATS, WEEKLY

if TYPE_CHECKING:
    from memory_layer.usecases.look_up.browse import Details

FIELD_INDENT = 13  #: columns before the value of a field
_UNITS = ("bytes", "KB", "MB", "GB", "TB")


@command("show", "mem show mem_abc123", "mem show abc123 --json")
@click.argument("memory_id", type=MemoryId(), metavar="ID")
@click.option("--peek", is_flag=True, help="Do not count as use.")
@who_options
@click.pass_obj
def show(call: CommandCall, memory_id: str, peek: bool) -> None:
    """Show one memory in full.

    Includes its links and outcomes. Counts as use if an agent opens it, not if a person does.
    """
    from memory_layer.doors import wire

    with call.open() as memory:
        details = memory.run(SHOW, {"memory_id": memory_id, "peek": peek})
        call.reply(wire.details(details), details_text(details, memory.engine.now(), call.width))


@command("list", "mem list --limit 20 --sort score", "mem list -c gotcha --after 30d --json")
@limit_option(20)
@click.option(
    "--sort",
    type=click.Choice(SORTS),
    default="created",
    help="The order; newest or highest first. Default: created.",
)
@click.option("--ascending", is_flag=True, help="Turn the order round: oldest or lowest first.")
@click.option(
    "--text", metavar="WORDS", help="Only memories with all of these words; the last may be unfinished."
)
@page_option
@scope_options
@filter_options
@click.pass_obj
def list_command(
    call: CommandCall,
    /,
    limit: int,
    sort: str,
    ascending: bool,
    text: str | None,
    start: str | None,
    **options: Any,
) -> None:
    """List memories.

    Lists the project of the current directory and the global memories.
    """
    from memory_layer.doors import wire
    from memory_layer.doors.cli import render

    order = {"sort": sort, "ascending": ascending, "text": text}
    values = {"filters": filters_from(options), **order, "limit": limit, "after": start}
    with call.open() as memory:
        page = memory.run(LIST, values)
        call.reply(
            wire.page(page), render.memories(page.items, memory.engine.now(), call.width, page.failing)
        )
    call.say_more(page.next, "more follow" if page.total is None else f"{page.total:,} in all")
    if not page.items:
        call.say("no memories")


@command("stats", "mem stats", "mem stats --all --json", "mem stats --weeks 12")
@click.option(
    "--weeks",
    type=click.IntRange(1, WEEKS_MOST),
    metavar="NUMBER",
    help="Show what happened in each of these weeks.",
)
@scope_options
@click.pass_obj
def stats(call: CommandCall, weeks: int | None) -> None:
    """Show the number of memories and their outcomes.

    Counts the project of the current directory and the global memories. With --all, counts the whole store.
    """
    from memory_layer.doors import wire
    from memory_layer.verbs.govern import REVIEW

    if weeks is not None:
        with call.open() as memory:
            found = memory.run(WEEKLY, {"weeks": weeks})
        call.reply(wire.weekly(found), weekly_text(found))
        return
    with call.open() as memory:
        totals = memory.run(STATS, {"everything": call.everything})
        left = 0 if call.as_json else memory.run(REVIEW, {"limit": 1}).total
    call.reply(wire.stats(totals), stats_text(totals, call.settings.archive_below))
    if left:
        call.say(f"{left:,} waiting for review: `mem review{_same_scope(call.target)}`")


def weekly_text(weekly: Weekly) -> str:
    """Show one line for each week, and the reports of the weeks before."""
    names = ("worked", "partial", "failed", "added", "archived", "given")
    lines = [f"{'week of':<10}" + "".join(f"{name:>10}" for name in names)]
    lines += [
        f"{each.week.isoformat():<10}" + "".join(f"{getattr(each, name):>10,}" for name in names)
        for each in weekly.items
    ]
    before = ", ".join(f"{getattr(weekly.before, name):,} {name}" for name in weekly.before._fields)
    return "\n".join([*lines, f"the {len(weekly.items):,} weeks before: {before}"])


def _same_scope(target: Target) -> str:
    """Return the options that name the scope of this call again."""
    if target.project:
        return f" --project {target.project}"
    return " --all" if target.everything else " --global" if target.only_global else ""


def details_text(details: Details, now: datetime, width: int | None) -> str:
    """Show a memory in full: its text, then its fields, links and outcomes."""
    memory = details.memory
    text = visible(memory.content).strip()
    lines = [f"{name + ':':<12} {value}" for name, value in _facts(details, now) if value]
    lines += (
        [f"{'cites:':<12} {_cited(each)}" for each in details.standing.checks] if details.standing else []
    )
    lines += [f"{'link:':<12} {_link(each, memory.id)}" for each in details.links]
    lines += [f"{'outcome:':<12} {_report(each, now)}" for each in details.outcomes]
    if width:
        lines = [fitted(line, width, FIELD_INDENT) for line in lines]
    head = [click.style(memory.id, fg="cyan"), wrapped(text, width) if width else text, ""]
    return "\n".join([*head, *lines])


def _upkeep(stats: Stats) -> list[str]:
    """Say when the store was tidied and what that did, and when it is due again."""
    upkeep = stats.upkeep
    if upkeep is None or upkeep.due is None:
        return []
    did = ", ".join(f"{deed} {number:,}" for deed, number in upkeep.counts.items()) or "nothing to do"
    last = f"last on {upkeep.last:%Y-%m-%d} ({did})" if upkeep.last else "never yet"
    by_itself = "by itself" if upkeep.automatic else "by `mem consolidate`: upkeep.auto is off"
    return [f"Cleaned up: {last}; due on {upkeep.due:%Y-%m-%d}, {by_itself}"]


def stats_text(stats: Stats, archive_below: float | None) -> str:
    """Show the totals by status, category and outcome."""
    lines = [
        f"Total: {stats.total:,} {'memory' if stats.total == 1 else 'memories'}",
        f"Active: {stats.active:,}{_not_used(stats)}",
        f"Archived: {stats.archived:,}{_failed(stats, archive_below)}",
        f"Staged: {stats.staged:,}",
        "By category:",
        *_by_category(stats),
    ]
    if stats.by_tier.get(Tier.SEMANTIC) != stats.total:
        tiers = (f"{tier} {number:,}" for tier, number in stats.by_tier.items() if number)
        lines.append(f"By tier: {', '.join(tiers)}")
    lines += [
        "Outcome scores:",
        f"  High (>0.5): {stats.high:,}",
        f"  Neutral: {stats.neutral:,}",
        f"  Low (<-0.5): {_low(stats)}",
        f"Database size: {size(stats.size_bytes)}",
        f"Search: {_search_mode(stats)}",
        *_upkeep(stats),
        f"Counted: {counted(stats)}",
    ]
    return "\n".join(lines)


def _by_category(stats: Stats) -> list[str]:
    """Count each family, and below it each of its categories, the largest first."""
    rows: list[tuple[str, int]] = []
    for family, total in sorted(stats.by_family.items(), key=lambda item: -item[1]):
        inside = [(each, count) for each, count in stats.by_category.items() if FAMILY_OF[each] is family]
        rows += [(f"  {family}", total)] if inside else []
        rows += [(f"    {category}", count) for category, count in inside]
    widest, digits = (max((len(str(row[place])) for row in rows), default=0) for place in (0, 1))
    return [f"{name:<{widest}} {count:>{digits}} ({count / stats.total:.0%})" for name, count in rows]


def counted(stats: Stats) -> str:
    """Say whose memories were counted."""
    if stats.reach is Reach.ALL:
        return "the whole store"
    if stats.reach is Reach.GLOBAL or stats.project is None:
        return "global memories (`--all` counts the whole store)"
    return f"project {field(stats.project)} and global memories (`--all` counts the whole store)"


def _not_used(stats: Stats) -> str:
    """Count the active memories that `mem list` does not show."""
    hidden = 0 if stats.given_out is None else stats.active - stats.given_out
    return f" ({hidden:,} of them superseded or expired, so not used)" if hidden else ""


def _failed(stats: Stats, archive_below: float | None) -> str:
    """Count the memories archived because of their score, if that is not all of them."""
    if archive_below is None:
        return ""
    some = "" if stats.archived == stats.archived_by_outcome else f"{stats.archived_by_outcome:,} with "
    return f" ({some}score < {archive_below:g})"


def _low(stats: Stats) -> str:
    """Count low scores; a memory with one is archived unless somebody restored it."""
    if not stats.low and stats.archived_by_outcome:
        return f"{stats.archived_by_outcome:,} (archived)"
    return f"{stats.low:,}" + (
        f", and {stats.archived_by_outcome:,} archived" if stats.archived_by_outcome else ""
    )


def links_text(links: Sequence[Link]) -> str:
    """List links, one per line."""
    short = short_ids(end for link in links for end in (link.source, link.target))
    return "\n".join(
        f"{short[link.source]}  {link.kind.value.replace('_', ' ')}  {short[link.target]}" for link in links
    )


def would_forget(traces: Sequence[Traces], width: int | None) -> str:
    """List what would be erased with each memory."""
    short = short_ids(each.memory.id for each in traces)
    blocks = []
    for each in traces:
        counts = (
            (each.memory.version, "version", "versions"),
            (each.links, "link", "links"),
            (each.outcomes, "outcome", "outcomes"),
            (each.recalls, "recall", "recalls"),
            (len(each.copies), "archived copy", "archived copies"),
        )
        notes = [f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count]
        notes += (
            [f"its text or outcomes also exist in {short_id(each.lives_on)} or its history"]
            if each.lives_on
            else []
        )
        head = [click.style(short[each.memory.id], fg="cyan"), click.style(each.memory.category, bold=True)]
        blocks.append(entry(head, each.memory.content, notes, width))
    return "\n".join(blocks)


def size(number: float) -> str:
    """Format a number of bytes."""
    for unit in _UNITS:
        if number < 1000 or unit == _UNITS[-1]:
            break
        number /= 1000
    return f"{number:,.0f} {unit}" if unit == _UNITS[0] else f"{number:,.1f} {unit}"


def _search_mode(stats: Stats) -> str:
    if stats.search_mode is Mode.KEYWORD:
        return "keyword (`mem model install` adds search by meaning)"
    if stats.waiting:
        return f"{stats.search_mode} (some memories have no vectors yet; run `mem embed`)"
    return f"{stats.search_mode} (by meaning and by words)"


def _facts(details: Details, now: datetime) -> list[tuple[str, str]]:
    memory = details.memory
    approved = f"{memory.approved_by} on {memory.approved_at:%Y-%m-%d}" if memory.approved_at else ""
    return [
        ("category", f"{memory.category} ({memory.tier}), priority {memory.priority}"),
        ("project", field(memory.project or "global")),
        ("status", status_text(memory) if memory.reason else _status(details)),
        ("score", _score(details)),
        ("confidence", f"{memory.confidence:.2f} (source {memory.source})"),
        ("relevance", "" if memory.relevance == 1.0 else f"{memory.relevance:.2f}"),
        ("used", f"{times(memory.use_count)}, recalled {times(memory.recall_count)}"),
        ("tags", field(", ".join(memory.tags))),
        ("scope", field(", ".join(memory.scope))),
        ("metadata", _metadata(memory)),
        ("session", _event(memory)),
        ("writer", field(f"{memory.writer} ({memory.writer_kind})")),
        ("stored", f"{memory.created_at:%Y-%m-%d %H:%M} UTC, {age(memory.created_at, now)}"),
        ("expires", f"{memory.expires_at:%Y-%m-%d}" if memory.expires_at else ""),
        ("approved", field(approved)),
        ("version", str(memory.version)),
    ]


def _score(details: Details) -> str:
    memory = details.memory
    score = f"{memory.outcome_score:+.2f}  {evidence(memory)}".rstrip()
    return f"{score}  {FAILING}" if details.failing else score


def _status(details: Details) -> str:
    if details.superseded_by is None:
        return str(details.memory.status)
    return f"superseded by {short_id(details.superseded_by)}, so no longer used"


def _event(memory: Memory) -> str:
    """Name the session of an event, and its number there."""
    if memory.tier is not Tier.EPISODIC or memory.session is None:
        return ""
    return field(f"{memory.session}, event {memory.position}")


def _metadata(memory: Memory) -> str:
    from memory_layer.doors import wire

    return wire.text(wire.plain(memory.metadata)) if memory.metadata else ""


def _cited(check: Checked) -> str:
    """Describe a citation with its commit and its current state."""
    commit = f" at {check.citation.commit[:10]}" if check.citation.commit else ""
    now = f" to {source(check.now)}" if check.now else ""
    why = f": {check.why}" if check.why else ""
    return f"{source(check.citation)}{field(commit)} ({state(check.state)}{now}{why})"


def _link(link: Link, own: str) -> str:
    kind = link.kind.value.replace("_", " ")
    return f"{kind} {short_id(link.target)}" if link.source == own else f"{short_id(link.source)} {kind} this"


def _report(event: OutcomeEvent, now: datetime) -> str:
    source = f"seen in a session of {event.writer}" if event.is_seen else f"by {event.writer}"
    parts = [f"{event.result}", age(event.at, now), source]
    parts += [] if event.counted else ["not counted"]
    parts += [f'for "{one_line(event.query)}"'] if event.query else []
    parts += [one_line(event.evidence)] if event.evidence else []
    return field(", ".join(parts))
