"""Read the JSON of an event, whatever agent sent it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from memory_layer.doors.hook.agents import AGENTS, BY_NAME, EventKind, HookAgent, kind_of
from memory_layer.model.record import NamedTuple

MOST_FILES = 8
_OWN_TOOLS = re.compile(r"memory_[a-z]+$")
_WRITING_TOOLS = re.compile(r"edit|write|patch|create|replace|notebook|rename|delete", re.IGNORECASE)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_EXIT_CODE = re.compile(r"\bexit(?:ed)?(?: with)?(?: (?:code|status))?:? (-?\d{1,10})\b", re.IGNORECASE)
_PRIVATE = re.compile(r"<(/?)private>", re.IGNORECASE)
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
    error: str = ""  #: the output of a tool that failed

    @property
    def is_silent(self) -> bool:
        """Is there nothing to say and nothing to learn at this event, whatever is stored?"""
        reaches = self.agent.reaches
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
        files=tuple(file for file in files if file)[:MOST_FILES],
        error=_error(event, payload),
    )


def _without_private(text: str) -> str:
    """Remove the private parts of a prompt, also nested ones and one that is not closed."""
    kept, depth, at = list[str](), 0, 0
    for mark in _PRIVATE.finditer(text):
        if mark[1]:
            depth = max(depth - 1, 0)
            at = mark.end() if depth == 0 else at
        else:
            kept += [text[at : mark.start()]] if depth == 0 else []
            depth += 1
    return " ".join([*kept, text[at:] if depth == 0 else ""])


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


def _error(event: HookEvent, payload: Mapping[str, Any]) -> str:
    """Return the output of a tool that failed."""
    if event.kind is EventKind.TOOL_FAILED:
        return _text(payload, "error", "tool_response") or "\n".join(_texts(payload.get("tool_response")))
    if event.kind is not EventKind.AFTER_TOOL:
        return ""
    keys = ("tool_response", "toolResult", "tool_result", "output", "metadata", "content")
    output = "\n".join(text for key in keys for text in _texts(payload.get(key)))
    failed = _failed(payload, output) or (event.agent.records_exit_codes and _is_recorded(payload))
    return output if failed else ""


def _is_recorded(payload: Mapping[str, Any]) -> bool:
    """Does the agent's record of the session say that the command failed?"""
    from memory_layer.doors.hook.exit_codes import recorded_exit_code

    return bool(recorded_exit_code(_text(payload, "transcript_path"), _text(payload, "tool_use_id")))


def _failed(payload: Mapping[str, Any], output: str) -> bool:
    for name in ("tool_response", "toolResult", "tool_result", "metadata"):
        if isinstance(result := payload.get(name), dict):
            code = _first(result, "exit", "exit_code", "exitCode", "returncode")
            failed = result.get("resultType") in ("failure", "error") or bool(result.get("is_error"))
            if failed or result.get("error") or (isinstance(code, int) and code != 0):
                return True
    if payload.get("isError") is True:
        return True
    said = _EXIT_CODE.findall(output[-2_000:])
    return bool(said) and said[-1] != "0"


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
