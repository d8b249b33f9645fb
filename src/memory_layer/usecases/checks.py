"""What the doctor looks at inside a store, and how each thing is mended.

One more check is one more function `look_…` and one more line in CHECKS.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from memory_layer.model.memory import Memory
from memory_layer.model.safety import Check, State, Tally
from memory_layer.model.vocabulary import Outcome, Reason, Status
from memory_layer.policy import filing, lifecycle
from memory_layer.ports.memories import Terms
from memory_layer.usecases.examination import (
    BACKUPS,
    FIX,
    FIX_OR_BACKUP,
    Case,
    Examination,
    edit_of,
    ok,
    one_line,
    problem,
    some,
)
from memory_layer.usecases.terms import terms_of
from memory_layer.usecases.texts import live_twin

#: The tables whose rows a repair takes away or loosens when what they refer to is gone.
MENDABLE = {
    "memory_terms",
    "vector",
    "link",
    "recall_item",
    "outcome",
    "query",
    "run",
    "run_used",
    "source_check",
}


def look_pages(case: Case) -> Check:
    wrong = case.store.page_complaints()
    if not wrong:
        return ok("every page and every index of the file is sound")
    places = [line for complaint in wrong for line in complaint.splitlines() if not line.startswith("***")]
    count = f"{len(places)} places" if len(places) > 1 else "one place"
    first = f", first {one_line(places[0])}" if places else ""
    says = f"the file itself is damaged in {count}{first}; memories may be unreadable"
    return problem(max(1, len(places)), says, FIX_OR_BACKUP)


def look_schema(case: Case) -> Check:
    version, newest = case.store.format()
    strange = case.store.strange_parts()
    if strange:
        names = some([f"{part.kind} {part.name}" for part in strange])
        return problem(len(strange), f"missing or not as this program makes them: {names}", FIX)
    if version < newest:
        return Check("", State.NOTICE, 1, f"format {version}; the next command brings it to {newest}")
    return ok(f"format {version}, with every table, index and trigger")


def look_references(case: Case) -> Check:
    dangling = case.store.dangling()
    if not dangling:
        return ok("whatever a row refers to is there")
    where = ", ".join(f"{count} in {table}" for table, count in sorted(dangling.items()))
    says = f"rows refer to something that is not there: {where}"
    return problem(sum(dangling.values()), says, FIX if dangling.keys() <= MENDABLE else _LOST)


def look_records(case: Case) -> Check:
    senseless = [memory_id for _, memory_id, memory, _, _ in case.store.records() if memory is None]
    if not senseless:
        return ok("every record can be read")
    says = f"the records of {some(senseless)} make no sense; commands that meet them fail"
    return problem(len(senseless), says, _LOST)


def look_hashes(case: Case) -> Check:
    wrong = [memory.id for memory, _ in _misaddressed(case)]
    if not wrong:
        return ok("every text is filed under its own hash, and no text is live twice")
    says = f"filed under a hash that is not their text's, so that it can be stored twice: {some(wrong)}"
    return problem(len(wrong), says, FIX)


def mend_hashes(case: Case) -> None:
    """File each text under its hash, in the history too; one that is live already elsewhere stays as it is."""
    edit = edit_of(case)
    for memory, right in list(_misaddressed(case)):
        twin = live_twin(case.store, memory._replace(content_hash=right))
        if twin is None or memory.status is Status.ARCHIVED:
            case.store.file_under(memory, right, edit)


def _misaddressed(case: Case) -> Iterator[tuple[Memory, str]]:
    for _, _, memory, project, _ in case.store.records():
        if memory is None or memory.reason in (Reason.FORGOTTEN, Reason.WRITING):
            continue
        right = filing.address(memory, project)
        if memory.content_hash != right:
            yield memory, right


def look_leftovers(case: Case) -> Check:
    left = len(case.store.memories.unfinished(case.now))
    if not left:
        return ok("no writer died half-way")
    says = f"{left} {_memories(left)} whose writer died before it was done; a search does not show them yet"
    return problem(left, says, f"{FIX}, or simply the next command")


def look_words(case: Case) -> Check:
    wrong = sum(1 for _ in _unworded(case))
    if not wrong:
        return ok("the words of every memory are as this program would write them")
    says = f"the words of {wrong} {_memories(wrong)} are missing or old; a search by keyword may miss them"
    return problem(wrong, says, FIX)


def mend_words(case: Case) -> None:
    for row, terms in _unworded(case):
        case.store.write_terms(row, terms)
    case.store.rebuild_text_index()


def _unworded(case: Case) -> Iterator[tuple[int, Terms]]:
    for row, _, memory, _, terms in case.store.records():
        if memory is None:
            continue
        right = Terms("", "") if memory.reason is Reason.FORGOTTEN else terms_of(memory)
        if terms is None or not _same_words(terms, right):
            yield row, right


def _same_words(one: Terms, other: Terms) -> bool:
    """Labels come in any order: that of metadata is not kept."""
    return one.body == other.body and sorted(one.labels.split()) == sorted(other.labels.split())


def look_full_text(case: Case) -> Check:
    complaint = case.store.text_index_complaint()
    if complaint is None:
        return ok("the full-text index is sound and fits the words")
    says = (
        "the full-text index is damaged or does not fit the words, so searches by keyword may miss memories"
    )
    return problem(1, says, FIX)


def look_vectors(case: Case) -> Check:
    unfit = len(case.store.unfit_vectors(case.vector_sizes))
    if unfit:
        says = f"{unfit} vectors have the wrong size or length; searches by meaning miss their memories"
        return problem(unfit, says, FIX)
    if case.fingerprint is None:
        return ok("every vector has its size and unit length")
    missing = case.store.vectors.count_without_vectors(case.fingerprint)
    if missing:
        says = f"{missing} {_memories(missing)} have no vector and are found by their words only"
        return problem(missing, says, f"{FIX} or `mem embed`")
    foreign = sum(
        each.vectors for each in case.store.vectors.generations() if each.fingerprint != case.fingerprint
    )
    if foreign:
        says = f"{foreign} vectors were made by another model; they take room and are never compared"
        return problem(foreign, says, f"{FIX} or `mem embed --prune`")
    return ok("every memory has vectors of the installed model, of the right size and length")


def mend_vectors(case: Case) -> None:
    """Drop what cannot be compared; the memories are embedded anew afterwards."""
    for table, row, passage in case.store.unfit_vectors(case.vector_sizes):
        case.store.drop_vector(table, row, passage)


def look_index(case: Case) -> Check:
    flaw = case.store.index_flaw()
    if flaw is None:
        return ok("the index for searches fits the store, or the next search makes it")
    says = (
        f"the index for searches is not sound, so that searches miss memories or take long: {one_line(flaw)}"
    )
    return problem(1, says, FIX)


def look_counters(case: Case) -> Check:
    wrong = [tally for tally in case.store.tallies() if _recount(case, tally)]
    provable = [tally.id for tally in wrong if _log_knows_all(tally)]
    if provable:
        says = f"counters that are not what the outcome log says, so that scores mislead: {some(provable)}"
        return problem(len(wrong), says, FIX)
    if wrong:
        names = some([tally.id for tally in wrong])
        says = (
            f"the outcome log holds fewer reports than the counters of {names}; which is right cannot be told"
        )
        return problem(len(wrong), says, None)
    return ok("every score and counter is what the outcome log says")


def mend_counters(case: Case) -> None:
    """Count again where the log knows of everything the counters know; elsewhere it may have lost some."""
    for tally in list(case.store.tallies()):
        recount = _recount(case, tally)
        if recount and _log_knows_all(tally):
            case.store.set_counters(tally.id, recount, edit_of(case))


def _log_knows_all(tally: Tally) -> bool:
    return tally.worked + tally.partial + tally.failed <= tally.reports


def _recount(case: Case, tally: Tally) -> dict[str, object]:
    """What the counters should be where they are not; a report that was taken back does not count."""
    counted = int(tally.counted_worked + tally.counted_partial + tally.counted_failed)
    logged = {
        "worked": int(tally.counted_worked),
        "partial": int(tally.counted_partial),
        "failed": int(tally.counted_failed),
        "use_count": max(tally.use_count, counted),
    }
    wrong: dict[str, object] = {name: n for name, n in logged.items() if n != getattr(tally, name)}
    if tally.by_log and tally.use_count <= tally.reports:  # every use is in the log, so the score follows
        score = _score(case, tally)
        if abs(score - tally.outcome_score) > 1e-6:
            wrong["outcome_score"] = score
    return wrong


def _score(case: Case, tally: Tally) -> float:
    return lifecycle.fold(
        (Outcome(result) if counted else None, at)
        for result, counted, at in case.store.outcome_times(tally.row)
    )


def look_audit(case: Case) -> Check:
    flaws = list(case.store.chain.flaws())
    if not flaws:
        count, _ = case.store.chain.audit_head()
        return ok(f"all {count} entries of the history hold, and every memory is as they say")
    first = min(flaws, key=lambda flaw: flaw.entry or math.inf)
    where = f", first at entry {first.entry}" if first.entry else ""
    says = (
        f"the history does not hold{where}: {first.says}{_and_more(len(flaws) - 1)}. Something was changed,"
        " cut or lost outside this program. The memories can still be used, but what they were is not proven any more."
        " Nothing can repair that, so it stays: keep the answer of `mem audit verify`, and compare with a backup"
    )
    return problem(len(flaws), says, None)


def _and_more(count: int) -> str:
    return f", and {count} more that `mem audit verify` tells" if count else ""


#: What is wrong in a way that no repair knows the truth about.
_LOST = f"no repair can know what was there; {BACKUPS}"


def _memories(count: int) -> str:
    return "memory" if count == 1 else "memories"


#: In the order in which they are looked at and mended.
CHECKS = (
    Examination("pages", look_pages, lambda case: case.store.reindex()),
    Examination("schema", look_schema, lambda case: case.store.rebuild_parts()),
    Examination("references", look_references, lambda case: case.store.drop_dangling()),
    Examination("records", look_records),
    Examination("hashes", look_hashes, mend_hashes),
    Examination("counters", look_counters, mend_counters),
    Examination("words", look_words, mend_words),
    Examination("full_text", look_full_text, lambda case: case.store.rebuild_text_index(), False),
    Examination("vectors", look_vectors, mend_vectors),
    Examination("index", look_index, lambda case: case.store.drop_index()),
    Examination("leftovers", look_leftovers),
    Examination("audit", look_audit),
)
