"""The part of the Python door that keeps the store safe."""

from __future__ import annotations

from pathlib import Path

from memory_layer.ports import Engine
from memory_layer.ports.health import Contents
from memory_layer.usecases import backup, doctor
from memory_layer.usecases.doctor import Diagnosis
from memory_layer.wiring import open_vault, practice


class Safekeeping:
    """Saving and examining an open memory; restoring and repairing need the command line."""

    _engine: Engine
    _door: str

    def backup(self, file: str | Path | None = None) -> Contents:
        """Save the whole store into a new file, by default one with the time in the folder `backups` beside it."""
        place = None if file is None else Path.cwd() / file
        return backup.backup(open_vault(self._engine.settings), place, self._engine.now())

    def doctor(self) -> Diagnosis:
        """Examine the store for damage; nothing is changed."""
        return doctor.examine(practice(self._engine.settings, self._door))
