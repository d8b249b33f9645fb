"""Bring an export in: the whole of it into an empty store, or what is missing into one that holds something."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.export import (
    VECTORS,
    Carried,
    CarriedMemory,
    CarriedQueryVector,
    CarriedVector,
    Head,
    Kind,
)
from memory_layer.model.imports import ImportReport, Skipped
from memory_layer.model.memory import Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Reason
from memory_layer.ports import Edit, Engine
from memory_layer.rules import identity
from memory_layer.rules.permissions import Action, check_allowed, check_confirmed, sentence
from memory_layer.rules.transfer import read, trust
from memory_layer.rules.transfer.check import Digests, Inspector
from memory_layer.rules.transfer.lines import FORMAT, HEAD
from memory_layer.store import chain
from memory_layer.usecases.transfer.export_file import NumberedLines, opened
from memory_layer.usecases.transfer.import_merge import Newcomers, note
from memory_layer.usecases.transfer.import_whole import restore_batch
from memory_layer.usecases.upkeep.embed import ready_to_search
from memory_layer.usecases.who.ids import is_blank

DIGESTS = Digests(chain.memory_digest, chain.hash_of_change, chain.digest_of_event, chain.hash_of_episode)
#: How many records are handled between two statements of the store.
BATCH = 1000

Progress = Callable[[int], None]


class Survey(NamedTuple):
    """What is known about a file after all of it was read and nothing was written."""

    head: Head
    sha256: str  #: of all lines but the last
    redacted: tuple[str, ...]
    needs_a_person: bool
    vouched: bool  #: whether it brings approvals, or rules that count
    forgotten: int  #: how many of its memories are empty places
    without_history: bool


def recognises(path: Path) -> bool:
    """Whether a file says of itself that it is an export of this program."""
    try:
        with opened(path) as lines:
            first = json.loads(next(iter(lines), b""))
    except (InvalidInput, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("format") == FORMAT and first.get("type") == HEAD


def carry_in(
    engine: Engine,
    path: Path,
    writer: Writer,
    *,
    dry_run: bool = False,
    allow_secret: bool = False,
    without_history: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Read and verify the whole file, then write all of it in one transaction, or nothing.

    Into an empty store it comes exactly as it was, history included, if there is no secret in it and nothing
    that only a person may bring. Otherwise its memories are added under one operation of this store's own chain.
    """
    if allow_secret:
        check_allowed(writer, Action.STORE_SECRET)
    if without_history:
        check_allowed(writer, Action.BRING_UNCHECKED)
    if allow_secret and not dry_run:
        check_confirmed(writer, Action.STORE_SECRET)
    with opened(path) as lines:
        survey = _surveyed(engine, path, lines, writer, allow_secret, without_history, progress)
        with engine.store.reading() if dry_run else engine.store.writing():
            if _is_exact(engine, survey):
                if survey.vouched and not dry_run:
                    check_confirmed(writer, Action.BRING_APPROVALS)
                report = _restored(engine, path, lines, survey, writer, dry_run, progress)
            else:
                report = _added(engine, path, lines, survey, writer, dry_run, progress)
    if not dry_run and not _embeds_next(engine):
        ready_to_search(engine, report.added)
    return report._replace(redacted=survey.redacted, dry_run=dry_run)


def _embeds_next(engine: Engine) -> bool:
    """Return whether vectors are still to come, with which the store is made ready then."""
    fingerprint = engine.fingerprint()
    return fingerprint is not None and bool(engine.store.vectors.lacking(fingerprint, 1))


def _is_exact(engine: Engine, survey: Survey) -> bool:
    whole = not (survey.head.partial or survey.without_history)
    free = whole and not (survey.redacted or survey.needs_a_person)
    return free and is_blank(engine.store)


def _surveyed(
    engine: Engine,
    path: Path,
    lines: NumberedLines,
    writer: Writer,
    allow_secret: bool,
    without_history: bool,
    progress: Progress | None,
) -> Survey:
    """Verify every line; the first that does not fit is named, and nothing was changed."""
    kinds: dict[str, None] = {}
    needs_a_person, vouched, forgotten = False, False, 0
    try:
        raw = iter(lines)
        head = read.head_from(read.parsed(next(raw, b"{}")))
        may_be_exact = not head.partial and is_blank(engine.store)
        inspector = Inspector(head, DIGESTS, without_history=without_history)
        sealed = False
        for content in raw:
            if sealed:
                raise InvalidInput("it stands behind the last line")
            line = read.parsed(content)
            kind = read.kind_of(line)
            if kind is None:
                _check_seal(lines, line)
                inspector.finish()
                sealed = True
                continue
            record = read.record_from(kind, line)
            inspector.take(kind, record)
            forgotten += isinstance(record, CarriedMemory) and record.memory.reason is Reason.FORGOTTEN
            _check_numbers(record)
            vouched = vouched or (
                isinstance(record, CarriedMemory) and identity.strengthens(None, record.memory) is not None
            )
            if not allow_secret:
                kinds.update(dict.fromkeys(trust.cleaned(record).kinds))
            if may_be_exact and not needs_a_person:
                needs_a_person = trust.needs_a_person(record, writer)
            _advance(progress, lines)
        if not sealed:
            raise InvalidInput("the last line is missing, so the file is cut off here")
        _check_widths(engine, inspector)
        _advance(progress, lines, at_the_end=True)
    except InvalidInput as failure:
        raise InvalidInput(f"{path}, line {max(1, lines.number)}: {failure}; nothing was changed") from None
    return Survey(
        head, lines.hash_before(), tuple(kinds), needs_a_person, vouched, forgotten, without_history
    )


def _check_seal(lines: NumberedLines, line: dict[str, object]) -> None:
    count, sha256 = read.end_from(line)
    if count != lines.number - 1:
        raise InvalidInput(f"it counts {count:,} lines before it, and there are {lines.number - 1:,}")
    if sha256 != lines.hash_before():
        raise InvalidInput("the lines before it are not as they were written")


def _check_numbers(record: Carried) -> None:
    """Refuse vectors that are not of unit length: they would outshine or spoil every comparison."""
    if not isinstance(record, CarriedVector | CarriedQueryVector):
        return
    import numpy as np

    stored = record.passages if isinstance(record, CarriedVector) else (record.numbers,)
    numbers = np.frombuffer(b"".join(stored), dtype="<f2").reshape(len(stored), -1).astype(np.float32)
    lengths = np.sqrt((numbers * numbers).sum(axis=1))
    if not bool((abs(lengths - 1.0) < 0.02).all()):
        raise InvalidInput("its vector is not of unit length")


def _check_widths(engine: Engine, inspector: Inspector) -> None:
    here = _widths(engine) if inspector.widths else {}
    for fingerprint, width in inspector.widths.items():
        if here.get(fingerprint, width) != width:
            raise InvalidInput(f"its vectors of {fingerprint[:60]!r} are not as long as those of this store")


def _widths(engine: Engine) -> dict[str, int]:
    """Return how many bytes a vector takes here, by its fingerprint."""
    asked = (
        record
        for record in engine.store.transfer.carried(Kind.QUERY_VECTOR)
        if isinstance(record, CarriedQueryVector)
    )
    found = {each.fingerprint: len(each.numbers) for each in asked}
    return found | {
        each.fingerprint: each.size // each.vectors for each in engine.store.vectors.generations()
    }


def _restored(
    engine: Engine,
    path: Path,
    lines: NumberedLines,
    survey: Survey,
    writer: Writer,
    dry_run: bool,
    progress: Progress | None,
) -> ImportReport:
    """Everything exactly as it was, the audit chain included, so there is no operation of this store."""
    left = () if trust.brings_vectors(writer) else VECTORS
    if not dry_run:
        for kind, batch in _batches(path, lines, survey, progress):
            if kind not in left:
                restore_batch(engine, kind, batch)
    elif progress:
        progress(sum(survey.head.counts.values()))
    count = survey.head.counts[Kind.MEMORY.value] - survey.forgotten
    vectors = survey.head.counts[Kind.VECTOR.value]
    said = (note("vectors", vectors),) if left and vectors else ()
    return ImportReport(source=FORMAT, read=count, added=count, exists=0, notes=said)


def _added(
    engine: Engine,
    path: Path,
    lines: NumberedLines,
    survey: Survey,
    writer: Writer,
    dry_run: bool,
    progress: Progress | None,
) -> ImportReport:
    edit = Edit(writer, engine.new_id("op"), "import", engine.now())
    newcomers = Newcomers(engine, edit, dry_run=dry_run)
    why_not_exact = _why_not_exact(survey) if is_blank(engine.store) else None
    for kind, batch in _batches(path, lines, survey, progress):
        # Others wait for the lock, so a file without any secret is not searched a second time.
        newcomers.take(kind, list(_clean(batch, newcomers)) if survey.redacted else batch)
    report = newcomers.report(FORMAT)
    more = (Skipped("file", why_not_exact),) if why_not_exact else ()
    return report._replace(notes=report.notes + more)


def _clean(batch: Sequence[Carried], newcomers: Newcomers) -> Iterator[Carried]:
    """The records without secrets, and without vectors of texts that held one."""
    for record in batch:
        clean = trust.cleaned(record)
        if clean.kinds and isinstance(record, CarriedQueryVector):
            continue
        if clean.kinds and isinstance(record, CarriedMemory):
            newcomers.reworded.add(record.memory.id)
        yield clean.record


def _why_not_exact(survey: Survey) -> str | None:
    """Why an empty store did not become the one that was exported."""
    if survey.without_history:
        return "its history was not checked and stays in the file; its memories begin anew here"
    if survey.redacted:
        return "it holds secrets; without them its history does not fit, so its memories begin anew here"
    if survey.needs_a_person:
        return sentence(Action.BRING_APPROVALS)
    return None


def _batches(
    path: Path, lines: NumberedLines, survey: Survey, progress: Progress | None
) -> Iterator[tuple[Kind, list[Carried]]]:
    """The records again, in batches of one kind; refuses a file that is no longer the one that was verified."""
    for kind, records in groupby(_records(path, lines, survey, progress), key=lambda pair: pair[0]):
        batch: list[Carried] = []
        for _, record in records:
            batch.append(record)
            if len(batch) == BATCH:
                yield kind, batch
                batch = []
        if batch:
            yield kind, batch


def _records(
    path: Path, lines: NumberedLines, survey: Survey, progress: Progress | None
) -> Iterator[tuple[Kind, Carried]]:
    try:
        for number, content in enumerate(lines):
            line = read.parsed(content)
            if number and (kind := read.kind_of(line)):
                yield kind, read.record_from(kind, line)
                _advance(progress, lines)
        same = lines.hash_before() == survey.sha256
        _advance(progress, lines, at_the_end=True)
    except (InvalidInput, KeyError):
        same = False
    if not same:
        raise InvalidInput(f"{path} was changed while it was read; nothing was imported")


def _advance(progress: Progress | None, lines: NumberedLines, *, at_the_end: bool = False) -> None:
    if progress and lines.number % BATCH == 0:
        progress(BATCH)
    elif progress and at_the_end:
        progress(max(0, lines.number % BATCH - 2))  # the first and the last line are no records


def steps(path: Path) -> int:
    """How many steps of progress an import reports: every line is read twice."""
    try:
        with opened(path) as lines:
            head = read.head_from(read.parsed(next(iter(lines), b"{}")))
    except InvalidInput:
        return 0
    return 2 * sum(head.counts.values())
