"""Read the transcripts of Codex: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<session>.jsonl`.

Lines are `{timestamp, type, payload}`; older ones are the payload itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from memory_layer.model.steps import Step, StepKind
from memory_layer.model.transcripts import SessionPlace, TranscriptFile
from memory_layer.surroundings.histories.json_lines import parsed
from memory_layer.surroundings.histories.tool_calls import (
    HistoryToolCall,
    OpenCalls,
    call_of,
    command_line,
    exit_code,
    step_of,
    text_in,
    texts,
    without_added,
)
from memory_layer.surroundings.transcripts import moment

_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_RESULTS = ("function_call_output", "custom_tool_call_output")
_SHELLS = frozenset(("exec_command", "shell", "shell_command", "local_shell", "container.exec"))
#: Messages in a person's name that Codex writes itself.
_NOT_TYPED = ("<", "# AGENTS.md instructions", "Warning: ")
_FOLDER = re.compile(r"<cwd>([^<\n]{1,4096})</cwd>")
_HEAD = re.compile(r"\A(?:[A-Z][\w ]{2,30}: [^\n]*\n|Process [^\n]*\n)*Output:\n")


class CodexReader:
    """A transcript being read; `place` is known after its first lines."""

    def __init__(self, file: TranscriptFile) -> None:
        self.place = SessionPlace(PurePath(file.path).stem)
        self._at = file.changed_at
        self._calls = OpenCalls()
        self._said: Step | None = None
        self._is_helper = False

    def steps(self, entry: Mapping[str, Any]) -> Iterator[Step]:
        """Yield the steps that a line tells."""
        payload = entry.get("payload", entry)
        if not isinstance(payload, dict):
            return
        self._at = moment(entry.get("timestamp")) or self._at
        kind = entry.get("type")
        if kind in ("session_meta", "turn_context") or (kind is None and "id" in entry):
            self._locate(payload)
        elif not self._is_helper:
            yield from self._item(payload)

    def rest(self) -> Iterator[Step]:
        """Yield the agent's last words, which end with its turn."""
        if self._said:
            yield self._said
        self._said = None

    def _locate(self, payload: Mapping[str, Any]) -> None:
        source = payload.get("source")
        helper = payload.get("thread_source") == "subagent" or (
            isinstance(source, dict) and "subagent" in source
        )
        self._is_helper = self._is_helper or helper
        if "originator" in payload or not self.place.folder:
            session = text_in(payload, "id", "session_id") or self.place.session
            self.place = SessionPlace(session, self.place.folder or text_in(payload, "cwd"))

    def _item(self, item: Mapping[str, Any]) -> Iterator[Step]:
        kind = item.get("type")
        if kind == "message" and item.get("role") == "user":
            yield from self._prompts(item)
        elif kind == "message" and item.get("role") == "assistant":
            if said := without_added("\n".join(texts(item.get("content")))):
                self._said = Step(StepKind.SAID, self._at, said)
        elif kind in _CALLS:
            self._calls.begin(item.get("call_id"), _call(item))
        elif kind in _RESULTS and (call := self._calls.end(item.get("call_id"))):
            output, passed = _result(item.get("output"))
            yield step_of(call, output, passed, self._at)

    def _prompts(self, item: Mapping[str, Any]) -> Iterator[Step]:
        kinds = item.get("internal_chat_message_metadata_passthrough")
        named = kinds.get("content_item_kinds") if isinstance(kinds, dict) else None
        for number, text in enumerate(texts(item.get("content"), ("input_text", "text"))):
            if not self.place.folder and (found := _FOLDER.search(text)):
                self.place = self.place._replace(folder=found[1])
            kind = named[number] if isinstance(named, list) and number < len(named) else "user"
            typed = without_added(text)
            if typed and str(kind).startswith("user") and not typed.startswith(_NOT_TYPED):
                yield from self.rest()
                yield Step(StepKind.PROMPT, self._at, typed)


def _call(item: Mapping[str, Any]) -> HistoryToolCall | None:
    name, given = item.get("name"), item.get("arguments")
    arguments = (parsed(given) if isinstance(given, str) else None) or {}
    if name == "apply_patch":
        return call_of("", text_in(arguments, "input", "patch") or text_in(item, "input"))
    if item.get("type") == "local_shell_call":
        action = item.get("action")
        return call_of(command_line(action.get("command"))) if isinstance(action, dict) else None
    return call_of(command_line(arguments.get("cmd", arguments.get("command")))) if name in _SHELLS else None


def _result(output: object) -> tuple[str, bool | None]:
    """Return what a call printed, and whether it succeeded; None while it still runs."""
    if isinstance(output, dict):
        said = output.get("success")
        text = "\n".join(texts(output.get("content")))
        return without_added(text), said if isinstance(said, bool) else _passed(text)
    text = "\n".join(texts(output))
    inner = parsed(text) if text.startswith("{") else None
    if inner is not None and isinstance(details := inner.get("metadata"), dict):
        code = details.get("exit_code")
        return without_added(text_in(inner, "output")), code == 0 if isinstance(code, int) else None
    head = _HEAD.match(text)
    return without_added(text[head.end() :] if head else text), _passed(head[0] if head else text)


def _passed(text: str) -> bool | None:
    code = exit_code(text)
    return None if code is None else code == 0
