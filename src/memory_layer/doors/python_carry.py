"""The part of the Python door that carries memories to another place and back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.carried import Exported
from memory_layer.model.intake import Report
from memory_layer.model.memory import Project, Writer
from memory_layer.model.query import Filters
from memory_layer.ports import Engine
from memory_layer.usecases import carry_in, embed, export

Progress = Callable[[int], None]


class Carrying(ABC):
    """What an open memory can do with files that hold a whole store."""

    _engine: Engine

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
        """Write everything to a file as `jsonl`, or the active memories as `markdown` for people.

        With `filters` only what belongs to the memories they let through, and no history.
        """
        if format not in export.FORMATS:
            raise InvalidInput(f"{format!r} is not one of {', '.join(export.FORMATS)}")
        return export.export_to_file(
            self._engine,
            Path(path),
            format=format,
            chosen=filters,
            vectors=vectors,
            force=force,
            progress=progress,
        )

    def import_(self, path: str | Path, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
        """Bring an export in: exactly as it was into an empty store, else what is missing.

        Where the embedding model is installed, memories that came without vectors get theirs.
        """
        report = carry_in.carry_in(
            self._engine, Path(path), self._writer(), dry_run=dry_run, progress=progress
        )
        if report.added and not dry_run and self._engine.has_model():
            embed.embed_missing(self._engine, progress)
        return report

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...
