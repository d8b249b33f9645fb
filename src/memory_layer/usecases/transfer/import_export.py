"""Import an export: exactly into an empty store, or merged into one that has memories."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.export import END, FORMAT, HEAD, VECTORS, ExportRecord, LineKind
from memory_layer.model.imports import ImportReport, Skipped
from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import Reason
from memory_layer.ports import Edit, Engine
from memory_layer.rules import identity
from memory_layer.rules.permissions import Action, check_allowed, check_confirmed, sentence
from memory_layer.rules.transfer import line_codec as export_lines
from memory_layer.rules.transfer import trust
from memory_layer.rules.transfer.check import Digests, ExportCheck, vectors_of
from memory_layer.store import chain
from memory_layer.usecases.transfer.export_file import NumberedLines, opened
from memory_layer.usecases.transfer.import_merge import Merge, note, with_terms
from memory_layer.usecases.upkeep.embed import ready_to_search
from memory_layer.usecases.who.lookup import is_blank

DIGESTS = Digests(chain.memory_digest, chain.hash_of_change, chain.digest_of_event, chain.hash_of_episode)
#: Records processed per batch.
BATCH = 1000

Progress = Callable[[int, int], None]


def recognises(path: Path) -> bool:
    """Check whether a file claims to be an export of this program."""
    try:
        with opened(path) as lines:
            first = json.loads(next(iter(lines), b""))
    except (InvalidInput, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("format") == FORMAT and first.get("type") == HEAD


def import_export(
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

    An empty store becomes an exact copy, history included, if the file contains no secrets and nothing that only a
    person may import. Otherwise its memories are added under one operation of this store's own chain.
    `progress` is called with the number of records read and the total: each is read twice.
    """
    if allow_secret:
        check_allowed(writer, Action.STORE_SECRET)
    if without_history:
        check_allowed(writer, Action.BRING_UNCHECKED)
    if allow_secret and not dry_run:
        check_confirmed(writer, Action.STORE_SECRET)
    with opened(path) as lines:
        file = _File(engine, path, lines, writer, dry_run, progress)
        try:
            file.verify(allow_secret=allow_secret, without_history=without_history)
        except InvalidInput as failure:
            line = max(1, lines.number)
            raise InvalidInput(f"{path}, line {line}: {failure}; nothing was changed") from None
        with engine.store.reading() if dry_run else engine.store.writing():
            report = file.restore() if file.is_exact() else file.merge()
    if not dry_run and not _embeds_next(engine):
        ready_to_search(engine, report.added)
    return report._replace(redacted=tuple(file.secrets), dry_run=dry_run)


def _embeds_next(engine: Engine) -> bool:
    """Check whether vectors are still to be computed; the index is prepared after that."""
    fingerprint = engine.fingerprint()
    return fingerprint is not None and bool(engine.store.vectors.lacking(fingerprint, 1))


class _File:
    """An export being imported, and the results of its verification."""

    def __init__(
        self,
        engine: Engine,
        path: Path,
        lines: NumberedLines,
        writer: Writer,
        dry_run: bool,
        progress: Progress | None,
    ) -> None:
        self._engine, self._path, self._lines, self._writer = engine, path, lines, writer
        self._dry_run, self._progress, self._done = dry_run, progress, 0
        self.head: ExportRecord = None
        self.secrets: dict[str, None] = {}  #: the kinds of records in it
        self._sha256 = ""  #: of all lines but the last
        self._without_history = self._needs_a_person = False
        self._is_vouched = False  #: it contains approvals or active rules
        self._forgotten = 0  #: number of tombstones among its memories

    def verify(self, *, allow_secret: bool, without_history: bool) -> None:
        """Check every line, and that nothing is missing."""
        self._without_history = without_history
        records = self._records()
        may_be_exact = not self.head.partial and is_blank(self._engine.store)
        check = ExportCheck(self.head, DIGESTS, without_history=without_history)
        for kind, record in records:
            check.take(kind, record)
            if kind is LineKind.MEMORY:
                self._forgotten += record.memory.reason is Reason.FORGOTTEN
                self._is_vouched |= identity.strengthens(None, record.memory) is not None
            elif kind in VECTORS:
                _check_lengths(vectors_of(record))
            if not allow_secret:
                self.secrets.update(dict.fromkeys(trust.cleaned(kind, record).kinds))
            if may_be_exact and not self._needs_a_person:
                self._needs_a_person = trust.needs_a_person(kind, record, self._writer)
        check.finish()
        if check.widths:
            self._check_widths(check.widths)
        self._sha256 = self._lines.hash_before()

    def is_exact(self) -> bool:
        """Check whether the store becomes an exact copy."""
        whole = not (self.head.partial or self._without_history)
        free = whole and not (self.secrets or self._needs_a_person)
        return free and is_blank(self._engine.store)

    def restore(self) -> ImportReport:
        """Write everything unchanged, the audit chain included, so there is no operation of this store."""
        if self._is_vouched and not self._dry_run:
            check_confirmed(self._writer, Action.BRING_APPROVALS)
        left = () if trust.brings_vectors(self._writer) else VECTORS
        if self._dry_run:
            self._advance(sum(self.head.counts.values()))
        else:
            for kind, batch in self._batches():
                if kind not in left:
                    self._engine.store.transfer.write(kind, with_terms(kind, batch))
        count, vectors = (
            self.head.counts[LineKind.MEMORY] - self._forgotten,
            self.head.counts[LineKind.VECTOR],
        )
        notes = (note("vectors", vectors),) if left and vectors else ()
        return ImportReport(source=FORMAT, read=count, added=count, exists=0, notes=notes)

    def merge(self) -> ImportReport:
        """Add the memories that the store does not have yet."""
        edit = Edit(self._writer, self._engine.new_id("op"), "import", self._engine.now())
        merge = Merge(self._engine, edit, dry_run=self._dry_run)
        why_not_exact = self._why_not_exact() if is_blank(self._engine.store) else None
        for kind, batch in self._batches():
            # Others wait for the lock, so do not search a file without secrets twice.
            merge.take(kind, list(_clean(kind, batch, merge)) if self.secrets else batch)
        report = merge.report(FORMAT)
        more = (Skipped("file", why_not_exact),) if why_not_exact else ()
        return report._replace(notes=report.notes + more)

    def _why_not_exact(self) -> str | None:
        """Return why an empty store does not become an exact copy."""
        if self._without_history:
            return "its history was neither checked nor imported; its memories start a new one here"
        if self.secrets:
            return "it contained secrets; without them its history does not match, so its memories start a new one here"
        return sentence(Action.BRING_APPROVALS) if self._needs_a_person else None

    def _records(self) -> Iterator[tuple[LineKind, ExportRecord]]:
        """Read the first line, and return a generator of the records that verifies the last line."""
        raw = iter(self._lines)
        self.head = export_lines.head_from(export_lines.parsed(next(raw, b"{}")))

        def records() -> Iterator[tuple[LineKind, ExportRecord]]:
            for line in map(export_lines.parsed, raw):
                kind = export_lines.kind_of(line)
                if kind is None:
                    self._check_seal(*export_lines.record_from(END, line))
                    break
                yield kind, export_lines.record_from(kind, line)
                self._advance(1)
            else:
                raise InvalidInput("the last line is missing, so the file is truncated here")
            if next(raw, None) is not None:
                raise InvalidInput("it comes after the last line")

        return records()

    def _check_seal(self, count: int, sha256: str) -> None:
        if count != self._lines.number - 1:
            raise InvalidInput(
                f"it counts {count:,} lines before it, but there are {self._lines.number - 1:,}"
            )
        if sha256 != self._lines.hash_before():
            raise InvalidInput("the lines before it were changed after the export")

    def _check_widths(self, widths: dict[str, int]) -> None:
        """Refuse vectors whose size differs from those of the same fingerprint in the store."""
        store = self._engine.store
        here = {each.fingerprint: len(each.numbers) for each in store.transfer.records(LineKind.QUERY_VECTOR)}
        here |= {each.fingerprint: each.size // each.vectors for each in store.vectors.generations()}
        for fingerprint, width in widths.items():
            if here.get(fingerprint, width) != width:
                raise InvalidInput(
                    f"its vectors of {fingerprint[:60]!r} differ in size from those of this store"
                )

    def _batches(self) -> Iterator[tuple[LineKind, list[ExportRecord]]]:
        """Yield the records again, in batches of one kind; refuse a file that changed since it was verified."""
        try:
            for kind, pairs in groupby(self._records(), key=lambda pair: pair[0]):
                while batch := [record for _, record in islice(pairs, BATCH)]:
                    yield kind, batch
            is_same = self._lines.hash_before() == self._sha256
        except InvalidInput:
            is_same = False
        if not is_same:
            raise InvalidInput(f"{self._path} changed while it was being read; nothing was imported")

    def _advance(self, count: int) -> None:
        self._done += count
        if self._progress:
            total = 2 * sum(self.head.counts.values())
            if self._done % BATCH == 0 or self._done == total:
                self._progress(self._done, total)


def _check_lengths(vectors: tuple[bytes, ...]) -> None:
    """Refuse vectors that are not of unit length, which would distort every comparison."""
    import numpy as np

    numbers = np.frombuffer(b"".join(vectors), dtype="<f2").reshape(len(vectors), -1).astype(np.float32)
    lengths = np.sqrt((numbers * numbers).sum(axis=1))
    if not bool((abs(lengths - 1.0) < 0.02).all()):
        raise InvalidInput("its vector is not of unit length")


def _clean(kind: LineKind, batch: list[ExportRecord], merge: Merge) -> Iterator[ExportRecord]:
    """Yield the records with secrets redacted, and without vectors of redacted texts."""
    for record in batch:
        clean = trust.cleaned(kind, record)
        if clean.kinds and kind is LineKind.MEMORY:
            merge.reworded.add(record.memory.id)
        if not (clean.kinds and kind is LineKind.QUERY_VECTOR):
            yield clean.record
