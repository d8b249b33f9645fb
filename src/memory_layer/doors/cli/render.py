"""Format answers for people: short, safe to print, coloured only on a terminal."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from memory_layer.model.memory import Added, Candidate, Citation, Memory, Project
from memory_layer.model.outcome import Judged
from memory_layer.model.query import Found, Hit, NearMiss
from memory_layer.model.vocabulary import Outcome, Reason, Status

if TYPE_CHECKING:
    from memory_layer.model.changes import Neighbours
    from memory_layer.model.sources import SourceState

FAILING = "failing"  #: beside what failed too often, the last time too
SHORT_ID = 8  #: characters behind `mem_`
INDENT = "    "

#: Characters that control a terminal, reorder or hide text, or cannot be printed; then joiners and selectors where no
#: letter or picture needs them.
_UNSAFE = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e00ff]"
    '|(?<=[ -~])[\u200c\u200d]|(?<=[ !"$-)+-/:-~\ufe00-\ufe0f])[\ufe00-\ufe0f]'
    "|(?<=[ -~\U000e0100-\U000e01ef])[\U000e0100-\U000e01ef]"
)
#: The colours this program writes; every other escape sequence is spelled out.
_STYLES = re.compile(r"(\x1b\[(?:[012]|3[1-6])m)")
_MARKS = {Outcome.WORKED: "green", Outcome.PARTIAL: "yellow", Outcome.FAILED: "red"}
#: Why a memory is staged or archived, or should be reviewed, in the words of a list.
REASONS = {
    Reason.WRITING: "not finished",
    Reason.QUESTION: "close to a known memory",
    Reason.REVIEW: "needs your approval",
    Reason.OUTCOME: "failed too often",
    Reason.CONFIDENCE: "low confidence",
    Reason.EXPIRED: "expired",
    Reason.FADED: "unused for a long time",
    Reason.ASKED: "on request",
    Reason.MERGED: "merged",
    Reason.SKIPPED: "not kept",
    Reason.UNDONE: "undone",
    Reason.FORGOTTEN: "forgotten",
}
_WORDS = re.compile(r"( *)([^ ]+)")
_WHOLE_ID = re.compile(r"\bmem_[a-z2-7]{26}\b")

LEAST_SHARE, LEAST_VALUE = 0.0005, 0.005  #: of a signal worth showing; less would be rounded to 0
LONGEST_LISTED = 1_000  #: characters
LONGEST_QUOTE = 80  #: characters of the input quoted in an error
LONGEST_WORD = 300
LONGEST_ERROR = 2_000

_QUOTE = re.compile(rf"(?<!\w)(?:'[^']{{{LONGEST_QUOTE + 1},}}'|\"[^\"]{{{LONGEST_QUOTE + 1},}}\")(?!\w)")
_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
_SPANS = ((365, "year"), (30, "month"), (7, "week"), (1, "day"))


def visible(text: str) -> str:
    """Spell out every character that a terminal would obey; keep line breaks."""
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.replace("\n", "").isprintable():  # compiling the pattern takes a while
        return text
    return re.sub(_UNSAFE, lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), text)


def field(text: str) -> str:
    """Make a value safe to print on a single line."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def harmless(text: str) -> str:
    """Make a finished answer safe to print, keeping its own colours."""
    parts = _STYLES.split(text)
    parts[::2] = map(visible, parts[::2])
    return "".join(parts)


def brief(message: str) -> str:
    """Shorten an error message and what it quotes."""
    message = _QUOTE.sub(lambda found: f"{found[0][: LONGEST_QUOTE + 1]}…{found[0][-1]}", message)
    message = _WORD.sub(lambda found: f"{found[0][:LONGEST_QUOTE]}…", message)
    return message if len(message) <= LONGEST_ERROR else f"{message[:LONGEST_ERROR]}…"


def one_line(text: str) -> str:
    return " ".join(visible(text).split())


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """Map each id to its shortest unique prefix of at least eight characters."""
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
    """Shorten the ids of memories in a sentence."""
    return _WHOLE_ID.sub(lambda found: short_id(found[0]), text)


def age(at: datetime, now: datetime) -> str:
    """Say how long ago something happened, in the largest unit that fits."""
    days = max(0.0, (now - at).total_seconds() / 86400)
    for length, unit in _SPANS:
        if days >= length:
            return count(int(days // length), unit) + " ago"
    hours, minutes = int(days * 24), int(days * 1440)
    return f"{count(hours, 'hour')} ago" if hours else f"{minutes} min ago" if minutes else "just now"


def evidence(memory: Memory) -> str:
    """Sum up the outcomes, as in `worked 3 · failed 1`; empty before the first one."""
    counts = (
        (Outcome.WORKED, memory.worked),
        (Outcome.PARTIAL, memory.partial),
        (Outcome.FAILED, memory.failed),
    )
    return " · ".join(click.style(f"{name} {n}", fg=_MARKS[name]) for name, n in counts if n)


def hits(found: Found, now: datetime, width: int | None, *, explain: bool = False) -> str:
    """List search results, best first."""
    short = short_ids(
        [*(hit.memory.id for hit in found.hits), *(i for hit in found.hits for i in hit.conflicts)]
    )
    blocks = []
    for hit in found.hits:
        marks = [*_group(found.group_by, hit), *notes(hit.memory, now, failing=hit.failing)]
        marks += [*_conflict(hit, short), *_drift(hit)]
        if since := found.stale.get(hit.memory.project or ""):
            marks.append(_idle(since))
        head = [_id(short[hit.memory.id]), _category(hit.memory), f"{hit.score:.2f} {hit.strength}"]
        block = entry(head, hit.memory.content, marks, width)
        blocks.append(block + signals(hit) if explain else block)
    return "\n".join(blocks)


def signals(hit: Hit) -> str:
    """Break a score down: each signal's share of it, and the value behind it."""
    from memory_layer.ranking.explain import signal_text

    return "".join(
        f"\n{INDENT}{part.share:+.3f}  {signal_text(part.name, part.value, hit.experience, hit.query_words)}"
        for part in hit.signals
        if abs(part.share) >= LEAST_SHARE or part.value >= LEAST_VALUE
    )


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


def memories(items: Sequence[Memory], now: datetime, width: int | None, failing: Collection[str] = ()) -> str:
    short = short_ids(memory.id for memory in items)
    return "\n".join(
        entry(
            [_id(short[memory.id]), _category(memory)],
            memory.content,
            notes(memory, now, failing=memory.id in failing),
            width,
        )
        for memory in items
    )


def related(found: Neighbours, now: datetime, width: int | None) -> str:
    """List the neighbours of a memory, nearest first."""
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
    """Name the place that is cited, as in `src/app.py:12-14`, or its address."""
    return field(citation.where)


def state(state: SourceState) -> str:
    """Name the state of a source, in colour if somebody should look."""
    return click.style(state.value, fg="yellow") if state.drifted else state.value


def _drift(hit: Hit) -> list[str]:
    """Mark a hit whose cited source changed or is missing."""
    drifted = [check for check in hit.standing.checks if check.state.drifted] if hit.standing else []
    if not drifted:
        return []
    more = f" and {len(drifted) - 1} more" if len(drifted) > 1 else ""
    first = f"source {drifted[0].state}: {source(drifted[0].citation)}{more}"
    return [click.style(first, fg="yellow")]


def entry(head: Sequence[str], content: str, notes: Sequence[str], width: int | None) -> str:
    """Lay out a memory: on a terminal the head, the text and the notes that the head has no room for; else one line."""
    text = _shortened(visible(content).strip())
    remarks = " · ".join(notes)
    if width is None:
        lines = f"\n{INDENT}".join(text.splitlines())
        return "  ".join(part for part in (*head, lines, f"({remarks})" if remarks else "") if part)
    first = "  ".join([*head, remarks] if remarks else head)
    fits = len(click.unstyle(first)) <= width
    parts = [first if fits else "  ".join(head), wrapped(text, width), "" if fits else f"{INDENT}({remarks})"]
    return "\n".join(part for part in parts if part)


def _shortened(text: str) -> str:
    """Cut a long text in a list; `mem show` and --json have all of it."""
    if len(text) <= LONGEST_LISTED:
        return text
    return f"{text[:LONGEST_LISTED].rstrip()} … ({len(text):,} characters in all)"


def wrapped(text: str, width: int) -> str:
    """Indent a text and wrap it to the terminal, keeping its own line breaks."""
    from textwrap import fill

    columns = max(40, min(width, 110))
    lines = (
        fill(line, columns, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)
        for line in text.splitlines()
    )
    return "\n".join(lines)


def fitted(text: str, width: int, hanging: int | None = None) -> str:
    """Break lines between words if they are longer than the terminal; indent what follows, except in sentences."""
    return "\n".join(
        line if len(line) <= width else _broken(line, width, hanging) for line in text.split("\n")
    )


def _broken(line: str, width: int, hanging: int | None) -> str:
    body = line.lstrip(" ")
    indent = " " * (len(line) - len(body))
    extra = (0 if body[:1].isupper() else 2) if hanging is None else hanging
    lines, column = [indent], len(indent)
    for space, word in _WORDS.findall(body):
        length = len(click.unstyle(word))
        if column + len(space) + length > width and lines[-1].strip():
            lines.append(f"{indent}{'':{extra}}{word}")
            column = len(indent) + extra + length
        else:
            lines[-1] += space + word
            column += len(space) + length
    return "\n".join(lines)


def candidates(found: Sequence[Candidate], width: int | None) -> str:
    """List the known memories that a new text resembles or contradicts."""
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
    """Mark a project that nobody has committed to for a long time."""
    return click.style(f"stale: no commit since {since:%Y-%m-%d}", fg="yellow")


def count(number: int, unit: str, units: str | None = None) -> str:
    return f"{number:,} {unit if number == 1 else units or unit + 's'}"


def times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _id(short: str) -> str:
    return click.style(short, fg="cyan")


def _category(memory: Memory) -> str:
    return click.style(memory.category.value, bold=True)


def notes(memory: Memory, now: datetime, *, failing: bool = False) -> list[str]:
    """Sum up a memory in a list: its outcomes, its age, and its status unless it is simply active."""
    mark = click.style(FAILING, fg="red") if failing else ""
    status = "" if memory.status is Status.ACTIVE and not memory.reason else status_text(memory)
    if memory.status is Status.ACTIVE and status:
        status = click.style(status, fg="yellow")
    old = click.style(age(memory.created_at, now), dim=True)
    return [note for note in (evidence(memory), mark, old, status) if note]


def status_text(memory: Memory) -> str:
    """Name the status of a memory with the reason for it."""
    status = "waiting for review" if memory.status is Status.ACTIVE and memory.reason else memory.status
    detail = with_short_ids(field(memory.reason_detail or "")) if memory.reason else ""
    reason = REASONS[memory.reason] if memory.reason else ""
    return ": ".join(part for part in (status, reason, detail) if part)


def _group(key: str | None, hit: Hit) -> list[str]:
    """Name the group of a hit, and count the others in it."""
    if key is None or hit.group is None:
        return []
    more = f", {hit.more:,} more" if hit.more else ""
    return [click.style(f"{field(key)} {brief_value(hit.group)}{more}", bold=True)]


def brief_value(text: str) -> str:
    """Shorten a value of metadata."""
    return field(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…")


def _conflict(hit: Hit, short: dict[str, str]) -> list[str]:
    others = ", ".join(short[other] for other in hit.conflicts)
    return [click.style(f"conflicts with {others}", fg="yellow")] if others else []


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
    """List search results with every signal, then the near misses."""
    intent = f", looking for {found.intent}" if found.intent else ""
    parts = [f"{found.mode} search, ranked by {found.ranker}{intent}"]
    if found.hits:
        parts.append(hits(found, now, width, explain=True))
    if found.near_misses:
        parts.append(click.style("Left out:", bold=True) + "\n" + near_misses(found.near_misses, width))
    return "\n\n".join(parts)
