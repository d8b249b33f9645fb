"""Export memories as a Markdown document that no text of a memory can break, and ended runs as training data."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import groupby

from memory_layer.model.episodes import text_of
from memory_layer.model.export import LineKind
from memory_layer.model.memory import Memory, Project
from memory_layer.model.query import Filters, Given
from memory_layer.model.runs import Run, RunResult
from memory_layer.model.vocabulary import LinkKind, Reason, Status, Tier
from memory_layer.ports import Engine
from memory_layer.rules.transfer.line_codec import Line, moment, written
from memory_layer.usecases.govern import chain
from memory_layer.usecases.learn import outcome

#: Characters with a meaning in Markdown or HTML.
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")
#: Control and invisible characters.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
_FENCE = re.compile(r"`{3,}")
SHORT_ID = 12  #: characters, `mem_` included
CHUNK = 1000  #: memories read at once


def markdown(
    engine: Engine,
    chosen: Filters,
    progress: Callable[[int], None] | None,
    count: Callable[[Memory], None],
) -> Iterator[bytes]:
    """Yield the chosen memories by project and category, oldest first, always with the same bytes."""
    projects = engine.store.projects.all()
    names, related = _headings(projects), _related(engine)
    ids = _in_order(engine, chosen, {project.key: project.name for project in projects})
    yield f"# Memories\n\n{len(ids):,} {'memory' if len(ids) == 1 else 'memories'}.\n".encode()
    for project, of_project in groupby(_read(engine, ids), key=lambda memory: memory.project):
        yield f"\n## {names[project]}\n".encode()
        for category, memories in groupby(of_project, key=lambda memory: memory.category):
            yield f"\n### {category}\n".encode()
            for memory in memories:
                yield _entry(memory, related.get(memory.id, ())).encode()
                count(memory)
                if progress:
                    progress(1)


def _in_order(engine: Engine, chosen: Filters, names: dict[str, str]) -> list[str]:
    """Return the ids of the chosen memories: global ones first, then by project; each by category and age."""
    found = (record.memory for record in engine.store.transfer.records(LineKind.MEMORY, chosen))
    places = [
        (
            names[each.project] if each.project else "",
            each.project or "",
            each.category,
            each.created_at,
            each.id,
        )
        for each in found
    ]
    # Memories of the same moment come in the order they were stored.
    return [each[-1] for each in sorted(places, key=lambda place: place[:-1])]


def _read(engine: Engine, ids: list[str]) -> Iterator[Memory]:
    for at in range(0, len(ids), CHUNK):
        yield from engine.store.memories.get(ids[at : at + CHUNK])


def _headings(projects: list[Project]) -> dict[str | None, str]:
    """Return a heading for each project; add the key to names that occur twice."""
    names = [project.name for project in projects]
    headings: dict[str | None, str] = {
        project.key: _inline(project.name)
        + (f" ({_inline(project.key)})" if names.count(project.name) > 1 else "")
        for project in projects
    }
    return {None: "Everywhere"} | headings


def _related(engine: Engine) -> dict[str, list[str]]:
    """Return the active memories that replace or contradict each memory, so that nobody reads both as true."""
    links = [
        link for link in engine.store.transfer.records(LineKind.LINK) if link.kind is not LinkKind.RELATES_TO
    ]
    ends = sorted({end for link in links for end in (link.source, link.target)})
    active = {memory.id for memory in _read(engine, ends) if memory.status is Status.ACTIVE}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for link in links:
        if link.kind is LinkKind.SUPERSEDES and link.source in active:
            found[link.target].append(f"superseded by {link.source[:SHORT_ID]}")
        elif link.kind is LinkKind.CONFLICTS_WITH and {link.source, link.target} <= active:
            found[link.source].append(f"contradicts {link.target[:SHORT_ID]}")
            found[link.target].append(f"contradicts {link.source[:SHORT_ID]}")
    return {memory: sorted(notes) for memory, notes in found.items()}


def _entry(memory: Memory, related: Iterable[str]) -> str:
    """Format one memory: its id, its text as a fenced block, and its facts."""
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCE.findall(memory.content))])
    text = _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", memory.content.replace("\r\n", "\n"))
    marks = "".join(f"- **{_inline(mark)}**\n" for mark in related)
    facts = marks + "".join(f"- {fact}\n" for fact in _facts(memory))
    return f"\n#### {memory.id[:SHORT_ID]}\n\n{fence}text\n{text}\n{fence}\n\n{facts}"


def _facts(memory: Memory) -> Iterator[str]:
    if memory.tier is Tier.EPISODIC:
        yield _event_line(memory)
    if memory.tier is Tier.PROCEDURAL:
        yield "a procedure: its steps in their order"
    if memory.status is not Status.ACTIVE:
        why = f" ({memory.reason})" if memory.reason else ""
        yield f"status: {memory.status}{why}"
    if memory.worked or memory.failed or memory.partial:
        partly = f", helped in part {memory.partial}" if memory.partial else ""
        yield f"worked {memory.worked}, failed {memory.failed}{partly}"
    if memory.tags:
        yield f"tags: {', '.join(map(_inline, memory.tags))}"
    if memory.scope:
        yield f"applies to: {', '.join(map(_inline, memory.scope))}"
    for citation in memory.citations:
        yield f"see {_inline(citation.where)}"
    yield f"written by {_inline(memory.writer)} on {_day(memory.created_at)}, source: {memory.source}"
    if memory.approved_by and memory.approved_at:
        yield f"approved by {_inline(memory.approved_by)} on {_day(memory.approved_at)}"
    if memory.expires_at:
        yield f"expires on {_day(memory.expires_at)}"


def _event_line(memory: Memory) -> str:
    facts = [text for key in ("kind", "outcome") if (text := text_of(memory.metadata, key))]
    place = f"event {memory.position} of session {_inline(memory.session or '')}"
    return f"{place}: {', '.join([*map(_inline, facts), f'{memory.created_at:%Y-%m-%d %H:%M} UTC'])}"


def _inline(text: str) -> str:
    """Return a text on one line, with Markdown syntax escaped."""
    shown = _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))
    return _ACTIVE.sub(r"\\\1", shown)


def _day(at: datetime) -> str:
    return at.date().isoformat()


SCHEMA_VERSION = 1  #: of a line; raised by incompatible changes
REWARDS = {RunResult.WORKED: 1.0, RunResult.FAILED: 0.0}


def training(engine: Engine, runs: Iterable[str]) -> Iterator[bytes]:
    """Yield a line for each of these ended runs."""
    for run_id in runs:
        yield written(_line(engine, outcome.run_of(engine.store, run_id)))


def _line(engine: Engine, run: Run) -> Line:
    assert run.ending is not None
    known = [_as_it_was(engine, hit.memory, run.at) for hit in run.hits]
    memories = [
        _memory(rank, hit, memory, used=hit.memory.id in run.ending.used)
        for rank, (hit, memory) in enumerate(zip(run.hits, known, strict=True))
    ]
    return {
        "context": _context([memory for memory in known if memory]),
        "finished_at": moment(run.ending.at),
        "id": run.id,
        "memories": memories,
        "project": run.project,
        "result": run.ending.result.value,
        "reward": REWARDS[run.ending.result],
        "schema_version": SCHEMA_VERSION,
        "started_at": moment(run.at),
        "task": run.task,
        "type": "run",
        "write_scope": list(run.write_scope),
    }


def _memory(rank: int, hit: Given, memory: Memory | None, *, used: bool) -> Line:
    return {
        "category": (memory or hit.memory).category.value,
        "content": memory.content if memory else None,
        "id": hit.memory.id,
        "rank": rank,
        "score": hit.score,
        "signals": dict(sorted(hit.signals.items())),
        "used": used,
    }


def _as_it_was(engine: Engine, memory: Memory, at: datetime) -> Memory | None:
    """Return a memory as the run received it; None if it was forgotten since."""
    if memory.reason is Reason.FORGOTTEN:
        return None
    then = [version.memory for version in chain.versions(engine.store, memory.id) if version.change.at <= at]
    return then[-1] if then else memory


def _context(memories: list[Memory]) -> str:
    """Return the context of a run as lines of text."""
    return "\n".join(["## Memories", *(f"- [{memory.category}] {memory.content}" for memory in memories)])
