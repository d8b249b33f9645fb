"""Examine a store without changing it, and mend what can be mended without making anything worse."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from memory_layer.errors import MemoryLayerError, StoreDamaged
from memory_layer.model.memory import Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.safety import Check, State
from memory_layer.ports import Embedder, Engine
from memory_layer.ports.safety import Examined, Vault
from memory_layer.usecases.backup import free_name
from memory_layer.usecases.checks import CHECKS
from memory_layer.usecases.embed import embed_missing, prune
from memory_layer.usecases.examination import BACKUPS, FIX, Case, looked, some

STEPS = len(CHECKS)  #: how many checks report their progress
#: Below this, or twice the store, a backup or a repair may not fit.
LEAST_FREE_BYTES = 64 * 1024 * 1024
STRAY_HOURS = 1


class Practice(NamedTuple):
    """What the doctor works with; the store need not be one that opens."""

    vault: Vault
    now: Callable[[], datetime]
    new_id: Callable[[str], str]
    writer: Writer
    embedder: Callable[[], Embedder | None]
    model_flaw: Callable[[], str | None]  #: why the model cannot be used; None if it can
    open_engine: Callable[[], AbstractContextManager[Engine]]


class Diagnosis(NamedTuple):
    """Everything that was looked at, and where the store as it was lies if something was repaired."""

    file: Path
    checks: tuple[Check, ...]
    opens: bool = True  #: whether the store can be used at all
    copy: Path | None = None
    note: str | None = None  #: what else there is to say about a repair
    lost: tuple[str, ...] = ()  #: the ids of the memories that were in damaged pages and could not be read

    @property
    def problems(self) -> int:
        return sum(check.is_wrong for check in self.checks)


Progress = Callable[[int], None]  #: so many more checks are done


def examine(practice: Practice, progress: Progress | None = None) -> Diagnosis:
    """Look at everything; nothing is changed."""
    vault = practice.vault
    file = vault.file_check()
    inside = _inside(practice, progress) if vault.database.exists() and not file.is_wrong else ()
    if file.is_wrong:
        inside = tuple(
            Check(each.name, State.NOT_CHECKED, 0, "the file has to open first") for each in CHECKS
        )
    return Diagnosis(vault.database, (file, *inside, *_outside(practice)), opens=not file.is_wrong)


def treat(practice: Practice, progress: Progress | None = None) -> Diagnosis:
    """Look, keep a copy, mend what can be mended, and look again."""
    before = examine(practice, progress)
    told = _Told()
    copy = None
    inside = [check for check in before.checks if check.name in _INSIDE or check.name == "file"]
    if practice.vault.database.exists() and any(check.is_wrong for check in inside):
        copy = _treated_inside(practice, before, told)
    practice.vault.open_to_others(mend=True)
    practice.vault.strays(mend=True, before=_stray_before(practice))
    after = examine(practice)
    checks = tuple(_compared(before, check) for check in after.checks)
    return after._replace(checks=checks, copy=copy, note=" ".join(told.notes) or None, lost=told.lost)


class _Told:
    """What a repair has to say beside its checks."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.lost: tuple[str, ...] = ()


_INSIDE = {each.name for each in CHECKS}


def _inside(practice: Practice, progress: Progress | None) -> tuple[Check, ...]:
    found = []
    with practice.vault.examined() as store:
        case = _case(practice, store)
        for each in CHECKS:
            found.append(looked(each, case))
            if progress is not None:
                progress(1)
    return tuple(found)


def _case(practice: Practice, store: Examined) -> Case:
    embedder = practice.embedder()
    return Case(
        store=store,
        now=practice.now(),
        fingerprint=embedder.fingerprint if embedder else None,
        vector_sizes=_vector_sizes(embedder),
        writer=practice.writer,
        operation=practice.new_id("op"),
    )


def _vector_sizes(embedder: Embedder | None) -> dict[str, int]:
    """How many numbers a vector of the installed model has."""
    return {embedder.fingerprint: len(embedder.embed_query("how large is a vector?"))} if embedder else {}


def _outside(practice: Practice) -> tuple[Check, ...]:
    return (
        _backups(practice),
        _permissions(practice),
        _strays(practice),
        _space(practice),
        _model(practice),
    )


def _backups(practice: Practice) -> Check:
    """Whether the store could be a new one in the place of one that is gone."""
    lie, ours = practice.vault.kin()
    if not lie:
        return Check("backups", State.OK, 0, "there are none beside the store; `mem backup` makes one")
    if ours:
        return Check("backups", State.OK, 0, f"{lie} beside the store, {ours} of them of its own history")
    says = "none of those beside the store is of its own history: it may be a new one in the place of one that is gone"
    return Check("backups", State.NOTICE, lie, says, BACKUPS)


def _permissions(practice: Practice) -> Check:
    others = practice.vault.open_to_others(mend=False)
    if not others:
        return Check("permissions", State.OK, 0, "only you can open the store and its backups")
    says = f"other people of this machine may open {', '.join(others)}"
    return Check("permissions", State.PROBLEM, len(others), says, "`mem doctor --fix`")


def _strays(practice: Practice) -> Check:
    count = practice.vault.strays(mend=False, before=_stray_before(practice))
    if not count:
        return Check("strays", State.OK, 0, "no half-written copies lie about")
    says = f"{count} half-written copies of killed commands take room"
    return Check("strays", State.PROBLEM, count, says, "`mem doctor --fix`")


def _stray_before(practice: Practice) -> datetime:
    return practice.now() - timedelta(hours=STRAY_HOURS)


def _space(practice: Practice) -> Check:
    free, size = practice.vault.free_bytes()
    if free >= max(LEAST_FREE_BYTES, 2 * size):
        return Check("space", State.OK, 0, "there is room for backups and repairs")
    says = f"only {free // 1_000_000:,} MB are free on the disk of the store; writing may soon fail"
    return Check("space", State.PROBLEM, 1, says, "free some room on that disk")


def _model(practice: Practice) -> Check:
    flaw = practice.model_flaw()
    if flaw is None:
        return Check("model", State.OK, 0, "the embedding model is installed and its checksum is right")
    return Check("model", State.NOTICE, 1, f"searches go by keyword only: {flaw}", "`mem model install`")


def _treated_inside(practice: Practice, before: Diagnosis, told: _Told) -> Path | None:
    """Mend the store itself; the answer is where it lies as it was."""
    vault = practice.vault
    copy: Path | None = None
    if before.opens and not _nothing_changes(before):
        with suppress(StoreDamaged):  # rescuing keeps the damaged files themselves
            copy = vault.save(free_name(vault, "before-repair", practice.now())).file
    sound = before.opens and _mended(practice, before, told)
    if not sound and (rescued := _rescued(practice, told)):
        copy = rescued
        _mended(practice, examine(practice), told)
    if vault.database.exists() and not vault.file_check().is_wrong:
        _finished(practice, told)
    return copy


def _nothing_changes(before: Diagnosis) -> bool:
    """Whether nothing is wrong but what cannot be mended, or lies beside the file."""
    mendable = {each.name for each in CHECKS if each.mend} - {"index"} | {"leftovers"}
    return not any(check.is_wrong and check.name in mendable for check in before.checks)


class _Pages(Exception):
    """Pages that no statement can mend."""


class _Worse(Exception):
    """A repair that is taken back."""


def _mended(practice: Practice, before: Diagnosis, told: _Told) -> bool:
    """Mend in one transaction, looked at before it is committed; False if pages of the file stay damaged."""
    well = {check.name for check in before.checks if check.state is State.OK}
    try:
        with practice.vault.examined() as store, store.writing():
            case = _case(practice, store)
            for each in CHECKS:
                if each.mend and looked(each, case).is_wrong:
                    each.mend(case)
                    store.begin_new_life()
            after = [looked(each, case) for each in CHECKS]
            if any(check.is_wrong and check.name == "pages" for check in after):
                raise _Pages
            worse = [check.name for check in after if check.is_wrong and check.name in well]
            if worse:
                raise _Worse(", ".join(worse))
    except (_Pages, StoreDamaged):
        return False
    except _Worse as error:
        told.notes.append(f"The repair would have harmed {error}, so it was taken back; nothing was changed.")
    return True


def _rescued(practice: Practice, told: _Told) -> Path | None:
    """Save what can be read of a damaged file; it becomes the store if all that is lost can be named."""
    vault, now = practice.vault, practice.now()
    target, keep = free_name(vault, "salvaged", now), free_name(vault, "before-repair", now)
    try:
        found, kept = vault.rescue(target, keep)
    except MemoryLayerError as error:
        told.notes.append(f"Nothing was replaced: {error}.")
        return None
    told.lost = found.lost
    lost = f"{len(found.lost)} lost: {some(found.lost)}" if found.lost else "none lost"
    if kept is not None:
        told.notes.append(f"{_memories(found.saved)} saved out of the damaged file, {lost}.")
        return kept
    if not found.saved:
        told.notes.append(f"No memory could be read, {lost}; the store itself was left as it is. {_NEXT}")
        return None
    told.notes.append(
        f"{_memories(found.saved)} could be read and lie in {target}, {lost}; at least {found.unnamed} more are lost"
        f" without a name, so the store itself was left as it is. {_NEXT}"
    )
    return None


_NEXT = f"{BACKUPS}."


def _memories(count: int) -> str:
    return f"{count:,} {'memory' if count == 1 else 'memories'}"


def _finished(practice: Practice, told: _Told) -> None:
    """What the ordinary commands do as well: finish leftovers, embed what has no vector."""
    try:
        with practice.open_engine() as engine:
            if engine.embedder() is None:
                return
            embed_missing(engine)
            prune(engine)
    except MemoryLayerError as error:
        told.notes.append(f"Not everything could be finished: {error}.")


def _compared(before: Diagnosis, now: Check) -> Check:
    was = next((check for check in before.checks if check.name == now.name), None)
    if now.is_wrong:
        again = now.fix is not None and FIX in now.fix  # it was just tried
        return now._replace(state=State.CANNOT_REPAIR, fix=BACKUPS if again else now.fix)
    if was is not None and was.is_wrong:
        return now._replace(state=State.REPAIRED, found=was.found, detail=was.detail)
    return now
