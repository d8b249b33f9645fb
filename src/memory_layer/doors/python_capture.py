"""The part of the Python door that listens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

from memory_layer.doors import python_given as given
from memory_layer.doors import scope
from memory_layer.model.capture import Captured
from memory_layer.model.memory import Project, Writer
from memory_layer.ports import Engine


class Capturing(ABC):
    """How an open memory keeps what is said in passing."""

    _engine: Engine
    _asked: scope.Asked
    _here: Path

    def capture(
        self,
        text: str | None = None,
        *,
        file: str | Path | None = None,
        transcript: bool | None = None,
        dry_run: bool = False,
    ) -> Captured:
        """Keep the preferences, corrections, rules and decisions of a message, or of a transcript in a text or file.

        Whether it is a transcript is seen by its look unless said. With `dry_run` nothing is changed.
        """
        from memory_layer.usecases import capture  # its rules are dozens of patterns, and few programs listen

        whole = None if transcript is None else given.yes_or_no(transcript, "transcript")
        said = capture.heard(
            self._engine,
            given.optional(given.text, text, "text"),
            self._here / file if file is not None else None,
            whole,
        )
        around = scope.writing(self._engine, self._asked, self._here)
        return capture.capture(
            self._engine,
            said,
            self._writer(around.project),
            around.project,
            overheard=file is not None,
            dry_run=given.yes_or_no(dry_run, "dry_run"),
        )

    @abstractmethod
    def _writer(self, project: Project | None = None) -> Writer: ...
