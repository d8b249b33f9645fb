"""Examine a store without changing it, and repair what can be repaired safely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from memory_layer.errors import MemoryLayerError, StoreDamaged
from memory_layer.model.memory import Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.upkeep import FIX, LISTED, Check, Mishaps, State, some
from memory_layer.ports import Embedder, Engine
from memory_layer.ports.files import Vault
from memory_layer.usecases.upkeep.backup import free_name
from memory_layer.usecases.upkeep.checks import CHECKS, Case, looked, memories, mend
from memory_layer.usecases.upkeep.embed import embed_missing, prune

LOG_DAYS = 7  #: of the hooks' log that are looked at
STEPS = len(CHECKS)  #: how many checks report their progress


Progress = Callable[[int], None]  #: so many more checks are done
_INSIDE = {each.name for each in CHECKS}
_NEXT = f"{LISTED}."


class Practice(NamedTuple):
    """The dependencies of the doctor; the store need not be one that opens."""

    vault: Vault
    now: Callable[[], datetime]
    new_id: Callable[[str], str]
    writer: Writer
    embedder: Callable[[], Embedder | None]
    model_flaw: Callable[[], str | None]  #: why the model cannot be used; None if it can
    open_engine: Callable[[], AbstractContextManager[Engine]]
    hook_failures: Callable[[datetime], Mishaps]  #: in the log since a time
    pause: Callable[[datetime], str | None]  #: the sentence about paused hooks; None if they work


class Diagnosis(NamedTuple):
    """The results of all checks; after a repair, also where the previous store is kept."""

    file: Path
    checks: tuple[Check, ...]
    opens: bool = True  #: whether the store can be used at all
    copy: Path | None = None
    note: str | None = None  #: what else there is to say about a repair
    lost: tuple[str, ...] = ()  #: the ids of the memories that were in damaged pages and could not be read

    @property
    def problems(self) -> int:
        return sum(check.is_wrong for check in self.checks)


def examine(practice: Practice, progress: Progress | None = None) -> Diagnosis:
    """Run all checks; nothing is changed."""
    vault = practice.vault
    file = vault.look("file", practice.now())
    inside = _inside(practice, progress) if vault.database.exists() and not file.is_wrong else ()
    if file.is_wrong:
        inside = tuple(Check(each.name, State.NOT_CHECKED, 0, "the file cannot be opened") for each in CHECKS)
    return Diagnosis(vault.database, (file, *inside, *_outside(practice)), opens=not file.is_wrong)


def treat(practice: Practice, progress: Progress | None = None) -> Diagnosis:
    """Examine, keep a copy, repair what can be repaired, and examine again."""
    before = examine(practice, progress)
    report = _RepairNotes()
    copy = None
    inside = [check for check in before.checks if check.name in _INSIDE or check.name == "file"]
    if practice.vault.database.exists() and any(check.is_wrong for check in inside):
        copy = _treated_inside(practice, before, report)
    for name in ("permissions", "strays"):
        practice.vault.mend(name, practice.now())
    after = examine(practice)
    checks = tuple(_compared(before, check) for check in after.checks)
    return after._replace(checks=checks, copy=copy, note=" ".join(report.notes) or None, lost=report.lost)


class _RepairNotes:
    """The notes of a repair, beside its checks."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.lost: tuple[str, ...] = ()


def _inside(practice: Practice, progress: Progress | None) -> tuple[Check, ...]:
    found = []
    with _opened(practice) as case:
        for each in CHECKS:
            found.append(looked(each, case))
            if progress is not None:
                progress(1)
    return tuple(found)


@contextmanager
def _opened(practice: Practice) -> Iterator[Case]:
    """Open the store as it is, with the vector size of the installed model."""
    embedder = practice.embedder()
    sizes = {embedder.fingerprint: len(embedder.embed_query("how large is a vector?"))} if embedder else {}
    with practice.vault.examined(sizes) as store:
        yield Case(
            store=store,
            now=practice.now(),
            fingerprint=embedder.fingerprint if embedder else None,
            writer=practice.writer,
            operation=practice.new_id("op"),
        )


def _outside(practice: Practice) -> tuple[Check, ...]:
    names = ("backups", "permissions", "strays", "space")
    return (
        *(practice.vault.look(name, practice.now()) for name in names),
        _model(practice),
        _hooks(practice),
    )


def _hooks(practice: Practice) -> Check:
    """Check the log of the agents' hooks, which fail in silence."""
    found = practice.hook_failures(practice.now() - timedelta(days=LOG_DAYS))
    paused = practice.pause(practice.now())
    if found.number:
        times = "once" if found.number == 1 else f"{found.number:,} times"
        says = f"failed {times} in the last {LOG_DAYS} days, last: {found.last}; the log is {found.log}"
    else:
        says = f"no failures in the last {LOG_DAYS} days"
    state = State.NOTICE if found.number or paused else State.OK
    return Check("hooks", state, found.number, f"{paused}; {says}" if paused else says)


def _model(practice: Practice) -> Check:
    flaw = practice.model_flaw()
    if flaw is None:
        return Check("model", State.OK, 0, "the embedding model is installed and its checksum is right")
    return Check("model", State.NOTICE, 1, f"keyword search only: {flaw}", "`mem model install`")


def _treated_inside(practice: Practice, before: Diagnosis, report: _RepairNotes) -> Path | None:
    """Repair the store itself; return where the previous one is kept."""
    vault = practice.vault
    copy: Path | None = None
    if before.opens and not _nothing_changes(before):
        with suppress(StoreDamaged):  # rescuing keeps the damaged files themselves
            copy = vault.save(free_name(vault, "before-repair", practice.now())).file
    sound = before.opens and _mended(practice, before, report)
    if not sound and (rescued := _rescued(practice, report)):
        copy = rescued
        _mended(practice, examine(practice), report)
    if vault.database.exists() and not vault.look("file", practice.now()).is_wrong:
        _finished(practice, report)
    return copy


def _nothing_changes(before: Diagnosis) -> bool:
    """Is there nothing to repair inside the file?"""
    mendable = {each.name for each in CHECKS if each.mendable} - {"index"} | {"leftovers"}
    return not any(check.is_wrong and check.name in mendable for check in before.checks)


class _Pages(Exception):
    """Raised for damaged pages that no statement can repair."""


class _Worse(Exception):
    """Raised to roll back a repair that would do harm."""


def _mended(practice: Practice, before: Diagnosis, report: _RepairNotes) -> bool:
    """Repair in one transaction, checked before the commit; False if pages stay damaged."""
    well = {check.name for check in before.checks if check.state is State.OK}
    try:
        with _opened(practice) as case, case.store.writing():
            for each in CHECKS:
                if each.mendable and looked(each, case).is_wrong:
                    mend(each, case)
            after = [looked(each, case) for each in CHECKS]
            if any(check.is_wrong and check.name == "pages" for check in after):
                raise _Pages
            worse = [check.name for check in after if check.is_wrong and check.name in well]
            if worse:
                raise _Worse(", ".join(worse))
    except (_Pages, StoreDamaged):
        return False
    except _Worse as error:
        report.notes.append(
            f"The repair would have damaged {error}, so it was rolled back; nothing was changed."
        )
    return True


def _rescued(practice: Practice, report: _RepairNotes) -> Path | None:
    """Salvage a damaged file; the result becomes the store if every loss can be named."""
    vault, now = practice.vault, practice.now()
    target, keep = free_name(vault, "salvaged", now), free_name(vault, "before-repair", now)
    try:
        found, kept = vault.rescue(target, keep)
    except MemoryLayerError as error:
        report.notes.append(f"Nothing was replaced: {error}.")
        return None
    report.lost = found.lost
    lost = f"{len(found.lost)} lost: {some(found.lost)}" if found.lost else "none lost"
    if kept is not None:
        report.notes.append(f"{memories(found.saved)} recovered from the damaged file, {lost}.")
        return kept
    if not found.saved:
        report.notes.append(f"No memory could be read, {lost}; the store itself was not changed. {_NEXT}")
        return None
    report.notes.append(
        f"{memories(found.saved)} recovered into {target}, {lost}; at least {found.unnamed} more are lost"
        f" without a name, so the store itself was not changed. {_NEXT}"
    )
    return None


def _finished(practice: Practice, report: _RepairNotes) -> None:
    """Finish leftovers and embed what has no vector, as ordinary commands do."""
    try:
        with practice.open_engine() as engine:
            if engine.embedder() is None:
                return
            embed_missing(engine)
            prune(engine)
    except MemoryLayerError as error:
        report.notes.append(f"Not everything could be finished: {error}.")


def _compared(before: Diagnosis, now: Check) -> Check:
    was = next((check for check in before.checks if check.name == now.name), None)
    if now.is_wrong:
        again = now.fix is not None and FIX in now.fix  # it was just tried
        return now._replace(state=State.CANNOT_REPAIR, fix=LISTED if again else now.fix)
    if was is not None and was.is_wrong:
        return now._replace(state=State.REPAIRED, found=was.found, detail=was.detail)
    return now
