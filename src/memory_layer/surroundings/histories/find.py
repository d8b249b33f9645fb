"""Find the transcripts of agents, and read them step by step."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_layer.model.transcripts import SessionPlace, TranscriptAgent, TranscriptFile, TranscriptLine
from memory_layer.surroundings import careful_read
from memory_layer.surroundings.histories.claude_code import ClaudeCodeReader
from memory_layer.surroundings.histories.codex import CodexReader
from memory_layer.surroundings.histories.gemini import GeminiReader
from memory_layer.surroundings.histories.json_lines import json_lines, parsed

LARGEST_WHOLE = 64 * 1024 * 1024  #: bytes of a file that is one JSON object
SNIFFED_LINES = 5
_HELPERS = ("agent-",)  #: files of sub-agents
_HELPER_FOLDERS = ("subagents",)
_SIGNS = {"sessionId", "leafUuid", "message", "parentUuid"}


def standard_folders(home: str, environ: Mapping[str, str]) -> list[Path]:
    """Return the folders in which agents keep their transcripts."""
    claude = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    codex = environ.get("CODEX_HOME") or os.path.join(home, ".codex")
    return [Path(claude, "projects"), Path(codex, "sessions"), Path(home, ".gemini", "tmp")]


def transcript_files(paths: Sequence[Path]) -> Iterator[TranscriptFile]:
    """Yield the transcripts in files and folders, in the order of their paths; links inside are not followed."""
    roots = [root for path in paths if (root := careful_read.real(path))]
    for name in sorted({name for root in roots for name in _files_under(root)}):
        if found := _transcript(name):
            yield found


def _files_under(root: str) -> Iterator[str]:
    if os.path.isfile(root):
        yield root
    for folder, folders, names in os.walk(root):
        folders[:] = [each for each in folders if each not in _HELPER_FOLDERS]
        for name in names:
            if name.endswith((".jsonl", ".json")) and not name.startswith(_HELPERS):
                yield os.path.join(folder, name)


def _transcript(path: str) -> TranscriptFile | None:
    """Describe a file; None if it is no transcript or cannot be looked at."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    agent = _agent_of(path) if stat.S_ISREG(status.st_mode) else None
    if agent is None:
        return None
    return TranscriptFile(agent, path, status.st_size, datetime.fromtimestamp(status.st_mtime, UTC))


def _agent_of(path: str) -> TranscriptAgent | None:
    """Recognise the agent by the first lines of its file."""
    if path.endswith(".json"):
        return TranscriptAgent.GEMINI if os.path.basename(path).startswith("session-") else None
    for number, entry in json_lines(path):
        if entry is not None and (agent := _agent_by(entry)):
            return agent
        if number >= SNIFFED_LINES:
            break
    return None


def _agent_by(entry: Mapping[str, Any]) -> TranscriptAgent | None:
    if "projectHash" in entry:
        return TranscriptAgent.GEMINI
    if "payload" in entry or ("instructions" in entry and "id" in entry):
        return TranscriptAgent.CODEX
    return TranscriptAgent.CLAUDE_CODE if _SIGNS & entry.keys() else None


class TranscriptReader:
    """A transcript that is read line by line; `place` is complete at its end."""

    def __init__(self, file: TranscriptFile, known_folders: Sequence[str] = ()) -> None:
        self._file = file
        self._reader = _reader(file, known_folders)

    @property
    def place(self) -> SessionPlace:
        return self._reader.place

    def lines(self) -> Iterator[TranscriptLine]:
        """Yield the steps of a session; nothing in a file can be newer than the file."""
        number = 0
        for number, entry in self._entries():
            if entry is None:
                yield TranscriptLine(number, None)
            else:
                yield from (self._line(number, step) for step in self._reader.steps(entry))
        yield from (self._line(number, step) for step in self._reader.rest())

    def _line(self, number: int, step: Any) -> TranscriptLine:
        return TranscriptLine(number, step._replace(at=min(step.at, self._file.changed_at)))

    def _entries(self) -> Iterator[tuple[int, dict[str, Any] | None]]:
        if not self._file.path.endswith(".json"):
            return json_lines(self._file.path)
        whole = careful_read.regular(self._file.path, LARGEST_WHOLE)
        return iter([(0, parsed(whole) if whole else None)])


def _reader(
    file: TranscriptFile, known_folders: Sequence[str]
) -> ClaudeCodeReader | CodexReader | GeminiReader:
    if file.agent is TranscriptAgent.GEMINI:
        return GeminiReader(file, known_folders)
    return CodexReader(file) if file.agent is TranscriptAgent.CODEX else ClaudeCodeReader(file)
