"""Export a store, or a part of it, in a portable format."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from memory_layer import __version__
from memory_layer.errors import OnlyPersons
from memory_layer.model.export import (
    END,
    FORMAT,
    FORMAT_VERSION,
    FORMS,
    HEAD,
    VECTORS,
    Exported,
    ExportRecord,
    LineKind,
)
from memory_layer.model.memory import NOTHING, Memory
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Reason
from memory_layer.ports import Engine
from memory_layer.ports.log import RunFilter
from memory_layer.rules.transfer.line_codec import line_from
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.audit import verify
from memory_layer.usecases.govern.visibility import unsuspicious
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.transfer.export_file import new_file
from memory_layer.usecases.transfer.export_formats import markdown, training

JSONL, MARKDOWN, TRAINING = "jsonl", "markdown", "training"
FORMATS = (JSONL, MARKDOWN, TRAINING)
_TEXTS = (
    "content",
    "scope",
    "tags",
    "metadata",
    "citations",
)  #: the fields hidden until a memory is reviewed
STEP = 1000  #: lines between two reports of progress

Progress = Callable[[int], None]
Count = Callable[[Memory], None]  #: called with every memory written


def export_to_file(
    engine: Engine,
    path: Path,
    *,
    format: str = JSONL,  # noqa: A002 - the user's word
    chosen: Filters | None = None,
    vectors: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Exported:
    """Export to a file, which is complete or absent."""
    with new_file(path, force=force) as out:
        done = export(engine, out, format=format, chosen=chosen, vectors=vectors, progress=progress)
    return done._replace(file=str(path))


def print_export(
    engine: Engine,
    out: BinaryIO,
    *,
    format: str = JSONL,  # noqa: A002 - the user's word
    chosen: Filters | None = None,
    vectors: bool = False,
) -> Exported:
    """Export to a stream; refuse if an agent would see memories that await review, and suggest a file."""
    with engine.store.reading():  # check and print the same snapshot
        if not engine.is_read_by_person() and any(
            unsuspicious(engine, each) is not each for each in _shown_records(engine, format, chosen)
        ):
            raise OnlyPersons(
                "part of it awaits review or reads like an instruction, which is not shown to agents; name a FILE"
                " to export all of it"
            )
        return export(engine, out, format=format, chosen=chosen, vectors=vectors)


def _shown_records(engine: Engine, format: str, chosen: Filters | None) -> Iterator[object]:  # noqa: A002
    """Yield everything an export contains as records that may be hidden from an agent; nothing for a person."""
    if engine.is_read_by_person():
        return
    if format == TRAINING:
        yield from (outcome.run_of(engine.store, run_id) for run_id in _ended_runs(engine, chosen))
    elif format == MARKDOWN:
        yield from (project.name for project in engine.store.projects.all())
        yield from engine.store.transfer.records(LineKind.MEMORY, chosen or Filters())
    else:
        for kind in LineKind:
            if kind not in (
                *VECTORS,
                LineKind.AUDIT,
            ):  # vectors belong to memories and queries already checked
                yield from engine.store.transfer.records(kind, chosen)
        yield from _changes(engine) if chosen is None else ()


def _changes(engine: Engine) -> Iterator[object]:
    """Yield the audit entries; old texts in them as versions of their memories."""
    reworded: set[str] = set()
    for change in engine.store.transfer.records(LineKind.AUDIT):
        old = change.payload or {}
        yield change._replace(payload=None)
        yield old if change.memory is None else {name: old[name] for name in old if name not in _TEXTS}
        if change.memory is not None and change.memory not in reworded and not old.keys().isdisjoint(_TEXTS):
            reworded.add(change.memory)
            versions = [version.memory for version in chain.versions(engine.store, change.memory)]
            yield from (each for each in versions if _has_other_text(each, versions[-1]))


def _has_other_text(old: Memory, now: Memory) -> bool:
    """Check whether an earlier version has a text that the memory no longer contains."""
    return any(getattr(old, name) not in ((), NOTHING, getattr(now, name)) for name in _TEXTS)


def _ended_runs(engine: Engine, chosen: Filters | None) -> list[str]:
    """Return the runs for training data; none for an unknown project."""
    nowhere = chosen is not None and chosen.project is None
    if nowhere:
        return []
    ended = engine.store.log.runs(RunFilter(project=chosen.project if chosen else None, ended=True))
    return [run.id for run in reversed(ended)]


def export(
    engine: Engine,
    out: BinaryIO,
    *,
    format: str = JSONL,  # noqa: A002 - the user's word
    chosen: Filters | None = None,
    vectors: bool = False,
    progress: Progress | None = None,
) -> Exported:
    """Export a snapshot of everything, or of what belongs to the chosen memories."""
    hashed, size, lines, memories = sha256(), 0, 0, 0

    def count(memory: Memory) -> None:
        nonlocal memories
        memories += memory.reason is not Reason.FORGOTTEN  # a tombstone is written but not counted

    with engine.store.reading():
        whole = chosen is None and format == JSONL  # only this contains the history
        flaws = verify(engine).flaws if whole else ()
        if format == MARKDOWN:  # active memories only, unless others were requested
            written = markdown(engine, chosen or Filters(), progress, count)
        elif format == TRAINING:
            written = training(engine, _ended_runs(engine, chosen))
        else:
            written = _lines(engine, chosen, vectors, progress, count)
        for line in written:
            out.write(line)
            hashed.update(line)
            size += len(line)
            lines += line.count(b"\n")
    return Exported(
        file=None,
        format=format,
        memories=memories,
        lines=lines,
        size_bytes=size,
        sha256=hashed.hexdigest(),
        partial=chosen is not None or format != JSONL,
        flaws=tuple(flaw.says for flaw in flaws),
    )


def size_of(engine: Engine, format: str, chosen: Filters | None, vectors: bool) -> int:  # noqa: A002
    """Return the number of progress steps of an export."""
    out = engine.store.transfer
    if format == TRAINING:
        return 0
    if format == MARKDOWN:
        return out.count(LineKind.MEMORY, chosen or Filters())
    return sum(out.count(kind, chosen) for kind in LineKind if vectors or kind not in VECTORS)


def _lines(
    engine: Engine, chosen: Filters | None, vectors: bool, progress: Progress | None, count: Count
) -> Iterator[bytes]:
    """Yield the first line, a line for each record, and the last line with their checksum."""
    hashed, number = sha256(), 0
    head = line_from(HEAD, _head(engine, chosen, vectors))
    for line in itertools.chain([head], _records(engine, chosen, vectors, count)):
        hashed.update(line)
        number += 1
        yield line
        if progress and number % STEP == 0:
            progress(STEP)
    if progress:
        progress(max(0, number % STEP - 1))
    yield line_from(END, (number, hashed.hexdigest()))


def _head(engine: Engine, chosen: Filters | None, vectors: bool) -> ExportRecord:
    counts = {
        kind.value: engine.store.transfer.count(kind, chosen) if vectors or kind not in VECTORS else 0
        for kind in sorted(LineKind)
    }
    count, last = engine.store.chain.head()
    return FORMS[HEAD].record(
        format=FORMAT,
        schema_version=FORMAT_VERSION,
        program=__version__,
        space=engine.store.note("space"),
        partial=chosen is not None,
        vectors=vectors,
        counts=counts,
        audit=None if chosen is not None else {"count": count, "hash": last.hex()},
    )


def _records(engine: Engine, chosen: Filters | None, vectors: bool, count: Count) -> Iterator[bytes]:
    for kind in LineKind:
        if vectors or kind not in VECTORS:
            for record in engine.store.transfer.records(kind, chosen):
                if kind is LineKind.MEMORY:
                    count(record.memory)
                yield line_from(kind, record)
