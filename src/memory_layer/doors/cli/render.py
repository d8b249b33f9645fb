"""Text for people: short, safe to print, coloured only on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from memory_layer.model.memory import Added, Candidate, Citation, Memory, Project
from memory_layer.model.outcome import Judged
from memory_layer.model.query import Found, Hit, NearMiss
from memory_layer.model.vocabulary import Outcome, Status

if TYPE_CHECKING:
    from memory_layer.model.changes import Neighbours
    from memory_layer.model.sources import SourceState

SHORT_ID = 8  #: characters behind `mem_`
INDENT = "    "

#: Characters that a terminal obeys, that reorder what is shown, or that cannot be printed at all.
_UNSAFE = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
#: The colours this program itself writes; nothing else that begins like them is let through.
_STYLES = re.compile(r"(\x1b\[(?:[012]|3[1-6])m)")
_MARKS = {Outcome.WORKED: "green", Outcome.PARTIAL: "yellow", Outcome.FAILED: "red"}
_WHOLE_ID = re.compile(r"\bmem_[a-z2-7]{26}\b")

LEAST_SHARE, LEAST_VALUE = 0.0005, 0.005  #: of a signal that is told; less would be shown as 0
LONGEST_LISTED = 1_000  #: characters
LONGEST_QUOTE = 80  #: characters of what somebody typed, in the error about it
LONGEST_WORD = 300
LONGEST_ERROR = 2_000

_QUOTE = re.compile(rf"(?<!\w)(?:'[^']{{{LONGEST_QUOTE + 1},}}'|\"[^\"]{{{LONGEST_QUOTE + 1},}}\")(?!\w)")
_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


_SPANS = ((365, "year"), (30, "month"), (7, "week"), (1, "day"))


def visible(text: str) -> str:
    """A stored text as it may be printed: line breaks stay, everything a terminal would obey is spelled out."""
    text = text.replace("\r\n", "\n")
    if text.replace("\n", "").isprintable():  # which none of them is, and compiling the pattern takes a while
        return text
    return re.sub(_UNSAFE, lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)


def field(text: str) -> str:
    """The same for what has one line to itself: a line break in it cannot begin another."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def harmless(text: str) -> str:
    """A finished answer with its own colours, but without anything else a terminal would obey."""
    parts = _STYLES.split(text)
    parts[::2] = map(visible, parts[::2])
    return "".join(parts)


def brief(message: str) -> str:
    """An error without the length of what it quotes."""
    message = _QUOTE.sub(lambda found: f"{found[0][: LONGEST_QUOTE + 1]}…{found[0][-1]}", message)
    message = _WORD.sub(lambda found: f"{found[0][:LONGEST_QUOTE]}…", message)
    return message if len(message) <= LONGEST_ERROR else f"{message[:LONGEST_ERROR]}…"


def one_line(text: str) -> str:
    return " ".join(visible(text).split())


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """The shortest beginnings that tell these ids apart, at least eight characters long."""
    every = sorted(set(ids))
    short = {}
    for place, whole in enumerate(every):
        neighbours = every[max(0, place - 1) : place] + every[place + 1 : place + 2]
        length = whole.find("_") + 1 + SHORT_ID
        while length < len(whole) and any(other.startswith(whole[:length]) for other in neighbours):
            length += 1
        short[whole] = whole[:length]
    return short


def short_id(whole: str) -> str:
    return short_ids([whole])[whole]


def with_short_ids(text: str) -> str:
    """A sentence about memories, each by the id that is shown elsewhere."""
    return _WHOLE_ID.sub(lambda found: short_id(found[0]), text)


def age(at: datetime, now: datetime) -> str:
    """How long ago, in the largest unit that fits."""
    days = max(0.0, (now - at).total_seconds() / 86400)
    for length, unit in _SPANS:
        if days >= length:
            return count(int(days // length), unit) + " ago"
    hours, minutes = int(days * 24), int(days * 1440)
    return f"{count(hours, 'hour')} ago" if hours else f"{minutes} min ago" if minutes else "just now"


def evidence(memory: Memory) -> str:
    """`worked 3 · failed 1`; empty before the first report."""
    counts = (
        (Outcome.WORKED, memory.worked),
        (Outcome.PARTIAL, memory.partial),
        (Outcome.FAILED, memory.failed),
    )
    return " · ".join(click.style(f"{name} {n}", fg=_MARKS[name]) for name, n in counts if n)


def hits(found: Found, now: datetime, width: int | None, *, explain: bool = False) -> str:
    """Search results, best first."""
    short = short_ids(
        [*(hit.memory.id for hit in found.hits), *(i for hit in found.hits for i in hit.conflicts)]
    )
    blocks = []
    for hit in found.hits:
        told = [*_group(found.group_by, hit), *notes(hit.memory, now), *_conflict(hit, short), *_drift(hit)]
        if since := found.stale.get(hit.memory.project or ""):
            told.append(_idle(since))
        head = [_id(short[hit.memory.id]), _category(hit.memory), f"{hit.score:.2f}"]
        block = entry(head, hit.memory.content, told, width)
        blocks.append(block + signals(hit) if explain else block)
    return "\n".join(blocks)


def signals(hit: Hit) -> str:
    """Where a score comes from: each signal's share of it, and what the signal saw."""
    from memory_layer.ranking.explain import signal_text

    shown = [part for part in hit.signals if abs(part.share) >= LEAST_SHARE or part.value >= LEAST_VALUE]
    told = [(part.share, signal_text(part.name, part.value, hit.experience)) for part in shown]
    return "".join(f"\n{INDENT}{share:+.3f}  {words}" for share, words in told)


def near_misses(misses: Sequence[NearMiss], width: int | None) -> str:
    short = short_ids(miss.memory.id for miss in misses)
    return "\n".join(
        entry(
            [_id(short[miss.memory.id]), _category(miss.memory), f"{miss.score:.2f}"],
            miss.memory.content,
            [with_short_ids(field(miss.words))],
            width,
        )
        for miss in misses
    )


def memories(items: Sequence[Memory], now: datetime, width: int | None) -> str:
    short = short_ids(memory.id for memory in items)
    return "\n".join(
        entry([_id(short[memory.id]), _category(memory)], memory.content, notes(memory, now), width)
        for memory in items
    )


def related(found: Neighbours, now: datetime, width: int | None) -> str:
    """What lies close to a memory, nearest first."""
    short = short_ids(hit.memory.id for hit in found.hits)
    return "\n".join(
        entry(
            [_id(short[hit.memory.id]), _category(hit.memory), f"{hit.score:.2f}"],
            hit.memory.content,
            notes(hit.memory, now),
            width,
        )
        for hit in found.hits
    )


def source(citation: Citation) -> str:
    """Where a citation leads: `src/app.py:12-14`, or its address."""
    return field(citation.where)


def state(state: SourceState) -> str:
    """How a source stands, coloured if somebody should look."""
    return click.style(state.value, fg="yellow") if state.drifted else state.value


def _drift(hit: Hit) -> list[str]:
    """The mark of a hit whose cited source changed or is missing."""
    drifted = [check for check in hit.standing.checks if check.state.drifted] if hit.standing else []
    if not drifted:
        return []
    more = f" and {len(drifted) - 1} more" if len(drifted) > 1 else ""
    first = f"source {drifted[0].state}: {source(drifted[0].citation)}{more}"
    return [click.style(first, fg="yellow")]


def entry(head: Sequence[str], content: str, notes: Sequence[str], width: int | None) -> str:
    """One memory: a head, its text and notes; wrapped on a terminal, else on one line where the text allows."""
    text = _shortened(visible(content).strip())
    told = " · ".join(notes)
    if width is None:
        lines = f"\n{INDENT}".join(text.splitlines())
        return f"{'  '.join(head)}  {lines}" + (f"  ({told})" if told else "")
    return f"{'  '.join([*head, told] if told else head)}\n{wrapped(text, width)}"


def _shortened(text: str) -> str:
    """The beginning of a long text: lists are for looking over, `mem show` and --json have all of it."""
    if len(text) <= LONGEST_LISTED:
        return text
    return f"{text[:LONGEST_LISTED].rstrip()} … ({len(text):,} characters in all)"


def wrapped(text: str, width: int) -> str:
    """A text in the width of the terminal, its own line breaks kept."""
    from textwrap import fill

    room = max(40, min(width, 110))
    lines = (
        fill(line, room, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)
        for line in text.splitlines()
    )
    return "\n".join(lines)


def candidates(found: Sequence[Candidate], width: int | None) -> str:
    """The known memories a new text comes close to or denies."""
    short = short_ids(candidate.id for candidate in found)
    return "\n".join(
        entry(
            [_id(short[candidate.id]), candidate.relation, f"{candidate.similarity:.2f}"],
            candidate.content,
            [],
            width,
        )
        for candidate in found
    )


def added(answer: Added) -> str:
    return f"{_id(short_id(answer.id))}  {answer.status}"


def project(project: Project, memories: int, stale: bool, registered: Sequence[str]) -> str:
    root = f"  {field(project.root)}" if project.root else ""
    live = count(memories, "memory", "memories")
    idle = f"  {_idle(project.last_commit_at)}" if stale and project.last_commit_at else ""
    read = f"  registered: {field(', '.join(registered))}" if registered else ""
    return f"{_id(project.id)}  {field(project.name)}  {live}  {field(project.key)}{root}{idle}{read}"


def _idle(since: datetime) -> str:
    """The mark of a project that has been left alone for long."""
    return click.style(f"stale: no commit since {since:%Y-%m-%d}", fg="yellow")


def count(number: int, unit: str, units: str | None = None) -> str:
    return f"{number:,} {unit if number == 1 else units or unit + 's'}"


def times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _id(short: str) -> str:
    return click.style(short, fg="cyan")


def _category(memory: Memory) -> str:
    return click.style(memory.category.value, bold=True)


def notes(memory: Memory, now: datetime) -> list[str]:
    status = [] if memory.status is Status.ACTIVE else [f"{memory.status}{_because(memory)}"]
    if memory.status is Status.ACTIVE and memory.reason:
        status = [click.style(f"waits for a person's review: {memory.reason}", fg="yellow")]
    old = click.style(age(memory.created_at, now), dim=True)
    return [note for note in (evidence(memory), old, *status) if note]


def _because(memory: Memory) -> str:
    told = [memory.reason, with_short_ids(field(memory.reason_detail or ""))] if memory.reason else []
    return "".join(f": {part}" for part in told if part)


def _group(key: str | None, hit: Hit) -> list[str]:
    """What a hit stands for, and how many others of its group there are."""
    if key is None or hit.group is None:
        return []
    more = f", {hit.more:,} more" if hit.more else ""
    return [click.style(f"{field(key)} {brief_value(hit.group)}{more}", bold=True)]


def brief_value(text: str) -> str:
    """A value of somebody's metadata on its share of a line."""
    return field(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…")


def _conflict(hit: Hit, short: dict[str, str]) -> list[str]:
    rivals = ", ".join(short[rival] for rival in hit.conflicts)
    return [click.style(f"conflicts with {rivals}", fg="yellow")] if rivals else []


def judged(reports: Sequence[Judged]) -> str:
    short = short_ids(report.id for report in reports)
    return "\n".join(
        f"{_id(short[report.id])}  {click.style(report.result.value, fg=_MARKS[report.result])}"
        f"  score {report.outcome_score:+.2f}  {report.status}"
        + ("" if report.counted else "  not counted")
        + ("  repeated" if report.repeated else "")
        for report in reports
    )


def explained(found: Found, now: datetime, width: int | None) -> str:
    """Search results with every signal, then what came close."""
    intent = f", asks for {found.intent}" if found.intent else ""
    parts = [f"{found.mode} search, ranked by {found.ranker}{intent}"]
    if found.hits:
        parts.append(hits(found, now, width, explain=True))
    if found.near_misses:
        parts.append(click.style("Left out:", bold=True) + "\n" + near_misses(found.near_misses, width))
    return "\n\n".join(parts)
