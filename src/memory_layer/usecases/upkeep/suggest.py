"""Suggest memories about what recurs: a text of several projects for all, and repeated failures as a pitfall.

A suggestion waits for a person. It records what it is about, so that it is made only once, whatever becomes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from hashlib import sha256
from itertools import groupby

from memory_layer.model.episodes import Episode
from memory_layer.model.memory import Draft, Link, Memory, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.runs import RunResult
from memory_layer.model.upkeep import Deed, Failure
from memory_layer.model.vocabulary import Category, LinkKind, Outcome, Source, Status
from memory_layer.ports import Store
from memory_layer.ports.log import EventFilter, OutcomeFilter, RecallFilter, RunFilter
from memory_layer.rules import drafts, review
from memory_layer.rules import upkeep as policy
from memory_layer.rules.upkeep import Recurring
from memory_layer.text.compare import duplicates
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.remember.new_memory import new_from, new_memory
from memory_layer.usecases.upkeep.consolidation import AT_ONCE, Sibling, Work, excerpt
from memory_layer.usecases.who.lookup import batches, events

#: The key in the metadata of a suggestion that names what it is about.
RECURRENCE = "recurrence"
_SHOWN = 300  #: characters of what failed
_LINKED = 10  #: memories behind a suggestion that it is linked with
_READ = 1000  #: events read at once
#: The values by which an event says that it failed; the second is older.
FAILED = ("failed", "failure")


def suggest(work: Work) -> None:
    """Make new suggestions, the most frequent first, up to what a person can follow."""
    made = _recurrences(work)
    slots = policy.MOST_WAITING - sum(made.values())
    known = set(made)
    if work.project is None:
        for sibling in sorted(work.groups, key=lambda each: (-each.projects, each.memories)):
            slots -= slots > 0 and _for_all_projects(work, sibling, known)
    since = work.edit.at - timedelta(days=policy.FAILING_DAYS)
    with work.engine.store.reading():
        failing = policy.recurring(failures(work.engine.store), policy.FAILED, since)
    for each in sorted(failing, key=lambda each: -each.times):
        slots -= slots > 0 and _pitfall(work, each, known)


def _recurrences(work: Work) -> dict[str, bool]:
    """Return what was ever suggested, and whether it still waits; reads the whole store.

    Memories that only look like suggestions take no room from those of the program.
    """
    store, every = (
        work.engine.store,
        Filters(statuses=(), sources=(Source.LEARNING,), expired=True, superseded=True),
    )
    found: dict[str, bool] = {}
    for memories in batches(store, every, work.edit.at, AT_ONCE):
        about = {each.id: key for each in memories if isinstance(key := each.metadata.get(RECURRENCE), str)}
        suggested = chain.ever(store, "suggest", list(about))
        for each in memories:
            if each.id in about:
                found[about[each.id]] = each.status is Status.STAGED and each.id in suggested
    return found


def _for_all_projects(work: Work, sibling: Sibling, known: set[str]) -> bool:
    """Suggest a text of several projects as a global memory; return whether it is new."""
    memories = [
        memory for memory in work.engine.store.memories.get(sibling.memories) if memory.id not in work.hidden
    ]
    projects = {memory.project for memory in memories}
    if len(projects) < policy.PROJECTS:
        return False
    oldest = min(memories, key=lambda memory: (memory.created_at, memory.id))
    content_hash = duplicates.content_hash(None, oldest.content)
    key = _key("text", content_hash)
    if (
        key in known
        or not policy.holds_elsewhere(oldest.category)
        or work.engine.store.memories.by_hash([content_hash])
    ):
        return False
    draft = Draft(content=oldest.content, category=oldest.category, tags=oldest.tags)
    why = f"found in {len(projects)} projects"
    return _stage(work, draft, None, why, {RECURRENCE: key}, [memory.id for memory in memories])


def _pitfall(work: Work, found: Recurring, known: set[str]) -> bool:
    """Suggest a repeated failure in a project as a pitfall; return whether it is new."""
    project = work.engine.store.projects.get(found.project) if found.project else None
    if work.project is not None and (project is None or project.key != work.project):
        return False
    keys = [_key("failure", project.id if project else "", words) for words in found.keys]
    if known.intersection(keys):
        return False
    draft = Draft(content=f"This keeps failing: {excerpt(found.text, _SHOWN)}", category=Category.PITFALL)
    first, last = (f"{day:%Y-%m-%d}" for day in (found.first, found.last))
    when = f"on {first}" if first == last else f"from {first} to {last}"
    evidence = {RECURRENCE: keys[0], "times": found.times, "evidence": list(found.ids)}
    return _stage(work, draft, project, f"failed {found.times} times {when}", evidence, found.memories)


def _key(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _stage(
    work: Work,
    draft: Draft,
    project: Project | None,
    why: str,
    metadata: dict[str, object],
    evidence: Sequence[str],
) -> bool:
    """Stage a suggestion, linked to its evidence; return whether it is new."""
    engine = work.engine
    clean, _ = drafts.redacted_draft(draft)
    memory = new_memory(engine, clean, work.edit.writer, project, source=Source.LEARNING)
    memory = memory._replace(metadata=metadata)
    memory = review.held(memory, (f"suggested: {why}", *review.doubts(memory)))
    if memory.content_hash in work.said or engine.store.memories.by_hash([memory.content_hash]):
        return False
    work.said.add(memory.content_hash)
    if not work.dry_run and not _store(work, memory, evidence[:_LINKED]):
        return False
    work.steps.append(work.step(Deed.SUGGEST, memory, why, made=not work.dry_run))
    return True


def _store(work: Work, memory: Memory, evidence: Sequence[str]) -> bool:
    """Write a suggestion and its links; False if another process was faster."""
    engine, edit = work.engine, work.edit._replace(action="suggest")
    new = new_from(engine, memory)
    with engine.store.writing():
        if engine.store.memories.by_hash([memory.content_hash]):
            return False
        ledger.create(engine.store, [new], edit)
        for target in evidence:
            link = Link(memory.id, target, LinkKind.RELATES_TO, edit.at)
            ledger.link(engine.store, link, edit._replace(action="link"))
    work.touched.update(evidence)
    return True


def failures(store: Store) -> Iterator[Failure]:
    """Yield reports with evidence (once for several memories), failed runs, and failed events."""
    yield from _of_outcomes(store)
    for run in reversed(store.log.runs(RunFilter(ended=True))):
        if run.ending is not None and run.ending.result is RunResult.FAILED:
            yield Failure(run.id, run.task, run.project, run.ending.at, run.ending.used)
    for memory in (event.memory for event in _failed_events(store)):
        if memory.status is Status.ACTIVE:
            yield Failure(memory.id, memory.content, memory.project, memory.created_at, (memory.id,))


def _of_outcomes(store: Store) -> Iterator[Failure]:
    reports = [
        event
        for event in store.log.outcomes(OutcomeFilter(result=Outcome.FAILED, counted=True))
        if event.evidence is not None
    ]
    recalls = list({event.recall for event in reports if event.recall})
    asked_in = {recall.id: recall.project for recall in store.log.recalls(RecallFilter(ids=recalls))}
    memories = store.memories.get(list({event.memory for event in reports}))
    projects = {memory.id: memory.project for memory in memories}
    for call, same in groupby(reports, key=lambda event: event.id.rpartition(":")[0] or event.id):
        first, *more = same
        project = (asked_in.get(first.recall) if first.recall else None) or projects[first.memory]
        about = (first.memory, *(event.memory for event in more))
        yield Failure(call, first.evidence or "", project, first.at, about)


def _failed_events(store: Store) -> list[Episode]:
    """Return the events that failed, oldest first."""
    span = EventFilter(Filters(reach=Reach.ALL), outcomes=FAILED)
    return list(events(store, span, _READ))[::-1]
