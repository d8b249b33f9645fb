"""Read the transcripts of Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`.

Only what a person typed, the agent's last words of a turn, commands and edits are read: no sub-agents, and no
attachments, in which the answers of our own hooks stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import PurePath
from typing import Any

from memory_layer.model.steps import Step, StepKind
from memory_layer.model.transcripts import SessionPlace, TranscriptFile
from memory_layer.surroundings.histories.tool_calls import (
    HistoryToolCall,
    OpenCalls,
    call_of,
    step_of,
    text_in,
    texts,
    without_added,
)
from memory_layer.surroundings.transcripts import moment, typed_in

_SHELLS = frozenset(("Bash", "PowerShell"))
_EDITORS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit"))
_HEAD = re.compile(r"\AExit code \d{1,5}\n")  #: of the output of a command that failed
#: Results of calls that were never carried out.
_NOT_RUN = ("The user doesn't want to", "<tool_use_error>", "[Request interrupted", "Permission to use")


class ClaudeCodeReader:
    """A transcript being read; `place` is known after its first lines."""

    def __init__(self, file: TranscriptFile) -> None:
        self.place = SessionPlace(PurePath(file.path).stem)
        self._at = file.changed_at
        self._calls = OpenCalls()
        self._said: Step | None = None

    def steps(self, entry: Mapping[str, Any]) -> Iterator[Step]:
        """Yield the steps that a line tells."""
        message = entry.get("message")
        if entry.get("type") not in ("user", "assistant") or entry.get("isSidechain"):
            return
        if not isinstance(message, dict):
            return
        self._locate(entry)
        self._at = moment(entry.get("timestamp")) or self._at
        if entry["type"] == "assistant":
            self._hear(message)
            return
        yield from self._results(entry, message, self._at)
        for typed in typed_in(entry):
            yield from self.rest()
            yield Step(StepKind.PROMPT, self._at, typed.text)

    def rest(self) -> Iterator[Step]:
        """Yield the agent's last words, which end with its turn."""
        if self._said:
            yield self._said
        self._said = None

    def _locate(self, entry: Mapping[str, Any]) -> None:
        """Note the session and its folder, which is the first one: an agent may change it."""
        if not self.place.folder:
            session = text_in(entry, "sessionId") or self.place.session
            self.place = SessionPlace(session, text_in(entry, "cwd"))

    def _hear(self, message: Mapping[str, Any]) -> None:
        blocks = message.get("content")
        if said := without_added("\n".join(texts(blocks, ("text",)))):
            self._said = Step(StepKind.SAID, self._at, said)
        for block in blocks if isinstance(blocks, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use":
                self._calls.begin(block.get("id"), _call(block))

    def _results(self, entry: Mapping[str, Any], message: Mapping[str, Any], at: datetime) -> Iterator[Step]:
        blocks = message.get("content")
        for block in blocks if isinstance(blocks, list) else ():
            if not isinstance(block, dict) or block.get("type") != "tool_result":
                continue
            call = self._calls.end(block.get("tool_use_id"))
            output = without_added("\n".join(texts(block.get("content"))))
            if call is not None and not output.startswith(_NOT_RUN):
                yield step_of(call, _HEAD.sub("", output), _passed(block, entry.get("toolUseResult")), at)


def _call(block: Mapping[str, Any]) -> HistoryToolCall | None:
    given = block.get("input")
    if not isinstance(given, dict):
        return None
    if block.get("name") in _SHELLS:
        call = call_of(text_in(given, "command"))
        return call._replace(detached=bool(given.get("run_in_background"))) if call else None
    path = text_in(given, "file_path", "notebook_path") if block.get("name") in _EDITORS else ""
    return HistoryToolCall(files=(path,)) if path else None


def _passed(block: Mapping[str, Any], result: object) -> bool | None:
    """Tell whether a call succeeded: a failure is marked as an error, and what was interrupted is neither."""
    details = result if isinstance(result, dict) else {}
    if details.get("interrupted") or details.get("backgroundTaskId"):
        return None
    return not block.get("is_error")
