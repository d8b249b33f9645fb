"""Back up the store, and restore backups."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from memory_layer.errors import InvalidInput, StoreDamaged, StoreTooNew, StoreUnavailable
from memory_layer.model.memory import Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.upkeep import BACKUPS
from memory_layer.ports.files import BackupFile, Contents, Vault
from memory_layer.rules.permissions import Action, check, check_allowed

Progress = Callable[[int, int], None]  #: pages done, pages in all


class Restoring(NamedTuple):
    """The effect of a restore; with `restored` false it is a preview."""

    restored: bool
    before: Contents | None  #: the store as it was; None if there was none that could be read
    after: Contents
    kept: Path | None  #: where the store as it was lies now


def backup(vault: Vault, file: Path | None, now: datetime, progress: Progress | None = None) -> Contents:
    """Save the store into a new file, verified before this returns."""
    if not vault.database.exists():
        raise StoreUnavailable(f"there is no store at {vault.database} yet, so there is nothing to back up")
    return vault.save(file or free_name(vault, vault.database.stem, now), progress)


def backups(vault: Vault) -> list[BackupFile]:
    """Return the backups beside the store, oldest first."""
    return vault.listed(_folder(vault))


def preview(vault: Vault, file: Path, writer: Writer) -> Restoring:
    """Return what restoring a backup would replace; nothing is changed."""
    check_allowed(writer, Action.RESTORE_BACKUP)
    with vault.prepared(file) as prepared:
        return Restoring(False, _present(vault), prepared._replace(file=file), None)


def restore(
    vault: Vault, file: Path, writer: Writer, now: datetime, *, accept_broken_history: bool = False
) -> Restoring:
    """Replace the store by a backup; the previous store is kept, and named."""
    check(writer, Action.RESTORE_BACKUP)
    before = _present(vault)
    with vault.prepared(file) as prepared:
        broken = broken_history(prepared)
        if broken and not accept_broken_history:
            raise InvalidInput(
                f"{file} was not restored: {broken}; --accept-broken-history restores it anyway"
            )
        kept = vault.replace(prepared, free_name(vault, "before-restore", now))
        _check_same(vault, prepared)
        return Restoring(True, before, prepared._replace(file=file), kept)


def broken_history(contents: Contents) -> str | None:
    """Return the first flaw of a store's history; None if it holds."""
    return next((flaw for flaw in contents.flaws if "audit chain" in flaw), None)


def free_name(vault: Vault, what: str, now: datetime) -> Path:
    """Return an unused name for a backup, with its purpose and time."""
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    number, file = 1, _folder(vault) / f"{what}-{stamp}.db"
    while file.exists() or file.is_symlink():
        number += 1
        file = file.with_name(f"{what}-{stamp}.{number}.db")
    return file


def _folder(vault: Vault) -> Path:
    return vault.database.parent / BACKUPS


def _present(vault: Vault) -> Contents | None:
    """Describe the current store; None if there is none that can be read."""
    try:
        return vault.contents(vault.database)
    except StoreTooNew:
        raise
    except (StoreDamaged, InvalidInput, StoreUnavailable):
        return None


def _check_same(vault: Vault, prepared: Contents) -> None:
    """Verify that the store holds what was restored; others may have added to it meanwhile."""
    if vault.contents(vault.database, deep=False).changes < prepared.changes:
        raise StoreUnavailable("the store does not hold what was restored; the previous store is kept")
