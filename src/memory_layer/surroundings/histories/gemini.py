"""Read the transcripts of Gemini: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, and older `.json` files.

A file of lines has a header, messages and patches; a later line with the id of an earlier one replaces it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memory_layer.model.steps import Step, StepKind
from memory_layer.model.transcripts import SessionPlace, TranscriptFile
from memory_layer.surroundings import careful_read
from memory_layer.surroundings.histories.json_lines import parsed
from memory_layer.surroundings.histories.tool_calls import (
    HistoryToolCall,
    call_of,
    command_line,
    exit_code,
    step_of,
    text_in,
    texts,
    without_added,
)
from memory_layer.surroundings.transcripts import moment

ROOT_FILE = ".project_root"  #: in the folder of a project: the path of the project
PROJECTS = "projects.json"  #: in Gemini's folder: the names of projects by their paths
_EDITORS = frozenset(("replace", "write_file", "edit"))
_ENDED = frozenset(("success", "error"))
#: The folder in the message in which Gemini describes the machine to the model.
_FOLDER = re.compile(r"(?:working in the directory: *|Workspace Directories:\W*\n\s*- *)([^\n]{1,4096})")
_WRAPPING = re.compile(r"</?untrusted_context>\n?|^Process Group PGID: \d+\n?", re.MULTILINE)
_EXIT = re.compile(r"\s*^Exit Code: -?\d{1,5}\s*\Z", re.MULTILINE)
_OUTPUT = re.compile(r"^(?:Stdout|Output): ?", re.MULTILINE)


class GeminiReader:
    """A transcript being read; `place` is known after its first lines."""

    def __init__(self, file: TranscriptFile, known: Sequence[str] = ()) -> None:
        self.place = SessionPlace(Path(file.path).stem, _folder_beside(Path(file.path)))
        self._known = known
        self._at = file.changed_at
        self._told: set[str] = set()  #: ids of prompts and calls that were read
        self._said: Step | None = None
        self._is_helper = False

    def steps(self, entry: Mapping[str, Any]) -> Iterator[Step]:
        """Yield the steps that a line tells, or all of an older file."""
        if "projectHash" in entry:
            self._locate(entry)
        patch = entry.get("$set")
        messages = patch.get("messages") if isinstance(patch, dict) else entry.get("messages")
        for message in messages if isinstance(messages, list) else [entry]:
            if isinstance(message, dict) and not self._is_helper:
                self._at = moment(message.get("timestamp")) or self._at
                yield from self._message(message)

    def rest(self) -> Iterator[Step]:
        """Yield the agent's last words, which end with its turn."""
        if self._said:
            yield self._said
        self._said = None

    def _locate(self, header: Mapping[str, Any]) -> None:
        self._is_helper = header.get("kind", "main") != "main"
        session = text_in(header, "sessionId") or self.place.session
        digest = text_in(header, "projectHash")
        same = (each for each in self._known if hashlib.sha256(each.encode()).hexdigest() == digest)
        self.place = SessionPlace(session, self.place.folder or next(same, ""))

    def _message(self, message: Mapping[str, Any]) -> Iterator[Step]:
        if message.get("type") == "user":
            yield from self._prompt(message)
        elif message.get("type") == "gemini":
            if said := without_added("\n".join(texts(message.get("content")))):
                self._said = Step(StepKind.SAID, self._at, said)
            calls = message.get("toolCalls")
            for call in calls if isinstance(calls, list) else ():
                if isinstance(call, dict) and call.get("status") in _ENDED:
                    yield from self._call(call)

    def _prompt(self, message: Mapping[str, Any]) -> Iterator[Step]:
        text = "\n".join(texts(message.get("content")))
        if not self.place.folder and "<session_context>" in text and (found := _FOLDER.search(text)):
            self.place = self.place._replace(folder=found[1].strip())
        typed = without_added(text)
        if typed and not typed.startswith(("/", "!", "This is the Gemini CLI.")) and self._is_new(message):
            yield from self.rest()
            yield Step(StepKind.PROMPT, self._at, typed)

    def _call(self, call: Mapping[str, Any]) -> Iterator[Step]:
        given = call.get("args")
        made = _tool_call(call.get("name"), given) if isinstance(given, dict) else None
        if made is not None and self._is_new(call):
            output = _output(call)
            failed = call.get("status") == "error" or exit_code(output) not in (None, 0)
            at = moment(call.get("timestamp")) or self._at
            yield step_of(made, _EXIT.sub("", output), not failed, at)

    def _is_new(self, each: Mapping[str, Any]) -> bool:
        """Return whether a message or call was not read before; without an id every one is new."""
        key = text_in(each, "id")
        is_new = not key or key not in self._told
        self._told.add(key)
        return is_new


def _tool_call(name: object, given: Mapping[str, Any]) -> HistoryToolCall | None:
    if name == "run_shell_command":
        return call_of(command_line(given.get("command")))
    path = text_in(given, "file_path", "absolute_path", "path") if name in _EDITORS else ""
    return HistoryToolCall(files=(path,)) if path else None


def _output(call: Mapping[str, Any]) -> str:
    """Return what a tool printed, as the model was given it."""
    results = call.get("result")
    answers = (
        (each.get("functionResponse") for each in results if isinstance(each, dict))
        if (isinstance(results, list))
        else ()
    )
    inner = (each.get("response") for each in answers if isinstance(each, dict))
    found = [text_in(each, "output", "error") for each in inner if isinstance(each, dict)]
    text = without_added("\n".join(found) or text_in(call, "resultDisplay"))
    return _OUTPUT.sub("", _WRAPPING.sub("", text)).strip()


def _folder_beside(path: Path) -> str:
    """Return the folder that Gemini notes next to the chats of a project, or in its list of projects."""
    own = path.parent.parent
    if noted := (careful_read.text(own / ROOT_FILE, 8_192) or "").strip():
        return noted
    listed = parsed(careful_read.text(own.parent.parent / PROJECTS, 4 * 1024 * 1024) or "") or {}
    projects = listed.get("projects")
    names = projects.items() if isinstance(projects, dict) else ()
    return next((str(folder) for folder, name in names if name == own.name), "")
