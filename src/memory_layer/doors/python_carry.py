"""The part of the Python door that carries memories to another place and back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from memory_layer.doors import scope
from memory_layer.doors.python_filters import checked
from memory_layer.doors.python_given import word
from memory_layer.errors import InvalidInput
from memory_layer.model.carried import Exported
from memory_layer.model.intake import Origin, Report
from memory_layer.model.memory import Project, Writer
from memory_layer.model.query import Filters
from memory_layer.ports import Engine
from memory_layer.usecases import bring_in, embed, export
from memory_layer.usecases.import_from import Home
from memory_layer.usecases.projects import path_named

Progress = Callable[[int], None]


class Carrying(ABC):
    """What an open memory can do with files that hold a whole store."""

    _engine: Engine
    _asked: scope.Asked
    _here: Path

    def export(
        self,
        path: str | Path,
        *,
        format: str = "jsonl",  # noqa: A002 - the user's word
        filters: Filters | None = None,
        vectors: bool = False,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Exported:
        """Write everything to a file as `jsonl`, the active memories as `markdown`, or ended runs as `training`.

        With `filters` only what belongs to the memories they let through, and no history.
        """
        if format not in export.FORMATS:
            raise InvalidInput(f"{format!r} is not one of {', '.join(export.FORMATS)}")
        if format == export.TRAINING and (filters is not None or vectors):
            raise InvalidInput("training writes runs; neither filters nor vectors go with it")
        return export.export_to_file(
            self._engine,
            Path(path),
            format=format,
            chosen=None if filters is None else checked(filters),
            vectors=vectors,
            force=force,
            progress=progress,
        )

    def import_(
        self,
        *paths: str | Path,
        origin: str | None = None,
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Report:
        """Bring in an export, rules files, folders of them, or other programs' stores; what is known stays.

        An export goes into an empty store exactly as it was. `origin` says what the paths are (`memory-layer`, `rules`,
        `py-memori`, `runtime-memory` or `mcp-memory-service`); it is found out by looking if not given. `progress` is
        called with the number done and the total. Where the model is installed, everything gets its vectors.
        """
        around = scope.writing(self._engine, self._asked, self._here)
        report = bring_in.bring_in(
            self._engine,
            [path_named(path, self._here) for path in paths],
            self._writer(around.project),
            Home(around.project, around.place, self._asked.only_global or around.named),
            origin=word(Origin, origin, "origin") if origin is not None else None,
            dry_run=dry_run,
            progress=progress,
        )
        if report.added and not dry_run and self._engine.fingerprint():
            embed.embed_missing(self._engine)
        return report

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...
