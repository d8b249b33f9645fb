"""Read the JSON of an event, whatever agent sent it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memory_layer.doors.hook.agents import AGENTS, BY_NAME, EventKind, HookAgent, kind_of
from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step, StepKind

MOST_FILES = 8
_OWN_TOOLS = re.compile(r"memory_[a-z]+$")
_WRITING_TOOLS = re.compile(r"edit|write|patch|create|replace|notebook|rename|delete", re.IGNORECASE)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
#: The line by which an agent ends the output of a command, with nothing but more such lines behind it.
_EXIT_CODE = re.compile(
    r"^\W*(?:(?:process|command) )?exit(?:ed)?(?: with)?(?: exit)?(?: code| status)?:? (-?\d{1,10})\W*$"
    r"(?=(?:\s*^[A-Z][\w ]{2,30}: [^\n]*$)*\s*\Z)",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING = re.compile(r"(?:\s*</\w+>)+\s*\Z")  #: tags that an agent puts behind its report
_RESULT_KEYS = ("tool_response", "toolResult", "tool_result", "output", "metadata", "content")
#: What agents put around a prompt themselves, some of it from an earlier answer of ours.
_ADDED = re.compile(
    r"<(hook_context|system[-_]reminder|memories|session_context|environment_context)\b.*?(?:</\1>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
#: Prompts that no person typed for the model: messages of programs, and commands to the agent.
_NOT_TYPED = ("<task-notification", "<local-command", "<command-name", "/", "!", "#")


class HookEvent(NamedTuple):
    """An event of an agent's session."""

    agent: HookAgent
    kind: EventKind
    name: str  #: as the agent calls it
    session: str | None
    folder: str | None
    source: str = ""  #: startup, resume, compact, clear or new
    prompt: str = ""  #: what a person typed, without its private parts
    command: str = ""
    files: tuple[str, ...] = ()  #: that a tool changes
    output: str = ""  #: what a tool printed
    passed: bool | None = None  #: whether a tool succeeded; None if the agent does not tell
    said: str = ""  #: the agent's last words of a turn

    @property
    def error(self) -> str:
        """Return the output of a tool that failed."""
        return self.output if self.passed is False else ""

    @property
    def is_idle(self) -> bool:
        """Is there nothing to do at this event at all?"""
        tells = bool(self.prompt or self.said or self.command or self.files)
        return self.is_silent and self.kind is not EventKind.END and not tells

    @property
    def is_silent(self) -> bool:
        """Is there nothing to say and nothing to learn at this event, whatever is stored?"""
        reaches = self.agent.reaches
        if self.kind is EventKind.STATUS_LINE:
            return self.session is None
        if self.kind is EventKind.PROMPT and self.prompt:
            return False
        if self.kind not in reaches:
            return True
        if EventKind.START not in reaches or self.kind in (EventKind.START, EventKind.SUBAGENT):
            return False  # a context may be owed
        warns = self.kind is EventKind.BEFORE_TOOL or EventKind.BEFORE_TOOL not in reaches
        return not (self.error or (warns and (self.command or self.files)))


def read_event(agent: str, event: str, raw: bytes, environ: Mapping[str, str]) -> HookEvent | None:
    """Parse an event; None if it is nothing to answer."""
    shape = json.loads(raw or b"{}")
    if not isinstance(shape, dict):
        return None
    payload = _flat(shape)
    name = str(_first(payload, "hook_event_name", "hookEventName", "hookName", "type") or event)
    kind = kind_of(name) or kind_of(event)
    known = _caller(agent, payload, environ)
    if kind is None or known is None:
        return None
    return _with_details(
        HookEvent(
            agent=known,
            kind=kind,
            name=name,
            session=_session(payload),
            folder=_folder(payload),
            source=_text(payload, "source", "reason"),
        ),
        payload,
    )


def step_of(event: HookEvent, at: datetime) -> Step | None:
    """Return what an event tells about the work of a session; None if it tells nothing."""
    if event.prompt:
        return Step(StepKind.PROMPT, at, event.prompt)
    if event.said:
        return Step(StepKind.SAID, at, event.said)
    if event.kind not in (EventKind.AFTER_TOOL, EventKind.TOOL_FAILED):
        return None
    if event.command:
        return Step(StepKind.COMMAND, at, event.output, event.command, passed=event.passed)
    if event.files:
        return Step(StepKind.EDIT, at, event.error, files=event.files, passed=event.passed)
    return None


def _flat(shape: Mapping[str, Any]) -> dict[str, Any]:
    """Lift what plugins nest below `input` and `output`, and Cline and Windsurf below names of their own."""
    payload = dict(shape)
    for name in ("output", "input", "tool_call", "tool_result", "taskStart", "tool_info"):
        if isinstance(inner := shape.get(name), dict):
            payload = {**inner, **payload}
    return payload


def _caller(named: str, payload: Mapping[str, Any], environ: Mapping[str, str]) -> HookAgent | None:
    """Identify the agent by its payload, then by its variables, then by the argument.

    Some agents run the hooks of others, so the argument proves the least.
    """
    transcript = _text(payload, "transcript_path", "transcriptPath").replace("\\", "/")
    for agent in AGENTS:
        if any(trace in transcript for trace in agent.traces):
            return agent
    if "workspaceRoots" in payload and "taskId" in payload:
        return BY_NAME["cline"]
    for agent in AGENTS:
        if any(mark in environ for mark in agent.marks):
            return agent
    return BY_NAME.get(named)


def _session(payload: Mapping[str, Any]) -> str | None:
    context = payload.get("sessionContext")
    nested = _text(context, "rootSessionId") if isinstance(context, dict) else ""
    name = nested or _text(
        payload, "session_id", "sessionId", "sessionID", "conversation_id", "taskId", "trajectory_id"
    )
    if not name.isprintable() or not 0 < len(name) <= 150:
        return None
    helper = _text(payload, "agent_id")
    return f"{name}/{helper[:40]}" if helper.isalnum() and not nested else name


def _folder(payload: Mapping[str, Any]) -> str | None:
    roots = payload.get("workspaceRoots") or payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    return _text(payload, "cwd", "workspaceRoot", "directory") or first or None


def _with_details(event: HookEvent, payload: Mapping[str, Any]) -> HookEvent:
    if event.kind is EventKind.PROMPT:
        return event._replace(prompt=_without_private(_prompt(payload)).strip())
    if event.kind is EventKind.STOP:
        return event._replace(
            said=_text(payload, "last_assistant_message", "prompt_response", "lastAssistantMessage")
        )
    tool = _text(payload, "tool_name", "toolName", "tool", "name")
    if _OWN_TOOLS.search(tool):
        return event
    arguments = _arguments(payload)
    command = _command(arguments)
    patched = _PATCHED.findall(command) or _PATCHED.findall(_text(arguments, "input", "patch"))
    named = [_text(arguments, "file_path", "path", "filename", "absolute_path", "notebook_path", "filePath")]
    files = patched or (named if _WRITING_TOOLS.search(tool) else [])
    return event._replace(
        command="" if patched else command,
        files=tuple(file for file in files if file),
        output=_output(event.kind, payload),
        passed=_passed(event, payload),
    )


def _without_private(text: str) -> str:
    """Remove the private parts of a prompt; most have none."""
    if "<private" not in text.lower():
        return text
    from memory_layer.usecases.who.privacy import without_private

    return without_private(text)


def _prompt(payload: Mapping[str, Any]) -> str:
    """Return what a person typed; empty where the agent speaks to itself."""
    parts = payload.get("parts")
    if isinstance(parts, list):
        typed = "\n".join(_text(part, "text") for part in parts if isinstance(part, dict))
    else:
        typed = _text(payload, "prompt", "user_prompt", "user_message", "message", "text")
    typed = _ADDED.sub("", typed).strip()
    if len(typed) > 1 and typed[0] == typed[-1] == '"' and '"' not in typed[1:-1]:
        typed = typed[1:-1]
    return "" if typed.startswith(_NOT_TYPED) else typed


def _arguments(payload: Mapping[str, Any]) -> dict[str, Any]:
    for name in ("tool_input", "toolInput", "toolArgs", "args", "input", "arguments"):
        if isinstance(found := payload.get(name), dict):
            return found
    return dict(payload) if "command" in payload or "file_path" in payload else {}


def _command(arguments: Mapping[str, Any]) -> str:
    commands = arguments.get("commands")
    if isinstance(commands, list):
        return "\n".join(each for each in commands if isinstance(each, str))
    given = arguments.get("command", arguments.get("cmd"))
    if isinstance(given, list):
        return " ".join(each for each in given if isinstance(each, str))
    return given if isinstance(given, str) else ""


def _output(kind: EventKind, payload: Mapping[str, Any]) -> str:
    """Return what a tool printed."""
    if kind is EventKind.TOOL_FAILED:
        return _text(payload, "error", "tool_response") or "\n".join(_texts(payload.get("tool_response")))
    if kind is not EventKind.AFTER_TOOL:
        return ""
    return "\n".join(dict.fromkeys(text for key in _RESULT_KEYS for text in _texts(payload.get(key))))


def _passed(event: HookEvent, payload: Mapping[str, Any]) -> bool | None:
    """Tell whether a tool succeeded, by its codes and marks, else by what its agent leaves out of a success."""
    if event.kind is EventKind.TOOL_FAILED:
        return None if payload.get("is_interrupt") is True else False
    if event.kind is not EventKind.AFTER_TOOL:
        return None
    codes = [code for result in _results(payload) for code in _codes(result)]
    if payload.get("isError") is True or any(codes):
        return False
    if codes:
        return True
    said = [code for text in _told(payload) for code in _EXIT_CODE.findall(_CLOSING.sub("", text[-2_000:]))]
    if said:
        return int(said[-1]) == 0
    if event.agent.tells_failure:
        return True
    return _recorded(payload) if event.agent.records_exit_codes else None


def _told(payload: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of an agent's own report on a tool, without what the tool printed word for word."""
    for key in _RESULT_KEYS:
        value = payload.get(key)
        if isinstance(value, dict):
            value = {name: each for name, each in value.items() if name not in ("stdout", "stderr")}
        yield from _texts(value)


def _recorded(payload: Mapping[str, Any]) -> bool | None:
    """Tell whether a command succeeded, by the agent's record of the session."""
    from memory_layer.doors.hook.exit_codes import recorded_exit_code

    code = recorded_exit_code(_text(payload, "transcript_path"), _text(payload, "tool_use_id"))
    return None if code is None else code == 0


def _results(payload: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield payload
    for name in ("tool_response", "toolResult", "tool_result", "metadata", "postToolUse"):
        if isinstance(result := payload.get(name), dict):
            yield result


def _codes(result: Mapping[str, Any]) -> Iterator[bool]:
    """Yield for each mark of a result whether it says that the tool failed."""
    code = _first(result, "exit", "exit_code", "exitCode", "returncode")
    if type(code) is int:
        yield code != 0
    if isinstance(kind := result.get("resultType"), str):
        yield kind in ("failure", "error")
    if isinstance(success := result.get("success"), bool):
        yield not success
    if result.get("is_error") or (result.get("error") and "hook_event_name" not in result):
        yield True


def _texts(value: object, depth: int = 3) -> Iterator[str]:
    """Yield the texts inside a tool's result."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth:
        for each in value.values():
            yield from _texts(each, depth - 1)
    elif isinstance(value, list) and depth:
        for each in value[:20]:
            yield from _texts(each, depth - 1)


def _first(payload: Mapping[str, Any], *names: str) -> object:
    return next((payload[name] for name in names if payload.get(name) is not None), None)


def _text(payload: Mapping[str, Any], *names: str) -> str:
    return next((found for name in names if isinstance(found := payload.get(name), str) and found), "")
