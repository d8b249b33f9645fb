"""Turn the calls of an agent's tools and their results into steps of a session."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step, StepKind
from memory_layer.surroundings.transcripts import storable

MOST_OPEN = 500  #: calls that wait for their results; the oldest are dropped
MOST_FILES = 8  #: of one edit
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_EXIT_CODE = re.compile(r"\bexit(?:ed)?(?: with)?(?: (?:code|status))?:? (-?\d{1,10})\b", re.IGNORECASE)
#: What agents and hooks add around a text; some of it is an earlier answer of this program.
_ADDED = re.compile(
    r"<(hook_context|system[-_]reminder|memories|session_context|environment_context|user_instructions)\b"
    r".*?(?:</\1>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_SHELL_FLAGS = ("-c", "-lc", "-ic", "-Command")


class HistoryToolCall(NamedTuple):
    """A call whose result has not been read yet."""

    command: str = ""
    files: tuple[str, ...] = ()
    detached: bool = False  #: the result says nothing about how the command ended


class OpenCalls:
    """Calls by their ids until their results come."""

    def __init__(self) -> None:
        self._calls: dict[str, HistoryToolCall] = {}

    def begin(self, key: object, call: HistoryToolCall | None) -> None:
        """Remember a call; forget the oldest if there are too many."""
        if not isinstance(key, str) or call is None:
            return
        if len(self._calls) >= MOST_OPEN:
            del self._calls[next(iter(self._calls))]
        self._calls[key] = call

    def end(self, key: object) -> HistoryToolCall | None:
        """Return the call that a result belongs to; None if it is unknown or ended before."""
        return self._calls.pop(key, None) if isinstance(key, str) else None


def step_of(call: HistoryToolCall, output: str, passed: bool | None, at: datetime) -> Step:
    """Return the step of a call with its result."""
    passed = None if call.detached else passed
    if call.command:
        return Step(StepKind.COMMAND, at, storable(output), storable(call.command), passed=passed)
    text = storable(output) if passed is False else ""
    return Step(StepKind.EDIT, at, text, files=tuple(map(storable, call.files)), passed=passed)


def call_of(command: str, patch: str = "") -> HistoryToolCall | None:
    """Return the call of a command line, or the edit of the patch in it."""
    if files := _PATCHED.findall(patch or command):
        return HistoryToolCall(files=tuple(files[:MOST_FILES]))
    return HistoryToolCall(command) if command.strip() else None


def command_line(given: object) -> str:
    """Return a command as one line of a shell, without the shell that an agent starts it in."""
    if isinstance(given, str):
        return given
    if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
        return ""
    if len(given) == 3 and given[1] in _SHELL_FLAGS:
        return str(given[2])
    return shlex.join(given)


def exit_code(text: str) -> int | None:
    """Return the last exit code that a text names; None if it names none."""
    found = _EXIT_CODE.findall(text)
    return int(found[-1]) if found else None


def without_added(text: str) -> str:
    """Remove what agents and hooks added to a text."""
    return storable(_ADDED.sub("", text)).strip()


def texts(content: object, kinds: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the texts of a message: one text, or blocks of the given kinds."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and (not kinds or block.get("type") in kinds):
                text = block.get("text")
                if isinstance(text, str):
                    yield text


def text_in(values: Mapping[str, Any], *names: str) -> str:
    """Return the first of these values that is a text; empty if there is none."""
    return next((found for name in names if isinstance(found := values.get(name), str) and found), "")
