"""The checks of a store's records, and their repairs.

One more check is one more function `look_…` and one more line in CHECKS; a check without a function here is the
store's own.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from memory_layer.errors import StoreDamaged, StoreUnavailable
from memory_layer.model.export import LineKind
from memory_layer.model.memory import Memory, Writer
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.record import NamedTuple
from memory_layer.model.upkeep import FIX, FIX_OR_BACKUP, LOST, Check, State, ok, one_line, problem, some
from memory_layer.model.vocabulary import Outcome, Reason, Status
from memory_layer.ports import Edit
from memory_layer.ports.files import Examined
from memory_layer.ports.store import IndexedTerms
from memory_layer.rules import drafts, lifecycle
from memory_layer.store.chain import memory_digest
from memory_layer.usecases.govern import chain, ledger
from memory_layer.usecases.remember.new_memory import live_twin, terms_of


class Case(NamedTuple):
    """A store under examination, and the writer of the repair."""

    store: Examined
    now: datetime
    fingerprint: str | None  #: of the installed model
    writer: Writer
    operation: str


Look = Callable[[Case], Check]
Mend = Callable[[Case], None]


class Examination(NamedTuple):
    """A check: of records if it has a `look`, otherwise the store's own."""

    name: str
    look: Look | None = None
    mend: Mend | None = None  #: what is done to records before the store mends its own
    mendable: bool = True


def looked(examination: Examination, case: Case) -> Check:
    """Run one check; report a damaged or unavailable store as its result."""
    try:
        return _look(examination, case)._replace(name=examination.name)
    except StoreDamaged:
        says = "could not be checked, because pages of the file are damaged"
        return Check(examination.name, State.PROBLEM, 1, says, FIX_OR_BACKUP)
    except StoreUnavailable as error:
        return Check(examination.name, State.NOT_CHECKED, 0, f"could not be checked: {one_line(str(error))}")


def _look(examination: Examination, case: Case) -> Check:
    if examination.look is None:
        return case.store.look(examination.name)
    with case.store.reading():
        return examination.look(case)


def mend(examination: Examination, case: Case) -> None:
    """Repair the records, then the store beneath them."""
    if examination.mend is not None:
        examination.mend(case)
    case.store.mend(examination.name)


def edit_of(case: Case) -> Edit:
    """Return the edit that signs a repair."""
    return Edit(case.writer, case.operation, "repair", case.now)


def look_records(case: Case) -> Check:
    senseless = [each.id for each in case.store.records() if each.memory is None]
    if not senseless:
        return ok("every record can be read")
    says = f"the records of {some(senseless)} cannot be read; commands that need them fail"
    return problem(len(senseless), says, LOST)


def look_hashes(case: Case) -> Check:
    wrong = [memory.id for memory, _ in _misaddressed(case)]
    if not wrong:
        return ok("every content hash is right, and no text is active twice")
    says = f"wrong content hash, so that the same text could be stored twice: {some(wrong)}"
    return problem(len(wrong), says, FIX)


def mend_hashes(case: Case) -> None:
    """Correct each content hash, in the history too; skip a text that is live elsewhere."""
    for memory, right in list(_misaddressed(case)):
        twin = live_twin(case.store, memory._replace(content_hash=right))
        if twin is None or memory.status is Status.ARCHIVED:
            _file_under(case, memory, right)


def _file_under(case: Case, memory: Memory, content_hash: str) -> None:
    """Correct a hash: silently if the history has the right one, else as a new version.

    A record that differs from its last entry gets no new entry: that would cover up the first fault.
    """
    right = memory._replace(content_hash=content_hash)
    last = [change.after for change in chain.changes(case.store, memory.id)][-1:]
    if last == [memory_digest(memory)]:
        ledger.save(case.store, right, edit_of(case))
    else:
        case.store.memories.update(memory.id, {"content_hash": bytes.fromhex(content_hash)})


def _misaddressed(case: Case) -> Iterator[tuple[Memory, str]]:
    for _, memory, project, _ in case.store.records():
        if memory is None or memory.reason in (Reason.FORGOTTEN, Reason.WRITING):
            continue
        right = drafts.address(memory, project)
        if memory.content_hash != right:
            yield memory, right


def look_leftovers(case: Case) -> Check:
    left = len(case.store.memories.unfinished(*lifecycle.lease_bounds(case.now)))
    if not left:
        return ok("no unfinished writes")
    says = f"{memories(left)} left unfinished by a writer that stopped; searches do not show them yet"
    return problem(left, says, f"{FIX}, or just run any other command")


def look_words(case: Case) -> Check:
    wrong = sum(1 for _ in _unworded(case))
    if not wrong:
        return ok("the search terms of every memory are up to date")
    says = f"the search terms of {memories(wrong)} are missing or outdated; keyword searches may miss them"
    return problem(wrong, says, FIX)


def mend_words(case: Case) -> None:
    for memory_id, terms in _unworded(case):
        case.store.memories.update(memory_id, {}, terms)


def _unworded(case: Case) -> Iterator[tuple[str, IndexedTerms]]:
    for memory_id, memory, _, terms in case.store.records():
        if memory is None:
            continue
        right = IndexedTerms("", "") if memory.reason is Reason.FORGOTTEN else terms_of(memory)
        if terms is None or not (_same_words(terms, right) or _same_words(terms, _as_before(memory))):
            yield memory_id, right


def _as_before(memory: Memory) -> IndexedTerms:
    """Return the terms of a memory as earlier versions stored them, which is no flaw."""
    forgotten = memory.reason is Reason.FORGOTTEN
    return IndexedTerms("", "") if forgotten else terms_of(memory, as_before=True)


def _same_words(one: IndexedTerms, other: IndexedTerms) -> bool:
    """Compare terms; labels come in any order, because the order of metadata is not kept."""
    return one.body == other.body and sorted(one.labels.split()) == sorted(other.labels.split())


def look_vectors(case: Case) -> Check:
    fit = case.store.look("vectors")
    if fit.is_wrong or case.fingerprint is None:
        return fit
    missing = case.store.vectors.count_lacking(case.fingerprint)
    if missing:
        says = f"{memories(missing)} without a vector, found by keywords only"
        return problem(missing, says, f"{FIX} or `mem embed`")
    foreign = sum(
        each.vectors for each in case.store.vectors.generations() if each.fingerprint != case.fingerprint
    )
    if foreign:
        says = f"{foreign} vectors were made by another model; they take up space and are never used"
        return problem(foreign, says, f"{FIX} or `mem embed --prune`")
    return ok("every memory has vectors of the installed model, of the right size and length")


def look_counters(case: Case) -> Check:
    wrong = [tally for tally, _ in _miscounted(case)]
    provable = [tally.memory.id for tally in wrong if tally.log_knows_all]
    if provable:
        says = f"counters that differ from the outcome log, so that scores mislead: {some(provable)}"
        return problem(len(wrong), says, FIX)
    if wrong:
        names = some([tally.memory.id for tally in wrong])
        says = f"the outcome log holds fewer reports than the counters of {names}; there is no telling which is right"
        return problem(len(wrong), says, None)
    return ok("every score and counter matches the outcome log")


def mend_counters(case: Case) -> None:
    """Recount where the log has all reports behind the counters; elsewhere it may have lost some."""
    for tally, recounted in list(_miscounted(case)):
        if tally.log_knows_all:
            ledger.count(case.store, recounted, edit_of(case))


class Tally(NamedTuple):
    """A memory's counters beside its outcome log."""

    memory: Memory
    reports: Sequence[OutcomeEvent]  #: in the log, counted or not, oldest first
    by_log: (
        bool  #: whether its score was made by reports here alone: none was taken back, and none brought along
    )

    @property
    def log_knows_all(self) -> bool:
        return self.memory.worked + self.memory.partial + self.memory.failed <= len(self.reports)


def _miscounted(case: Case) -> Iterator[tuple[Tally, Memory]]:
    """Yield every memory with wrong counters, and its corrected version."""
    reports: defaultdict[str, list[OutcomeEvent]] = defaultdict(list)
    for event in case.store.transfer.records(LineKind.OUTCOME):
        reports[event.memory].append(event)
    counting = [
        memory
        for _, memory, _, _ in case.store.records()
        if memory
        and (memory.worked or memory.partial or memory.failed or memory.outcome_score or memory.id in reports)
    ]
    moved = _moved_otherwise(case, [memory.id for memory in counting])
    for memory in counting:
        by_log = moved is not None and memory.id not in moved
        tally = Tally(memory, reports.get(memory.id, ()), by_log)
        recounted = _recounted(tally)
        if recounted != memory:
            yield tally, recounted


def _moved_otherwise(case: Case, ids: Sequence[str]) -> set[str] | None:
    """Return memories whose counters an undo or import changed; None if the history is unreadable."""
    latest = chain.latest_changes(case.store)
    try:
        undone = [change.number for change in latest if change.undoes and not change.memory]
        notes = [note.told for note in chain.notes_at(case.store, undone)]
        taken_back = {
            fields["memory"] for fields in notes if "memory" in fields and "use_count" in fields["before"]
        }
    except (AttributeError, OverflowError, TypeError, ValueError):  # entries that no program wrote
        return None
    return taken_back | chain.ever(case.store, "import", ids)


def _recounted(tally: Tally) -> Memory:
    """Return the memory with the counters it should have; a report that was taken back does not count."""
    memory, reports = tally.memory, tally.reports
    counted = Counter(report.result for report in reports if report.counted)
    right = memory._replace(
        worked=counted[Outcome.WORKED],
        partial=counted[Outcome.PARTIAL],
        failed=counted[Outcome.FAILED],
        use_count=max(memory.use_count, counted.total()),
    )
    if tally.by_log and memory.use_count <= len(reports):  # every use is in the log, so the score follows
        score = lifecycle.fold(
            (report.result if report.counted else None, report.at, report.weight) for report in reports
        )
        if abs(score - memory.outcome_score) > 1e-6:
            right = right._replace(outcome_score=score)
    return right


def look_audit(case: Case) -> Check:
    flaws = list(chain.chain_flaws(case.store))
    if not flaws:
        count, _ = case.store.chain.head()
        return ok(f"all {count} entries of the history are intact, and every memory matches them")
    first = min(flaws, key=lambda flaw: flaw.entry or math.inf)
    more = f", and {len(flaws) - 1} more (see `mem audit verify`)" if len(flaws) > 1 else ""
    where = f", first at entry {first.entry}" if first.entry else ""
    says = (
        f"the history is broken{where}: {first.says}{more}. Something was changed,"
        " removed or lost outside this program. The memories can still be used, but their past is no longer proven."
        " This cannot be repaired: keep the output of `mem audit verify`, and compare with a backup"
    )
    return problem(len(flaws), says, None)


def memories(count: int) -> str:
    return f"{count:,} {'memory' if count == 1 else 'memories'}"


#: In the order in which they are looked at and mended.
CHECKS = (
    Examination("pages"),
    Examination("schema"),
    Examination("references"),
    Examination("records", look_records, mendable=False),
    Examination("hashes", look_hashes, mend_hashes),
    Examination("counters", look_counters, mend_counters),
    Examination("words", look_words, mend_words),
    Examination("full_text"),
    Examination("counts"),
    Examination("vectors", look_vectors),
    Examination("index"),
    Examination("leftovers", look_leftovers, mendable=False),
    Examination("audit", look_audit, mendable=False),
)
