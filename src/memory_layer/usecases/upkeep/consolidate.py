"""Keep a store tidy: archive what is over, merge duplicates, promote and suggest what recurs.

Everything is planned without the lock and done in short transactions, each of which looks again; all of them together
are one operation. A run that is killed leaves whole steps behind, and the next one does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.query import Filters
from memory_layer.model.upkeep import Consolidated, ConsolidationMark, ConsolidationStep, Deed
from memory_layer.model.vocabulary import WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.rules import lifecycle, review_queue, weekly
from memory_layer.rules import upkeep as policy
from memory_layer.rules.lifecycle import SAFE_DAYS
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.govern.visibility import WAITS, shown
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.remember.add import abandoned, finish_leftovers
from memory_layer.usecases.upkeep.citations import Sources
from memory_layer.usecases.upkeep.consolidation import AT_ONCE, Work
from memory_layer.usecases.upkeep.merge_similar import merge_alike
from memory_layer.usecases.upkeep.schedule import last_mark, note_done, note_mark
from memory_layer.usecases.upkeep.suggest import suggest
from memory_layer.usecases.upkeep.verify import CITING, TOGETHER, settled
from memory_layer.usecases.who.lookup import batches

#: Everything that is active, given out or not.
ACTIVE = Filters(expired=True, superseded=True)

Progress = Callable[[int], None]

NO_MODEL = "without an embedding model only equal texts were compared; `mem model install` adds it"


def consolidate(
    engine: Engine,
    writer: Writer,
    project: Project | None = None,
    *,
    dry_run: bool = False,
    if_due: bool = False,
    progress: Progress | None = None,
) -> Consolidated | None:
    """Tidy the store, or one project; None if asked only when due, and it is not.

    What is done counts as the program's doing, not as a person's judgement, whoever asked for it. `progress` is told
    of each finished part.
    """
    if if_due and project is not None:
        raise InvalidInput(
            "only the whole store can be due; leave out either the project or the question whether it is due"
        )
    if if_due and not _claimed(engine, dry_run):
        return None
    unattended = writer._replace(kind=WriterKind.AGENT)
    edit = Edit(unattended, engine.new_id("op"), "consolidate", engine.now())
    work = Work(engine, edit, project.key if project else None, dry_run)
    begun = engine.store.sequence()
    for part in PARTS:
        part(work)
        if progress:
            progress(1)
    changed = any(each.deed not in (Deed.FINISH, Deed.DRIFT) for each in work.steps)
    counts = {deed: sum(each.deed is deed for each in work.steps) for deed in Deed}
    if not dry_run and project is None:
        _note(work, begun, counts)
    return Consolidated(
        operation=edit.operation if changed and not dry_run else None,
        dry_run=dry_run,
        counts=counts,
        steps=_visible_steps(engine, _in_order(work.steps)),
        notice=NO_MODEL if engine.fingerprint() is None else None,
    )


def _claimed(engine: Engine, dry_run: bool) -> bool:
    """Is a run due? If so, claim it."""
    store = engine.store
    due = weekly.is_due(last_mark(store), engine.now())
    if not due or dry_run:
        return due
    with store.writing():
        mark, now = last_mark(store), engine.now()
        if not weekly.is_due(mark, now):  # somebody was faster
            return False
        note_mark(store, mark._replace(begun=now))
    return True


def _note(work: Work, begun: int, counts: Mapping[Deed, int]) -> None:
    """Record when this run ended, what it did and how far it got; its own changes need no second look."""
    store = work.engine.store
    with store.writing():
        others = store.search.changed_since(begun, sorted(work.touched))
        note_mark(store, ConsolidationMark(None, work.engine.now(), begun if others else store.sequence()))
        note_done(store, counts)


def _archive(work: Work) -> None:
    """Archive what has expired or was not touched for long."""
    since = work.edit.at - timedelta(days=SAFE_DAYS)
    store, now = work.engine.store, work.edit.at

    def archived(memory: Memory) -> ConsolidationStep | None:
        verdict = policy.outlived(memory, now)
        if verdict is None:
            return None
        reason, text = verdict
        if not work.dry_run:
            ledger.save(store, lifecycle.archived(memory, reason, now), work.edit._replace(action="archive"))
        work.hidden.add(memory.id)
        return work.step(Deed.ARCHIVE, memory, text)

    for memories in batches(store, ACTIVE._replace(outlived_since=since), now, AT_ONCE):
        work.each([each for each in memories if policy.outlived(each, now) and work.concerns(each)], archived)


def _verify(work: Work) -> None:
    """Follow cited lines that moved, and queue newly drifted sources for review."""
    sources = Sources(work.engine, thorough=True)
    for cited in batches(work.engine.store, CITING, work.edit.at, TOGETHER):
        memories = [each for each in cited if work.concerns(each) and each.id not in work.hidden]
        known, standings = (
            outcome.drifted(work.engine.store, [each.id for each in memories]),
            sources.standings(memories),
        )
        for memory in memories:
            standing = standings[memory.id]
            if any(check.now for check in standing.checks):
                work.steps.append(work.step(Deed.FOLLOW, memory, policy.followed(standing)))
            if standing.drifted and memory.id not in known:
                drifted = [check for check in standing.checks if check.state.drifted]
                work.steps.append(work.step(Deed.DRIFT, memory, review_queue.drift(drifted)))
        if not work.dry_run:
            settled(sources, work.engine, memories, standings, work.edit._replace(action="verify"))


def _promote(work: Work) -> None:
    """Raise the priority of memories that were confirmed often enough, once each."""
    store, at = work.engine.store, work.edit.at

    def raised(memory: Memory) -> ConsolidationStep | None:
        after = policy.promoted(work.as_it_will_be(memory), at)
        if after is None or chain.ever(store, "promote", [memory.id]):
            return None
        if not work.dry_run:
            ledger.save(store, after, work.edit._replace(action="promote"))
        return work.step(
            Deed.PROMOTE,
            memory,
            f"confirmed {after.reinforcement_count - 1} times; {memory.priority} priority raised to {after.priority}",
        )

    seen: set[str] = set()
    often = ACTIVE._replace(min_confirmations=policy.CONFIRMED + 1)
    for memories in batches(store, often, at, AT_ONCE):
        work.each(list(_raisable(work, memories, seen)), raised)
    gained = store.memories.get(sorted(work.gained)) if work.dry_run else []
    work.each(list(_raisable(work, gained, seen)), raised)


def _raisable(work: Work, memories: Sequence[Memory], seen: set[str]) -> Iterator[Memory]:
    before = chain.ever(work.engine.store, "promote", [memory.id for memory in memories])
    for memory in memories:
        wanted = policy.promoted(work.as_it_will_be(memory), work.edit.at) and work.concerns(memory)
        if wanted and memory.id not in before | seen | work.hidden:
            seen.add(memory.id)
            yield memory


def _finish(work: Work) -> None:
    """Finish what dead writers left, each as an operation of its own, because it completes somebody else's."""
    engine = work.engine
    left = abandoned(engine)
    for memory in left.values():
        work.steps.append(work.step(Deed.FINISH, memory, "its writer stopped before finishing"))
    if left and not work.dry_run:
        finish_leftovers(engine, work.edit.writer)


#: The steps in order; leftovers of dead writers come last, so that a dry run reports the same.
PARTS: tuple[Callable[[Work], None], ...] = (_archive, merge_alike, _verify, _promote, suggest, _finish)


def _visible_steps(engine: Engine, steps: tuple[ConsolidationStep, ...]) -> tuple[ConsolidationStep, ...]:
    """Return the steps as their reader may see them; only a person sees suggestions and unfinished texts."""
    if engine.is_read_by_person():
        return steps
    waits = (Deed.SUGGEST, Deed.FINISH)
    return shown(
        engine, tuple(each._replace(content=WAITS) if each.deed in waits else each for each in steps)
    )


def _in_order(steps: Sequence[ConsolidationStep]) -> tuple[ConsolidationStep, ...]:
    """Sort steps by deed, then by id; suggestions by text, since a dry run gives them no id."""
    places = {deed: place for place, deed in enumerate(Deed)}

    def order(step: ConsolidationStep) -> tuple[int, str, str]:
        named = step.content if step.deed is Deed.SUGGEST else step.memory
        return places[step.deed], named or "", step.other or ""

    return tuple(sorted(steps, key=order))
