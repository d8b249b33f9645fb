"""Check all citations, follow those that moved, and queue changed or missing ones for review.

The files are read without the lock; changes are made in short transactions, each of which looks again. All of them
together are one operation, and a run that is killed leaves whole steps behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Citation, Draft, Memory, Project, Writer
from memory_layer.model.query import Filters, Reach
from memory_layer.model.record import NamedTuple
from memory_layer.model.sources import Checked, Finding, SourceState, Standing, Verified, lines_of
from memory_layer.ports import Edit, Engine, Workspace
from memory_layer.rules import citations as policy
from memory_layer.rules import drafts
from memory_layer.rules.citations import Text, anchor_of, comparable
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.upkeep.citations import ProjectFiles, Sources, cited
from memory_layer.usecases.upkeep.consolidation import excerpt
from memory_layer.usecases.who.lookup import batches, whole_ids

Progress = Callable[[int], None]

#: Memories read at once; their missing lines are searched for in one pass.
TOGETHER = 2_000
#: Everything active that cites anything, given out or not.
CITING = Filters(citing=True, expired=True, superseded=True)
AT_ONCE = 100  #: how many are changed in one transaction


def verify(
    engine: Engine,
    writer: Writer,
    *,
    ids: Sequence[str] = (),
    project: Project | None = None,
    place: Workspace | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Verified:
    """Check the citations of the named memories, of a project, or of all; `place` is where the caller works."""
    edit = Edit(writer, engine.new_id("op"), "verify", engine.now())
    sources = Sources(engine, place, thorough=True)
    counts: Counter[SourceState] = Counter()
    findings: list[Finding] = []
    memories = moved = 0
    for some in _stretches(engine, ids, project):
        standings = sources.standings(some)
        memories += len(some)
        counts.update(check.state for each in standings.values() for check in each.checks)
        findings += [each for memory in some for each in _findings(engine, memory, standings[memory.id])]
        if not dry_run:
            moved += settled(sources, engine, some, standings, edit, progress)
        elif progress:
            progress(len(some))
    return Verified(
        operation=edit.operation if moved else None,
        dry_run=dry_run,
        memories=memories,
        counts={state: counts[state] for state in SourceState},
        findings=tuple(sorted(findings, key=lambda each: list(SourceState).index(each.check.state))),
    )


def citing(engine: Engine, ids: Sequence[str] = (), project: Project | None = None) -> int:
    """Count the memories a verification will check."""
    if ids:
        return sum(len(some) for some in _stretches(engine, ids, project))
    if project is None:
        return _count(engine, CITING)
    reached = _count(engine, CITING._replace(reach=Reach.PROJECT, project=project.id))
    return reached - _count(engine, CITING._replace(reach=Reach.GLOBAL))


def _count(engine: Engine, filters: Filters) -> int:
    return engine.store.memories.count(filters, engine.now())


def found(memory: Memory, standing: Standing) -> list[Finding]:
    """Return the findings about a memory's citations that are not in place."""
    there = (SourceState.FRESH, SourceState.UNVERIFIABLE)
    return [
        Finding(memory.id, excerpt(memory.content), check)
        for check in standing.checks
        if check.state not in there
    ]


def _findings(engine: Engine, memory: Memory, standing: Standing) -> list[Finding]:
    """Return the findings as their reader may see them."""
    if (seen := shown(engine, memory)).content == memory.content:
        return shown(engine, found(memory, standing))
    bare = Citation(path=seen.content)
    return [each._replace(check=Checked(bare, each.check.state)) for each in found(seen, standing)]


def settled(
    sources: Sources,
    engine: Engine,
    memories: Sequence[Memory],
    standings: dict[str, Standing],
    edit: Edit,
    progress: Progress | None = None,
) -> int:
    """Follow moved citations and record drifted ones; return how many memories changed."""
    moved = 0
    for start in range(0, len(memories), AT_ONCE):
        some = memories[start : start + AT_ONCE]
        following = {memory.id: _followed(sources, memory, standings[memory.id]) for memory in some}
        with engine.store.writing():
            fresh = engine.store.memories.get([memory.id for memory in some])
            same = [now for now, then in zip(fresh, some, strict=True) if now.citations == then.citations]
            for memory in same:
                if (citations := following[memory.id]) != memory.citations:
                    ledger.save(engine.store, memory._replace(citations=citations), edit)
                    moved += 1
            still = {memory.id: _drifted(standings[memory.id], following[memory.id]) for memory in same}
            engine.store.log.put_checks(still, edit.at)
        if progress:
            progress(len(some))
    return moved


def _followed(sources: Sources, memory: Memory, standing: Standing) -> tuple[Citation, ...]:
    """Return the citations at their new places, with the commit that holds them there."""
    home = sources.home(memory.project)
    head = home.tree.head() if home and any(check.now for check in standing.checks) else None

    def at(check: Checked) -> Citation:
        if check.now is None or home is None or head is None:
            return check.now or check.citation
        file = sources.committed(home.tree, head, check.now.path or "")
        held = file.seen.content is not None and policy.stands(check.now, file.content, file.lines)
        return check.now._replace(commit=head if held else None)

    return tuple(map(at, standing.checks))


def _drifted(standing: Standing, citations: Sequence[Citation]) -> Standing:
    """Return what remains to be recorded after moved citations were followed."""
    pairs = zip(standing.checks, citations, strict=True)
    return Standing(
        tuple(Checked(citation, SourceState.FRESH) if check.now else check for check, citation in pairs)
    )


def _stretches(engine: Engine, ids: Sequence[str], project: Project | None) -> Iterator[list[Memory]]:
    """Yield the active memories with citations in batches."""
    if ids:
        named = engine.store.memories.get(whole_ids(engine.store, ids))
        yield [memory for memory in named if memory.citations]
        return
    for some in batches(engine.store, CITING, engine.now(), TOGETHER):
        yield [memory for memory in some if project is None or memory.project == project.key]


class Recited(NamedTuple):
    """The citations of a memory, before and after."""

    before: tuple[Citation, ...]
    after: tuple[Citation, ...]


def recited(engine: Engine, memory: Memory, place: Workspace | None = None) -> Recited:
    """Cite changed sources as they are now, moved ones where they are, and drop missing ones."""
    sources = Sources(engine, place, thorough=True)
    standing = sources.standings([memory])[memory.id]
    home = sources.home(memory.project)
    now = [_now(engine, home, check) for check in standing.checks if check.state is not SourceState.MISSING]
    # What lies in the files today was never looked at for secrets.
    clean, _ = drafts.redacted_draft(Draft(content=memory.content, citations=tuple(now)))
    return Recited(memory.citations, clean.citations)


def _now(engine: Engine, home: ProjectFiles | None, check: Checked) -> Citation:
    citation = check.now or check.citation
    if check.state is not SourceState.CHANGED or home is None or citation.path is None:
        return citation
    content = home.tree.read(citation.path).content
    if content is None:
        return citation
    span = policy.span_of(citation)
    if span is not None and policy.is_text(content):
        now = lines_of(content)
        span = policy.span_today(Text(now), anchor_of(citation), span) if comparable(now) else span
    lines = f":{span[0]}-{span[1]}" if span else ""
    try:
        return cited(engine, f"{home.place.root / citation.path}{lines}", home.place)
    except InvalidInput:
        return citation
